"""The order of players, by points and tie-breaks after FIDE's Handbook (C.07, of 2024). Pure.

In this order: points; direct encounter (the points of games among those with equal points, where all of them have met); then in a
Swiss tournament Buchholz Cut-1, Buchholz, its median and Sonneborn-Berger, in a round robin Sonneborn-Berger; then the number of
wins; then the list at the start.

- Buchholz: the sum of the opponents' points. A round that was not played counts as one against oneself: an opponent with as many
  points as the player. Cut-1 leaves out the lowest, Median the highest as well.
- Sonneborn-Berger: for each opponent their points times what the player got against them: all for a win, half for a draw.
- Wins: games that were won by playing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from services.players.tournaments.results import WIN, Entrant, Game, games_of, score


@dataclass(frozen=True, slots=True)
class Standing:
    """An entrant's place, and what it comes from. All values are in halves of points, Sonneborn-Berger in quarters."""

    place: int
    """From 1; entrants who nothing tells apart share it."""
    number: int
    points: int
    wins: int
    direct: int = 0
    buchholz_cut: int = 0
    buchholz: int = 0
    buchholz_median: int = 0
    sonneborn_berger: int = 0
    group: int = 0
    """From 1; 0 without groups."""
    group_place: int = 0
    """The place in the group."""


def standings(entrants: Sequence[Entrant], games: Sequence[Game], *, is_swiss: bool) -> list[Standing]:
    """Return all entrants, the best first."""
    points = {one.number: score(one.number, games) for one in entrants}
    direct = _direct(points, games)
    rows = []
    for one in entrants:
        met = games_of(one.number, games)
        strengths = sorted(
            points[each.opponent] if each.opponent is not None and each.played else points[one.number] for each in met
        )
        rows.append(
            Standing(
                place=0,
                number=one.number,
                points=points[one.number],
                direct=direct[one.number],
                buchholz_cut=sum(strengths[1:]),
                buchholz=sum(strengths),
                buchholz_median=sum(strengths[1:-1]),
                sonneborn_berger=sum(
                    points[each.opponent] * each.points for each in met if each.opponent is not None and each.played
                ),
                wins=sum(1 for each in met if each.played and each.points == WIN),
            )
        )
    rows.sort(key=lambda row: (*(-value for value in standing_key(row, is_swiss=is_swiss)), row.number))
    placed: list[Standing] = []
    for index, row in enumerate(rows):
        before = placed[-1] if placed else None
        shared = before is not None and standing_key(before, is_swiss=is_swiss) == standing_key(row, is_swiss=is_swiss)
        place = before.place if before is not None and shared else index + 1
        placed.append(replace(row, place=place))
    return placed


def standing_key(row: Standing, *, is_swiss: bool) -> tuple[int, ...]:
    """Return what places go by, the most important first: the greater the better."""
    if is_swiss:
        by_opponents = row.buchholz_cut, row.buchholz, row.buchholz_median, row.sonneborn_berger
        return row.points, row.direct, *by_opponents, row.wins
    return row.points, row.direct, row.sonneborn_berger, row.wins


def _direct(points: Mapping[int, int], games: Sequence[Game]) -> dict[int, int]:
    """Return what each entrant got against those with equal points, 0 for all of a group of whom not all have met."""
    found = dict.fromkeys(points, 0)
    for value in set(points.values()):
        group = {number for number, own in points.items() if own == value}
        among = [game for game in games if game.points is not None and game.second in group and game.first in group]
        pairs = {frozenset((game.first, game.second)) for game in among}
        if len(group) > 1 and len(pairs) == len(group) * (len(group) - 1) // 2:
            for number in group:
                found[number] = score(number, among)
    return found
