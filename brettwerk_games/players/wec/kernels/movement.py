# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The Moves of the small picture (WEC-MOVE-1 to WEC-MOVE-9): all visible, by pieces that are not in transit."""

import array

import cython

from brettwerk_games.players.wec import layout
from brettwerk_games.players.wec.kernels.board import Board

SEAT = cython.declare(cython.int, layout.SEAT)
PLACE = cython.declare(cython.int, layout.PLACE)
KIND = cython.declare(cython.int, layout.KIND)
HAND = cython.declare(cython.int, layout.HAND)
STUN = cython.declare(cython.int, layout.STUN)
ORIGIN = cython.declare(cython.int, layout.ORIGIN)
TRANSIT = cython.declare(cython.int, layout.TRANSIT)
AT = cython.declare(cython.int, layout.AT)
NUMBER = cython.declare(cython.int, layout.NUMBER)
PLY = cython.declare(cython.int, layout.PLY)
COMBAT = cython.declare(cython.int, layout.COMBAT)
CARRIER = cython.declare(cython.int, layout.CARRIER)
WAY = cython.declare(cython.int, layout.WAY)
LINES = cython.declare(cython.int, layout.LINES)
PAWNS = cython.declare(cython.int, layout.PAWNS)
HOPS = cython.declare(cython.int, layout.HOPS)
STEP = cython.declare(cython.int, layout.STEP)
JET = cython.declare(cython.int, layout.JET)
SUB = cython.declare(cython.int, layout.SUB)
CHOPPER = cython.declare(cython.int, layout.CHOPPER)
PAWN = cython.declare(cython.int, layout.PAWN)
SECONDARY = cython.declare(cython.int, layout.SECONDARY)
PRIMARY_FROM = cython.declare(cython.int, layout.PRIMARY_FROM)
SUB_JET = cython.declare(cython.int, layout.SUB_JET)
KING_STAYS = cython.declare(cython.int, layout.KING_STAYS)
SECONDARY_FROM = cython.declare(cython.int, layout.SECONDARY_FROM)
LEVELS = cython.declare(cython.int, 20)
"""States that are kept one above the other."""
MOVES = cython.declare(cython.int, 1600)
"""Moves of one state at most; what is beyond is left out."""


