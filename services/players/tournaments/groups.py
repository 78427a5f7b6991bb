"""Groups and finals: all of a group meet each other once, and its first two go on to a knock-out. Pure.

There are as many groups as there can be with three or more in each, and their number is a power of two; fewer than six players
are one group. The list at the start is dealt out row by row, every other row from the last group to the first, so that groups are
of equal strength. In the knock-out the first of a group meets the second of another one, and two of one group meet again in the
final at the earliest.

Places in a group go by points and tie-breaks as in a round robin, and among those whom nothing tells apart by the list at the
start. Somebody who has left does not go on to the knock-out: the next one of the group does.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from services.players.tournaments import knock_out, round_robin
from services.players.tournaments.knock_out import Bracket
from services.players.tournaments.results import Entrant, Game, last_round
from services.players.tournaments.standings import Standing, standing_key
from services.players.tournaments.standings import standings as round_robin_standings

MIN_SIZE = 3
"""The fewest in a group where there are several."""
_GO_ON = 2
"""The players of a group who go on."""


def members(count: int) -> list[list[int]]:
    """Return the numbers of so many entrants by group.

    >>> members(8)
    [[0, 3, 4, 7], [1, 2, 5, 6]]
    """
    groups = 1
    while 2 * groups * MIN_SIZE <= count:
        groups *= 2
    found: list[list[int]] = [[] for _ in range(groups)]
    for number in range(count):
        row, column = divmod(number, groups)
        found[groups - 1 - column if row % 2 else column].append(number)
    return found


def first_free(count: int) -> tuple[list[range], Callable[[int, int], bool]]:
    """Return the rows that are dealt out to the groups, and whether two numbers are of one group."""
    found = members(count)
    group = {number: index for index, numbers in enumerate(found) for number in numbers}
    rows = [range(first, min(first + len(found), count)) for first in range(0, count, len(found))]
    return rows, lambda one, other: group[one] == group[other]


def group_rounds(count: int) -> int:
    """Return how many rounds so many entrants play in their groups."""
    return max(round_robin.rounds(len(group)) for group in members(count))


def rounds(count: int) -> int:
    """Return how many rounds so many entrants play in all."""
    return group_rounds(count) + knock_out.rounds(_GO_ON * len(members(count)))


def pairings(entrants: Sequence[Entrant], games: Sequence[Game]) -> list[Game]:
    """Return the games to begin when all those before are decided: those of a round of all groups, or of the knock-out.

    There are none when it is over.
    """
    number = last_round(games) + 1
    if number > group_rounds(len(entrants)):
        return bracket(entrants, games).pairings(games)
    found = [
        replace(game, first=group[game.first], second=None if game.second is None else group[game.second])
        for group in members(len(entrants))
        if number <= round_robin.rounds(len(group))
        for game in round_robin.pairings(len(group), number)
    ]
    return sorted(found, key=lambda game: game.is_bye)


def bracket(entrants: Sequence[Entrant], games: Sequence[Game]) -> Bracket:
    """Return who goes on, as the groups stand, and whom they meet."""
    before = group_rounds(len(entrants))
    there = {one.number for one in entrants if one.is_there_in(before + 1)}
    groups = members(len(entrants))
    seeds: list[int | None] = [None] * (_GO_ON * len(groups))
    for index, placed in enumerate(_tables(entrants, games)):
        first, second, *_ = [*(row.number for row in placed if row.number in there), None, None]
        seeds[index] = first
        # Groups are seeded alternately into the two halves: that of the neighbour is the other one.
        seeds[-1 - (index ^ 1) if len(groups) > 1 else -1] = second
    return Bracket(seeds, before)


def standings(entrants: Sequence[Entrant], games: Sequence[Game]) -> list[Standing]:
    """Return all entrants, the best first: by how far they came in the knock-out, by their place in the group, and by points.

    Points and tie-breaks are those of the group.
    """
    finals = bracket(entrants, games)
    reached = finals.reached(games) if last_round(games) > finals.before else {}
    keys: dict[int, tuple[tuple[int, ...], ...]] = {}
    rows = {}
    for group, placed in enumerate(_tables(entrants, games), 1):
        for row in placed:
            in_group = (-row.place, *standing_key(row, is_swiss=False))
            keys[row.number] = (reached[row.number],) if row.number in reached else ((0, 0), in_group)
            rows[row.number] = replace(row, group=group, group_place=row.place)
    found = [replace(row, place=1 + sum(other > keys[number] for other in keys.values())) for number, row in rows.items()]
    return sorted(found, key=lambda row: (row.place, row.number))


def _tables(entrants: Sequence[Entrant], games: Sequence[Game]) -> list[list[Standing]]:
    """Return the standings of each group."""
    before = group_rounds(len(entrants))
    by_number = {one.number: one for one in entrants}
    return [
        round_robin_standings(
            [by_number[number] for number in group],
            [game for game in games if game.round_number <= before and game.first in group],
            is_swiss=False,
        )
        for group in members(len(entrants))
    ]
