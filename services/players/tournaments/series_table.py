"""The table of a series of tournaments: what each tournament counts, and where the players stand. Pure.

A tournament counts its own points, or points by place: 25, 18, 15, 12, 10, 8, 6, 4, 2 and 1 for the first ten, where those who
share places get the mean of what these places count. All of a player's tournaments count, or the best ones. Players with the same
points are ranked by their best tournament, then by their second best and so on.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from services.players.tournaments.results import WIN
from services.players.tournaments.standings import Standing

BY_PLACE = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)
HUNDREDTHS = 100


@dataclass(frozen=True, slots=True)
class Result:
    """The place and the points of a player in one tournament."""

    player: str
    number: int
    """Of the tournament in the series."""
    place: int
    points: int
    """In the table, in hundredths."""


@dataclass(frozen=True, slots=True)
class Row:
    """A player in the table."""

    place: int
    """From 1; those whom nothing tells apart share it."""
    player: str
    points: int
    """Of the tournaments that count, in hundredths."""
    results: tuple[Result, ...]
    """All of the player's, in the order of the tournaments."""
    counting: frozenset[int]
    """The numbers of those that count."""


def points_of(standings: Sequence[Standing], *, by_places: bool) -> dict[int, int]:
    """Return what a tournament counts for its entrants, by their numbers and in hundredths."""
    if not by_places:
        return {row.number: row.points * HUNDREDTHS // WIN for row in standings}
    sharing: dict[int, int] = {}
    for row in standings:
        sharing[row.place] = sharing.get(row.place, 0) + 1
    return {row.number: _of_place(row.place, sharing[row.place]) for row in standings}


def _of_place(place: int, count: int) -> int:
    """Return what a place counts that so many share, in hundredths.

    >>> _of_place(2, 2)
    1650
    """
    return sum(BY_PLACE[place - 1 : place - 1 + count]) * HUNDREDTHS // count


def table(results: Iterable[Result], best: int) -> list[Row]:
    """Return the table, the best first; `best`: how many of a player's tournaments count, 0 for all."""
    own: dict[str, list[Result]] = {}
    for result in results:
        own.setdefault(result.player, []).append(result)
    keys = {}
    for player, found in own.items():
        ranked = sorted(found, key=lambda one: (-one.points, one.number))
        counting = ranked[: best or len(ranked)]
        total = sum(one.points for one in counting)
        keys[player] = (total, tuple(one.points for one in ranked if one.points)), counting
    rows = [
        Row(
            place=1 + sum(other > key for other, _ in keys.values()),
            player=player,
            points=key[0],
            results=tuple(sorted(own[player], key=lambda one: one.number)),
            counting=frozenset(one.number for one in counting),
        )
        for player, (key, counting) in keys.items()
    ]
    return sorted(rows, key=lambda row: (row.place, row.player))
