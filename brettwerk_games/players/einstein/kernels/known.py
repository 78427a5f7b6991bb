# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Looks into the endgame tables, where there are any."""

from array import array
from collections.abc import Mapping

import cython

from brettwerk_games.players.einstein.layout import Layout


class Known:
    """The chances that are known."""

    def __init__(self, layout: Layout, tables: Mapping[int, memoryview]) -> None:
        """Take the layout of the tables, and those there are by number of stones."""
        self.full, self.canon, self.bases = layout.full, layout.canon, layout.bases
        self.class_of, self.turned = layout.class_of, layout.turned
        self.offsets, self.full_size = layout.offsets, layout.full_size
        self.classes = len(layout.classes)
        self.take(tables)

    def take(self, tables: Mapping[int, memoryview]) -> None:
        """Use these tables from now on."""
        nothing = memoryview(array("H", [0]))
        self.two, self.three, self.four = tables.get(2, nothing), tables.get(3, nothing), tables.get(4, nothing)
        self.five, self.six = tables.get(5, nothing), tables.get(6, nothing)
        self.reach = max(tables, default=0)

    def known(self, mover: cython.ulonglong, other: cython.ulonglong) -> cython.double:
        """Return the mover's chance from the tables, -1 where they do not reach."""
        mask: cython.int = 0
        facing: cython.int = 0
        count: cython.int = 0
        i: cython.int
        for i in range(6):
            if mover >> 5 * i & 31 != 31:
                mask |= 1 << i
                count += 1
            if other >> 5 * i & 31 != 31:
                facing |= 1 << i
                count += 1
        if count > self.reach:
            return -1
        return self.stored(mover, other, mask, facing, count)

    def stored(
        self, mover: cython.ulonglong, other: cython.ulonglong, mask: cython.int, facing: cython.int, count: cython.int
    ) -> cython.double:
        """Return a chance from the table of so many stones, by the stones of both sides as bits."""
        first: cython.int = self.class_of[mask]
        second: cython.int = self.class_of[facing]
        placement: cython.int = 0
        power: cython.int = 1
        i: cython.int
        j: cython.int
        square: cython.int
        rank: cython.int
        base: cython.longlong = self.bases[first]
        index: cython.longlong = self.offsets[first * self.classes + second]
        for i in range(6):
            j = 5 - i if self.turned[mask] else i
            if mask >> j & 1:
                placement += cython.cast(cython.int, mover >> 5 * j & 31) * power
                power *= 24
        rank = 2 * placement if base < 0 else self.canon[base + placement]
        placement = 0
        power = 1
        for i in range(6):
            j = 5 - i if self.turned[facing] else i
            if facing >> j & 1:
                square = cython.cast(cython.int, other >> 5 * j & 31)
                placement += (square % 5 * 5 + square // 5 if rank & 1 else square) * power
                power *= 24
        base = self.bases[second]
        index += cython.cast(cython.longlong, rank >> 1) * self.full_size[second]
        index += placement if base < 0 else self.full[base + placement]
        if count == 5:
            return self.five[index] / 65535.0
        if count == 4:
            return self.four[index] / 65535.0
        if count == 6:
            return self.six[index] / 65535.0
        if count == 3:
            return self.three[index] / 65535.0
        return self.two[index] / 65535.0
