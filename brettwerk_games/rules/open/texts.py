"""All words of a game from one Markdown file for each language: `en.md` and, where there are more, such as `de.md` in its folder.

    ---
    seat.0.name: Red
    option.first.label: Begins
    reason.four: {winner} has four in a row.
    ---
    # Connect Four

    The first paragraph is the summary.

    ## The game

    <a id="C4-TURN-1"></a>**C4-TURN-1** You drop a disc ...

The text between the two lines of dashes goes into the catalogue, and so do the heading (`game.name`), the first paragraph
(`game.summary`) and the sentences of the rules. The rest is the rules page. A sentence with {seat}, {winner} or {loser} is one
for each seat, whose name stands there: `reason.four.0` and `reason.four.1`. The texts that all games share (levels,
giving up, time, draws, plain names of seats) stand in this package's `text/`, whose rules get the prefix of the game's own ids
(C4). Where more than two can play, a sentence with {loser} is left out.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from brettwerk_games.languages.folders import BASE
from brettwerk_games.rules.facts import Facts, read_facts
from brettwerk_games.rules.rule_sentences import plain, rule_sentences

_TEXT = Path(__file__).parent / "text"
_HEADING = re.compile(r"\s*# (?P<name>[^\n]+)\n\s*\n(?P<summary>.+?)\n\s*\n", re.DOTALL)
_SEAT = re.compile(r"\{(seat|winner|loser)\}")
_SEAT_NAME = re.compile(r"seat\.\d+\.name")
_PREFIX = re.compile(r'<a id="([A-Z0-9]+)-')
_TWO = 2


@dataclass(frozen=True, slots=True)
class OpenFacts(Facts):
    """Facts of a game whose words stand in one file for each language."""

    @property
    def prefix(self) -> str:
        """The beginning of the ids of the game's rules. Raises ValueError for a page without rules."""
        return _prefix(_file(self.folder, BASE)[1])

    def _texts(self, language: str) -> dict[str, str]:
        words, page = _file(self.folder, language)
        if not page:
            return self.common_texts(language)
        heading = _matched(page, language)
        own = {"game.name": heading["name"], "game.summary": plain(" ".join(heading["summary"].split()))}
        rules = {f"rule.{rule}": sentence for rule, sentence in rule_sentences(self._page(language)).items()}
        # what all games say may be there in English only, and names this game's seats in its own words even then
        common = _words(_file(_TEXT, language)[0] or _file(_TEXT, BASE)[0])
        texts = {**self.common_texts(language), **common, **own, **_words(words)}
        english = texts if language == BASE else self._texts(BASE)
        keys = [f"seat.{seat}.name" for seat in range(len(self.seats))]
        names = tuple(texts.get(key) or english[key] for key in keys)
        heard = {key: text for key, text in texts.items() if key in keys or not _SEAT_NAME.fullmatch(key)}
        return {key: text for each in heard.items() for key, text in _by_seat(*each, names)} | rules

    def _page(self, language: str) -> str:
        page = _file(self.folder, language)[1]
        if not page:
            return ""
        common = _file(_TEXT, language)[1] or _file(_TEXT, BASE)[1]
        return f"{page.strip()}\n\n{common.replace('{prefix}', _prefix(page)).strip()}\n"


def read_open_facts(folder: Path, options: type[Any] | None = None) -> OpenFacts:
    """Return the facts of a game's folder; raises what `read_facts` raises."""
    facts = read_facts(folder, options)
    return OpenFacts(**{name: getattr(facts, name) for name in Facts.__dataclass_fields__})


def _file(folder: Path, language: str) -> tuple[str, str]:
    """Return the words and the page of a file; nothing where there is none. Raises KeyError where it is the English one."""
    path = folder / f"{language}.md"
    if path.exists():
        return _parts(path)
    if language == BASE:
        raise KeyError(language)
    return "", ""


@lru_cache(maxsize=256)
def _parts(path: Path) -> tuple[str, str]:
    _, words, page = path.read_text(encoding="utf-8").split("---\n", 2)
    return words, page


def _matched(page: str, language: str) -> dict[str, str]:
    found = _HEADING.match(page)
    if found is None:
        raise ValueError(f"the page in {language} does not begin with a heading and a paragraph")
    return found.groupdict()


def _prefix(page: str) -> str:
    found = _PREFIX.search(page)
    if found is None:
        raise ValueError("the rules page has no rule")
    return found[1]


def _words(lines: str) -> dict[str, str]:
    return {key: text.strip() for key, _, text in (line.partition(": ") for line in lines.splitlines() if line.strip())}


def _by_seat(key: str, text: str, names: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return a sentence as it is, or one for each seat where it names one."""
    named = set(_SEAT.findall(text))
    if not named:
        return [(key, text)]
    if "loser" in named and len(names) != _TWO:
        return []
    filled = []
    for seat, name in enumerate(names):
        by_word = {"seat": name, "winner": name, "loser": names[1 - seat] if len(names) == _TWO else ""}
        filled.append((f"{key}.{seat}", _SEAT.sub(lambda found, by_word=by_word: by_word[found[1]], text)))  # type: ignore[misc]
    return filled
