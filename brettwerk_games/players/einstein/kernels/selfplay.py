# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Plays games of the search against itself, to learn from."""

import cython

from brettwerk_games.players.einstein.kernels.search import Engine

_DICE = cython.declare(cython.ulonglong, 2**32 - 1)
_LANES = cython.declare(cython.ulonglong, 0b00001_00001_00001_00001_00001_00001)
_NOBODY = cython.declare(cython.ulonglong, 2**30 - 1)


def taken(side: cython.ulonglong, square: cython.int) -> cython.ulonglong:
    """Return a side without its stone on a square, if there is one."""
    differs: cython.ulonglong = side ^ square * _LANES
    zero: cython.ulonglong = (differs - _LANES) & ~differs & (_LANES << 4)
    lowest: cython.ulonglong = zero & (~zero + 1)
    return side | ((lowest << 1) - (lowest >> 4))


class Gamer:
    """Plays games with an engine."""

    def __init__(self, engine: Engine) -> None:
        """Take the engine that chooses the moves."""
        self.engine = engine
        self.dice = self.at_mover = self.at_other = 0

    def play(
        self,
        start: tuple[int, int],
        dice: cython.ulonglong,
        depth: cython.int,
        strange: cython.double,
        positions: cython.ulonglong[::1],
        chances: cython.float[::1],
    ) -> int:
        """Play a game from `start` (mover, other) until it ends or a table reaches; return how many positions were met.

        They are put down with their chances `depth` plies deep, at most 64. A share of `strange` of the moves is drawn by lot.
        `dice` is a seed of 32 bits, not 0.
        """
        count: cython.int = 0
        self.at_mover, self.at_other = start
        self.dice = dice
        with cython.nogil:
            while count < 64 and self.at_mover and self.engine.known.known(self.at_mover, self.at_other) < 0:
                positions[2 * count] = self.at_mover
                positions[2 * count + 1] = self.at_other
                chances[count] = self.engine.value(self.at_mover, self.at_other, depth, 0, 1)
                count += 1
                self.go_on(depth - 1, strange)
        return int(count)

    def roll(self) -> cython.double:
        """Return a number from 0 to 1 by lot."""
        self.dice ^= self.dice << 13 & _DICE
        self.dice ^= self.dice >> 17
        self.dice ^= self.dice << 5 & _DICE
        return self.dice / 4294967296.0

    def go_on(self, depth: cython.int, strange: cython.double) -> cython.void:
        """Roll and move; after a win there is no mover."""
        mover: cython.ulonglong = self.at_mover
        other: cython.ulonglong = self.at_other
        after: cython.ulonglong
        enemy: cython.ulonglong
        rolled: cython.int = cython.cast(cython.int, 6 * self.roll())
        by_lot: cython.bint = self.roll() < strange
        stone: cython.int
        side: cython.int
        square: cython.int
        target: cython.int
        way: cython.int
        chance: cython.double
        best: cython.double = 2
        for side in range(-1, 2, 2):
            stone = rolled
            while 0 <= stone < 6 and mover >> 5 * stone & 31 == 31:
                stone += side
            if stone < 0 or stone > 5 or (side == 1 and stone == rolled):
                continue
            square = cython.cast(cython.int, mover >> 5 * stone & 31)
            for way in range(3):
                if (way != 2 and square >= 20) or (way != 1 and square % 5 == 4):
                    continue
                target = square + (6 if way == 0 else 5 if way == 1 else 1)
                after = taken(mover, target) ^ (cython.cast(cython.ulonglong, square ^ target) << 5 * stone)
                enemy = taken(other, 24 - target)
                if target == 24 or enemy == _NOBODY:
                    self.at_mover = 0
                    return
                if by_lot:
                    chance = self.roll()
                else:
                    chance = self.engine.known.known(enemy, after)
                    if chance < 0:
                        chance = self.engine.value(enemy, after, depth, 0, 1) if depth > 0 else self.engine.think(enemy, after)
                if chance < best:
                    best = chance
                    self.at_mover = enemy
                    self.at_other = after
