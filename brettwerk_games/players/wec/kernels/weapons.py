# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The weapons that a piece has ready, those that it counters, and the hits that it got (WEC-STACK-1)."""

import cython

from brettwerk_games.players.wec import layout
from brettwerk_games.players.wec.kernels.board import Board

P = cython.declare(cython.int, layout.PIECES)
KIND = cython.declare(cython.int, layout.KIND)
FIRST = cython.declare(cython.int, layout.FIRST)
CARRIED = cython.declare(cython.int, layout.CARRIED)
HITS = cython.declare(cython.int, layout.HITS)
SPENT = cython.declare(cython.int, layout.SPENT)
PLY = cython.declare(cython.int, layout.PLY)
WEAPON_A = cython.declare(cython.int, layout.WEAPON_A)
WEAPON_B = cython.declare(cython.int, layout.WEAPON_B)
COUNTERED = cython.declare(cython.int, layout.COUNTERED)
WAY = cython.declare(cython.int, layout.WAY)
VALUE = cython.declare(cython.int, layout.VALUE)
ARTICLE_VALUE = cython.declare(cython.int, layout.ARTICLE_VALUE)
RATES = cython.declare(cython.int, layout.RATES)
JET = cython.declare(cython.int, layout.JET)
SUB = cython.declare(cython.int, layout.SUB)
ROCKET = cython.declare(cython.int, 4)


class Weapons:
    """Weapons and counters of pieces."""

    def __init__(self, board: Board) -> None:
        self.s, self.t = board.s, board.t

    def worth(self, b: cython.int, i: cython.int) -> cython.int:
        """Return what a piece is worth with its articles."""
        c: cython.int
        worth: cython.int = self.t[VALUE + self.s[b + KIND + i]]
        for c in range(3):
            worth += self.t[ARTICLE_VALUE + (self.s[b + CARRIED + c * P + i] & 31)]
        return worth

    def counters(self, b: cython.int, i: cython.int, weapon: cython.int) -> cython.int:
        """Return how many hits of a weapon a piece withstands."""
        c: cython.int
        n: cython.int = self.t[COUNTERED + self.s[b + KIND + i]] >> weapon & 1
        for c in range(3):
            n += (self.s[b + CARRIED + c * P + i] & 31) == weapon + 7
        return n

    def battery(self, b: cython.int, i: cython.int, weapon: cython.int, restricted: cython.bint) -> cython.int:
        """Return how many instances of a weapon are ready; with `restricted`, only if the restricted Rocket Launcher is."""
        ply: cython.int = self.s[b + PLY]
        kind: cython.int = self.s[b + KIND + i]
        inherent: cython.int = 0
        c: cython.int
        n: cython.int = 0
        carried: cython.int
        if not self.s[b + SPENT + i]:
            if self.t[WEAPON_A + kind] == weapon:
                inherent = self.s[b + FIRST + i] <= ply and not restricted
            elif self.t[WEAPON_B + kind] == weapon:
                inherent = self.s[b + FIRST + P + i] <= ply and (restricted or not self._hindered(kind, weapon))
        if restricted and not inherent:
            return 0
        for c in range(3):
            carried = self.s[b + CARRIED + c * P + i]
            n += (carried & 31) == weapon and (carried >> 5) <= ply
        return n + inherent

    def _hindered(self, kind: cython.int, weapon: cython.int) -> cython.bint:
        way: cython.int = self.t[WAY + kind]
        return weapon == ROCKET and (way in (JET, SUB))

    def discharge(self, b: cython.int, i: cython.int, weapon: cython.int, restricted: cython.bint) -> None:
        """Set the countdowns of all instances of a weapon that are ready."""
        ply: cython.int = self.s[b + PLY]
        ready: cython.int = ply + 2 * self.t[RATES + weapon]
        kind: cython.int = self.s[b + KIND + i]
        c: cython.int
        carried: cython.int
        if not self.s[b + SPENT + i]:
            if self.t[WEAPON_A + kind] == weapon:
                if self.s[b + FIRST + i] <= ply and not restricted:
                    self.s[b + FIRST + i] = ready
                    self.s[b + SPENT + i] = 1
            elif (
                self.t[WEAPON_B + kind] == weapon
                and self.s[b + FIRST + P + i] <= ply
                and (restricted or not self._hindered(kind, weapon))
            ):
                self.s[b + FIRST + P + i] = ready
                self.s[b + SPENT + i] = 1
        for c in range(3):
            carried = self.s[b + CARRIED + c * P + i]
            if (carried & 31) == weapon and (carried >> 5) <= ply:
                self.s[b + CARRIED + c * P + i] = weapon | ready << 5

    def hit(self, b: cython.int, j: cython.int, weapon: cython.int, times: cython.int) -> None:
        """Give a piece hits of this Turn, 15 of a weapon at most."""
        have: cython.int = self.s[b + HITS + j] >> 4 * (weapon - 1) & 15
        if have + times > 15:
            times = 15 - have
        self.s[b + HITS + j] += times << 4 * (weapon - 1)

    def overcome(self, b: cython.int, i: cython.int, weapon: cython.int) -> cython.bint:
        """Tell whether the hits of a weapon are more than a piece withstands."""
        have: cython.int = self.s[b + HITS + i] >> 4 * (weapon - 1) & 15
        return have > 0 and have > self.counters(b, i, weapon)
