# cython: boundscheck=False, wraparound=False, cdivision=True
"""Dice for games that are played for statistics: a fast generator, or the very stream of dice that the rules would throw."""

from __future__ import annotations

from array import array
from typing import Any

import cython


@cython.cclass
class Luck:
    """Two multiplicative congruential generators combined (L'Ecuyer, 1988), or any `dice` that can roll."""

    dice: Any
    _first: cython.longlong
    _second: cython.longlong
    _ours: cython.int[::1]
    _theirs: cython.int[::1]

    def __init__(self, seed: int) -> None:
        """Begin a stream for a seed."""
        self._first = 1 + seed * 2654435761 % 2147483562
        self._second = 1 + seed * 40503 % 2147483398
        self.dice = None
        self._ours = array("i", bytes(12))
        self._theirs = array("i", bytes(12))
        for _ in range(16):
            self._step()

    def throw_with(self, dice: Any) -> None:
        """Draw from `dice` (services/games/chance.py) from here on; from the own generator again for None."""
        self.dice = dice

    @cython.cfunc
    def _step(self) -> cython.longlong:
        """Return a number from 0 to 2147483561."""
        z: cython.longlong
        self._first = self._first * 40014 % 2147483563
        self._second = self._second * 40692 % 2147483399
        z = self._first - self._second
        return z - 1 if z > 0 else z + 2147483561

    def below(self, bound: cython.longlong) -> int:
        """Return a number from 0 to `bound` - 1."""
        if self.dice is not None:
            return int(self.dice.below(bound))
        return int(self._step() * bound // 2147483562)

    @cython.cfunc
    def _roll(self) -> cython.int:
        if self.dice is not None:
            return self.dice.roll()
        return cython.cast(cython.int, self._step() * 6 // 2147483562) + 1

    @cython.cfunc
    def _throw(self, dice: cython.int[::1], count: cython.int) -> cython.void:
        """Throw so many dice and sort them, highest first."""
        i: cython.int
        k: cython.int
        roll: cython.int
        for i in range(count):
            roll = self._roll()
            k = i
            while k > 0 and dice[k - 1] < roll:
                dice[k] = dice[k - 1]
                k -= 1
            dice[k] = roll

    def fight(self, attackers: cython.longlong, defenders: cython.longlong, throws: cython.longlong) -> tuple[int, int, int]:
        """Fight so many throws (0: to the end) as the rules do, and return both sides' armies and the attacker's last dice."""
        count: cython.longlong = 0
        most: cython.longlong = throws if throws else 10000
        ours: cython.int = 0
        theirs: cython.int
        pairs: cython.int
        k: cython.int
        while count < most and defenders > 0 and attackers > 1:
            ours = cython.cast(cython.int, min(attackers - 1, 3))
            theirs = cython.cast(cython.int, min(defenders, 3))
            self._throw(self._ours, ours)
            self._throw(self._theirs, theirs)
            pairs = min(ours, theirs)
            for k in range(pairs):
                if self._ours[k] > self._theirs[k]:
                    defenders -= 1
                else:
                    attackers -= 1
            count += 1
        return attackers, defenders, ours
