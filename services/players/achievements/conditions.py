"""When a finished game counts for an achievement. Pure, and based only on what everybody may know of a game that is over.

    {"result": ["won"], "reason": ["corner"], "seats": [2, 4], "seat": [0], "place": [1], "level": ["strong"], "persons": 1,
     "partner": true, "competitive": true, "plies": [0, 12], "own": [0, 6],
     "written": [{"by": "own", "match": "x", "least": 3}, {"by": "others", "match": "x", "most": 0}]}

All that stands there must hold; what does not stand there is not asked. Numbers in pairs are bounds, both included. `reason` is
how the game ended (the second part of the outcome's reason), `level` one of a computer that was no partner, `persons` how many
other persons there were at least, `own` the number of the player's plies. `written` looks for a pattern in the notation, as
everybody may read it after the end: in at least `least` (1) and at most `limit` plies of the player (`own`), of others, of `any`,
or in the player's `last` one.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

BY = ("own", "others", "any", "last")
_KNOWN = frozenset(
    {"result", "reason", "seats", "seat", "place", "level", "persons", "partner", "competitive", "plies", "own", "written"}
)


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game as one of those who began it played it."""

    result: str
    reason: str
    """How it ended: corner."""
    seats: int
    seat: int
    place: int
    levels: frozenset[str]
    """Of the computers that were not partners."""
    persons: int
    """How many other people began it."""
    has_partner: bool
    competitive: bool
    own: Sequence[str]
    """The player's plies in notation."""
    others: Sequence[str]


@dataclass(frozen=True, slots=True)
class Written:
    """A pattern in the notation."""

    by: str
    pattern: re.Pattern[str]
    least: int
    limit: int

    def holds(self, played: Played) -> bool:
        """Return whether it is found as often as required."""
        found = 0
        for plies in self._where(played):
            for notation in plies:
                if self.pattern.search(notation):
                    found += 1
                    if found > self.limit:
                        return False
        return found >= self.least

    def _where(self, played: Played) -> Sequence[Sequence[str]]:
        match self.by:
            case "own":
                return (played.own,)
            case "others":
                return (played.others,)
            case "last":
                return (played.own[-1:],)
        return (played.own, played.others)


_MANY = 1_000_000


class Condition:
    """The conditions that must hold of a game."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Raises ValueError for an invalid condition."""
        if unknown := set(data) - _KNOWN:
            raise ValueError(f"a condition does not know {', '.join(sorted(unknown))}")
        self.results: tuple[str, ...] = tuple(data.get("result", ()))
        """Those that are asked for."""
        self._among = [(name, frozenset(data[name])) for name in ("result", "reason", "seat", "place") if name in data]
        self._within = [(name, *_bounds(data[name])) for name in ("seats", "plies", "own") if name in data]
        self._levels = frozenset(data.get("level", ()))
        self._persons = int(data.get("persons", 0))
        self._flags = [
            (name, bool(data[key])) for key, name in (("partner", "has_partner"), ("competitive", "competitive")) if key in data
        ]
        self.written = tuple(_written(one) for one in data.get("written", ()))

    def holds(self, played: Played) -> bool:
        """Return whether it holds."""
        for name, allowed in self._among:
            if getattr(played, name) not in allowed:
                return False
        return (
            played.persons >= self._persons
            and (not self._levels or bool(self._levels & played.levels))
            and (not self._flags or all(getattr(played, name) == wanted for name, wanted in self._flags))
            and (not self._within or all(least <= _size(played, name) <= limit for name, least, limit in self._within))
            and (not self.written or all(one.holds(played) for one in self.written))
        )


def _size(played: Played, name: str) -> int:
    match name:
        case "seats":
            return played.seats
        case "own":
            return len(played.own)
    return len(played.own) + len(played.others)


def _bounds(data: Sequence[int]) -> tuple[int, int]:
    least, limit = data
    if least > limit:
        raise ValueError("bounds of a condition go from the least to the most")
    return least, limit


def _written(data: Mapping[str, Any]) -> Written:
    if data["by"] not in BY or set(data) - {"by", "match", "least", "most"}:
        raise ValueError(f"no pattern in the notation: {data}")
    limit = int(data.get("most", _MANY))
    return Written(data["by"], re.compile(data["match"]), int(data.get("least", 1 if limit else 0)), limit)