class Movement:
    """Writes Moves as triples to `mv`: piece, place, and whether the passenger comes along."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.s, self.t = board.s, board.t
        self.mv = array.array("i", [0]) * (3 * MOVES * LEVELS)

    def make(self, b: cython.int, seat: cython.int, at: cython.int) -> cython.int:
        """Write all Moves of a seat at `at` and return their number."""
        n: cython.int = 0
        i: cython.int
        kind: cython.int
        place: cython.int
        way: cython.int
        level: cython.int
        for i in range(self.s[b + NUMBER]):
            place = self.s[b + PLACE + i]
            if place < 0 or self.s[b + SEAT + i] != seat or self.s[b + STUN + i] >= self.s[b + PLY]:
                continue
            kind = self.s[b + KIND + i]
            level = place // 100
            if self.s[b + TRANSIT + i] or (level and self.t[CARRIER + kind] != level):
                continue
            way = self.t[WAY + kind]
            if way == PAWN:
                n = self._pawn(b, seat, at, n, i)
            elif way in (CHOPPER, SUB):
                n = self._carriers(b, seat, at, n, i)
            elif way == JET:
                n = self._jet(b, seat, at, n, i)
            else:
                if way < SECONDARY:
                    way += self.s[b + HAND + i] - 1
                n = self._slide(b, seat, at, n, i, way)
        return n

    def _emit(self, at: cython.int, n: cython.int, i: cython.int, place: cython.int, carry: cython.int) -> cython.int:
        if n < MOVES:
            self.mv[at + 3 * n] = i
            self.mv[at + 3 * n + 1] = place
            self.mv[at + 3 * n + 2] = carry
            return n + 1
        return n

    def _slide(
        self, b: cython.int, seat: cython.int, at: cython.int, n: cython.int, i: cython.int, way: cython.int
    ) -> cython.int:
        place: cython.int = self.s[b + PLACE + i]
        base: cython.int = place // 100 * 100
        combat: cython.bint = self.t[COMBAT + self.s[b + KIND + i]]
        d: cython.int = self.t[LINES + 200 * way + 100 * seat + place % 100]
        start: cython.int = n
        _line: cython.int
        step: cython.int
        length: cython.int
        to: cython.int
        m: cython.int
        known: cython.bint
        for _line in range(self.t[d]):
            d += 1
            length = self.t[d]
            for step in range(length):
                to = base + self.t[d + 1 + step]
                if self.s[b + AT + 2 * to] >= 0 and not self.board.may_end(b, i, to, combat, False):
                    break
                known = False
                if way == SECONDARY:
                    for m in range(start, n):
                        if self.mv[at + 3 * m + 1] == to:
                            known = True
                if not known:
                    n = self._emit(at, n, i, to, 0)
                if self.s[b + AT + 2 * to] >= 0:
                    break
            d += length
        return n

    def _pawn(self, b: cython.int, seat: cython.int, at: cython.int, n: cython.int, i: cython.int) -> cython.int:
        d: cython.int = self.t[PAWNS + 100 * seat + self.s[b + PLACE + i]]
        k: cython.int
        m: cython.int
        to: cython.int
        first: cython.int
        start: cython.int = n
        known: cython.bint
        for k in range(self.t[d]):
            to = self.t[d + 1 + k]
            if self.board.may_end(b, i, to, False, False):
                n = self._emit(at, n, i, to, 0)
        d += 1 + self.t[d]
        for k in range(self.t[d]):
            to = self.t[d + 1 + k]
            first = self.s[b + AT + 2 * to]
            if first >= 0 and self.board.may_end(b, i, to, True, True):
                known = False
                for m in range(start, n):
                    known = known or self.mv[at + 3 * m + 1] == to
                if not known:
                    n = self._emit(at, n, i, to, 0)
        d += 1 + self.t[d]
        if self.s[b + ORIGIN + i]:
            for k in range(self.t[d]):
                to = self.t[d + 2 + 2 * k]
                if self.s[b + AT + 2 * self.t[d + 1 + 2 * k]] < 0 and self.board.may_end(b, i, to, False, False):
                    n = self._emit(at, n, i, to, 0)
        return n

    def _jet(self, b: cython.int, seat: cython.int, at: cython.int, n: cython.int, i: cython.int) -> cython.int:
        place: cython.int = self.s[b + PLACE + i]
        fights: cython.bint = self.t[SUB_JET]
        d: cython.int
        _line: cython.int
        step: cython.int
        to: cython.int
        to = place + 100 if place < 100 else place - 100
        if self.board.may_end(b, i, to, fights, False):
            n = self._emit(at, n, i, to, 0)
        if place < 100:
            return n
        d = self.t[LINES + 200 * JET + 100 * seat + place % 100]
        for _line in range(self.t[d]):
            d += 1
            for step in range(self.t[d]):
                to = 100 + self.t[d + 1 + step]
                if self.board.may_end(b, i, to, fights and step == 0, False):
                    n = self._emit(at, n, i, to, 0)
                if self.s[b + AT + 2 * to] >= 0:
                    break
            d += self.t[d]
        return n

    def _carriers(self, b: cython.int, seat: cython.int, at: cython.int, n: cython.int, i: cython.int) -> cython.int:
        other: cython.int = self.board.companion(b, i)
        carry: cython.int
        kind: cython.int
        stays: cython.bint
        start: cython.int
        kept: cython.int
        m: cython.int
        for carry in range(2 if other >= 0 else 1):
            if not carry and other >= 0 and not self.board.own_support(b, other):
                continue
            start = n
            if self.t[WAY + self.s[b + KIND + i]] == CHOPPER:
                n = self._hop(b, seat, at, n, i, carry)
            else:
                n = self._dive(b, seat, at, n, i, carry)
            if carry:
                kind = self.s[b + KIND + other]
                stays = PRIMARY_FROM <= kind < SECONDARY_FROM and self.t[KING_STAYS]
                if stays:
                    kept = start
                    for m in range(start, n):
                        if self.mv[at + 3 * m + 1] < 100:
                            kept = self._emit(at, kept, i, self.mv[at + 3 * m + 1], 1)
                    n = kept
        return n

    def _dive(
        self, b: cython.int, seat: cython.int, at: cython.int, n: cython.int, i: cython.int, carry: cython.int
    ) -> cython.int:
        place: cython.int = self.s[b + PLACE + i]
        base: cython.int = place // 100 * 100
        fights: cython.bint = self.t[SUB_JET]
        d: cython.int = self.t[LINES + 200 * STEP + 100 * seat + place % 100]
        line: cython.int
        to: cython.int
        for line in range(self.t[d]):
            to = base + self.t[d + 2 + 2 * line]
            if self.board.may_end(b, i, to, fights, carry):
                n = self._emit(at, n, i, to, carry)
        to = place + 200 if base == 0 else place - base
        if self.board.may_end(b, i, to, fights, carry):
            n = self._emit(at, n, i, to, carry)
        return n

    def _hop(
        self, b: cython.int, seat: cython.int, at: cython.int, n: cython.int, i: cython.int, carry: cython.int
    ) -> cython.int:
        place: cython.int = self.s[b + PLACE + i]
        square: cython.int = place % 100
        d: cython.int = self.t[HOPS + 200 * self.s[b + HAND + i] + 100 * seat + square]
        count: cython.int = self.t[d]
        chains: cython.int
        length: cython.int
        target: cython.int
        _k: cython.int
        d += 1
        for _k in range(count):
            target = self.t[d]
            chains = self.t[d + 1]
            length = self.t[d + 2]
            if self.board.may_end(b, i, target, True, carry) and self._open(b, square, place < 100, d + 3, chains, length, False):
                n = self._emit(at, n, i, target, carry)
            if (
                place < 100
                and self.board.may_end(b, i, 100 + target, True, carry)
                and self._open(b, square, True, d + 3, chains, length, True)
            ):
                n = self._emit(at, n, i, 100 + target, carry)
            d += 3 + chains * length
        return n

    def _open(
        self,
        b: cython.int,
        square: cython.int,
        grounded: cython.bint,
        d: cython.int,
        chains: cython.int,
        length: cython.int,
        up: cython.bint,
    ) -> cython.bint:
        """Tell whether a Chopper has a free way along some chain, in Air or at Ground, to the target (in Air if `up`)."""
        c: cython.int
        k: cython.int
        free: cython.bint
        for c in range(chains):
            free = not grounded or self.s[b + AT + 2 * (100 + square)] < 0
            for k in range(length - 1 if up else length):
                if self.s[b + AT + 2 * (100 + self.t[d + c * length + k])] >= 0:
                    free = False
            if free:
                return True
            if grounded:
                free = True
                for k in range(length if up else length - 1):
                    if self.s[b + AT + 2 * self.t[d + c * length + k]] >= 0:
                        free = False
                if free:
                    return True
        return False
