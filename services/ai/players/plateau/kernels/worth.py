# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""What a position is worth to each seat: armies, how far they have come, what hangs, and how safe the bases are.

Figures are hundredths of a two. `look` notes who can go where with one move; the rest is read from that.
"""

from array import array
from collections.abc import Sequence

import cython

from services.ai.players.plateau.kernels.ground import Ground

SMALL = cython.declare(cython.int, 264)
MOVER = cython.declare(cython.int, 268)
FALLEN = cython.declare(cython.int, 269)
OVER = cython.declare(cython.int, 270)
WINNER = cython.declare(cython.int, 271)
WON = cython.declare(cython.int, 1000000)
OUT = cython.declare(cython.int, 6000)
WIDTH = cython.declare(cython.int, 264)

PRESET = (100, 180, 260, 330, 3, 4, 5, 6, 30, 12, 70, 25, 40, 60, 2000, 8)
"""Weights: twos, fours, sixes and the emblem; a step forward of each; a guard on the ring of the base, one that is covered; of
what hangs, in hundredths, what the mover threatens to take, what else is threatened, and each further one; an open node beside
the base that an enemy can come to; the base itself in reach; an army behind the ring."""


class Worth:
    """Weighs positions of a ground."""

    def __init__(self, ground: Ground, weights: Sequence[int] = PRESET) -> None:
        self.ground = ground
        self.rows = ground.room()
        self.weights = array("i", weights)
        self.score = array("i", bytes(4 * 4))
        self.cheapest, self.covers = array("h", bytes(2 * 4 * 264)), array("h", bytes(2 * 4 * 264))
        self.army = array("h", weights[:4])
        self.away = array("h", [0] * (4 * 264))
        self.guard = array("h", [0] * (4 * 264))
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

    def look(self, row: cython.int) -> None:
        """Note for each seat and node how many of its armies can go there with one move, and the cheapest of them."""
        node: cython.int
        index: cython.int
        end: cython.int
        code: cython.int
        at: cython.int
        value: cython.int
        for index in range(4 * WIDTH):
            self.covers[index] = 0
            self.cheapest[index] = 9999
        for node in range(self.ground.nodes):
            code = self.rows[row + node]
            if not code:
                continue
            end = self.ground.reach(row, node, 12, True, 0)
            value = self.army[(code - 1) & 3]
            for index in range(end):
                at = (((code - 1) >> 2) & 3) * WIDTH + self.ground.target[index]
                self.covers[at] += 1
                if value < self.cheapest[at]:
                    self.cheapest[at] = value

    def weigh(self, row: cython.int) -> None:
        """Write what the position is worth to each seat to `score`; the seat to move is about to begin its turn."""
        seat: cython.int
        node: cython.int
        code: cython.int
        for seat in range(4):
            self.score[seat] = 0
        if self.rows[row + OVER]:
            for seat in range(self.ground.seats):
                self.score[seat] = WON if not self.ground.foes(seat, self.rows[row + WINNER] - 1) else -WON
            return
        self.look(row)
        for node in range(self.ground.nodes):
            code = self.rows[row + node]
            if code:
                self._stand(row, node, ((code - 1) >> 2) & 3, (code - 1) & 3)
        self._hanging(row)
        self._bases(row)
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
        if self.guard[seat * WIDTH + node] == 1 and self.covers[seat * WIDTH + node]:
            self.score[seat] += self.weights[9]

    def danger(self, row: cython.int, node: cython.int, seat: cython.int, value: cython.int, own: cython.int) -> cython.int:
        """Return what a seat stands to lose with an army of some value on a node that `own` of its armies cover."""
        other: cython.int
        least: cython.int = 9999
        for other in range(self.ground.seats):
            if self.ground.foes(seat, other) and self.cheapest[other * WIDTH + node] < least:
                least = self.cheapest[other * WIDTH + node]
        if least == 9999:
            return 0
        if own == 0:
            return value
        return value - least * 8 // 10 if value > least * 8 // 10 else value // 8

    def _hanging(self, row: cython.int) -> None:
        """Take off what hangs: most of the dearest where an enemy is to move, less of the others."""
        seat: cython.int
        node: cython.int
        code: cython.int
        loss: cython.int
        first: cython.int
        second: cython.int
        rest: cython.int
        share: cython.int
        mover: cython.int = self.rows[row + MOVER]
        for seat in range(self.ground.seats):
            first = second = rest = 0
            for node in range(self.ground.nodes):
                code = self.rows[row + node]
                if not code or ((code - 1) >> 2) & 3 != seat:
                    continue
                loss = self.danger(row, node, seat, self.army[(code - 1) & 3], self.covers[seat * WIDTH + node])
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
                        reached += self.covers[other * WIDTH + node]
                if code and self.ground.foes(seat, ((code - 1) >> 2) & 3):
                    self.score[seat] -= 5 * self.weights[13]
                elif reached and not code:
                    self.score[seat] -= self.weights[13] * (2 if reached > 1 else 1)
            for other in range(self.ground.seats):
                if self.ground.foes(seat, other) and self.covers[other * WIDTH + base]:
                    self.score[seat] -= self.weights[14] if other == self.rows[row + MOVER] else self.weights[14] // 8

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
