# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Moves of a position and what is thought of them: the evaluation after a move is that before, with what changes."""

from array import array

import cython

from brettwerk_games.players.einstein.kernels.horizon import Horizon
from brettwerk_games.players.einstein.kernels.known import Known


class Moves:
    """Holds one position and lists the moves of its stones."""

    def __init__(self, horizon: Horizon, known: Known) -> None:
        """Take an evaluation and the tables."""
        self.horizon, self.tables = horizon, known
        self.squares, self.columns = array("i", bytes(4 * 12)), array("i", bytes(4 * 12))
        self.rows, self.powers = array("i", bytes(4 * 6)), array("i", [1, 5, 25, 125, 625, 3125])
        self.mover = self.other = 0
        self.mask = self.facing = self.board = self.front = self.count = 0
        self.race = self.facing_race = self.weight = 0
        self.best, self.looked = 0.0, 0

    def stand(self, mover: cython.ulonglong, other: cython.ulonglong) -> cython.int:
        """Take a position and return the mover's stones as bits."""
        i: cython.int
        j: cython.int
        square: cython.int
        row: cython.int
        mask: cython.int = 0
        facing: cython.int = 0
        board: cython.int = 0
        front: cython.int = 0
        count: cython.int = 0
        race: cython.int = 0
        facing_race: cython.int = 0
        weight: cython.int = 0
        self.mover = mover
        self.other = other
        for i in range(6):
            square = cython.cast(cython.int, other >> 5 * i & 31)
            self.squares[i] = square
            self.columns[i] = i * 32 + square
            facing_race += self.horizon.distance[square] * self.powers[i]
            if square != 31:
                facing |= 1 << i
                front |= 1 << (24 - square)
                count += 1
            square = cython.cast(cython.int, mover >> 5 * i & 31)
            self.squares[i + 6] = square
            self.columns[i + 6] = (i + 6) * 32 + square
            race += self.horizon.distance[square] * self.powers[i]
            if square != 31:
                mask |= 1 << i
                board |= 1 << square
                count += 1
        for i in range(6):
            row = 0
            for j in range(12):
                row += self.horizon.matrix[self.columns[i + 6] * 384 + self.columns[j]]
            self.rows[i] = row
            weight += row
            for j in range(i):
                weight += self.horizon.matrix[self.columns[i] * 384 + self.columns[j]]
                weight -= self.horizon.matrix[self.columns[i + 6] * 384 + self.columns[j + 6]]
        self.mask, self.facing, self.board, self.front, self.count = mask, facing, board, front, count
        self.race, self.facing_race, self.weight = race, facing_race, weight
        return mask

    def list(self, i: cython.int, movers: cython.p_ulonglong, others: cython.p_ulonglong, logits: cython.p_double) -> cython.int:
        """Write down the moves of a stone that no table knows, from place 3 * i on, and return how many these are.

        `best` is the best chance of the others, -1 without any and 1 for a win; `looked` is how many moves were looked at.
        """
        after: cython.ulonglong
        enemy: cython.ulonglong
        mask_after: cython.int
        facing_after: cython.int
        taken: cython.int
        place: cython.int
        target: cython.int
        way: cython.int
        j: cython.int
        left: cython.int
        chance: cython.double
        found: cython.int = 0
        square: cython.int = self.squares[i + 6]
        self.best = -1
        self.looked = 0
        for way in range(3):
            if (way != 2 and square >= 20) or (way != 1 and square % 5 == 4):
                continue
            target = square + (6 if way == 0 else 5 if way == 1 else 1)
            if target == 24 or (self.front >> target & 1 and self.facing & (self.facing - 1) == 0):
                self.best = 1
                return 0
            after = self.mover ^ (cython.cast(cython.ulonglong, square ^ target) << 5 * i)
            enemy = self.other
            mask_after = self.mask
            facing_after = self.facing
            taken = -1
            if self.front >> target & 1:
                for j in range(6):
                    if self.squares[j] == 24 - target:
                        taken = j
                enemy = enemy | (cython.cast(cython.ulonglong, 31) << 5 * taken)
                facing_after = facing_after & ~(1 << taken)
            elif self.board >> target & 1:
                for j in range(6):
                    if self.squares[j + 6] == target:
                        taken = j + 6
                after |= cython.cast(cython.ulonglong, 31) << 5 * (taken - 6)
                mask_after = mask_after & ~(1 << (taken - 6))
            self.looked += 1
            left = self.count - (taken >= 0)
            if left <= self.tables.reach:
                chance = 1 - self.tables.stored(enemy, after, facing_after, mask_after, left)
                if chance > self.best:
                    self.best = chance
                continue
            place = 3 * i + found
            movers[place] = enemy
            others[place] = after
            logits[place] = self.thought(i, target, taken)
            found += 1
        return found

    def thought(self, i: cython.int, target: cython.int, taken: cython.int) -> cython.int:
        """Return the evaluation for the enemy after a move of stone `i` that takes one (-1: none; from 6 on: an own one)."""
        j: cython.int
        row: cython.int = ((i + 6) * 32 + target) * 384
        column: cython.int
        square: cython.int = self.squares[i + 6]
        logit: cython.int = self.weight - self.rows[i]
        races: cython.int = self.race + (self.horizon.distance[target] - self.horizon.distance[square]) * self.powers[i]
        facing: cython.int = self.facing_race
        for j in range(12):
            logit += self.horizon.matrix[row + self.columns[j]]
        if taken >= 0:
            self.columns[i + 6] = (i + 6) * 32 + target
            row = (taken * 32 + 31) * 384
            column = self.columns[taken] * 384
            for j in range(12):
                logit += self.horizon.matrix[row + self.columns[j]] - self.horizon.matrix[column + self.columns[j]]
            self.columns[i + 6] = (i + 6) * 32 + square
            if taken < 6:
                facing -= self.horizon.distance[self.squares[taken]] * self.powers[taken]
            else:
                races -= self.horizon.distance[target] * self.powers[taken - 6]
        return logit + self.horizon.races[15625 + races] + self.horizon.races[facing]

    def order(
        self,
        first: cython.int,
        count: cython.int,
        movers: cython.p_ulonglong,
        others: cython.p_ulonglong,
        logits: cython.p_double,
    ) -> cython.void:
        """Bring the moves that look worst for the enemy to the front."""
        way: cython.int
        place: cython.int
        logit: cython.double
        side: cython.ulonglong
        for way in range(1, count):
            for place in range(first + way, first, -1):
                if logits[place] < logits[place - 1]:
                    logit = logits[place]
                    logits[place] = logits[place - 1]
                    logits[place - 1] = logit
                    side = movers[place]
                    movers[place] = movers[place - 1]
                    movers[place - 1] = side
                    side = others[place]
                    others[place] = others[place - 1]
                    others[place - 1] = side
