"""The texts of push messages and mails, in the languages of the page."""

import json
from functools import cache
from pathlib import Path

from brettwerk.v1 import news_pb2
from services.players import game_data

LANGUAGES = ("en", "de")
_FOLDER = Path(__file__).parent


def spoken(language: str) -> str:
    """Return the language that is spoken to somebody who asks for one."""
    short = language.lower()[:2]
    return short if short in LANGUAGES else LANGUAGES[0]


def say(language: str, key: str, **values: object) -> str:
    """Return a text. Raises KeyError for one that there is not."""
    return _texts(spoken(language))[key].format(**values)


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
    for tried in (spoken(language), LANGUAGES[0]):
        try:
            return str(json.loads((folder / f"{tried}.json").read_text(encoding="utf-8"))["game.name"])
        except (OSError, ValueError, KeyError):
            continue
    return game


@cache
def _texts(language: str) -> dict[str, str]:
    read: dict[str, str] = json.loads((_FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return read
