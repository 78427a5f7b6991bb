"""The results of one game for those who sat at it: two seats as in the paper, many seats as an extension of it.

In a game of n seats, each is compared with every seat that was no partner: who has the better place has won against the other,
who shares the place has drawn. But these n - 1 results are no games of their own: a player has one good or bad day in all of
them. If strength shows itself in a game as the player's own plus a chance deviation, equal for all, then two of the player's
comparisons share half of what varies in them (the player's own deviation, not the opponents'): they correlate by 1/2. The mean of
k results that correlate by r tells as much as k / (1 + (k - 1) r) independent ones, here 2 (n - 1) / n. So each of them has a
weight of 2 / n: 1 for two seats, 1/3 for six.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from services.players.ratings.glicko2 import Rating, Score


@dataclass(frozen=True, slots=True)
class Contestant:
    """How a seat did."""

    rating: Rating
    """Before the game."""
    place: int
    """From 1; seats that share one drew."""
    side: int
    """Seats with the same number are partners, and not compared."""
    abandoned: bool = False
    """Whether its player left before the end: lost to everybody who did not, whatever became of the seat."""


def scores(contestants: Sequence[Contestant], seat: int, trust: Sequence[float] = ()) -> tuple[Score, ...]:
    """Return what a seat got against each of the others. Two who both left are not compared.

    `trust` says how much is to be learned from each seat, 0 to 1 (trust.py); without it all.
    """
    own = contestants[seat]
    return tuple(
        Score(other.rating, _score(own, other), 2.0 / len(contestants) * (trust[number] if trust else 1.0))
        for number, other in enumerate(contestants)
        if number != seat and other.side != own.side and not (own.abandoned and other.abandoned)
    )


def _score(own: Contestant, other: Contestant) -> float:
    if own.abandoned or other.abandoned:
        return 0.0 if own.abandoned else 1.0
    return 0.5 if own.place == other.place else float(own.place < other.place)
