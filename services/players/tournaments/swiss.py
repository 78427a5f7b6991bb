"""Swiss pairing, after FIDE's Dutch system (Handbook C.04.1 and C.04.3) in what it wants, by a matching of least cost. Pure.

All pairs that there could be have a cost, and those are chosen that cost least together. What comes first here outweighs any
amount of what comes after it, so a rule is broken only where there is no pairing without that, and then as rarely as possible:

1. An entrant has one bye at most, beside one on request.
2. Two who are kept apart do not meet.
3. Two entrants meet once at most.
4. An entrant has a seat twice in a row at most, and at most two times more than the other.
5. The bye, with an odd number, goes to the fewest points.
6. Two who meet have points as nearly equal as can be: the squares of the differences count.
7. Within a group of equal points the upper half meets the lower one in order (the first of ten the sixth); whoever plays outside
   their group is the last of it, and meets the first of the other. The bye goes to the lowest in the list.
8. Of two who meet, one is due the first seat and the other the second one.

The seats: whoever has had the first one less often gets it; among equals whoever did not have it last; among equals the better
one in odd rounds.
"""

from collections import Counter
from collections.abc import Collection, Sequence

from services.players.tournaments.results import (
    Entrant,
    Game,
    last_seats,
    score,
    seat_balance,
)

_ABSOLUTE = 2
"""The due of a seat that an entrant has to have."""
_LEVEL = 1 << 24
"""More than all pairs of a round can cost at one of the levels."""


def pairings(
    entrants: Sequence[Entrant], games: Sequence[Game], round_number: int, apart: Collection[frozenset[int]] = frozenset()
) -> list[Game]:
    """Return the games of a round, the best tables first; a bye is last. `apart`: pairs who are kept apart."""
    playing = [one.number for one in entrants if one.plays_in(round_number)]
    points = {number: score(number, games) for number in playing}
    order = sorted(playing, key=lambda number: (-points[number], number))
    made = []
    bye: list[Game] = []
    for one, other in _matching(order, _Costs(order, points, games, apart)):
        if other is None:
            bye = [Game(round_number, one, None)]
        else:
            made.append(Game(round_number, *_seated(one, other, games, round_number)))
    return made + bye


def rounds(count: int) -> int:
    """Return how many rounds find one winner among so many entrants: the logarithm to base two, rounded up."""
    return max(1, (count - 1).bit_length())


def most_rounds(count: int) -> int:
    """Return how many rounds so many entrants can play: with so many there is a pairing without repeats in each of them.

    Entrants who have met fewer than half of the others can always be paired (Dirac's theorem), where the bye of an odd number
    counts as one more; beyond that `rounds` are few enough.
    """
    return max(1, (count + 1) // 2, min(rounds(count), count - 1 + count % 2))


def _matching(order: Sequence[int], costs: "_Costs") -> list[tuple[int, int | None]]:
    """Return pairs of all, the best first; one of an odd number is alone."""
    # It takes 24 MB, which a process that pairs nobody can do without.
    import networkx

    places: list[int | None] = [*order, *([None] if len(order) % 2 else [])]
    graph: networkx.Graph[int] = networkx.Graph()
    for place, one in enumerate(order):
        for other_place in range(place + 1, len(places)):
            graph.add_edge(place, other_place, weight=-costs.of(one, places[other_place]))
    matched = networkx.max_weight_matching(graph, maxcardinality=True)
    pairs = sorted((min(pair), max(pair)) for pair in matched)
    return [(order[one], places[other]) for one, other in pairs]


class _Costs:
    """The costs of pairing two, or of giving somebody the bye."""

    def __init__(
        self, order: Sequence[int], points: dict[int, int], games: Sequence[Game], apart: Collection[frozenset[int]]
    ) -> None:
        """`order`: those who are paired, the best first."""
        self._apart = apart
        self._points = points
        self._met = Counter(frozenset((game.first, game.second)) for game in games if not game.is_on_request)
        self._due = {number: _due_seat(number, games) for number in order}
        self._place = {number: place for place, number in enumerate(order)}
        groups: dict[int, list[int]] = {}
        for number in order:
            groups.setdefault(points[number], []).append(number)
        self._rank = {number: rank for group in groups.values() for rank, number in enumerate(group)}
        self._size = {number: len(groups[points[number]]) for number in order}
        self._fewest = min(points.values(), default=0)

    def of(self, one: int, other: int | None) -> int:
        """Return the cost of a pair, `one` being the better of the two; None for the bye."""
        met = self._met[frozenset((one, other))]
        if other is None:
            levels = (met, 0, 0, 0, self._points[one] - self._fewest, 0, len(self._place) - 1 - self._place[one], 0)
        else:
            due = self._due[one] * self._due[other]
            gap = self._points[one] - self._points[other]
            is_apart = frozenset((one, other)) in self._apart
            levels = (0, int(is_apart), met, int(due >= _ABSOLUTE**2), 0, gap**2, self._disorder(one, other), int(due > 0))
        cost = 0
        for level in levels:
            cost = cost * _LEVEL + level
        return cost

    def _disorder(self, one: int, other: int) -> int:
        if self._points[one] == self._points[other]:
            return (self._rank[other] - self._rank[one] - self._size[one] // 2) ** 2
        return (self._size[one] - 1 - self._rank[one]) ** 2 + self._rank[other] ** 2


def _due_seat(number: int, games: Sequence[Game]) -> int:
    """Return the seat that is due to an entrant: above 0 the first one, below 0 the second one; ±2 where there is no choice."""
    seats = last_seats(number, games)
    balance = seat_balance(number, games)
    if len(seats) > 1 and seats[-1] == seats[-2]:
        return -_ABSOLUTE if seats[-1] else _ABSOLUTE
    return max(-_ABSOLUTE, min(_ABSOLUTE, -balance))


def _seated(one: int, other: int, games: Sequence[Game], round_number: int) -> tuple[int, int]:
    """Return a pair with whoever is due the first seat in front; `one` is the better of the two."""
    due = _due_seat(one, games) - _due_seat(other, games)
    if due:
        return (one, other) if due > 0 else (other, one)
    balance = seat_balance(one, games) - seat_balance(other, games)
    if balance:
        return (one, other) if balance < 0 else (other, one)
    seats, others = last_seats(one, games)[-1:], last_seats(other, games)[-1:]
    if seats != others:
        return (one, other) if seats == [False] or others == [True] else (other, one)
    return (one, other) if (round_number + one) % 2 else (other, one)
