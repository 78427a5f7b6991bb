"""A position as the kernels see it: two numbers, the side to move first.

A side is six lanes of five bits, one for each stone from 1 to 6: the stone's square as its own player counts them, 0 their corner
and 24 the enemy's, or 31 when it is gone. So both sides move alike, and giving the turn away is swapping the two numbers.
"""

from collections.abc import Sequence
from typing import TypeAlias

from brettwerk_games.rules.einstein.actions import Move
from brettwerk_games.rules.einstein.board import BLACK
from brettwerk_games.rules.einstein.position import GONE as CAPTURED
from brettwerk_games.rules.einstein.position import Position, Side

STONES = 6
GOAL = 24
GONE = 31
NOBODY = (1 << 5 * STONES) - 1
"""A side without stones."""

Pair: TypeAlias = tuple[int, int]
"""A position: the side to move and the other."""


def side_of(squares: Sequence[int]) -> int:
    """Return a side from its six squares, GONE for a stone that is."""
    return sum(square << 5 * stone for stone, square in enumerate(squares))


def squares_of(side: int) -> tuple[int, ...]:
    """Return the squares of the six stones."""
    return tuple(side >> 5 * stone & 31 for stone in range(STONES))


def own(stones: Side, seat: int) -> int:
    """Return a side of the game as its own player counts the squares."""
    return side_of([GONE if s == CAPTURED else s if seat == BLACK else GOAL - s for s in stones])


def pair_of(position: Position) -> Pair:
    """Return a position with its side to move first."""
    seat = position.to_move
    return own(position.stones[seat], seat), own(position.stones[1 - seat], 1 - seat)


def after(pair: Pair, stone: int, target: int) -> Pair | None:
    """Return the position after the mover's stone (from 0) has gone to a square as they count; None when that wins at once."""
    mine = [GONE if square == target else square for square in squares_of(pair[0])]
    mine[stone] = target
    yours = [GONE if square == GOAL - target else square for square in squares_of(pair[1])]
    if target == GOAL or all(square == GONE for square in yours):
        return None
    return side_of(yours), side_of(mine)


def after_move(pair: Pair, seat: int, move: Move) -> Pair | None:
    """Return the position after a move of the game; None when it wins at once."""
    return after(pair, move.stone - 1, move.target if seat == BLACK else GOAL - move.target)
