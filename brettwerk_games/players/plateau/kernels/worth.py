# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The worth of a position to each seat: armies, how far they have come, what hangs, and how safe the bases are.

Figures are hundredths of a two. The tables of `Cover` say who can go where with one move; the rest is read from them.
"""

from array import array
from collections.abc import Sequence

import cython

from brettwerk_games.players.plateau.kernels.cover import Cover
from brettwerk_games.players.plateau.kernels.ground import Ground

MOVER = cython.declare(cython.int, 268)
FALLEN = cython.declare(cython.int, 269)
OVER = cython.declare(cython.int, 270)
WINNER = cython.declare(cython.int, 271)
WON = cython.declare(cython.int, 1000000)
OUT = cython.declare(cython.int, 6000)
WIDTH = cython.declare(cython.int, 264)

PRESET = (100, 180, 260, 330, 3, 4, 5, 6, 30, 12, 70, 25, 40, 60, 2000, 8) + (0,) * 10
"""Weights: twos, fours, sixes and the emblem; a step forward of each; a guard on the ring of the base, one that is covered; of
what hangs, in hundredths, what the mover threatens to take, what else is threatened, and each further one; an open node beside
the base that an enemy can come to; the base itself in reach; an army behind the ring; a tenth of each node that a two, four, six
and emblem can come to, an emblem that is free; a node of the ring that can be stormed, each stormer more than cover it; the
square of the mass before a base, in eighths; an army near its base; the turn. Armies that are worth more are of a higher kind."""
LEARNT = (95, 192, 205, 440, 4, 4, 5, 5, 31, 12, 105, 12, 40, 11, 1300, 10, 0, 0, 0, -1, -40, 0, 0, -1, 4, 0)
"""Weights near what fitted the outcomes of 155 short games best (docs/plateau-player.md)."""


class Worth:
    """Weighs positions of a ground."""

    def __init__(self, ground: Ground, weights: Sequence[int] = PRESET) -> None:
        self.ground, self.cover = ground, Cover(ground)
        self.rows = ground.room()
        self.weights = array("i", weights)
        self.score = array("i", bytes(4 * 4))
        self.armies, self.codes = array("h", bytes(2 * 264)), array("h", bytes(2 * 264))
        self.count = 0
        self.army = array("h", weights[:4])
        self.away = array("h", [0] * (4 * 264))
        self.guard = array("h", [0] * (4 * 264))
        self.sieges = any(weights[16:])
        self._measure()

    def _measure(self) -> None:
        """Note how many steps each node is from each base, and which nodes lie beside or behind its ring."""
        ground = self.ground
        for seat in range(ground.seats):
            distance = self._distances(seat)
            for node in range(ground.nodes):
                self.away[seat * 264 + node] = distance[node]
                self.guard[seat * 264 + node] = distance[node] if distance[node] <= 2 else 0

    def _distances(self, seat: int) -> list[int]:
        """Return how many steps each node is from a seat's base on an empty board."""
        ground = self.ground
        found = [0] * ground.nodes
        seen, layer, steps = {ground.bases[seat]}, [ground.bases[seat]], 0
        while layer:
            steps += 1
            beside = {ground.beside[4 * node + way] for node in layer for way in range(4)} - {-1}
            layer = sorted(beside - seen)
            seen |= beside
            for node in layer:
                found[node] = steps
        return found

    def scores(self, row: int) -> tuple[int, ...]:
        """Return what a position is worth to each seat."""
        self.weigh(row)
        return tuple(self.score[seat] for seat in range(self.ground.seats))

    def of(self, row: int, seat: int) -> int:
        """Return what a position is worth to a seat: `objective`."""
        self.weigh(row)
        found: int = self.objective(row, seat)
        return found

    def weigh(self, row: cython.int) -> None:
        """Write what the position is worth to each seat to `score`; the seat to move is about to begin its turn."""
        if self._ended(row):
            return
        self.cover.look(row)
        self._weigh(row)

    def weigh_after(self, row: cython.int, source: cython.int, target: cython.int) -> None:
        """Do what `weigh` does for a position that is a move away from the one that `cover` keeps."""
        if self._ended(row):
            return
        self.cover.after(row, source, target)
        self._weigh(row)

    def _ended(self, row: cython.int) -> cython.bint:
        """Write what the position is worth if the game is over; tell whether it is."""
        seat: cython.int
        if not self.rows[row + OVER]:
            return False
        for seat in range(4):
            self.score[seat] = 0
        for seat in range(self.ground.seats):
            self.score[seat] = WON if not self.ground.foes(seat, self.rows[row + WINNER] - 1) else -WON
        return True

    def _weigh(self, row: cython.int) -> None:
        seat: cython.int
        node: cython.int
        code: cython.int
        for seat in range(4):
            self.score[seat] = 0
        self.count = 0
        for node in range(self.ground.nodes):
            code = self.rows[row + node]
            if code:
                code = (code - 1) & 15
                self.armies[self.count] = node
                self.codes[self.count] = code
                self.count += 1
                self._stand(row, node, code >> 2, code & 3)
        self._hanging(row)
        self._bases(row)
        if self.sieges:
            self._sieges(row)
        for seat in range(self.ground.seats):
            if self.rows[row + FALLEN] >> seat & 1:
                self.score[seat] = -OUT

    def advance(self, row: cython.int, node: cython.int, seat: cython.int, kind: cython.int) -> cython.int:
        """Return what standing on a node is worth to an army: near an enemy base, and behind or on the ring of its own."""
        other: cython.int
        near: cython.int = 40
        found: cython.int
        for other in range(self.ground.seats):
            if not self.ground.foes(seat, other) or self.rows[row + FALLEN] >> other & 1:
                continue
            if self.away[other * WIDTH + node] < near:
                near = self.away[other * WIDTH + node]
        found = -near * self.weights[4 + kind]
        if self.guard[seat * WIDTH + node] == 1:
            found += self.weights[8]
        elif self.guard[seat * WIDTH + node] == 2:
            found += self.weights[15]
        return found

    def _stand(self, row: cython.int, node: cython.int, seat: cython.int, kind: cython.int) -> None:
        self.score[seat] += self.army[kind] + self.advance(row, node, seat, kind)
        if self.guard[seat * WIDTH + node] == 1 and self.cover.tally[seat * WIDTH + node]:
            self.score[seat] += self.weights[9]

    def danger(self, row: cython.int, node: cython.int, seat: cython.int, value: cython.int, own: cython.int) -> cython.int:
        """Return what a seat stands to lose with an army of some value on a node that `own` of its armies cover."""
        other: cython.int
        kind: cython.int
        least: cython.int = 4
        for other in range(self.ground.seats):
            if self.ground.foes(seat, other):
                kind = self.cover.least(other * WIDTH + node)
                if kind < least:
                    least = kind
        if least == 4:
            return 0
        if own == 0:
            return value
        least = self.army[least]
        return value - least * 8 // 10 if value > least * 8 // 10 else value // 8

    def _hanging(self, row: cython.int) -> None:
        """Take off what hangs: most of the dearest where an enemy is to move, less of the others."""
        seat: cython.int
        node: cython.int
        index: cython.int
        code: cython.int
        loss: cython.int
        first: cython.int
        second: cython.int
        rest: cython.int
        share: cython.int
        mover: cython.int = self.rows[row + MOVER]
        for seat in range(self.ground.seats):
            first = second = rest = 0
            for index in range(self.count):
                code = self.codes[index]
                if code >> 2 != seat:
                    continue
                node = self.armies[index]
                loss = self.danger(row, node, seat, self.army[code & 3], self.cover.tally[seat * WIDTH + node])
                if loss > first:
                    rest += second
                    second = first
                    first = loss
                elif loss > second:
                    rest += second
                    second = loss
                else:
                    rest += loss
            share = self.weights[10] if self.ground.foes(seat, mover) else self.weights[11]
            loss = first + second * self.weights[12] // 100 + rest * self.weights[12] // 400
            self.score[seat] -= loss * share // 100

    def _bases(self, row: cython.int) -> None:
        """Weigh how open the bases are."""
        seat: cython.int
        other: cython.int
        node: cython.int
        direction: cython.int
        code: cython.int
        reached: cython.int
        base: cython.int
        for seat in range(self.ground.seats):
            if self.rows[row + FALLEN] >> seat & 1:
                continue
            base = self.ground.bases[seat]
            for direction in range(4):
                node = self.ground.beside[4 * base + direction]
                if node < 0:
                    continue
                code = self.rows[row + node]
                reached = 0
                for other in range(self.ground.seats):
                    if self.ground.foes(seat, other):
                        reached += self.cover.all_of(other * WIDTH + node)
                if code and self.ground.foes(seat, ((code - 1) >> 2) & 3):
                    self.score[seat] -= 5 * self.weights[13]
                elif reached and not code:
                    self.score[seat] -= self.weights[13] * (2 if reached > 1 else 1)
            for other in range(self.ground.seats):
                if self.ground.foes(seat, other) and self.cover.tally[other * WIDTH + base]:
                    self.score[seat] -= self.weights[14] if other == self.rows[row + MOVER] else self.weights[14] // 8

    def _sieges(self, row: cython.int) -> None:
        """Weigh freedom to move, the turn, and who could storm the rings of the bases."""
        seat: cython.int
        other: cython.int
        node: cython.int
        direction: cython.int
        storm: cython.int
        mass: cython.int
        own: cython.int
        code: cython.int
        index: cython.int
        steps: cython.int
        for seat in range(self.ground.seats):
            for index in range(4):
                self.score[seat] += self.cover.ends[4 * seat + index] * self.weights[16 + index] // 10
            if self.cover.ends[4 * seat + 3] > 4:
                self.score[seat] += self.weights[20]
            if self.rows[row + FALLEN] >> seat & 1:
                continue
            mass = own = 0
            for index in range(self.count):
                code = self.codes[index]
                steps = self.away[seat * WIDTH + self.armies[index]]
                if code >> 2 == seat:
                    own += steps <= 4
                elif steps <= 6 and self.ground.foes(seat, code >> 2):
                    mass += 1 + (code & 3 > 0)
            self.score[seat] += own * self.weights[24] - mass * mass * self.weights[23] // 8
            for direction in range(4):
                node = self.ground.beside[4 * self.ground.bases[seat] + direction]
                if node < 0:
                    continue
                storm = 0
                for other in range(self.ground.seats):
                    if self.ground.foes(seat, other):
                        storm += self.cover.heavy(other * WIDTH + node)
                if storm:
                    own = self.cover.all_of(seat * WIDTH + node)
                    self.score[seat] -= self.weights[21]
                    if storm > own:
                        self.score[seat] -= self.weights[22] * (storm - own)
        self.score[self.rows[row + MOVER]] += self.weights[25]

    def objective(self, row: cython.int, seat: cython.int) -> cython.int:
        """Return what `score` means to a seat: its side against the mean of the others, and the strongest of them."""
        other: cython.int
        own: cython.int = 0
        sum_: cython.int = 0
        most: cython.int = -10 * WON
        foes: cython.int = 0
        for other in range(self.ground.seats):
            if not self.ground.foes(seat, other):
                own += self.score[other]
            else:
                sum_ += self.score[other]
                foes += 1
                if self.score[other] > most:
                    most = self.score[other]
        if self.ground.alliance or foes == 1:
            return own - sum_
        return own - (sum_ // foes + most) // 2
