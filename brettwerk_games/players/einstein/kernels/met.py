# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# ruff: noqa: SIM109
"""The memory of positions met: chances as 29-bit bounds, rounded outwards, and their depth, under the exact 60-bit position."""

from array import array

import cython

_SOLVED = cython.declare(cython.int, 63)
_SAME = cython.declare(cython.double, 1e-8)
_UNIT = cython.declare(cython.double, 2.0**29 - 1)
_LOW = cython.declare(cython.ulonglong, 2**29 - 1)


class Met:
    """Remembers positions; a new one takes the place of another."""

    def __init__(self, slots_log2: int) -> None:
        """Make room for 2 ** slots_log2 positions."""
        self.slots = (1 << slots_log2) - 1
        self.entries = array("Q", bytes(16 << slots_log2))
        self.solved = False

    def forget(self) -> None:
        """Forget all."""
        index: cython.ulonglong
        for index in range(2 * self.slots + 2):
            self.entries[index] = 0

    def recall(
        self, mover: cython.ulonglong, other: cython.ulonglong, depth: cython.int, alpha: cython.double, beta: cython.double
    ) -> cython.double:
        """Return a chance, or a bound outside of alpha and beta, that serves at this depth; -1 without one.

        Then `solved` says whether it is exact.
        """
        slot: cython.ulonglong = ((mover * 1540483477 + other * 1640531527) >> 24 & self.slots) * 2
        entry: cython.ulonglong = self.entries[slot + 1]
        found: cython.int = cython.cast(cython.int, entry & 63)
        least: cython.double
        most: cython.double
        if self.entries[slot] == mover << 30 | other and (found == depth or found == _SOLVED):
            least = (entry >> 35) / _UNIT
            most = (entry >> 6 & _LOW) / _UNIT
            if most - least < _SAME or least >= beta - _SAME or most <= alpha + _SAME:
                self.solved = found == _SOLVED
                return least if least >= beta - _SAME else most
        return -1

    def keep(
        self,
        mover: cython.ulonglong,
        other: cython.ulonglong,
        depth: cython.int,
        least: cython.double,
        most: cython.double,
    ) -> cython.void:
        """Remember bounds of a position's chance."""
        slot: cython.ulonglong = ((mover * 1540483477 + other * 1640531527) >> 24 & self.slots) * 2
        low: cython.ulonglong = cython.cast(cython.ulonglong, least * _UNIT)
        high: cython.ulonglong = cython.cast(cython.ulonglong, most * _UNIT)
        if high < _LOW:
            high += 1
        self.entries[slot] = mover << 30 | other
        self.entries[slot + 1] = low << 35 | high << 6 | depth
