"""The evaluation: who would be in the corner first if the sides did not meet.

For a side, only the distances of its six stones count. From them follows exactly how many turns it needs, as a distribution
over the dice, when it always moves so that it expects to need fewest. The chance to win the race is that the mover needs no
more turns than the other (after Hsueh and Hsu, "Zweistein", 2025).
"""

from functools import lru_cache

from services.ai.players.einstein.sides import GONE, STONES, candidates, squares_of

Distances = tuple[int, ...]
"""The moves that each stone needs to the corner, 0 for one that is gone; a stone moves diagonally for free."""

_LONGEST = 19
"""Each of six stones makes at most three moves without arriving; no side needs more turns."""
_ALL = 15_625
"""How many vectors of distances there are: five values for each of six stones."""


@lru_cache(maxsize=1 << 17)
def distances(side: int) -> Distances:
    """Return the distances of a side's stones."""
    return tuple(0 if square == GONE else 4 - min(square // 5, square % 5) for square in squares_of(side))


@lru_cache(maxsize=_ALL)
def turns(stones: Distances) -> tuple[float, tuple[float, ...]]:
    """Return the expected number of turns to the corner, and the chance that it is 0, 1, 2, ... turns."""
    alive = sum(1 << stone for stone in range(STONES) if stones[stone])
    spread = [0.0] * (_LONGEST + 1)
    for pair in candidates(alive):
        _, chances = min(_after(stones, stone) for stone in pair)
        for turn, chance in enumerate(chances[:-1]):
            spread[turn + 1] += chance / STONES
    return sum(turn * chance for turn, chance in enumerate(spread)), tuple(spread)


def _after(stones: Distances, stone: int) -> tuple[float, tuple[float, ...]]:
    if stones[stone] == 1:
        return 0.0, (1.0,) + (0.0,) * _LONGEST
    return turns((*stones[:stone], stones[stone] - 1, *stones[stone + 1 :]))


@lru_cache(maxsize=_ALL)
def _not_before(stones: Distances) -> tuple[float, ...]:
    """Return the chance that a side needs at least 0, 1, 2, ... turns."""
    left, chances = 1.0, []
    for chance in turns(stones)[1]:
        chances.append(left)
        left -= chance
    return tuple(chances)


@lru_cache(maxsize=1 << 18)
def race(mover: Distances, other: Distances) -> float:
    """Return the mover's chance, before its roll, to be in the corner first; both sides have stones."""
    return min(1.0, sum(chance * late for chance, late in zip(turns(mover)[1], _not_before(other), strict=True)))
