# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Where the pieces of the small picture stand: states one above the other, in one row of integers (layout.py).

A state is named by `b`, where it begins in the row; a piece by its number in the picture.
"""

import array
from typing import TypeAlias

import cython

from brettwerk_games.players.wec import layout

SEAT = cython.declare(cython.int, layout.SEAT)
PLACE = cython.declare(cython.int, layout.PLACE)
KIND = cython.declare(cython.int, layout.KIND)
ORIGIN = cython.declare(cython.int, layout.ORIGIN)
TRANSIT = cython.declare(cython.int, layout.TRANSIT)
AT = cython.declare(cython.int, layout.AT)
P = cython.declare(cython.int, layout.PIECES)
SHOT = cython.declare(cython.int, layout.SHOT)
SHOT_SIZE = cython.declare(cython.int, 7)
NUMBER = cython.declare(cython.int, layout.NUMBER)
FLYING = cython.declare(cython.int, layout.FLYING)
COVER = cython.declare(cython.int, layout.COVER)
PLY = cython.declare(cython.int, layout.PLY)
LOST = cython.declare(cython.int, layout.LOST)
SIZE = cython.declare(cython.int, layout.SIZE)
TAKE_REVEALS = cython.declare(cython.int, layout.TAKE_REVEALS)
SHARES = cython.declare(cython.int, layout.SHARES)
CARRIER = cython.declare(cython.int, layout.CARRIER)
PRIMARY_FROM = cython.declare(cython.int, layout.PRIMARY_FROM)
SECONDARY_FROM = cython.declare(cython.int, layout.SECONDARY_FROM)
LEVELS = cython.declare(cython.int, 20)
"""States that are kept one above the other."""


Row: TypeAlias = "array.array[int]"


class Board:
    """States one above the other, of which `0` is the one that was loaded."""

    def __init__(self, tables: Row) -> None:
        """Take the tables of a game (tables.py)."""
        self.t = tables
        self.s = array.array("i", [0]) * (SIZE * LEVELS)

    def load(self, row: Row) -> None:
        """Take a state."""
        given: cython.int[::1] = row
        i: cython.int
        for i in range(SIZE):
            self.s[i] = given[i]

    def row(self, level: cython.int) -> list[int]:
        """Return a state as integers, for tests."""
        return [self.s[level * SIZE + i] for i in range(SIZE)]

    def copy(self, a: cython.int, b: cython.int) -> None:
        """Write the state at `a` over that at `b`, as far as there are pieces and projectiles in it."""
        i: cython.int
        row: cython.int
        n: cython.int = self.s[a + NUMBER]
        for row in range(0, AT, P):
            for i in range(row, row + n):
                self.s[b + i] = self.s[a + i]
        for i in range(AT, SHOT + SHOT_SIZE * self.s[a + FLYING]):
            self.s[b + i] = self.s[a + i]
        for i in range(NUMBER, SIZE):
            self.s[b + i] = self.s[a + i]

    def lift(self, b: cython.int, i: cython.int) -> None:
        """Take a piece from its place."""
        spot: cython.int = b + AT + 2 * self.s[b + PLACE + i]
        if self.s[spot] == i:
            self.s[spot] = self.s[spot + 1]
        self.s[spot + 1] = -1

    def put(self, b: cython.int, i: cython.int, place: cython.int) -> None:
        """Set a piece on a place with room; of two the one with the lower number lies first."""
        spot: cython.int = b + AT + 2 * place
        other: cython.int = self.s[spot]
        self.s[b + PLACE + i] = place
        if other < 0:
            self.s[spot] = i
        elif other > i:
            self.s[spot] = i
            self.s[spot + 1] = other
        else:
            self.s[spot + 1] = i

    def kill(self, b: cython.int, i: cython.int) -> None:
        """Take a piece out of the game."""
        self.lift(b, i)
        self.s[b + PLACE + i] = -1
        self.lose(b, i)

    def lose(self, b: cython.int, i: cython.int) -> None:
        """Note that its seat has lost a primary, when the piece is one."""
        kind: cython.int = self.s[b + KIND + i]
        if PRIMARY_FROM <= kind < SECONDARY_FROM:
            self.s[b + LOST + self.s[b + SEAT + i]] = 1

    def dark(self, b: cython.int, i: cython.int) -> cython.bint:
        """Tell whether the opponent of a piece does not see it (WEC-RUL-45, WEC-RUL-46)."""
        return 0 <= self.s[b + COVER + i] < self.s[b + PLY]

    def companion(self, b: cython.int, i: cython.int) -> cython.int:
        """Return the friendly piece on the same place, or -1."""
        spot: cython.int = b + AT + 2 * self.s[b + PLACE + i]
        other: cython.int = self.s[spot]
        if other == i:
            other = self.s[spot + 1]
        if other >= 0 and self.s[b + SEAT + other] == self.s[b + SEAT + i]:
            return other
        return -1

    def _shares(self, b: cython.int, i: cython.int, j: cython.int) -> cython.bint:
        return self.t[SHARES + self.s[b + KIND + i]] or self.t[SHARES + self.s[b + KIND + j]]

    def room(self, b: cython.int, i: cython.int, place: cython.int) -> cython.bint:
        """Tell whether a piece has room on a place as a friend of who is there (WEC-COEX-1)."""
        first: cython.int = self.s[b + AT + 2 * place]
        if first < 0:
            return True
        if self.s[b + AT + 2 * place + 1] >= 0 or self.s[b + SEAT + first] != self.s[b + SEAT + i]:
            return False
        return self._shares(b, i, first)

    def may_end(self, b: cython.int, i: cython.int, place: cython.int, combat: cython.bint, carry: cython.bint) -> cython.bint:
        """Tell whether a Move may end on a place: taking there if `combat`, with a passenger if `carry`."""
        first: cython.int = self.s[b + AT + 2 * place]
        second: cython.int
        enemies: cython.int
        if first < 0:
            return True
        second = self.s[b + AT + 2 * place + 1]
        enemies = self.s[b + SEAT + first] != self.s[b + SEAT + i]
        if second >= 0:
            enemies += self.s[b + SEAT + second] != self.s[b + SEAT + i]
        if enemies:
            # Plans are made only to take pieces in sight.
            if self.dark(b, first) and self.s[b + SEAT + first] != self.s[b + SEAT + i]:
                return False
            return combat and enemies == (1 if second < 0 else 2)
        return not carry and second < 0 and self._shares(b, i, first)

    def own_support(self, b: cython.int, i: cython.int) -> cython.bint:
        """Tell whether a piece stays on its level by itself: by its kind or its transit."""
        level: cython.int = self.s[b + PLACE + i] // 100
        transport: cython.int = self.s[b + TRANSIT + i]
        return level == 0 or transport - 15 == level or self.t[CARRIER + self.s[b + KIND + i]] == level

    def go(self, b: cython.int, i: cython.int, place: cython.int, carry: cython.int) -> None:
        """Carry out a Move; what is there is taken."""
        seat: cython.int = self.s[b + SEAT + i]
        other: cython.int = self.companion(b, i) if carry else -1
        spot: cython.int = b + AT + 2 * place
        before: cython.int = self.s[spot]
        if before >= 0 and self.s[b + SEAT + before] != seat and self.s[b + COVER + i] >= 0 and self.t[TAKE_REVEALS]:
            self.s[b + COVER + i] = self.s[b + PLY] + 1
        while self.s[spot] >= 0 and self.s[b + SEAT + self.s[spot]] != seat:
            self.kill(b, self.s[spot])
        if self.s[spot + 1] >= 0 and self.s[b + SEAT + self.s[spot + 1]] != seat:
            self.kill(b, self.s[spot + 1])
        self.lift(b, i)
        self.put(b, i, place)
        self.s[b + ORIGIN + i] = 0
        if other >= 0:
            self.lift(b, other)
            self.put(b, other, place)
            self.s[b + ORIGIN + other] = 0
            self.s[b + TRANSIT + other] = 0
