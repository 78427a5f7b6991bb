# cython: boundscheck=False, wraparound=False, cdivision=True
"""Dice for games that are played fast: a generator, the very stream of dice that the rules would throw, or evened outcomes."""

from __future__ import annotations

from array import array
from typing import Any

import cython

from brettwerk_games.rules.emperado.luck import WON


@cython.cclass
class Luck:
    """Two multiplicative congruential generators combined (L'Ecuyer, 1988), or any `dice` that can roll."""

    dice: Any
    _first: cython.longlong
    _second: cython.longlong
    _ours: cython.int[::1]
    _theirs: cython.int[::1]
    _won: cython.longlong[::1]

    def __init__(self, seed: int) -> None:
        """Begin a stream for a seed."""
        self.dice = None
        self._ours = array("i", bytes(12))
        self._theirs = array("i", bytes(12))
        self._won = array("q", [won for row in WON for won in row])
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Begin the stream of another seed."""
        self._first = 1 + seed * 2654435761 % 2147483562
        self._second = 1 + seed * 40503 % 2147483398
        for _ in range(16):
            self._step()

    def throw_with(self, dice: Any) -> None:
        """Draw from `dice` (brettwerk_games/rules/chance.py) from here on; from the own generator again for None.

        A compiled generator has no other door for it: games at full speed and by the rules are compared with the same dice.
        """
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

    @cython.cfunc
    def _evened(self, luck: cython.int, ours: cython.int, theirs: cython.int, won: cython.longlong) -> cython.longlong:
        """Return the pairs that a throw wins after all (EMP-ATTACK-15): as rules/emperado/luck.py has it."""
        of: cython.longlong = 6
        part: cython.longlong
        roll: cython.longlong
        _: cython.int
        for _ in range(ours + theirs):
            of *= 6
        part = 6 * self._won[3 * (ours - 1) + theirs - 1]
        if luck == 2:
            part = (part + won * of) // 2
        won = part // of
        part %= of
        while part > 0:
            of //= 6
            roll = self._roll() - 1
            if roll != part // of:
                return won + 1 if roll < part // of else won
            part %= of
        return won

    def fight(
        self, attackers: cython.longlong, defenders: cython.longlong, throws: cython.longlong, luck: cython.int = 1
    ) -> tuple[int, int, int]:
        """Fight so many throws (0: to the end) as the rules do, and return both sides' armies and the attacker's last dice.

        `luck` is the option.
        """
        count: cython.longlong = 0
        most: cython.longlong = throws if throws else 10000
        ours: cython.int = 0
        theirs: cython.int
        pairs: cython.int
        won: cython.longlong
        k: cython.int
        while count < most and defenders > 0 and attackers > 1:
            ours = cython.cast(cython.int, min(attackers - 1, 3))
            theirs = cython.cast(cython.int, min(defenders, 3))
            self._throw(self._ours, ours)
            self._throw(self._theirs, theirs)
            pairs = min(ours, theirs)
            won = 0
            for k in range(pairs):
                if self._ours[k] > self._theirs[k]:
                    won += 1
            if luck > 1 and pairs > 1:
                won = self._evened(luck, ours, theirs, won)
            defenders -= won
            attackers -= pairs - won
            count += 1
        return attackers, defenders, ours


@cython.cclass
class EvenLuck:
    """Battles whose throws come out in turn, as often as they are likely: what a few of them come to is nearly what all would.

    The outcomes of throws with equal numbers of dice follow one another by the golden ratio, from a place that is drawn. The
    first throw has its true chances, and the more throws there are, the less their sum strays from what is to be expected. So
    a few games that look ahead tell as much as many would with dice that know nothing of each other.
    """

    _chances: cython.double[::1]
    _places: cython.double[::1]
    _base: cython.int

    def __init__(self, chances: array[float]) -> None:
        """Take the chances of throws as kernels/battles.py has them."""
        self._chances, self._places, self._base = chances, array("d", bytes(8 * 9)), 0

    def begin(self, luck: Luck, option: cython.int = 1) -> None:
        """Draw new places, for battles with luck as the option has it."""
        i: cython.int
        self._base = 36 * (option - 1)
        for i in range(9):
            self._places[i] = luck.below(1_000_000) / 1e6

    def fight(self, attackers: cython.longlong, defenders: cython.longlong, throws: cython.longlong) -> tuple[int, int, int]:
        """Fight so many throws at most, and return both sides' armies and the attacker's last dice."""
        at: cython.int
        ours: cython.int = 0
        pairs: cython.int
        won: cython.int
        place: cython.double
        while throws > 0 and defenders > 0 and attackers > 1:
            throws -= 1
            ours = cython.cast(cython.int, min(attackers - 1, 3))
            pairs = cython.cast(cython.int, min(defenders, 3))
            at = 3 * (ours - 1) + pairs - 1
            pairs = min(ours, pairs)
            place = self._places[at] + 0.6180339887498949
            if place >= 1.0:
                place -= 1.0
            self._places[at] = place
            at = self._base + 4 * at
            won = 0
            while won < pairs and place >= self._chances[at + won]:
                place -= self._chances[at + won]
                won += 1
            defenders -= won
            attackers -= pairs - won
        return attackers, defenders, ours
