# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The end of a Turn in the small picture: projectiles, destruction, conversion, stuns and falls (steps E1 to E8)."""

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
CARRIED = cython.declare(cython.int, layout.CARRIED)
ORIGIN = cython.declare(cython.int, layout.ORIGIN)
TRANSIT = cython.declare(cython.int, layout.TRANSIT)
HITS = cython.declare(cython.int, layout.HITS)
SPENT = cython.declare(cython.int, layout.SPENT)
AT = cython.declare(cython.int, layout.AT)
SHOT = cython.declare(cython.int, layout.SHOT)
NUMBER = cython.declare(cython.int, layout.NUMBER)
FLYING = cython.declare(cython.int, layout.FLYING)
PLY = cython.declare(cython.int, layout.PLY)
FIRED = cython.declare(cython.int, layout.FIRED)
CARRIER = cython.declare(cython.int, layout.CARRIER)
WAY = cython.declare(cython.int, layout.WAY)
NEXT = cython.declare(cython.int, layout.NEXT)
JET = cython.declare(cython.int, layout.JET)
STUN_TIME = cython.declare(cython.int, layout.STUN_TIME)
FLAME = cython.declare(cython.int, 1)
STUNS = cython.declare(cython.int, 2)
CONVERSION = cython.declare(cython.int, 3)
ROCKET = cython.declare(cython.int, 4)
SAM = cython.declare(cython.int, 5)
TORPEDO = cython.declare(cython.int, 6)
DIRECTED = cython.declare(cython.int, -1)


class TurnEnd:
    """Ends Turns."""

    def __init__(self, board: Board, weapons: Weapons, fires: Fires) -> None:
        self.board, self.weapons, self.fires = board, weapons, fires
        self.s, self.t = board.s, board.t

    def settle(self, b: cython.int) -> None:
        """Carry out the end of a Turn and begin the next one."""
        i: cython.int
        hits: cython.int
        other: cython.int
        n: cython.int = self.s[b + NUMBER]
        self._flights(b)
        for i in range(n):
            hits = self.s[b + HITS + i]
            if hits and self.s[b + PLACE + i] >= 0:
                # Destruction first (E5 a); what is left of the hits are those that turn or stun.
                if (
                    self.weapons.overcome(b, i, FLAME)
                    or self.weapons.overcome(b, i, ROCKET)
                    or self.weapons.overcome(b, i, SAM)
                    or self.weapons.overcome(b, i, TORPEDO)
                ):
                    self.s[b + HITS + i] = 0
                    self.board.kill(b, i)
                else:
                    self.s[b + HITS + i] = (1 if self.weapons.overcome(b, i, CONVERSION) else 0) + (
                        2 if self.weapons.overcome(b, i, STUNS) else 0
                    )
        for i in range(n):
            if self.s[b + HITS + i] & 1 and self.s[b + PLACE + i] >= 0:
                self.board.lose(b, i)
                other = self.board.companion(b, i)
                self.s[b + SEAT + i] = 1 - self.s[b + SEAT + i]
                self.s[b + ORIGIN + i] = 0
                if other >= 0 and not self.s[b + HITS + other] & 1 and self.s[b + PLACE + i] >= 100:
                    if not self.board.own_support(b, other):
                        self.board.kill(b, other)
                    if not self.board.own_support(b, i):
                        self.board.kill(b, i)
        for i in range(n):
            if self.s[b + PLACE + i] < 0:
                continue
            if self.s[b + HITS + i] & 2:
                self._knock_out(b, i)
            self.s[b + HITS + i] = 0
            self.s[b + SPENT + i] = 0
        for i in range(n):
            if self.s[b + PLACE + i] >= 100 and not self.board.own_support(b, i):
                other = self.board.companion(b, i)
                if (
                    other < 0
                    or self.t[CARRIER + self.s[b + KIND + other]] != self.s[b + PLACE + i] // 100
                    or (self.t[WAY + self.s[b + KIND + other]] == JET)
                ):
                    self._fall(b, i)
        self.s[b + FIRED] = 0
        self.s[b + PLY] += 1

    def _flights(self, b: cython.int) -> None:
        """Let projectiles hit and fly (E2, E3)."""
        k: cython.int = 0
        d: cython.int
        place: cython.int
        target: cython.int
        base: cython.int
        gone: cython.bint
        moved: cython.bint
        rows: cython.int
        columns: cython.int
        while k < self.s[b + FLYING]:
            d = b + SHOT + 7 * k
            base = 100 * (self.s[d] - ROCKET)
            place = base + self.s[d + 2]
            gone = self.s[b + AT + 2 * place] >= 0 and not self.s[d + 6]
            moved = False
            target = self.s[d + 5]
            if not gone and target >= 0:
                if (
                    self.s[b + PLACE + target] < 0
                    or self.s[b + PLACE + target] // 100 * 100 != base
                    or self.s[b + SEAT + target] == self.s[d + 1]
                ):
                    self.s[d + 5] = DIRECTED
                elif self.s[b + PLACE + target] == place:
                    gone = True
                else:
                    rows = self.s[b + PLACE + target] % 100 // 10 - self.s[d + 2] // 10
                    columns = self.s[b + PLACE + target] % 10 - self.s[d + 2] % 10
                    self.s[d + 2] += 10 * ((rows > 0) - (rows < 0)) + (columns > 0) - (columns < 0)
                    moved = True
            if not gone:
                if not moved:
                    self.s[d + 2] = self.t[NEXT + 8 * self.s[d + 2] + self.s[d + 3]]
                if self.s[d + 2] < 0:
                    self._land(b, k)
                    continue
                place = base + self.s[d + 2]
                gone = self.s[b + AT + 2 * place] >= 0
            if gone:
                self.fires.on_place(b, place, self.s[d], self.s[d + 4], 2, 0, True)
                self._land(b, k)
                continue
            self.s[d + 6] = 0
            k += 1

    def _land(self, b: cython.int, k: cython.int) -> None:
        """Take a projectile away; the order of the others stays."""
        i: cython.int
        self.s[b + FLYING] -= 1
        for i in range(b + SHOT + 7 * k, b + SHOT + 7 * self.s[b + FLYING]):
            self.s[i] = self.s[i + 7]

    def _knock_out(self, b: cython.int, i: cython.int) -> None:
        c: cython.int
        until: cython.int = self.s[b + PLY] + 2 * self.t[STUN_TIME]
        travelling: cython.bint = self.s[b + TRANSIT + i] != 0 and self.s[b + PLACE + i] >= 100
        if self.s[b + STUN + i] < until:
            self.s[b + STUN + i] = until
        for c in range(3):
            self.s[b + CARRIED + c * P + i] = 0
        self.s[b + TRANSIT + i] = 0
        if travelling:
            self._fall(b, i)

    def _fall(self, b: cython.int, i: cython.int) -> None:
        square: cython.int = self.s[b + PLACE + i] % 100
        if self.board.room(b, i, square):
            self.board.lift(b, i)
            self.board.put(b, i, square)
            self.s[b + TRANSIT + i] = 0
            self.s[b + ORIGIN + i] = 0
        else:
            self.board.kill(b, i)
