# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""How a state of the small picture stands for a seat, and whether it has won."""

import cython

from brettwerk_games.players.wec import layout
from brettwerk_games.players.wec.kernels.board import Board
from brettwerk_games.players.wec.kernels.fires import Fires
from brettwerk_games.players.wec.kernels.weapons import Weapons

P = cython.declare(cython.int, layout.PIECES)
SEAT = cython.declare(cython.int, layout.SEAT)
PLACE = cython.declare(cython.int, layout.PLACE)
KIND = cython.declare(cython.int, layout.KIND)
STUN = cython.declare(cython.int, layout.STUN)
FIRST = cython.declare(cython.int, layout.FIRST)
AT = cython.declare(cython.int, layout.AT)
SHOT = cython.declare(cython.int, layout.SHOT)
NUMBER = cython.declare(cython.int, layout.NUMBER)
FLYING = cython.declare(cython.int, layout.FLYING)
PLY = cython.declare(cython.int, layout.PLY)
LOST = cython.declare(cython.int, layout.LOST)
WEAPON_A = cython.declare(cython.int, layout.WEAPON_A)
WEAPON_B = cython.declare(cython.int, layout.WEAPON_B)
VALUE = cython.declare(cython.int, layout.VALUE)
HUNTS = cython.declare(cython.int, layout.HUNTS)
NEXT = cython.declare(cython.int, layout.NEXT)
HOMING_RANGE = cython.declare(cython.int, layout.HOMING_RANGE)
HELPLESS = cython.declare(cython.int, layout.HELPLESS)
DISTANCE = cython.declare(cython.int, layout.DISTANCE)
SQUARE_VALUE = cython.declare(cython.int, layout.SQUARE_VALUE)
GOAL = cython.declare(cython.int, layout.GOAL)
PRIMARY_FROM = cython.declare(cython.int, layout.PRIMARY_FROM)
SECONDARY_FROM = cython.declare(cython.int, layout.SECONDARY_FROM)
ROCKET = cython.declare(cython.int, 4)
WIN = cython.declare(cython.int, 1_000_000)


class Judgement:
    """Judges states."""

    def __init__(self, board: Board, weapons: Weapons, fires: Fires) -> None:
        self.board, self.weapons, self.fires = board, weapons, fires
        self.s, self.t = board.s, board.t

    def value(self, b: cython.int, seat: cython.int) -> cython.int:
        """Return how a state stands for a seat, in hundredths of a Pawn or so."""
        total: cython.int = 0
        i: cython.int
        k: cython.int
        d: cython.int
        kind: cython.int
        own: cython.int
        place: cython.int
        value: cython.int
        square: cython.int
        king0: cython.int = -1
        king1: cython.int = -1
        king: cython.int
        ply: cython.int = self.s[b + PLY]
        for i in range(self.s[b + NUMBER]):
            kind = self.s[b + KIND + i]
            if PRIMARY_FROM <= kind < SECONDARY_FROM and self.s[b + PLACE + i] >= 0:
                if self.s[b + SEAT + i]:
                    king1 = self.s[b + PLACE + i] % 100
                else:
                    king0 = self.s[b + PLACE + i] % 100
        for i in range(self.s[b + NUMBER]):
            place = self.s[b + PLACE + i]
            if place < 0:
                continue
            kind = self.s[b + KIND + i]
            own = self.s[b + SEAT + i]
            value = self.weapons.worth(b, i) + self.t[SQUARE_VALUE + 200 * kind + 100 * own + place % 100]
            value += self.fires.cover(b, i)
            king = king0 if own else king1
            if king >= 0:
                value -= self.t[HUNTS + kind] * self.t[DISTANCE + 100 * king + place % 100]
            if place < 100:
                value += self.t[GOAL + 100 * own + place]
            if self.s[b + STUN + i] > ply:
                value -= 20 + (self.t[VALUE + kind] // 8 if self.t[VALUE + kind] < 5000 else 0)
            if self.t[WEAPON_A + kind] and self.s[b + FIRST + i] > ply:
                value -= 12
            if self.t[WEAPON_B + kind] and self.s[b + FIRST + P + i] > ply:
                value -= 12
            total += value if own == seat else -value
        for k in range(self.s[b + FLYING]):
            d = b + SHOT + 7 * k
            square = self.s[d + 2]
            own = self.s[d + 1]
            value = 0
            if self.s[d + 5] >= 0:
                value = 25
            else:
                for i in range(5):
                    square = self.t[NEXT + 8 * square + self.s[d + 3]]
                    if square < 0:
                        break
                    if self.s[b + AT + 2 * (100 * (self.s[d] - ROCKET) + square)] >= 0:
                        value = self.fires.on_place(
                            b, 100 * (self.s[d] - ROCKET) + square, self.s[d], self.s[d + 4], own, -1, False
                        )
                        value = (200 if value > 200 else value) // (6 + 4 * i)
                        break
            total += value if own == seat else -value
        return total

    def exposed(self, b: cython.int, seat: cython.int) -> cython.int:
        """Return what a seat's pieces are worth that the other side, which is to act, can let a projectile home on."""
        total: cython.int = 0
        i: cython.int
        for i in range(self.s[b + NUMBER]):
            if self.s[b + PLACE + i] >= 100 and self.s[b + SEAT + i] == seat and self.stalked(b, i):
                total += self.weapons.worth(b, i)
        return total

    def stalked(self, b: cython.int, i: cython.int) -> cython.bint:
        """Tell whether an enemy can let a projectile home on a piece off the Ground that does not withstand it."""
        k: cython.int
        place: cython.int = self.s[b + PLACE + i]
        weapon: cython.int = ROCKET + place // 100
        reach: cython.int = self.t[HOMING_RANGE]
        if not reach or self.board.dark(b, i):
            return False
        for k in range(self.s[b + NUMBER]):
            if (
                self.s[b + PLACE + k] < 0
                or self.s[b + SEAT + k] == self.s[b + SEAT + i]
                or self.t[DISTANCE + 100 * (place % 100) + self.s[b + PLACE + k] % 100] > reach
                or (self.s[b + STUN + k] >= self.s[b + PLY] and self.t[HELPLESS])
            ):
                continue
            if self.weapons.battery(b, k, weapon, False) > self.weapons.counters(b, i, weapon):
                return True
        return False

    def over(self, b: cython.int, seat: cython.int, depth: cython.int) -> cython.int:
        """Return what the end of a seat's Turn means to it: a win, a loss (a quick one weighs more), or 0 when it goes on."""
        if self.s[b + LOST + seat]:
            return -WIN - 100 * depth
        if self.s[b + LOST + 1 - seat]:
            return WIN + 100 * depth
        return 0
