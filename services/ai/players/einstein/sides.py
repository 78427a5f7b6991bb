"""The search's own picture of a position: two numbers, the side to move first.

A side is six lanes of five bits, one for each stone from 1 to 6: the stone's square as its own player counts them, 0 his corner
and 24 the enemy's, or 31 when it is gone. So both sides move alike, and giving the turn away is swapping the two numbers.
"""

from collections.abc import Sequence
from functools import lru_cache

STONES = 6
GOAL = 24
GONE = 31
NOBODY = (1 << 5 * STONES) - 1
"""A side without stones."""

_REMEMBERED = 1 << 17
"""How many sides are kept; a search meets some thousands."""

Option = tuple[int, int]
"""A stone's move: the own side after it, and the square it goes to."""


def side_of(squares: Sequence[int]) -> int:
    """Return a side from its six squares, GONE for a stone that is."""
    return sum(square << 5 * stone for stone, square in enumerate(squares))


@lru_cache(maxsize=_REMEMBERED)
def squares_of(side: int) -> tuple[int, ...]:
    """Return the squares of the six stones."""
    return tuple(side >> 5 * stone & 31 for stone in range(STONES))


@lru_cache(maxsize=64)
def candidates(alive: int) -> tuple[tuple[int, int], ...]:
    """Return for each roll the one or two stones that may move (the same one twice if it is one); stones count from 0.

    `alive` has a bit for each stone on the board. EWN-TURN-3, EWN-TURN-4.
    """
    pairs = []
    for roll in range(STONES):
        lower = next((stone for stone in range(roll, -1, -1) if alive >> stone & 1), None)
        higher = next((stone for stone in range(roll, STONES) if alive >> stone & 1), None)
        pairs.append((higher if lower is None else lower, lower if higher is None else higher))
    return tuple((a, b) for a, b in pairs if a is not None and b is not None)


@lru_cache(maxsize=_REMEMBERED)
def moves(side: int) -> tuple[tuple[int, tuple[Option, ...]], ...]:
    """Return each stone on the board (from 0) with its moves; a move that captures an own stone has it gone (EWN-MOVE-3)."""
    squares = squares_of(side)
    return tuple((stone, _options(squares, stone)) for stone in range(STONES) if squares[stone] != GONE)


def _options(squares: Sequence[int], stone: int) -> tuple[Option, ...]:
    row, column = divmod(squares[stone], 5)
    options = []
    for down, right in ((1, 1), (1, 0), (0, 1)):
        if row + down > 4 or column + right > 4:
            continue
        target = (row + down) * 5 + column + right
        after = [GONE if square == target else square for square in squares]
        after[stone] = target
        options.append((side_of(after), target))
    return tuple(options)


@lru_cache(maxsize=_REMEMBERED)
def losses(side: int) -> dict[int, int]:
    """Return what a side is after an enemy stone has come to a square, by that square as the enemy counts."""
    squares = squares_of(side)
    return {
        GOAL - square: side_of([GONE if other == square else other for other in squares]) for square in squares if square != GONE
    }


@lru_cache(maxsize=_REMEMBERED)
def rolls(side: int) -> tuple[tuple[int, int], ...]:
    """Return for each of the six rolls the stones that may move, as places in `moves(side)`."""
    places = {stone: place for place, (stone, _) in enumerate(moves(side))}
    alive = sum(1 << stone for stone in places)
    return tuple((places[a], places[b]) for a, b in candidates(alive))
