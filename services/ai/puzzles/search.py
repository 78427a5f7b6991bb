"""Looks through the positions of a finished game for puzzles, the most promising first, for as long as it may."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from brettwerk_games.rules.interface import AnyGame
from services.ai.puzzles.criteria import MIN_ACTIONS, Finder, Found

PER_GAME = 2
"""Puzzles that one game gives at most: its positions resemble one another."""
_APART = 6
"""Plies between two puzzles of a game."""
_MAX_LOOKED_AT = 16
"""Positions of a game that are looked at closely."""
_OVER_S = 15.0
"""How much longer the last position may take."""
_FROM = 4
"""The first plies are left out: beginnings recur."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A position of a game as the seat that acted saw it, and what it did there."""

    view: Any
    action: Any
    version: int
    """The version of the session in which it was to be seen."""


@dataclass(frozen=True, slots=True)
class Met:
    """A puzzle, and where it was met."""

    found: Found
    moment: Moment


def look(game: AnyGame, moments: Sequence[Moment], seconds: float, go_on: Callable[[], bool] = lambda: True) -> list[Met]:
    """Return the puzzles of a game. `go_on` is asked before each position; no new one is begun after `seconds`."""
    finder, until = Finder(game), time.monotonic() + seconds
    promising: list[tuple[float, int]] = []
    for number, moment in enumerate(moments[_FROM:], _FROM):
        if time.monotonic() > until or not go_on():
            break
        if len(game.actions(moment.view)) >= MIN_ACTIONS and (promise := finder.promise(moment.view)) > 0:
            promising.append((-promise, number))
    met: dict[int, Met] = {}
    for _, number in sorted(promising)[:_MAX_LOOKED_AT]:
        if len(met) == PER_GAME or time.monotonic() > until or not go_on():
            break
        if any(abs(number - other) < _APART for other in met):
            continue
        if (found := finder.find(moments[number].view, until + _OVER_S)) is not None:
            met[number] = Met(found, moments[number])
    return list(met.values())
