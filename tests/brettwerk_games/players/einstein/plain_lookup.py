"""Finds a position in the tables the plain way, which the kernels are tested against."""

from collections.abc import Mapping, Sequence

from brettwerk_games.players.einstein.layout import layout

STEPS = 65535
"""A chance is stored in this many steps."""


def chance(tables: Mapping[int, memoryview], mover: Sequence[int], other: Sequence[int]) -> float | None:
    """Return the mover's chance before its roll, or None where no table reaches.

    Sides are the squares of stones 1 to 6 as their own player counts them, 31 for a stone that is gone; both have stones.
    """
    of, to = _mask(mover), _mask(other)
    stones = of.bit_count() + to.bit_count()
    if stones not in tables:
        return None
    at = layout()
    first, second = at.class_of[of], at.class_of[to]
    rank = at.canonical(first, _placement(of, mover, mirror=False))
    number = at.number(second, _placement(to, other, mirror=bool(rank & 1)))
    return (
        float(tables[stones][at.offsets[first * len(at.classes) + second] + (rank >> 1) * at.full_size[second] + number]) / STEPS
    )


def _mask(side: Sequence[int]) -> int:
    return sum(1 << stone for stone, square in enumerate(side) if square < 25)


def _placement(mask: int, side: Sequence[int], *, mirror: bool) -> int:
    order = range(5, -1, -1) if layout().turned[mask] else range(6)
    squares = [side[stone] for stone in order if mask >> stone & 1]
    return sum((square % 5 * 5 + square // 5 if mirror else square) * 24**i for i, square in enumerate(squares))
