# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The parts of a position that the evaluation reads: the column of each stone, and both races (evaluation.py)."""

from array import array

import cython


class Places:
    """Reads positions."""

    def __init__(self) -> None:
        """Know how far every square is from the corner."""
        self.distance = array("i", [4 - min(square // 5, square % 5) if square < 25 else 0 for square in range(32)])

    def read(self, mover: cython.ulonglong, other: cython.ulonglong, columns: cython.p_int, races: cython.p_int) -> cython.void:
        """Fill in the twelve columns, the mover's first, and the two races, the mover's first."""
        i: cython.int
        j: cython.int
        power: cython.int = 1
        races[0] = 0
        races[1] = 0
        for i in range(6):
            j = cython.cast(cython.int, mover >> 5 * i & 31)
            columns[i] = i * 32 + j
            races[0] += self.distance[j] * power
            j = cython.cast(cython.int, other >> 5 * i & 31)
            columns[i + 6] = (i + 6) * 32 + j
            races[1] += self.distance[j] * power
            power *= 5
