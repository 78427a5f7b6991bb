"""Counts what languages lack, and finds what is wrong in them: `python -m scripts.missing_words fr` (docs/languages.md).

Without a language it counts for all of them; `--list` names each key. It fails for texts that stand for no English one, and for
those that leave room for other facts than the English text: these are never shown.
"""

import argparse
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from brettwerk_games.languages.folders import BASE, LANGUAGES, Languages, stands_for
from brettwerk_games.rules.rule_sentences import rule_sentences

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "clients" / "web" / "src"
GAMES = ROOT / "brettwerk_games" / "rules"
PLAYERS = ROOT / "services" / "players"
_SENTENCE = re.compile(r'\ben: "((?:[^"\\]|\\.)*)"')
"""An English sentence that stands in code of a board beside the German one."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file of a language: what English says in its place, and what the game itself says in that language."""

    name: str
    english: Mapping[str, str]
    own: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Count:
    """How far a part is written."""

    part: str
    written: int
    missing: tuple[str, ...]
    wrong: tuple[str, ...]


def parts(language: str) -> Iterator[Part]:
    """Yield all that can be written in a language."""
    for path in sorted((PAGE / "app").glob("*/en.json")):
        yield Part(f"page/{path.parent.name}.json", _read(path))
    yield Part("messages.json", _read(PLAYERS / "notifications" / "en.json"))
    common = {f"phrase.{key}": words for key, words in _read(GAMES / "phrases.json").items()} | _read(GAMES / "words.json")
    yield Part("games.json", _by_language(common, BASE), _by_language(common, language))
    yield _achievements("achievements.json", PLAYERS / "achievements" / "achievements.json", language)
    for game in sorted(path.parent for path in GAMES.glob("*/facts.json")):
        folder = f"games/{game.name}"
        texts = game / "text"
        yield Part(f"{folder}/text.json", _read(texts / f"{BASE}.json"), _read(texts / f"{language}.json"))
        yield Part(f"{folder}/rules.md", _rules(game, BASE), _rules(game, language))
        yield _achievements(f"{folder}/achievements.json", game / "achievements.json", language)
        yield Part(f"{folder}/board.json", board(game.name, BASE), board(game.name, language))


def counted(language: str, languages: Languages = LANGUAGES) -> list[Count]:
    """Return how far each part of a language is written."""
    found = []
    for part in parts(language):
        path = part.name.split("/")
        if part.name.endswith(".md"):
            folder: Mapping[str, str] = rule_sentences(languages.page(language, *path))
            wrong = [rule for rule in folder if rule not in part.english]
        else:
            folder = _flat(languages.data(language, *path))
            wrong = [key for key, text in folder.items() if not stands_for(key, text, part.english)]
        missing = [key for key in part.english if key not in folder and key not in part.own]
        found.append(Count(part.name, len(part.english) - len(missing), tuple(missing), tuple(wrong)))
    return found


def board(game: str, language: str) -> dict[str, str]:
    """Return what the board of a game says in English or German, by the English sentence: lessons, introduction, pictures."""
    folder = PAGE / "boards" / game
    sentences: dict[str, str] = {}
    if (folder / "lessons.json").exists():
        _collect(_read(folder / "lessons.json"), language, sentences)
    for name in ("tour.ts", "rules_pictures.ts"):
        code = (folder / name).read_text(encoding="utf-8") if (folder / name).exists() else ""
        # code has every sentence in English and in German
        sentences |= {json.loads(f'"{text}"'): text for text in _SENTENCE.findall(code) if language in (BASE, "de")}
    return sentences


def _collect(value: object, language: str, into: dict[str, str]) -> None:
    if isinstance(value, dict):
        if isinstance(value.get(BASE), str):
            if language in value:
                into[value[BASE]] = value[language]
            return
        for each in value.values():
            _collect(each, language, into)
    elif isinstance(value, list):
        for each in value:
            _collect(each, language, into)


def _achievements(name: str, path: Path, language: str) -> Part:
    entries = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    words = {code: _flat({one["id"]: one[code] for one in entries if code in one}) for code in (BASE, language)}
    return Part(name, words[BASE], words[language])


def _rules(game: Path, language: str) -> Mapping[str, str]:
    path = game / f"rules.{language}.md"
    return rule_sentences(path.read_text(encoding="utf-8")) if path.exists() else {}


def _by_language(words: Mapping[str, Mapping[str, str]], language: str) -> dict[str, str]:
    return {key: each[language] for key, each in words.items() if language in each}


def _flat(words: Mapping[str, str | Mapping[str, str]]) -> dict[str, str]:
    """Return texts by key, `corner.name` for one within another."""
    flat: dict[str, str] = {}
    for key, text in words.items():
        flat |= {key: text} if isinstance(text, str) else {f"{key}.{inner}": each for inner, each in text.items()}
    return flat


def _read(path: Path) -> dict[str, str]:
    read: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return read


def main(arguments: list[str] | None = None) -> int:
    """Print the counts; return 1 where something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help="such as fr; all of them if none is named")
    parser.add_argument("--list", action="store_true", help="name each text that is missing")
    asked = parser.parse_args(arguments)
    others = [code for code in LANGUAGES.codes() if code != BASE]
    if unknown := set(asked.languages) - set(others):
        parser.error(f"no language has the folder {', '.join(sorted(unknown))}: there are {', '.join(others)}")
    is_wrong = False
    for language in asked.languages or others:
        counts = counted(language)
        missing = sum(len(each.missing) for each in counts)
        print(f"{language}: {missing} of {missing + sum(each.written for each in counts)} missing")
        for each in counts:
            if each.missing or each.wrong:
                print(f"  {each.part:40} {each.written:5} written {len(each.missing):5} missing")
            for key in each.missing if asked.list else ():
                print(f"    {key}")
            for key in each.wrong:
                print(f"    wrong: {key}")
                is_wrong = True
    return int(is_wrong)


if __name__ == "__main__":
    raise SystemExit(main())
