"""Exact values of positions with few stones, in fractions: the reference for search and tables.

It shares no code with the game: stones are (number, row, column), a side is a frozenset of them. The side that moves always runs
for E5 here; the board is turned for White. Slow, and meant to be: four stones take seconds.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import TypeAlias

Stone: TypeAlias = tuple[int, int, int]
Side: TypeAlias = frozenset[Stone]


def side(stones: str) -> Side:
    """Return the side of `1@D4 6@A1`."""
    return frozenset((int(s[0]), "12345".index(s[3]), "ABCDE".index(s[2])) for s in stones.split())


def value(black: Side, white: Side, black_moves: bool) -> Fraction:
    """Return the chance of the side to move to win, before its roll, if both play perfectly."""
    if black_moves:
        return _value(black, white)
    return _value(turned(white), turned(black))


def turned(stones: Side) -> Side:
    """Turn the board by 180 degrees, so that White runs for E5."""
    return frozenset((number, 4 - row, 4 - column) for number, row, column in stones)


@cache
def _value(mine: Side, theirs: Side) -> Fraction:
    """Return the value for the side that moves and runs for E5."""
    if len(mine) == 1:
        return _best(mine, theirs, next(iter(mine))[0])
    return sum((_best(mine, theirs, roll) for roll in range(1, 7)), Fraction(0)) / 6


def _best(mine: Side, theirs: Side, roll: int) -> Fraction:
    return max(_after(mine, theirs, stone, target) for stone in movable(mine, roll) for target in targets(stone))


def movable(mine: Side, roll: int) -> list[Stone]:
    """Return the stones that may move with a roll."""
    exact = [stone for stone in mine if stone[0] == roll]
    lower = max((stone for stone in mine if stone[0] < roll), default=None)
    higher = min((stone for stone in mine if stone[0] > roll), default=None)
    return exact or [stone for stone in (lower, higher) if stone]


def targets(stone: Stone) -> Iterator[tuple[int, int]]:
    """Return the rows and columns that a stone may go to."""
    _, row, column = stone
    return ((row + r, column + c) for r, c in ((0, 1), (1, 0), (1, 1)) if row + r < 5 and column + c < 5)


def _after(mine: Side, theirs: Side, stone: Stone, target: tuple[int, int]) -> Fraction:
    if target == (4, 4):
        return Fraction(1)
    others = frozenset(other for other in mine - {stone} if other[1:] != target)
    left = frozenset(other for other in theirs if other[1:] != target)
    if not left:
        return Fraction(1)
    return 1 - _value(turned(left), turned(others | {(stone[0], *target)}))
