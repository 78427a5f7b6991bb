"""The texts of push messages and mails: in English beside this module, in other languages in their folders."""

import json
from functools import cache
from pathlib import Path

from brettwerk.v1 import news_pb2, record_pb2
from brettwerk_games.languages.folders import BASE, LANGUAGES, in_place_of
from services.players import game_data
from services.players.news.schedule import Item
from services.players.notifications.plurals import form
from services.runtime.player_text import shown_text

REASON_BYTES = 200
"""The longest reason of a ruling."""
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


def sentence(language: str, item: Item) -> str:
    """Return what news say; something general for a kind that a newer release knows."""
    texts, key = _texts(spoken(language)), f"news.{kind_name(item.kind)}"
    if item.ruling is not None and (ruled := _ruled(item.ruling)):
        return say(language, f"{key}.{ruled}", reason=shown_text(item.ruling.reason, REASON_BYTES))
    return texts.get(key, texts["news.other"])


def kind_name(kind: int) -> str:
    """Return what a kind of news is called (`your_turn`); `other` for one that a newer release knows."""
    try:
        return news_pb2.News.Kind.Name(kind).removeprefix("KIND_").lower()  # type: ignore[arg-type]
    except ValueError:
        return "other"


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


def _ruled(ruling: record_pb2.Ruling) -> str:
    """Return what kind of ruling it is; nothing for one that a newer release knows."""
    match ruling.WhichOneof("kind"):
        case "pause":
            return "stopped" if ruling.pause else "restarted"
        case "given_time":
            return "time"
        case "forfeited_seat":
            return "forfeited"
        case "draw" | "ranking":
            return "decided"
    return ""


def _is_own(language: str, key: str) -> bool:
    return key in LANGUAGES.words(language, "messages.json")


@cache
def _texts(language: str) -> dict[str, str]:
    english: dict[str, str] = json.loads(_BASE_FILE.read_text(encoding="utf-8"))
    return in_place_of(english, LANGUAGES.words(language, "messages.json"))
