# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The value of a position when every seat makes the best turn that it finds: each for their own side (max^n).

Before anything else it is asked whether the seat to move wins within its turn. With two sides, turns that cannot matter any more
are left out.
"""

from array import array

import cython

from brettwerk_games.players.plateau.kernels.conquest import Conquest
from brettwerk_games.players.plateau.kernels.ground import Ground
from brettwerk_games.players.plateau.kernels.turns import Turns
from brettwerk_games.players.plateau.kernels.worth import Worth

ROW = cython.declare(cython.int, 272)
MOVER = cython.declare(cython.int, 268)
OVER = cython.declare(cython.int, 270)
WON = cython.declare(cython.int, 1000000)
NEVER = cython.declare(cython.int, 2000000000)
ROOM = cython.declare(cython.int, 11720)
MAX_PLIES = 12


class Lookahead:
    """Looks ahead from positions of a ground."""

    def __init__(self, ground: Ground, worth: Worth, turns: Turns, conquest: Conquest) -> None:
        self.ground, self.worth, self.turns, self.conquest = ground, worth, turns, conquest
        self.rows = ground.room()
        self.found = array("i", bytes(4 * 4 * (MAX_PLIES + 1)))
        self.two_sides = ground.two_sides()
        self.nodes = 0
        self.cap = 400

    def after(self, slot: int, seat: int, plan: tuple[int, int, int, int], first: int, least: int) -> int:
        """Return what ending the turn in a slot is worth to its mover, when the others answer with turns of their own.

        `plan` is how many turns are looked ahead, and the width, branches and turns kept of each. A value of no more than `least`
        may be told as something between.
        """
        depth, width, branch, keep = plan
        self.ground.ended(slot * 272, first * 272)
        cut = -least if self.two_sides and least > -2000000000 and self._foe(seat, first) else 2000000000
        self._look(first, 0, depth, first + 1, width, branch, keep, cut)
        found: int = self._objective(slot * 272, seat, 0)
        return found

    def _look(
        self,
        slot: cython.int,
        ply: cython.int,
        depth: cython.int,
        first: cython.int,
        width: cython.int,
        branch: cython.int,
        keep: cython.int,
        cut: cython.int,
    ) -> None:
        """Write what a slot, in which a turn begins, is worth to each seat to `found`, at its ply."""
        row: cython.int = slot * ROW
        seat: cython.int = self.rows[row + MOVER]
        index: cython.int
        count: cython.int
        other: cython.int
        value: cython.int
        best: cython.int = -NEVER
        at: cython.int
        self.nodes += 1
        if not self.rows[row + OVER] and self.conquest.win(row, ROOM * ROW, self.cap) == 1:
            self._won(row, ply)
            return
        if depth <= 0 or self.rows[row + OVER]:
            self.worth.weigh(row)
            for other in range(4):
                self.found[4 * ply + other] = self.worth.score[other]
            return
        count = self.turns.make(slot, width, branch, keep, first)
        if count == 0:
            self.worth.weigh(row)
            for other in range(4):
                self.found[4 * ply + other] = self.worth.score[other]
            return
        # The slots that were kept move to the front, so that the room behind them is free again.
        for index in range(count):
            self.ground.copy(self.turns.chosen[first + index] * ROW, (ROOM - 20 - index) * ROW)
        for index in range(count):
            self.ground.copy((ROOM - 20 - index) * ROW, (first + index) * ROW)
            self.ground.pass_on((first + index) * ROW)
        for index in range(count):
            at = 4 * (ply + 1)
            self._look(
                first + index,
                ply + 1,
                depth - 1,
                first + count,
                width,
                branch,
                keep,
                -best if self.two_sides and best > -NEVER and self._foe(seat, first + index) else NEVER,
            )
            value = self._objective(row, seat, ply + 1)
            if value > best:
                best = value
                for other in range(4):
                    self.found[4 * ply + other] = self.found[at + other]
            if self.two_sides and best >= cut:
                return

    def _foe(self, seat: cython.int, slot: cython.int) -> cython.bint:
        """Tell whether it is an enemy of the seat who moves in the slot."""
        return self.ground.foes(seat, self.rows[slot * ROW + MOVER])

    def _won(self, row: cython.int, ply: cython.int) -> None:
        """A win is worth more the sooner it comes."""
        other: cython.int
        for other in range(4):
            if other >= self.ground.seats or self.ground.foes(self.rows[row + MOVER], other):
                self.found[4 * ply + other] = -WON + 1000 * ply
            else:
                self.found[4 * ply + other] = WON - 1000 * ply

    def _objective(self, row: cython.int, seat: cython.int, ply: cython.int) -> cython.int:
        other: cython.int
        for other in range(4):
            self.worth.score[other] = self.found[4 * ply + other]
        return self.worth.objective(row, seat)
