# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The board as flat numbers: where an army can go with the fewest steps, and what a move does (EP-MOVE, EP-CAPTURE, EP-BASE).

Positions are rows of one array. A row has a number for each node: 0, or 1 + kind + 4 * seat of the army there, and 32 more when
it moves no more in this turn. Behind the nodes stand the turn, whose it is, who is out, and how it ended. Callers name a row by
its offset. Ways longer than the shortest are left out: they lead nowhere else.
"""

from array import array
from collections.abc import Sequence

import cython

ROW = cython.declare(cython.int, 272)
SMALL = cython.declare(cython.int, 264)
EMBLEM = cython.declare(cython.int, 265)
ORDER = cython.declare(cython.int, 266)
DUE = cython.declare(cython.int, 267)
MOVER = cython.declare(cython.int, 268)
FALLEN = cython.declare(cython.int, 269)
OVER = cython.declare(cython.int, 270)
WINNER = cython.declare(cython.int, 271)
RESTING = cython.declare(cython.int, 32)
WIDTH = 272
"""Numbers of a row."""
ROWS = 12000
"""Rows that there is room for."""
MAX_REACHED = 4096


class Ground:
    """A board, the options of its game, and room for positions."""

    def __init__(
        self,
        beside: Sequence[int],
        bases: Sequence[int],
        alliance: cython.bint,
        conquest_wins: cython.bint,
        take_over: cython.bint,
        jump_may_end: cython.bint,
    ) -> None:
        """Take four neighbours for each node (-1: none), in the order of STEPS, and the bases by seat."""
        self.nodes = len(beside) // 4
        self.seats = len(bases)
        self.alliance, self.conquest_wins, self.take_over = alliance, conquest_wins, take_over
        self.jump_may_end = jump_may_end
        self.beside = array("h", beside)
        self.bases = array("h", bases)
        self.home = array("h", [0] * 264)
        for seat, base in enumerate(bases):
            self.home[base] = seat + 1
        self._room = array("h", bytes(2 * WIDTH * ROWS))
        self.rows = self._room
        self.target, self.steps = array("h", bytes(2 * MAX_REACHED)), array("h", bytes(2 * MAX_REACHED))
        self.queue, self.far, self.noted = (array("h", bytes(2 * size)) for size in (264, 264, MAX_REACHED))
        self.notes = 0
        self.seen = array("i", bytes(4 * 264))
        self.stamp = 0

    def load(self, row: cython.int, codes: Sequence[int], turn: Sequence[int]) -> None:
        """Write a row: the numbers of its nodes, and small, emblem, order, due, mover, fallen, over and winner."""
        for node in range(264):
            self.rows[row + node] = codes[node] if node < len(codes) else 0
        for index in range(8):
            self.rows[row + 264 + index] = turn[index]

    def room(self) -> "array[int]":
        """Return the numbers of all rows, to look at."""
        return self._room

    def dump(self, row: int) -> tuple[int, ...]:
        """Return a row."""
        return tuple([self.rows[row + index] for index in range(WIDTH)])

    def reached(self, row: int, node: int, limit: int, cover: bool) -> dict[int, int]:
        """Return the fewest steps to each target; with `cover`, own armies count as targets."""
        end = self.reach(row, node, limit, cover, 0)
        return {self.target[index]: self.steps[index] for index in range(end)}

    def played(self, row: int, to: int, source: int, target: int, steps: int) -> None:
        """Write the position after a move to another row."""
        self.copy(row, to)
        self.move(to, source, target, steps)

    def ended(self, row: int, to: int) -> None:
        """Write the position after the end of the turn to another row."""
        self.copy(row, to)
        self.pass_on(to)

    def two_sides(self) -> bool:
        """Tell whether what one side wins the other loses."""
        return self.seats == 2 or bool(self.alliance)

    def foes(self, seat: cython.int, other: cython.int) -> cython.bint:
        """Tell whether two seats are on different sides."""
        if self.alliance:
            return (seat ^ other) & 1
        return seat != other

    def way(self, row: cython.int, node: cython.int, seat: cython.int, kind: cython.int) -> cython.int:
        """Return what a node is to an army: 0 closed, 1 a way, 2 something to take, 3 an army of its own side."""
        code: cython.int = self.rows[row + node]
        base: cython.int = self.home[node]
        self.noted[self.notes] = node
        self.notes += 1
        if base and self.rows[row + FALLEN] >> (base - 1) & 1:
            base = 0
        if code:
            if self.foes(((code - 1) >> 2) & 3, seat):
                return 2
            return 0 if base == seat + 1 and kind != 3 else 3
        if not base:
            return 1
        if base == seat + 1:
            return 1 if kind == 3 else 0
        return 2 if self.foes(base - 1, seat) else 0

    def reach(self, row: cython.int, node: cython.int, limit: cython.int, cover: cython.bint, first: cython.int) -> cython.int:
        """Write an army's targets and fewest steps behind `first`, the nodes looked at to `noted`; returns where targets end."""
        code: cython.int = self.rows[row + node]
        kind: cython.int = (code - 1) & 3
        seat: cython.int = ((code - 1) >> 2) & 3
        most: cython.int = 12 if kind == 3 else 2 + 2 * kind
        if most < limit:
            limit = most
        self.stamp += 1
        self.notes = 0
        self.seen[node] = self.stamp
        if kind == 0:
            return self._two(row, node, limit, cover, first)
        head: cython.int = 0
        tail: cython.int = 1
        count: cython.int = first
        at: cython.int
        way: cython.int
        other: cython.int
        direction: cython.int
        if kind == 1 and self.jump_may_end and limit > 1:
            count = self._hop(row, node, cover, count)
        self.queue[0] = node
        self.far[node] = 0
        while head < tail:
            at = self.queue[head]
            head += 1
            if self.far[at] >= limit:
                break
            for direction in range(4):
                other = self.beside[4 * at + direction]
                if other < 0 or self.seen[other] == self.stamp:
                    continue
                way = self.way(row, other, seat, kind)
                count = self._meet(other, way, self.far[at] + 1, cover, count)
                if way == 1:
                    self.far[other] = self.far[at] + 1
                    self.queue[tail] = other
                    tail += 1
        if kind == 1 and limit > 2:
            count = self._jump(row, node, limit, cover, count)
        return count

    def _meet(self, node: cython.int, way: cython.int, steps: cython.int, cover: cython.bint, count: cython.int) -> cython.int:
        """Note a node that an army comes to."""
        if way == 0 or self.seen[node] == self.stamp:
            return count
        self.seen[node] = self.stamp
        if way == 3 and not cover:
            return count
        self.target[count] = node
        self.steps[count] = steps
        return count + 1

    def _two(self, row: cython.int, node: cython.int, limit: cython.int, cover: cython.bint, first: cython.int) -> cython.int:
        """Twos take round a corner only (EP-MOVE-2S-2)."""
        seat: cython.int = ((self.rows[row + node] - 1) >> 2) & 3
        count: cython.int = first
        one: cython.int
        other: cython.int
        corner: cython.int
        target: cython.int
        way: cython.int
        for one in range(4):
            corner = self.beside[4 * node + one]
            if limit > 0 and corner >= 0 and self.way(row, corner, seat, 0) == 1:
                count = self._meet(corner, 1, 1, cover, count)
        for one in range(4):
            corner = self.beside[4 * node + one]
            if limit < 2 or corner < 0 or self.way(row, corner, seat, 0) != 1:
                continue
            for other in range(4):
                target = self.beside[4 * corner + other]
                if target < 0 or self.seen[target] == self.stamp:
                    continue
                way = self.way(row, target, seat, 0)
                if way == 1 or one >> 1 != other >> 1:
                    count = self._meet(target, way, 2, cover, count)
        return count

    def _landing(self, row: cython.int, node: cython.int, seat: cython.int, direction: cython.int) -> cython.int:
        """Return where a jump from a node comes down, -1 where there is none."""
        over: cython.int = self.beside[4 * node + direction]
        if over < 0 or self.way(row, over, seat, 1) == 1 or not self.rows[row + over]:
            return -1
        if self.home[over] == seat + 1 and not self.rows[row + FALLEN] >> seat & 1:
            return -1
        return self.beside[4 * over + direction]

    def _hop(self, row: cython.int, node: cython.int, cover: cython.bint, first: cython.int) -> cython.int:
        """By option, fours end where they come down. A four that walks there needs four steps at least."""
        seat: cython.int = ((self.rows[row + node] - 1) >> 2) & 3
        count: cython.int = first
        landing: cython.int
        direction: cython.int
        for direction in range(4):
            landing = self._landing(row, node, seat, direction)
            if landing >= 0:
                count = self._meet(landing, self.way(row, landing, seat, 1), 2, cover, count)
        return count

    def _jump(self, row: cython.int, node: cython.int, limit: cython.int, cover: cython.bint, first: cython.int) -> cython.int:
        """Fours jump over one army and go on (EP-MOVE-4S-1)."""
        seat: cython.int = ((self.rows[row + node] - 1) >> 2) & 3
        count: cython.int = first
        over: cython.int
        landing: cython.int
        third: cython.int
        fourth: cython.int
        one: cython.int
        two: cython.int
        three: cython.int
        for one in range(4):
            landing = self._landing(row, node, seat, one)
            if landing < 0:
                continue
            over = self.beside[4 * node + one]
            if self.way(row, landing, seat, 1) != 1:
                continue
            for two in range(4):
                third = self.beside[4 * landing + two]
                if third >= 0 and third not in (over, node):
                    count = self._meet(third, self.way(row, third, seat, 1), 3, cover, count)
            if limit < 4:
                continue
            for two in range(4):
                third = self.beside[4 * landing + two]
                if third < 0 or third in (over, node) or self.way(row, third, seat, 1) != 1:
                    continue
                for three in range(4):
                    fourth = self.beside[4 * third + three]
                    if fourth >= 0 and fourth != over and fourth != landing and fourth != node:
                        count = self._meet(fourth, self.way(row, fourth, seat, 1), 4, cover, count)
        return count

    def allowance(self, row: cython.int, kind: cython.int) -> cython.int:
        """Return how many steps an army that has not moved may make (EP-TURN)."""
        small: cython.int = self.rows[row + SMALL]
        order: cython.int = self.rows[row + ORDER]
        if kind == 3:
            return 12 - small if order < 2 else 0
        if order == 3:
            return 0
        free: cython.int = 2 + 2 * kind
        if 6 - small < free:
            free = 6 - small
        if 12 - small - self.rows[row + EMBLEM] < free:
            free = 12 - small - self.rows[row + EMBLEM]
        return free

    def copy(self, row: cython.int, to: cython.int) -> None:
        """Copy a row."""
        index: cython.int
        for index in range(ROW):
            self.rows[to + index] = self.rows[row + index]

    def move(self, row: cython.int, source: cython.int, target: cython.int, steps: cython.int) -> None:
        """Do a move in place."""
        code: cython.int = self.rows[row + source]
        taken: cython.int = self.rows[row + target]
        base: cython.int = self.home[target]
        seat: cython.int = ((code - 1) >> 2) & 3
        other: cython.int
        if base and (base == seat + 1 or self.rows[row + FALLEN] >> (base - 1) & 1):
            base = 0
        self.rows[row + source] = 0
        self.rows[row + target] = code | RESTING
        if (code - 1) & 3 == 3:
            self.rows[row + EMBLEM] += steps
            self.rows[row + ORDER] = 3 if self.rows[row + SMALL] else 2
        else:
            self.rows[row + SMALL] += steps
            self.rows[row + ORDER] = 4 if self.rows[row + EMBLEM] else 1
        if base:
            self.fall(row, base - 1, seat)
        elif taken:
            other = ((taken - 1) >> 2) & 3
            if not self.count(row, other):
                self.fall(row, other, -1)

    def count(self, row: cython.int, seat: cython.int) -> cython.int:
        """Return how many armies a seat has."""
        node: cython.int
        found: cython.int = 0
        for node in range(self.nodes):
            if self.rows[row + node] and ((self.rows[row + node] - 1) >> 2) & 3 == seat:
                found += 1
        return found

    def fall(self, row: cython.int, seat: cython.int, by: cython.int) -> None:
        """Take a seat out, and end the game where that decides it (EP-MULTI)."""
        fallen: cython.int = self.rows[row + FALLEN] | 1 << seat
        node: cython.int
        code: cython.int
        other: cython.int
        left: cython.int = -1
        sides: cython.int = 0
        self.rows[row + FALLEN] = fallen
        for other in range(self.seats):
            if not fallen >> other & 1:
                if left < 0:
                    left, sides = other, 1
                elif self.foes(left, other):
                    sides = 2
        if sides < 2 or (by >= 0 and self.conquest_wins):
            self.rows[row + OVER] = 1
            self.rows[row + WINNER] = by + 1 if by >= 0 else left + 1
            return
        for node in range(self.nodes):
            code = self.rows[row + node]
            if code and ((code - 1) >> 2) & 3 == seat:
                if by >= 0 and self.take_over and (code - 1) & 3 != 3:
                    self.rows[row + node] = (1 + ((code - 1) & 3) + 4 * by) | RESTING
                else:
                    self.rows[row + node] = 0

    def pass_on(self, row: cython.int) -> None:
        """End the turn in place: the next one of six steps begins."""
        node: cython.int
        seat: cython.int = self.rows[row + MOVER]
        for node in range(self.nodes):
            self.rows[row + node] &= 31
        self.rows[row + SMALL] = self.rows[row + EMBLEM] = self.rows[row + ORDER] = 0
        self.rows[row + DUE] = 6
        if self.rows[row + OVER]:
            return
        seat = (seat + 1) % self.seats
        while self.rows[row + FALLEN] >> seat & 1:
            seat = (seat + 1) % self.seats
        self.rows[row + MOVER] = seat
