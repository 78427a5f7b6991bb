# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Whole turns worth thinking of: a beam over moves.

From every position of the beam the most promising moves are played; what comes out is weighed as if the turn were over, and
the best go on. A position is a slot; a slot has the move that made it and its parent.
"""

from array import array

import cython

from brettwerk_games.players.plateau.kernels.ground import ROWS, Ground
from brettwerk_games.players.plateau.kernels.worth import Worth

ROW = cython.declare(cython.int, 272)
SMALL = cython.declare(cython.int, 264)
EMBLEM = cython.declare(cython.int, 265)
ORDER = cython.declare(cython.int, 266)
DUE = cython.declare(cython.int, 267)
MOVER = cython.declare(cython.int, 268)
FALLEN = cython.declare(cython.int, 269)
OVER = cython.declare(cython.int, 270)
NODES = cython.declare(cython.int, 264)
MAX_BRANCH = 64
"""Most moves that are played from a position of a beam."""
LAST = cython.declare(cython.int, 11700)
MAX_MOVES = cython.declare(cython.int, 8)
CONQUEST = cython.declare(cython.int, 4000)


class Turns:
    """Makes turns of a ground."""

    def __init__(self, ground: Ground, worth: Worth) -> None:
        self.ground, self.worth, self.cover = ground, worth, worth.cover
        self.rows = ground.room()
        self.source, self.target, self.steps = (array("h", bytes(2 * ROWS)) for _ in range(3))
        self.parent, self.value, self.mark, self.chosen = (array("i", bytes(4 * ROWS)) for _ in range(4))
        best = [array("i", bytes(4 * (MAX_BRANCH + 1))) for _ in range(4)]
        self.best_source, self.best_target, self.best_steps, self.best_gain = best
        self.nodes = 0

    def made(self, slot: int, width: int, branch: int, keep: int, first: int) -> list[tuple[int, int]]:
        """Return slots of finished turns from a slot on, best first, with their worth to the mover; `first` is a free one."""
        end = self.make(slot, width, branch, keep, first)
        return [(self.chosen[index], self.value[self.chosen[index]]) for index in range(first, first + end)]

    def moves(self, slot: int, root: int) -> list[tuple[int, int, int]]:
        """Return the moves that lead from `root` to a slot."""
        found = []
        while slot != root:
            found.append((self.source[slot], self.target[slot], self.steps[slot]))
            slot = self.parent[slot]
        return found[::-1]

    def make(self, slot: cython.int, width: cython.int, branch: cython.int, keep: cython.int, first: cython.int) -> cython.int:
        """Write up to `keep` slots of finished turns to `chosen`, from `first` on, best first; return how many."""
        free: cython.int = first
        begin: cython.int
        index: cython.int
        count: cython.int
        beam: cython.int
        self._weigh(slot, slot * ROW, -1, -1)
        self.mark[slot] = 0
        self.chosen[first] = slot
        count = 1
        for _ in range(MAX_MOVES):
            begin = free
            for index in range(count):
                beam = self.chosen[first + index]
                free = self._grow(beam, branch, begin, free)
            if free == begin:
                break
            count = self._pick(begin, free, width, first)
        # The slot itself is a turn, too, where the turn may end as it stands.
        if free == first:
            free = first + 1
            self.ground.copy(slot * ROW, first * ROW)
            self.parent[first], self.value[first] = slot, self.value[slot]
            self.source[first] = -1
        return self._finished(slot, first, free, keep)

    def _finished(self, slot: cython.int, first: cython.int, free: cython.int, keep: cython.int) -> cython.int:
        """Choose the best finished turns among the slots, the one that was begun with included."""
        count: cython.int = 0
        at: cython.int
        index: cython.int
        place: cython.int
        row: cython.int
        for index in range(first - 1, free):
            at = slot if index < first else index
            row = at * ROW
            if self.rows[row + SMALL] + self.rows[row + EMBLEM] < self.rows[row + DUE] and not self.rows[row + OVER]:
                continue
            if at != slot and self.source[at] < 0:
                continue
            if count == keep and self.value[at] <= self.value[self.chosen[first + count - 1]]:
                continue
            place = count if count < keep else keep - 1
            while place > 0 and self.value[self.chosen[first + place - 1]] < self.value[at]:
                self.chosen[first + place] = self.chosen[first + place - 1]
                place -= 1
            self.chosen[first + place] = at
            if count < keep:
                count += 1
        return count

    def _pick(self, start: cython.int, end: cython.int, many: cython.int, to: cython.int) -> cython.int:
        """Choose the best slots from which the turn can go on; return how many."""
        count: cython.int = 0
        index: cython.int
        place: cython.int
        for index in range(start, end):
            if self.rows[index * ROW + OVER] or not self._open(index * ROW):
                continue
            if count == many and self.value[index] <= self.value[self.chosen[to + count - 1]]:
                continue
            place = count if count < many else many - 1
            while place > 0 and self.value[self.chosen[to + place - 1]] < self.value[index]:
                self.chosen[to + place] = self.chosen[to + place - 1]
                place -= 1
            self.chosen[to + place] = index
            if count < many:
                count += 1
        return count

    def _open(self, row: cython.int) -> cython.bint:
        """Tell whether there are steps left in the turn."""
        if self.rows[row + ORDER] == 3:
            return False
        return self.rows[row + SMALL] < 6 or self.rows[row + ORDER] == 1

    def _grow(self, slot: cython.int, branch: cython.int, begin: cython.int, free: cython.int) -> cython.int:
        """Make the children of a slot; those that are there already are left out. Return the next free slot."""
        count: cython.int = self._list(slot * ROW, branch)
        index: cython.int
        for index in range(count):
            if free >= LAST:
                return free
            free = self._child(slot, index, begin, free)
        return free

    def _child(self, slot: cython.int, index: cython.int, begin: cython.int, free: cython.int) -> cython.int:
        source: cython.int = self.best_source[index]
        target: cython.int = self.best_target[index]
        steps: cython.int = self.best_steps[index]
        row: cython.int = free * ROW
        mark: cython.int = (source * 40503 + target * 30011 + steps * 7919) ^ (source * target * 97)
        other: cython.int
        mark = self.mark[slot] + mark % 1000003
        self.ground.copy(slot * ROW, row)
        self.ground.move(row, source, target, steps)
        made: cython.int = self.rows[row + SMALL] + self.rows[row + EMBLEM]
        if self.rows[row + ORDER] == 3 and made < self.rows[row + DUE] and not self.rows[row + OVER]:
            return free
        for other in range(begin, free):
            if self.mark[other] == mark and self.rows[other * ROW + ORDER] == self.rows[row + ORDER]:
                return free
        self.mark[free] = mark
        self.parent[free] = slot
        self.source[free], self.target[free], self.steps[free] = source, target, steps
        self._weigh(free, row, source, target)
        return free + 1

    def _weigh(self, slot: cython.int, row: cython.int, source: cython.int, target: cython.int) -> None:
        """Weigh a slot as if the turn were over; it is a move away from what `cover` keeps, where `source` is no -1."""
        seat: cython.int = self.rows[row + MOVER]
        last: cython.int = LAST * ROW + ROW
        self.nodes += 1
        self.ground.copy(row, last)
        self.ground.pass_on(last)
        if source < 0:
            self.worth.weigh(last)
        else:
            self.worth.weigh_after(last, source, target)
        self.value[slot] = self.worth.objective(last, seat)

    def _list(self, row: cython.int, branch: cython.int) -> cython.int:
        """Write the moves with the best gains at first sight; return how many."""
        seat: cython.int = self.rows[row + MOVER]
        count: cython.int = 0
        node: cython.int
        code: cython.int
        index: cython.int
        end: cython.int
        gain: cython.int
        free: cython.int
        place: cython.int
        self.cover.keep(row)
        for node in range(self.ground.nodes):
            code = self.rows[row + node]
            if not code or code > 32 or ((code - 1) >> 2) & 3 != seat:
                continue
            free = self.ground.allowance(row, (code - 1) & 3)
            if free < 1:
                continue
            end = self.ground.reach(row, node, free, False, 0)
            for index in range(end):
                gain = self._gain(row, node, self.ground.target[index])
                if count == branch and gain <= self.best_gain[count - 1]:
                    continue
                place = count if count < branch else branch - 1
                while place > 0 and self.best_gain[place - 1] < gain:
                    self.best_gain[place] = self.best_gain[place - 1]
                    self.best_source[place] = self.best_source[place - 1]
                    self.best_target[place] = self.best_target[place - 1]
                    self.best_steps[place] = self.best_steps[place - 1]
                    place -= 1
                self.best_gain[place] = gain
                self.best_source[place] = node
                self.best_target[place] = self.ground.target[index]
                self.best_steps[place] = self.ground.steps[index]
                if count < branch:
                    count += 1
        return count

    def _gain(self, row: cython.int, source: cython.int, target: cython.int) -> cython.int:
        """Return what a move gains at first sight: what it takes, how far it comes, and what hangs no more or from now on."""
        code: cython.int = self.rows[row + source]
        taken: cython.int = self.rows[row + target]
        seat: cython.int = ((code - 1) >> 2) & 3
        kind: cython.int = (code - 1) & 3
        value: cython.int = self.worth.army[kind]
        base: cython.int = self.ground.home[target]
        at: cython.int = seat * NODES
        gain: cython.int = self.worth.advance(row, target, seat, kind) - self.worth.advance(row, source, seat, kind)
        gain += self.worth.danger(row, source, seat, value, self.cover.tally[at + source])
        gain -= self.worth.danger(row, target, seat, value, self.cover.all_of(at + target) - 1)
        if taken:
            gain += self.worth.army[(taken - 1) & 3]
            if self.worth.guard[seat * NODES + target] == 1:
                gain += 500
        if base and self.ground.foes(base - 1, seat) and not self.rows[row + FALLEN] >> (base - 1) & 1:
            gain += CONQUEST
        return gain
