# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A small picture of Weaponized Chess that is played on fast: the search over Turns, and what the player asks of it.

It leaves out: transits (whoever is in one stands still), hidden ways (everybody is seen), items, reinforcements and dozing. A
turn of the search is the best Fires before the Move, a Move, and the best Fires after it; or Fires only after it, if those bring
more.
"""

import array

import cython

from brettwerk_games.players.wec import layout
from brettwerk_games.players.wec.kernels.board import Board, Row
from brettwerk_games.players.wec.kernels.fires import Fires
from brettwerk_games.players.wec.kernels.judgement import Judgement
from brettwerk_games.players.wec.kernels.movement import Movement
from brettwerk_games.players.wec.kernels.turn_end import TurnEnd
from brettwerk_games.players.wec.kernels.weapons import Weapons

SEAT = cython.declare(cython.int, layout.SEAT)
PLACE = cython.declare(cython.int, layout.PLACE)
KIND = cython.declare(cython.int, layout.KIND)
AT = cython.declare(cython.int, layout.AT)
PLY = cython.declare(cython.int, layout.PLY)
SPENT = cython.declare(cython.int, layout.SPENT)
FIRED = cython.declare(cython.int, layout.FIRED)
SIZE = cython.declare(cython.int, layout.SIZE)
VALUE = cython.declare(cython.int, layout.VALUE)
SQUARE_VALUE = cython.declare(cython.int, layout.SQUARE_VALUE)
NUMBER = cython.declare(cython.int, layout.NUMBER)
NO_FIRES = cython.declare(cython.int, layout.NO_FIRES)
FLAME_RANGE = cython.declare(cython.int, layout.FLAME_RANGE)
PRIMARY_FROM = cython.declare(cython.int, layout.PRIMARY_FROM)
SECONDARY_FROM = cython.declare(cython.int, layout.SECONDARY_FROM)
FLAME = cython.declare(cython.int, 1)
CONVERSION = cython.declare(cython.int, 3)
ROCKET = cython.declare(cython.int, 4)
WIN = cython.declare(cython.int, 1_000_000)
LEAST = cython.declare(cython.int, 8)
"""A Fire must bring more than this."""
LEVELS = cython.declare(cython.int, 20)
"""States that are kept one above the other."""
MOVES = cython.declare(cython.int, 1600)
"""Moves of one state at most; what is beyond is left out."""
TAKING = cython.declare(cython.int, 900)
"""The keys of Moves that take something begin here."""
DEADLY = cython.declare(cython.int, 400_000)
"""The keys of Moves to where the enemy primary can be fired at begin here: beyond those of takes."""
EARLY = cython.declare(cython.int, 8)
"""Moves of a state that are always looked at in full."""
HOPE = cython.declare(cython.int, 40)
"""How much more a state may be worth than it looks, where only takes are still to come."""


class Skirmish:
    """A position, played on above it: state 0 is the one that was loaded."""

    def __init__(self, tables: Row) -> None:
        """Take the tables of a game (tables.py)."""
        board = Board(tables)
        self.board = board
        self.movement = Movement(board)
        self.weapons = Weapons(board)
        self.fires = Fires(board, self.weapons)
        self.turn_end = TurnEnd(board, self.weapons, self.fires)
        self.judgement = Judgement(board, self.weapons, self.fires)
        self.s, self.t, self.mv, self.log = board.s, board.t, self.movement.mv, self.fires.log
        self.key = array.array("i", [0]) * (MOVES * LEVELS)
        self.good = array.array("i", [-1] * (2 * LEVELS))
        self.nodes = 0
        self.most = 0

    def load(self, row: Row) -> None:
        """Take a state."""
        self.board.load(row)
        self.fires.own = (self.s[PLY] + 1) % 2

    def row(self, level: int) -> list[int]:
        """Return a state as integers, for tests."""
        return self.board.row(level)

    def _rank(self, b: cython.int, level: cython.int, n: cython.int, seat: cython.int) -> None:
        """Give every Move of a state a key: takes of much by little first, then what gets on."""
        m: cython.int
        i: cython.int
        to: cython.int
        first: cython.int
        key: cython.int
        kind: cython.int
        at: cython.int = 3 * MOVES * level
        for m in range(n):
            i = self.mv[at + 3 * m]
            to = self.mv[at + 3 * m + 1]
            kind = self.s[b + KIND + i]
            first = self.s[b + AT + 2 * to]
            key = self.t[SQUARE_VALUE + 200 * kind + 100 * seat + to % 100]
            key -= self.t[SQUARE_VALUE + 200 * kind + 100 * seat + self.s[b + PLACE + i] % 100]
            if first >= 0 and self.s[b + SEAT + first] != seat:
                key += 1000 + 16 * self.weapons.worth(b, first) - self.t[VALUE + kind] // 4
                if self.s[b + AT + 2 * to + 1] >= 0:
                    key += 16 * self.weapons.worth(b, self.s[b + AT + 2 * to + 1])
            self.key[MOVES * level + m] = key

    def _next_best(self, level: cython.int, m: cython.int, n: cython.int) -> cython.int:
        """Bring the Move with the greatest key to place m and return its key."""
        best: cython.int = m
        k: cython.int
        c: cython.int
        kept: cython.int
        at: cython.int = 3 * MOVES * level
        base: cython.int = MOVES * level
        for k in range(m + 1, n):
            if self.key[base + k] > self.key[base + best]:
                best = k
        kept = self.key[base + m]
        self.key[base + m] = self.key[base + best]
        self.key[base + best] = kept
        for c in range(3):
            kept = self.mv[at + 3 * m + c]
            self.mv[at + 3 * m + c] = self.mv[at + 3 * best + c]
            self.mv[at + 3 * best + c] = kept
        return self.key[base + m]

    def _search(
        self, level: cython.int, seat: cython.int, depth: cython.int, takes: cython.int, alpha: cython.int, beta: cython.int
    ) -> cython.int:
        """Return what a state is worth to the seat to act: all Moves for `depth` turns, then for `takes` turns only takes.

        A Move to where the enemy primary can be fired at is looked at like a take.
        """
        b: cython.int = level * SIZE
        fired: cython.int = (level + 1) * SIZE
        after: cython.int = (level + 2) * SIZE
        other: cython.int = (level + 3) * SIZE
        at: cython.int = 3 * MOVES * (level + 1)
        best: cython.int = -2 * WIN
        value: cython.int
        n: cython.int
        m: cython.int
        key: cython.int
        early: cython.int
        gained: cython.int
        piece: cython.int
        later: cython.bint
        self.board.copy(b, fired)
        early = self.fires.best(fired, seat)
        if depth == 0:
            best = self._stand(fired, after, seat)
            if best >= beta or takes == 0:
                return best
            if best > alpha:
                alpha = best
        n = self.movement.make(fired, seat, at)
        if n == 0:
            return self._stand(fired, after, seat)
        self._rank(fired, level + 1, n, seat)
        if depth:
            self._prefer(level + 1, n)
        else:
            self._aim(b, level + 1, n, seat)
        for m in range(n):
            key = self._next_best(level + 1, m, n)
            if depth == 0 and key < TAKING:
                break
            self.board.copy(b if key >= DEADLY else fired, after)
            self.board.go(after, self.mv[at + 3 * m], self.mv[at + 3 * m + 1], self.mv[at + 3 * m + 2])
            if key >= DEADLY:
                self.fires.best(after, seat)
            elif depth:
                gained = early
                piece = self.mv[at + 3 * m]
                later = self.s[after + SPENT + piece] != 0
                if self.s[after + FIRED] < 2:
                    gained += self.fires.best(after, seat)
                elif early > 0 and not later:
                    later = self.fires.shot(after, seat, piece) > LEAST
                if early > 0 and later:
                    # The targets of a piece after its Move may be better than those before it.
                    self.board.copy(b, other)
                    self.board.go(other, self.mv[at + 3 * m], self.mv[at + 3 * m + 1], self.mv[at + 3 * m + 2])
                    if self.fires.best(other, seat) > gained:
                        self.board.copy(other, after)
            self.turn_end.settle(after)
            self.nodes += 1
            value = self.judgement.over(after, seat, depth)
            if value == 0:
                if depth > 1 and level + 5 < LEVELS:
                    # Moves late in the order are mostly no good: a shorter look is enough to see that.
                    value = alpha + 1
                    if m >= EARLY and key < TAKING:
                        value = -self._search(level + 2, 1 - seat, depth - 2, takes, -alpha - 1, -alpha)
                    if value > alpha:
                        value = -self._search(level + 2, 1 - seat, depth - 1, takes, -beta, -alpha)
                else:
                    value = self.judgement.value(after, seat)
                    # The other side may stand still, so it is hardly worth more than it looks.
                    if value + HOPE > alpha and takes > (depth == 0) and level + 5 < LEVELS:
                        value = -self._search(level + 2, 1 - seat, 0, takes - (depth == 0), -beta, -alpha)
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if alpha >= beta:
                        if depth and key < TAKING:
                            self._remember(level + 1, m)
                        break
            if self.most and self.nodes > self.most:
                break
        return best

    def _aim(self, b: cython.int, level: cython.int, n: cython.int, seat: cython.int) -> None:
        """Let the Moves come first that end where a weapon that is ready overcomes the enemy primary."""
        m: cython.int
        i: cython.int
        k: cython.int
        to: cython.int
        rows: cython.int
        columns: cython.int
        beside: cython.bint
        last: cython.int = -1
        flame: cython.bint = False
        rocket: cython.bint = False
        conversion: cython.bint = False
        target: cython.int = -1
        place: cython.int
        at: cython.int = 3 * MOVES * level
        if self.t[NO_FIRES]:
            return
        for k in range(self.s[b + NUMBER]):
            if self.s[b + SEAT + k] == seat or self.s[b + PLACE + k] < 0:
                continue
            if PRIMARY_FROM <= self.s[b + KIND + k] < SECONDARY_FROM:
                target = k
        if target < 0 or self.board.dark(b, target):
            return
        place = self.s[b + PLACE + target]
        for m in range(n):
            i = self.mv[at + 3 * m]
            if i != last:
                last = i
                flame = self.weapons.battery(b, i, FLAME, False) > self.weapons.counters(b, target, FLAME)
                conversion = self.weapons.battery(b, i, CONVERSION, False) > self.weapons.counters(b, target, CONVERSION)
                rocket = place < 100 and self.weapons.battery(b, i, ROCKET, False) > self.weapons.counters(b, target, ROCKET)
            if not flame and not conversion and not rocket:
                continue
            to = self.mv[at + 3 * m + 1]
            rows = abs(to % 100 // 10 - place % 100 // 10)
            columns = abs(to % 10 - place % 10)
            if rows > columns:
                rows, columns = columns, rows
            if columns == 0 or (rows and rows != columns):
                continue
            beside = columns == 1
            if to // 100 == place // 100:
                beside = (beside and (rocket or conversion)) or (flame and columns <= self.t[FLAME_RANGE])
            else:
                beside = beside and rocket
            if beside:
                self.key[MOVES * level + m] += DEADLY

    def _stand(self, fired: cython.int, after: cython.int, seat: cython.int) -> cython.int:
        """Return what it is worth to stand still after the Fires: as good as some quiet Move."""
        value: cython.int
        self.board.copy(fired, after)
        self.turn_end.settle(after)
        self.nodes += 1
        value = self.judgement.over(after, seat, 0)
        return value if value else self.judgement.value(after, seat)

    def _prefer(self, level: cython.int, n: cython.int) -> None:
        """Let the quiet Moves come first that were too good for the other side elsewhere on this level."""
        m: cython.int
        move: cython.int
        at: cython.int = 3 * MOVES * level
        for m in range(n):
            if self.key[MOVES * level + m] < TAKING:
                move = 512 * self.mv[at + 3 * m] + self.mv[at + 3 * m + 1]
                if move == self.good[2 * level] or move == self.good[2 * level + 1]:
                    self.key[MOVES * level + m] = TAKING - 1

    def _remember(self, level: cython.int, m: cython.int) -> None:
        """Remember a quiet Move that was too good for the other side."""
        at: cython.int = 3 * MOVES * level + 3 * m
        move: cython.int = 512 * self.mv[at] + self.mv[at + 1]
        if move != self.good[2 * level]:
            self.good[2 * level + 1] = self.good[2 * level]
            self.good[2 * level] = move

    def try_turn(
        self, seat: cython.int, early: cython.int, piece: cython.int, place: cython.int, carry: cython.int
    ) -> tuple[int, tuple[int, ...], int]:
        """Play a Turn from state 0 on state 1: up to `early` Fires, the Move (none for a piece below 0), Fires, the end.

        Returns what it is worth to the seat as it stands then, the codes of the Fires (code & 127 the piece, code >> 8 & 7 the
        weapon, code >> 12 the direction from 1, 9 for an off-level rocket), and how many of them come before the Move.
        """
        b: cython.int = SIZE
        value: cython.int
        before: cython.int
        left_out: cython.int = 1 if early == 1 and not self.s[FIRED] else 0
        self.board.copy(0, b)
        self.fires.logged = 0
        if early:
            self.s[b + FIRED] += left_out
            self.fires.best(b, seat)
            self.s[b + FIRED] -= left_out
        before = self.fires.logged
        if piece >= 0:
            if self.s[b + PLACE + piece] < 0:
                return -2 * WIN, (), 0
            self.board.go(b, piece, place, carry)
            self.fires.best(b, seat)
        codes = tuple([self.log[k] for k in range(self.fires.logged)])
        self.turn_end.settle(b)
        value = self.judgement.over(b, seat, 9)
        return value if value else self.judgement.value(b, seat), codes, before

    def exposed(self, seat: cython.int) -> int:
        """Return what pieces are worth that `seat` leaves on state 1 where a projectile can home on them."""
        return int(self.judgement.exposed(SIZE, seat))

    def end(self, seat: cython.int) -> int:
        """End the Turn of state 0 as it stands, on state 1, and return what that means to the seat at once (0: it goes on)."""
        self.board.copy(0, SIZE)
        self.turn_end.settle(SIZE)
        return int(self.judgement.over(SIZE, seat, 9))

    def answer(self, seat: int, depth: int, takes: int, alpha: int, most: int) -> int | None:
        """Return what state 1 is worth to `seat` when the other one is to act, or a value up to `alpha` when it is no better.

        None when that takes more than `most` positions.
        """
        self.most = self.nodes + most
        value: cython.int = -self._search(1, 1 - seat, depth, takes, -2 * WIN, -alpha)
        return None if self.nodes > self.most else int(value)

    def threat(self, seat: int) -> int:
        """Return what state 1 would be worth to `seat` if it were to act again at once, looking at its next turn only."""
        self.most = 0
        self.s[SIZE + PLY] += 1
        value: cython.int = self._search(1, seat, 1, 0, -2 * WIN, 2 * WIN)
        self.s[SIZE + PLY] -= 1
        return int(value)

    def moves(self, seat: int) -> list[tuple[int, int, int]]:
        """Return all Moves of state 0: piece, place, and whether the passenger comes along."""
        n: cython.int = self.movement.make(0, seat, 0)
        return [(self.mv[3 * m], self.mv[3 * m + 1], self.mv[3 * m + 2]) for m in range(n)]

    def looked_at(self) -> int:
        """Return how many positions were looked at."""
        return int(self.nodes)
