"""The achievements there are, and for which of them a finished game counts.

Each game has its own in its folder (`achievements.json`), and those over all games are beside this module.

    [{"id": "corner", "en": {"name": "...", "text": "..."}, "de": {...}, "times": 5, "when": {...}}]

The folders of languages have their words by id: {"corner": {"name": "...", "text": "..."}} (brettwerk_games/languages).

A game counts for an achievement when its condition holds (`when`, conditions.py); it is reached with `times` such games (1). With
`different` it is reached with so many different `games`, `opponents` or `days` among them, and with `row` when that many games of
a player in a row have one of the results of its condition, which says nothing else then.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from brettwerk_games.languages.folders import BASE, LANGUAGES
from services.players.achievements.conditions import Condition, Played
from services.players.game_data import every_game, read
from services.players.results.summary import FINISHED, Result, Summary

FILE = "achievements.json"
OVERALL = "overall"
"""Stands for the game in ids of achievements over all games."""
TIMES, ROW = "times", "row"
DIFFERENT = ("games", "opponents", "days")


@dataclass(frozen=True, slots=True)
class Achievement:
    """An achievement."""

    game: str
    """Empty over all games."""
    name: str
    """Its id in its game: corner."""
    words: Mapping[str, Mapping[str, str]]
    """By language, of those that it is written in: its `name` and its `text`."""
    counts: str
    """The thing that is counted: times, row, games, opponents or days."""
    goal: int
    condition: Condition

    @property
    def id(self) -> str:
        """The id: einstein/corner."""
        return f"{self.game or OVERALL}/{self.name}"

    @property
    def stored_as(self) -> str:
        """The facts that are stored with a game that counts for it."""
        return self.name if self.game else self.id


def achievements(game: str) -> tuple[Achievement, ...]:
    """Return the achievements of a game, or with an empty id those over all games. Raises ValueError for a file that is wrong."""
    return _all_of(game) if not game or game in every_game() else ()


@cache  # of games that there are: whatever else callers name would fill it
def _all_of(game: str) -> tuple[Achievement, ...]:
    def parse(path: Path) -> tuple[Achievement, ...]:
        return tuple(_read(game, one) for one in json.loads(path.read_text(encoding="utf-8")))

    return read(game, FILE, parse, ()) if game else parse(Path(__file__).with_name(FILE))


def _read(game: str, entry: Mapping[str, Any]) -> Achievement:
    known = {"id", *LANGUAGES.codes(), "when", TIMES, ROW, "different"}
    if unknown := set(entry) - known:
        raise ValueError(f"an achievement does not know {', '.join(sorted(unknown))}")
    counts, goal = TIMES, entry.get(TIMES, 1)
    if ROW in entry:
        counts, goal = ROW, entry[ROW]
    elif "different" in entry:
        ((counts, goal),) = entry["different"].items()
        if counts not in DIFFERENT:
            raise ValueError(f"nothing counts different {counts}")
    words = {
        language: own for language in LANGUAGES.codes() if (own := entry.get(language) or _words(game, entry["id"], language))
    }
    if BASE not in words:
        raise ValueError(f"the achievement {entry['id']} has no words in English")
    return Achievement(game, entry["id"], words, counts, int(goal), Condition(entry["when"]))


def feats(game: str, summary: Summary) -> dict[int, str]:
    """Return by the numbers of results the achievements that they count for, as they are stored (`stored_as`).

    They are those of players who began the game, where it began as its rules say. Games in a row are not noted: results say it.
    """
    found: dict[int, str] = {}
    if summary.status != FINISHED or not summary.course.is_own:
        return found
    began = [one for one in summary.results if one.began]
    players = [one.player_id for one in began if one.player_id]
    for number, one in enumerate(summary.results):
        if one.began and players.count(one.player_id) == 1:  # who plays both sides overcomes nobody
            played = _played(summary, one, began)
            found[number] = " ".join(
                achievement.stored_as
                for achievement in (*achievements(game), *achievements(""))
                if achievement.counts != ROW and achievement.condition.holds(played)
            )
    return found


def _played(summary: Summary, one: Result, began: list[Result]) -> Played:
    plies = summary.course.plies
    return Played(
        one.result,
        [*summary.reason.split("."), ""][1],
        summary.seats,
        one.seat,
        one.place,
        frozenset(other.level for other in began if other.level and other.side != one.side),
        sum(bool(other.player_id) for other in began) - 1,
        any(other.side == one.side and other is not one for other in began),
        summary.competitive,
        [ply.notation for ply in plies if ply.seat == one.seat],
        [ply.notation for ply in plies if ply.seat != one.seat and ply.seat is not None],
    )


def _words(game: str, name: str, language: str) -> Mapping[str, str]:
    """Return what the folder of a language calls an achievement; nothing where it does not."""
    path = ("games", game, FILE) if game else (FILE,)
    words: Mapping[str, Mapping[str, str]] = LANGUAGES.data(language, *path)
    return words.get(name, {})
