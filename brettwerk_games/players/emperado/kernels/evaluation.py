# cython: boundscheck=False, wraparound=False, cdivision=True
"""A seat's chances when its turn begins: what games that look ahead are ended with."""

from __future__ import annotations

import math
from array import array
from typing import Any

import cython

# A seat's weight. Fitted (logistic regression) to who won 4,000 games of two strong players, at the start of a turn.
_OF_ARMIES: cython.double = 2.15
_OF_INCOME: cython.double = 1.46
_OF_COUNTRIES: cython.double = 0.97
_OF_CARDS: cython.double = 2.1
"""For cards that together would pay as many armies as there are."""
_OF_STACKS: cython.double = 7.0
"""For all armies that there are, standing in stacks: above the first three of a country."""
_OF_INLAND: cython.double = 2.6
"""For all armies that there are, standing where nobody can attack them."""
_OF_THIN_BORDERS: cython.double = -0.039
"""For a border country with two armies or one."""


@cython.cclass
class Evaluation:
    """Weighs a sheet that a Judge has judged."""

    owners: cython.int[::1]
    armies: cython.longlong[::1]
    cards: cython.int[::1]
    alive: cython.int[::1]
    income: cython.double[::1]
    _near: cython.int[::1]
    _begins: cython.int[::1]
    _count: cython.int
    _sum: cython.double[::1]
    _lands: cython.double[::1]
    _stacks: cython.double[::1]
    _inner: cython.double[::1]
    _thin: cython.double[::1]

    def __init__(self, sheet: Any, world: Any) -> None:
        """Take the arrays of a sheet and of the world (sheet.py)."""
        self.owners, self.armies, self.cards, self.alive = sheet.owners, sheet.armies, sheet.cards, sheet.alive
        self.income, self._near, self._begins = sheet.income, world.near, world.begins
        self._count = world.count
        self._sum, self._lands, self._stacks, self._inner, self._thin = (array("d", bytes(8 * 7)) for _ in range(5))

    def chance(self, hero: cython.int, seats: cython.int, card_bonus: cython.longlong) -> float:
        """Return the chance that a seat has when its turn begins: its weight against those of all who are in the game."""
        i: cython.int
        n: cython.int
        q: cython.int
        all_armies: cython.double = 0.0
        weight: cython.double
        mine: cython.double = 0.0
        total: cython.double = 0.0
        is_border: cython.bint
        for q in range(7):
            self._sum[q] = self._stacks[q] = self._thin[q] = self._inner[q] = self._lands[q] = 0.0
        for i in range(self._count):
            q = self.owners[i]
            is_border = False
            for n in range(self._begins[i], self._begins[i + 1]):
                if self.owners[self._near[n]] != q and self.owners[self._near[n]] != 6:
                    is_border = True
            self._sum[q] += self.armies[i]
            self._lands[q] += 1.0
            self._stacks[q] += max(0, self.armies[i] - 3)
            if not is_border:
                self._inner[q] += self.armies[i]
            elif self.armies[i] <= 2:
                self._thin[q] += 1.0
        self._sum[hero] += self.income[hero] - 0.27 * card_bonus
        for q in range(6):
            all_armies += self._sum[q]
        for q in range(seats):
            if not self.alive[q]:
                continue
            weight = _OF_ARMIES * math.log(self._sum[q]) + _OF_INCOME * math.log(self.income[q])
            weight += _OF_COUNTRIES * math.log(self._lands[q]) + _OF_THIN_BORDERS * self._thin[q]
            weight += _OF_CARDS * self.cards[q] * card_bonus / all_armies
            weight += (_OF_STACKS * self._stacks[q] + _OF_INLAND * self._inner[q]) / all_armies
            weight = math.exp(weight)
            total += weight
            if q == hero:
                mine = weight
        return float(mine / total)
