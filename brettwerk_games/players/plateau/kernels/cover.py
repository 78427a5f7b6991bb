# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The nodes in reach of one move: for each seat and node how many armies of each kind, and how far armies can roam.

A beam weighs many positions that are one move apart. `keep` notes for a position which nodes each army's ways hang on; `after`
then reckons anew only the armies for which a move changed something.
"""

from array import array

import cython

from brettwerk_games.players.plateau.kernels.ground import Ground

WIDTH = cython.declare(cython.int, 264)
FALLEN = cython.declare(cython.int, 269)
MAX_ARMIES = 80
"""Armies of which ways can be kept; with more, which only edited positions have, everything is reckoned anew."""
ARMIES = cython.declare(cython.int, MAX_ARMIES)


class Cover:
    """Tables of a ground. `tally` has a byte for each kind; `ends` how many nodes the armies of a seat and kind can come to."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.rows = ground.room()
        self.tally, self.kept = (array("i", bytes(4 * 4 * 264)) for _ in range(2))
        self.ends, self.kept_ends = (array("i", bytes(4 * 16)) for _ in range(2))
        self.ways, self.watch = (array("h", bytes(2 * 264 * MAX_ARMIES)) for _ in range(2))
        self.many, self.place, self.code = (array("h", bytes(2 * MAX_ARMIES)) for _ in range(3))
        self.watched, self.holder = (array("h", bytes(2 * 264)) for _ in range(2))
        self.done = array("i", bytes(4 * MAX_ARMIES))
        self.fallen = -1
        self.stamp = 0

    def table(self, seat: int) -> tuple[int, ...]:
        """Return the numbers of `tally` of a seat."""
        return tuple([self.tally[seat * 264 + node] for node in range(264)])

    def looked(self, row: int) -> None:
        """Do what `look` does."""
        self.look(row)

    def kept_then(self, row: int, source: int, target: int, after: int) -> None:
        """Do what `keep` and `after` do: from outside of kernels, as `looked` and `table` are; players need none of the three."""
        self.keep(row)
        self.after(after, source, target)

    def look(self, row: cython.int) -> None:
        """Fill the tables for a position."""
        node: cython.int
        code: cython.int
        self._clear()
        for node in range(self.ground.nodes):
            code = self.rows[row + node]
            if code:
                self._add(row, node, (code - 1) & 15)

    def keep(self, row: cython.int) -> None:
        """Fill the tables for a position, and note what `after` needs."""
        node: cython.int
        other: cython.int
        code: cython.int
        index: cython.int
        end: cython.int
        army: cython.int = 0
        self._clear()
        self.fallen = self.rows[row + FALLEN]
        for node in range(WIDTH):
            self.watched[node] = 0
            self.holder[node] = -1
        for node in range(self.ground.nodes):
            code = self.rows[row + node]
            if not code:
                continue
            code = (code - 1) & 15
            end = self._add(row, node, code)
            if army == ARMIES:
                self.fallen = -1
                continue
            for index in range(end):
                self.ways[army * WIDTH + index] = self.ground.target[index]
            self.many[army], self.place[army], self.code[army] = end, node, code
            self.holder[node] = army
            for index in range(self.ground.notes):
                other = self.ground.noted[index]
                if not self.watched[other] or self.watch[other * ARMIES + self.watched[other] - 1] != army:
                    self.watch[other * ARMIES + self.watched[other]] = army
                    self.watched[other] += 1
            army += 1
        for index in range(self.ground.seats * WIDTH):
            self.kept[index] = self.tally[index]
        for index in range(16):
            self.kept_ends[index] = self.ends[index]

    def after(self, row: cython.int, source: cython.int, target: cython.int) -> None:
        """Fill the tables for a position that is one move away from the one that was kept."""
        index: cython.int
        if self.rows[row + FALLEN] != self.fallen:
            self.look(row)
            return
        for index in range(self.ground.seats * WIDTH):
            self.tally[index] = self.kept[index]
        for index in range(16):
            self.ends[index] = self.kept_ends[index]
        self.stamp += 1
        self._drop(self.holder[source])
        if self.holder[target] >= 0:
            self._drop(self.holder[target])
        self._renew(row, source)
        self._renew(row, target)
        self._add(row, target, (self.rows[row + target] - 1) & 15)

    def _clear(self) -> None:
        index: cython.int
        for index in range(4 * WIDTH):
            self.tally[index] = 0
        for index in range(16):
            self.ends[index] = 0

    def _renew(self, row: cython.int, node: cython.int) -> None:
        """Reckon the armies anew whose ways hang on a node."""
        index: cython.int
        army: cython.int
        for index in range(self.watched[node]):
            army = self.watch[node * ARMIES + index]
            if self.done[army] != self.stamp:
                self._drop(army)
                self._add(row, self.place[army], self.code[army])

    def _drop(self, army: cython.int) -> None:
        """Take an army's ways out of the tables."""
        index: cython.int
        code: cython.int = self.code[army]
        one: cython.int = 1 << 8 * (code & 3)
        at: cython.int = (code >> 2) * WIDTH
        self.done[army] = self.stamp
        self.ends[code] -= self.many[army]
        for index in range(army * WIDTH, army * WIDTH + self.many[army]):
            self.tally[at + self.ways[index]] -= one

    def _add(self, row: cython.int, node: cython.int, code: cython.int) -> cython.int:
        """Write the ways of an army to the tables; return how many."""
        index: cython.int
        one: cython.int = 1 << 8 * (code & 3)
        at: cython.int = (code >> 2) * WIDTH
        end: cython.int = self.ground.reach(row, node, 12, True, 0)
        self.ends[code] += end
        for index in range(end):
            self.tally[at + self.ground.target[index]] += one
        return end

    def all_of(self, at: cython.int) -> cython.int:
        """Return how many armies come to a place of `tally`."""
        packed: cython.int = self.tally[at]
        return (packed & 255) + (packed >> 8 & 255) + (packed >> 16 & 255) + (packed >> 24)

    def heavy(self, at: cython.int) -> cython.int:
        """Return how many armies that take in every direction come to a place of `tally`."""
        packed: cython.int = self.tally[at]
        return (packed >> 8 & 255) + (packed >> 16 & 255) + (packed >> 24)

    def least(self, at: cython.int) -> cython.int:
        """Return the least kind of army that comes to a place of `tally`, 4 where none does."""
        packed: cython.int = self.tally[at]
        if not packed:
            return 4
        if packed & 255:
            return 0
        if packed & 65535:
            return 1
        return 2 if packed & 0xFFFFFF else 3
