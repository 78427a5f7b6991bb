"""Rated games of two people, as the measures against rating abuse look at them. Pure.

All of them look for games that somebody gave up soon: the loser resigned or left, and the game was among the shortest tenth of
those of its pool that were won, each counted by its actions. The length is the pool's own, since a short game of one is a long
one of another. In a pool with fewer than 50 such games nothing is short.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from services.players.ratings.pools import Pool

SHORTEST = 0.1
FEWEST_OF_POOL = 50
SHOWN_GAMES = 20
"""Games that are shown as evidence of one finding, the newest."""


class Seat(NamedTuple):
    """A player of a duel."""

    player_id: str
    before: float
    """The rating before the game."""
    gain: float
    """The points that the game added to it; below 0 for those that it took."""


class Duel(NamedTuple):
    """A rated game of two people."""

    at_ms: int
    session_id: str
    pool: Pool
    plies: int
    first: Seat
    """The winner; of a drawn game either of the two."""
    second: Seat
    drawn: bool = False
    given_up: bool = False
    """Whether the loser resigned or left."""


def soon_given_up(duels: Iterable[Duel]) -> list[tuple[Duel, bool]]:
    """Return duels in order of their ends, each with whether it was given up soon."""
    ordered = sorted(duels)
    lengths: dict[Pool, list[int]] = defaultdict(list)
    for duel in ordered:
        if not duel.drawn:
            lengths[duel.pool].append(duel.plies)
    bounds = {pool: _quantile(own) for pool, own in lengths.items() if len(own) >= FEWEST_OF_POOL}
    return [(duel, duel.given_up and duel.plies <= bounds.get(duel.pool, -1)) for duel in ordered]


def _quantile(lengths: Sequence[int]) -> int:
    """Return the longest length that at most SHORTEST of the games have or fall below; less than any where that is none."""
    ordered = sorted(lengths)
    bound = ordered[math.floor(SHORTEST * len(ordered))]
    return max((length for length in ordered if length < bound), default=-1)
