# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Whether the seat to move can win within its turn, and how: complete, since the game hangs on it (EP-GOAL-1, EP-END-1).

The last move of such a turn lands on a base, or on the last army of an empire. Every move before it takes something that has to
fall too, or makes room: an own army that steps out of the way is the only thing that opens a way, since whoever captures stays
where the captured army stood. So the search plays taking moves and clearing moves, with few clearing steps first. It gives up
where even a way through all own armies that could still step aside, with a step for each of them, is too long.
"""

from array import array

import cython

from brettwerk_games.players.plateau.kernels.ground import Ground

ROW = cython.declare(cython.int, 272)
SMALL = cython.declare(cython.int, 264)
EMBLEM = cython.declare(cython.int, 265)
ORDER = cython.declare(cython.int, 266)
MOVER = cython.declare(cython.int, 268)
FALLEN = cython.declare(cython.int, 269)
OVER = cython.declare(cython.int, 270)
WINNER = cython.declare(cython.int, 271)
NEVER = cython.declare(cython.int, 99)
MAX_CLEAR = cython.declare(cython.int, 7)
MAX_TAKEN = cython.declare(cython.int, 7)
FEW = cython.declare(cython.int, 3)
DEEPEST = 20
"""Rows that a search needs behind its own."""


class Conquest:
    """Looks for a win within the turn."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.rows = ground.room()
        self.walk, self.queue, self.mark = (array("h", bytes(2 * 264)) for _ in range(3))
        self.source, self.target, self.steps = (array("h", bytes(2 * DEEPEST)) for _ in range(3))
        self.nodes = self.length = 0

    def found(self, row: int, room: int, cap: int) -> list[tuple[int, int, int]] | None:
        """Return the moves of a winning turn, or None. `room` is the first of DEEPEST free rows, `cap` the most positions."""
        if self.win(row, room, cap) != 1:
            return None
        return [(self.source[index], self.target[index], self.steps[index]) for index in range(self.length)]

    def win(self, row: cython.int, room: cython.int, cap: cython.int) -> cython.int:
        """Return 1 when the seat to move wins within its turn, 0 when it cannot, -1 when `cap` positions did not tell."""
        clear: cython.int
        self.nodes = 0
        self.cap = cap
        self.length = 0
        if not self._hope(row):
            return 0
        for clear in range(MAX_CLEAR):
            if self._seek(row, room, 0, clear, 0):
                return 1
            if self.nodes > self.cap:
                return -1
        return 0

    def _seek(self, row: cython.int, room: cython.int, depth: cython.int, clear: cython.int, first: cython.int) -> cython.bint:
        self.nodes += 1
        if self.nodes > self.cap or depth >= 19 or not self._hope(row):
            return False
        return self._take(row, room, depth, clear, first) or (clear > 0 and self._clear(row, room, depth, clear, first))

    def _try(
        self,
        row: cython.int,
        room: cython.int,
        depth: cython.int,
        clear: cython.int,
        first: cython.int,
        source: cython.int,
        target: cython.int,
        steps: cython.int,
    ) -> cython.bint:
        """Play a move and look on from there."""
        seat: cython.int = self.rows[row + MOVER]
        self.ground.copy(row, room)
        self.ground.move(room, source, target, steps)
        self.source[depth], self.target[depth], self.steps[depth] = source, target, steps
        if self.rows[room + OVER]:
            self.length = depth + 1
            return not self.ground.foes(self.rows[room + WINNER] - 1, seat)
        return self._seek(room, room + ROW, depth + 1, clear, first)

    def _take(self, row: cython.int, room: cython.int, depth: cython.int, clear: cython.int, first: cython.int) -> cython.bint:
        """Try the moves that land on what has to fall."""
        seat: cython.int = self.rows[row + MOVER]
        node: cython.int
        code: cython.int
        index: cython.int
        end: cython.int
        for node in range(self.ground.nodes):
            code = self.rows[row + node]
            if not code or code > 32 or ((code - 1) >> 2) & 3 != seat:
                continue
            end = self.ground.reach(row, node, self.ground.allowance(row, (code - 1) & 3), False, first)
            for index in range(first, end):
                if self._goal(row, seat, self.ground.target[index]) and self._try(
                    row, room, depth, clear, end, node, self.ground.target[index], self.ground.steps[index]
                ):
                    return True
        return False

    def _goal(self, row: cython.int, seat: cython.int, node: cython.int) -> cython.bint:
        """Tell whether something on the node has to fall: an enemy base, or an army of an enemy who has few."""
        base: cython.int = self.ground.home[node]
        code: cython.int = self.rows[row + node]
        if base and not self.rows[row + FALLEN] >> (base - 1) & 1 and self.ground.foes(base - 1, seat):
            return True
        if not code or not self.ground.foes(((code - 1) >> 2) & 3, seat):
            return False
        armies: cython.int = self.ground.count(row, ((code - 1) >> 2) & 3)
        return armies <= MAX_TAKEN and armies <= self.total_left

    def _clear(self, row: cython.int, room: cython.int, depth: cython.int, clear: cython.int, first: cython.int) -> cython.bint:
        """Try the moves that make room. The marks of `_hope` say which armies are in the way."""
        if not self._hope(row):
            return False
        seat: cython.int = self.rows[row + MOVER]
        node: cython.int
        code: cython.int
        index: cython.int
        end: cython.int
        free: cython.int
        if clear > 1:
            self._near(clear - 1)
        chosen: cython.int = first
        for node in range(self.ground.nodes):
            code = self.rows[row + node]
            if code and code < 32 and ((code - 1) >> 2) & 3 == seat and self.mark[node]:
                self.ground.target[chosen] = node
                chosen += 1
        at: cython.int
        for at in range(first, chosen):
            node = self.ground.target[at]
            free = self.ground.allowance(row, (self.rows[row + node] - 1) & 3)
            end = self.ground.reach(row, node, clear if clear < free else free, False, chosen)
            for index in range(chosen, end):
                if self._try(
                    row,
                    room,
                    depth,
                    clear - self.ground.steps[index],
                    end,
                    node,
                    self.ground.target[index],
                    self.ground.steps[index],
                ):
                    return True
                if self.nodes > self.cap:
                    return False
        return False

    def _near(self, radius: cython.int) -> None:
        """Mark what lies so near to a mark, whatever is between: it may be in the way of what is in the way."""
        node: cython.int
        direction: cython.int
        other: cython.int
        ring: cython.int
        for ring in range(1, radius + 1):
            for node in range(self.ground.nodes):
                if self.mark[node] == ring:
                    for direction in range(4):
                        other = self.ground.beside[4 * node + direction]
                        if other >= 0 and not self.mark[other]:
                            self.mark[other] = ring + 1

    def _budget(self, row: cython.int) -> None:
        small: cython.int = self.rows[row + SMALL]
        seat: cython.int = self.rows[row + MOVER]
        node: cython.int
        other: cython.int
        foes: cython.int = 0
        self.small_left = self.ground.allowance(row, 2)
        self.emblem_free = 0
        if self.rows[row + ORDER] < 2:
            for node in range(self.ground.nodes):
                if self.rows[row + node] == 4 + 4 * seat:
                    self.emblem_free = 1
        self.total_left = 12 - small - self.rows[row + EMBLEM] if self.emblem_free else self.small_left
        for other in range(self.ground.seats):
            if not self.rows[row + FALLEN] >> other & 1 and self.ground.foes(other, seat):
                foes += 1
        self.many = foes > 1 and not self.ground.conquest_wins

    def _hope(self, row: cython.int) -> cython.bint:
        """Tell whether the steps that are left can be enough, and mark the own armies that may be in the way."""
        seat: cython.int = self.rows[row + MOVER]
        node: cython.int
        other: cython.int
        cost: cython.int
        armies: cython.int
        all_armies: cython.int
        least: cython.int = NEVER
        total: cython.int = 0
        self._budget(row)
        for node in range(self.ground.nodes):
            self.mark[node] = 0
        for other in range(self.ground.seats):
            if self.rows[row + FALLEN] >> other & 1 or not self.ground.foes(other, seat):
                continue
            cost = self._cost(row, seat, self.ground.bases[other])
            if cost < least:
                least = cost
            armies = self.ground.count(row, other)
            all_armies = armies
            if armies <= FEW:
                all_armies = 0
                for node in range(self.ground.nodes):
                    if self.rows[row + node] and ((self.rows[row + node] - 1) >> 2) & 3 == other:
                        all_armies += self._cost(row, seat, node)
            total += cost if cost < all_armies else all_armies
        if self.ground.conquest_wins and least < total:
            total = least
        return total <= self.total_left

    def _cost(self, row: cython.int, seat: cython.int, goal: cython.int) -> cython.int:
        """Return fewer steps than which no army can land on the goal, clearing steps included; NEVER when none can."""
        head: cython.int = 0
        tail: cython.int = 1
        node: cython.int
        other: cython.int
        direction: cython.int
        best: cython.int = NEVER
        last: cython.int
        for node in range(self.ground.nodes):
            self.walk[node] = NEVER
        self.walk[goal] = 0
        self.queue[0] = goal
        while head < tail:
            node = self.queue[head]
            head += 1
            if self.walk[node] >= self.total_left:
                break
            for direction in range(4):
                other = self.ground.beside[4 * node + direction]
                if other >= 0 and self.walk[other] == NEVER and self._open(row, seat, goal, other):
                    self.walk[other] = self.walk[node] + 1
                    self.queue[tail] = other
                    tail += 1
        for node in range(self.ground.nodes):
            if self.rows[row + node] and self.rows[row + node] < 32 and ((self.rows[row + node] - 1) >> 2) & 3 == seat:
                last = self._last(row, seat, goal, node)
                if last < best:
                    best = last
        if best <= self.total_left:
            for head in range(1, tail):
                node = self.queue[head]
                if self.rows[row + node]:
                    self.mark[node] = 1
        return best

    def _open(self, row: cython.int, seat: cython.int, goal: cython.int, node: cython.int) -> cython.bint:
        """Tell whether a way to the goal may lead over a node, at best."""
        code: cython.int = self.rows[row + node]
        base: cython.int = self.ground.home[node]
        if code:
            if ((code - 1) >> 2) & 3 == seat:
                return code < 32
            return self.many and self.ground.foes(((code - 1) >> 2) & 3, seat)
        if not base or base == seat + 1 or self.rows[row + FALLEN] >> (base - 1) & 1:
            return True
        return self.many and self.ground.foes(base - 1, seat)

    def _last(self, row: cython.int, seat: cython.int, goal: cython.int, node: cython.int) -> cython.int:
        """Return fewer steps than which the army on a node cannot land on the goal; NEVER when they are too many."""
        kind: cython.int = (self.rows[row + node] - 1) & 3
        free: cython.int = self.ground.allowance(row, kind)
        steps: cython.int = self.walk[node]
        one: cython.int
        two: cython.int
        corner: cython.int
        landing: cython.int
        if kind == 0:
            steps = NEVER
            for one in range(4):
                corner = self.ground.beside[4 * node + one]
                if corner < 0 or self.walk[corner] != 1:
                    continue
                for two in range(4):
                    if two >> 1 != one >> 1 and self.ground.beside[4 * corner + two] == goal:
                        steps = 2
        elif kind == 1:
            for one in range(4):
                corner = self.ground.beside[4 * node + one]
                if corner < 0 or not self.rows[row + corner]:
                    continue
                landing = self.ground.beside[4 * corner + one]
                if landing >= 0 and self.walk[landing] + 2 < steps and (landing != goal or self.ground.jump_may_end):
                    steps = self.walk[landing] + 2
        return steps if steps <= free else NEVER
