"""Swiss pairing, after FIDE's Dutch system (Handbook C.04.1 and C.04.3) in what it wants, by a search of its own. Pure.

The rules that hold in every round, as long as there is such a pairing of it (basic rules of C.04.1, absolute criteria of C.04.3):

- Two entrants meet once at most.
- An entrant has one bye at most.
- An entrant has a seat twice in a row at most, and at most two times more than the other.

Within that, in this order:

1. The bye, with an odd number, goes to the entrant with the fewest points who has had none, the lowest in the list among equals.
2. From the best downwards each entrant is paired within their group of equal points, the upper half with the lower one in order
   (the first of ten with the sixth); where that is impossible, with the nearest group below.
3. Of two, whoever has had the first seat less often gets it; among equals whoever did not have it last; among equals the better
   one in odd rounds.

Where there is no such pairing (a small field, many rounds, many who have left), seats give way first, and repeats are last.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from services.players.tournaments.results import (
    Entrant,
    Game,
    had_bye,
    have_met,
    last_seats,
    score,
    seat_balance,
)

MAX_STEPS = 5_000
"""Pairs that are tried before something gives way; a round of 128 takes some 64."""


@dataclass(frozen=True, slots=True)
class _Rules:
    """The rules that a pairing has to keep to."""

    balances: bool
    """Whether two who are both due the same seat, with no choice left, do not meet."""
    repeats: bool
    """Whether two may meet again."""


_STRICTEST_FIRST = (
    _Rules(balances=True, repeats=False),
    _Rules(balances=False, repeats=False),
    _Rules(balances=False, repeats=True),
)


def pairings(entrants: Sequence[Entrant], games: Sequence[Game], round_number: int) -> list[Game]:
    """Return the games of a round, the best tables first; a bye is last."""
    playing = [one.number for one in entrants if one.plays_in(round_number)]
    points = {number: score(number, games) for number in playing}
    order = sorted(playing, key=lambda number: (-points[number], number))
    byes = _byes(order, points, games)
    for rules in _STRICTEST_FIRST:
        search = _Search(points, games, rules)
        for bye in byes:
            paired = search.find([number for number in order if number != bye])
            if paired is not None:
                return _round(paired, bye, games, round_number)
    return []


def rounds(count: int) -> int:
    """Return how many rounds find one winner among so many entrants: the logarithm to base two, rounded up."""
    return max(1, (count - 1).bit_length())


def most_rounds(count: int) -> int:
    """Return how many rounds so many entrants can play: with so many there is a pairing without repeats in each of them.

    Entrants who have met fewer than half of the others can always be paired (Dirac's theorem), where the bye of an odd number
    counts as one more; beyond that `rounds` are few enough.
    """
    return max(1, (count + 1) // 2, min(rounds(count), count - 1 + count % 2))


def _byes(order: Sequence[int], points: dict[int, int], games: Sequence[Game]) -> list[int | None]:
    """Return who may have the bye, whoever it is due to first; nobody where the number is even."""
    if len(order) % 2 == 0:
        return [None]
    have_had = had_bye(games)
    due = sorted(order, key=lambda number: (number in have_had, points[number], -number))
    fresh = [number for number in due if number not in have_had]
    return [*(fresh or due[:1])]


class _Search:
    """Pairs from the best downwards, and takes back what leaves somebody without an opponent."""

    def __init__(self, points: dict[int, int], games: Sequence[Game], rules: _Rules) -> None:
        self._points = points
        self._met = have_met(games)
        self._rules = rules
        self._due = {number: _due_seat(number, games) for number in points}
        self._steps = 0

    def find(self, order: Sequence[int]) -> list[tuple[int, int]] | None:
        """Return pairs of all, the best first; None where there are none within the rules, or they are not found soon."""
        return self._pair(list(order))

    def _pair(self, left: list[int]) -> list[tuple[int, int]] | None:
        if not left:
            return []
        one = left[0]
        for other in self._opponents(one, left[1:]):
            self._steps += 1
            if self._steps > MAX_STEPS and not self._rules.repeats:
                return None
            rest = self._pair([number for number in left[1:] if number != other])
            if rest is not None:
                return [(one, other), *rest]
        return None

    def _opponents(self, one: int, others: Sequence[int]) -> Iterator[int]:
        """Yield whom an entrant may be paired with, those first whom the system wants first."""
        group = [number for number in others if self._points[number] == self._points[one]]
        middle = len(group) // 2  # the group without its best: the first of the lower half
        fold = {number: abs(place - middle) for place, number in enumerate(group)}
        place = {number: index for index, number in enumerate(others)}

        def wanted(other: int) -> tuple[bool, int, int, bool]:
            gap = self._points[one] - self._points[other]
            same_seat = self._due[one] * self._due[other] > 0
            return self._has_met(one, other), gap, fold.get(other, place[other]), same_seat

        return iter(sorted((other for other in others if self._may_meet(one, other)), key=wanted))

    def _may_meet(self, one: int, other: int) -> bool:
        if not self._rules.repeats and self._has_met(one, other):
            return False
        return not self._rules.balances or self._due[one] * self._due[other] < _ABSOLUTE**2

    def _has_met(self, one: int, other: int) -> bool:
        return frozenset((one, other)) in self._met


_ABSOLUTE = 2
"""The due of a seat that an entrant has to have."""


def _due_seat(number: int, games: Sequence[Game]) -> int:
    """Return the seat that is due to an entrant: above 0 the first one, below 0 the second one; ±2 where there is no choice."""
    seats = last_seats(number, games)
    balance = seat_balance(number, games)
    if len(seats) > 1 and seats[-1] == seats[-2]:
        return -_ABSOLUTE if seats[-1] else _ABSOLUTE
    return max(-_ABSOLUTE, min(_ABSOLUTE, -balance))


def _round(pairs: Sequence[tuple[int, int]], bye: int | None, games: Sequence[Game], round_number: int) -> list[Game]:
    made = [Game(round_number, *_seated(one, other, games, round_number)) for one, other in pairs]
    return made if bye is None else [*made, Game(round_number, bye, None)]


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
