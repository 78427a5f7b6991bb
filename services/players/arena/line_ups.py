"""The next table of the arena: a round robin without an end. Pure.

The pairing that was played least comes next: with two seats, the ordered pair, so that both seats are had alike; with more, the
number of seats, then those who have played least with as many, each time from another seat on.
"""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

LEVEL = "level:"
"""Begins a computer level; everybody else is a bot."""

LineUp: TypeAlias = tuple[str, ...]
"""The players, in seat order."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """Somebody who plays in the arena of a game."""

    id: str
    """A bot's id, or `level:` and a computer level."""
    free: int
    """How many more games it could play now."""

    @property
    def is_bot(self) -> bool:
        """Whether it is a bot."""
        return not self.id.startswith(LEVEL)


def next_line_up(
    contestants: Sequence[Contestant],
    seats: Sequence[int],
    played: Mapping[LineUp, int],
    blocked: Set[tuple[str, str]] = frozenset(),
) -> LineUp | None:
    """Return who plays next, at least one bot among them; None if there is nothing to play now.

    `seats`: the numbers of seats that the game can have; `played`: how often each line-up was played or is being played;
    `blocked`: who has blocked whom.
    """
    able = sorted((one for one in contestants if one.free > 0), key=lambda one: one.id)
    if not any(one.is_bot for one in able):
        return None
    by_seats = Counter[int]()
    for line_up, games in played.items():
        by_seats[len(line_up)] += games
    for count in sorted((count for count in seats if count <= len(able)), key=lambda count: (by_seats[count], count)):
        found = _pair(able, played, blocked) if count == 2 else _table(able, count, played, blocked)
        if found is not None:
            return found
    return None


def _may_meet(one: Contestant, other: Contestant, blocked: Set[tuple[str, str]]) -> bool:
    return one is not other and (one.id, other.id) not in blocked and (other.id, one.id) not in blocked


def _pair(able: Sequence[Contestant], played: Mapping[LineUp, int], blocked: Set[tuple[str, str]]) -> LineUp | None:
    games = _games(played, 2)
    pairs = [(one, other) for one in able for other in able if _may_meet(one, other, blocked) and (one.is_bot or other.is_bot)]
    if not pairs:
        return None
    one, other = min(
        pairs,
        key=lambda pair: (
            played.get((pair[0].id, pair[1].id), 0),
            games[pair[0].id] + games[pair[1].id],
            pair[0].id,
            pair[1].id,
        ),
    )
    return one.id, other.id


def _table(able: Sequence[Contestant], count: int, played: Mapping[LineUp, int], blocked: Set[tuple[str, str]]) -> LineUp | None:
    games = _games(played, count)
    by_games = sorted(able, key=lambda one: (games[one.id], one.id))
    chosen: list[str] = []
    for bot in (one for one in by_games if one.is_bot):
        sitting = [bot]
        for one in by_games:
            if len(sitting) < count and all(_may_meet(one, other, blocked) for other in sitting):
                sitting.append(one)
        if len(sitting) == count:
            chosen = sorted(one.id for one in sitting)
            break
    else:
        return None
    turns = [tuple(chosen[first:] + chosen[:first]) for first in range(count)]
    return min(turns, key=lambda turn: (played.get(turn, 0), turn))


def _games(played: Mapping[LineUp, int], seats: int) -> Counter[str]:
    games = Counter[str]()
    for line_up, count in played.items():
        if len(line_up) == seats:
            for one in line_up:
                games[one] += count
    return games
