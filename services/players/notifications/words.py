"""The texts of push messages and mails: in English beside this module, in other languages in their folders."""

import json
from functools import cache
from pathlib import Path

from brettwerk.v1 import news_pb2
from brettwerk_games.languages.folders import BASE, LANGUAGES, in_place_of
from services.players import game_data
from services.players.notifications.plurals import form

_BASE_FILE = Path(__file__).with_name("en.json")


def spoken(language: str) -> str:
    """Return the language that is spoken to somebody who asks for one; a newer release may have stored one that is not here."""
    return LANGUAGES.choose(language)


def say(language: str, key: str, **values: object) -> str:
    """Return a text, in the form that goes with `count` where that is one of the values. Raises KeyError for an unknown key."""
    language = spoken(language)
    texts, count = _texts(language), values.get("count")
    # an English text in place of one that is missing has its number's form in English
    said = form(texts, language if _is_own(language, key) else BASE, key, count) if isinstance(count, int) else texts[key]
    return said.format(**values)


def sentence(language: str, kind: int) -> str:
    """Return what news of a kind say; something general for a kind that a newer release knows."""
    try:
        name = news_pb2.News.Kind.Name(kind)  # type: ignore[arg-type]
    except ValueError:
        name = ""
    texts = _texts(spoken(language))
    return texts.get(f"news.{name.removeprefix('KIND_').lower()}", texts["news.other"])


@cache
def game_name(language: str, game: str) -> str:
    """Return what a game is called; its id where nobody knows."""
    try:
        folder = game_data.folder(game) / "text"
    except KeyError:
        return game
    for tried in (spoken(language), BASE):
        if name := LANGUAGES.words(tried, "games", game, "text.json").get("game.name"):
            return name
        try:
            return str(json.loads((folder / f"{tried}.json").read_text(encoding="utf-8"))["game.name"])
        except (OSError, ValueError, KeyError):
            continue
    return game


def _is_own(language: str, key: str) -> bool:
    return key in LANGUAGES.words(language, "messages.json")


@cache
def _texts(language: str) -> dict[str, str]:
    english: dict[str, str] = json.loads(_BASE_FILE.read_text(encoding="utf-8"))
    return in_place_of(english, LANGUAGES.words(language, "messages.json"))
