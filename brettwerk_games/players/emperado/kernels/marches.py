# cython: boundscheck=False, wraparound=False, cdivision=True
"""How much each front matters, and which armies move where after the fighting."""

from __future__ import annotations

from typing import Any

import cython

from brettwerk_games.players.emperado.kernels.outlook import Outlook


@cython.cclass
class Marches(Outlook):
    """Finds moves on a sheet that a Judge has judged."""

    blocked: cython.int[::1]
    importance: cython.double[::1]
    potential: cython.double[::1]
    _subtle: cython.bint
    source = cython.declare(cython.int, visibility="readonly")
    target = cython.declare(cython.int, visibility="readonly")
    amount = cython.declare(cython.longlong, visibility="readonly")

    def __init__(self, sheet: Any, style: Any, world: Any) -> None:
        """Take the arrays of a sheet, a style and the world (sheet.py)."""
        super().__init__(sheet, world)
        self.blocked, self.importance, self.potential = sheet.blocked, sheet.importance, sheet.potential
        self._subtle = style.subtle
        self.source = self.target = -1
        self.amount = 0

    def weigh(self, me: cython.int) -> None:
        """Fill `importance` and `potential` for the seat."""
        i: cython.int
        j: cython.int
        n: cython.int
        k: cython.int
        value: cython.double
        changed: cython.bint = True
        for i in range(self.count):
            self.importance[i] = 0.0
            self.potential[i] = 0.0
            if self.owners[i] != me:
                continue
            value = 0.0
            for n in range(self.begins[i], self.begins[i + 1]):
                j = self.near[n]
                if self.owners[j] != me:
                    value = max(value, 0.5 + self.worth[j] if self._subtle else 1.0)
            if value > 0.0 and self._subtle:
                k = self.continent_of[i]
                if self.holders[k] == me:
                    value += 1.5 * self.bonus[k]
                elif self.goals[k]:
                    value += 1.0
                value += min(3.0, self.threat[i] / (1.0 + self.armies[i]))
            self.importance[i] = value
            self.potential[i] = value
        while changed:
            changed = False
            for i in range(self.count):
                if self.owners[i] != me:
                    continue
                for n in range(self.begins[i], self.begins[i + 1]):
                    j = self.near[n]
                    if self.owners[j] == me and 0.72 * self.potential[j] > self.potential[i]:
                        self.potential[i] = 0.72 * self.potential[j]
                        changed = True

    def front(self, me: cython.int) -> cython.int:
        """Return the seat's most important front; any own country where there is no front."""
        i: cython.int
        best: cython.int = -1
        for i in range(self.count):
            if self.owners[i] == me and (best < 0 or self.importance[i] > self.importance[best]):
                best = i
        return best

    def defence(self, me: cython.int, to_place: cython.longlong) -> cython.bint:
        """Return whether a held continent lacks armies that can be had: then `target` is to get `amount` of `to_place`."""
        i: cython.int
        k: cython.int
        best: cython.int = -1
        missing: cython.double
        rate: cython.double
        best_rate: cython.double = 0.0
        if not self._subtle:
            return False
        for k in range(self.continents):
            if self.holders[k] != me:
                continue
            missing = 0.0
            for i in range(self.count):
                if self.continent_of[i] == k and self.threat[i] > 0.0:
                    missing += max(0.0, self.want[i] - self.armies[i])
            if missing < 1.0 or missing > 0.75 * to_place:
                continue
            rate = self.bonus[k] / missing
            if rate > best_rate:
                best_rate = rate
                best = k
        if best < 0:
            return False
        self.target = -1
        missing = 0.0
        for i in range(self.count):
            if self.continent_of[i] == best and self.threat[i] > 0.0 and self.want[i] - self.armies[i] > missing:
                missing = self.want[i] - self.armies[i]
                self.target = i
        self.amount = min(to_place, cython.cast(cython.longlong, missing + 0.999))
        return self.target >= 0

    def next(self, me: cython.int) -> cython.bint:
        """Return whether the seat has another move worth making: then it is `source`, `target` and `amount`."""
        if self._subtle and self._garrison(me):
            return True
        return self._advance(me)

    @cython.cfunc
    def _spare(self, i: cython.int) -> cython.longlong:
        """Return how many armies a country can give away: all but one where nobody threatens it, else what it wants not."""
        keep: cython.longlong = 1
        if self.threat[i] > 0.0 and self._subtle:
            keep = max(keep, cython.cast(cython.longlong, self.want[i] + 0.999))
        return self.armies[i] - keep

    @cython.cfunc
    def _garrison(self, me: cython.int) -> cython.bint:
        """Find a country with armies to spare beside a more important one that lacks some."""
        i: cython.int
        j: cython.int
        n: cython.int
        spare: cython.longlong
        lack: cython.double
        value: cython.double
        best: cython.double = 0.0
        for i in range(self.count):
            if self.owners[i] != me or self.blocked[i] or self.armies[i] < 2 or self.importance[i] == 0.0:
                continue
            spare = self._spare(i)
            if spare < 1:
                continue
            for n in range(self.begins[i], self.begins[i + 1]):
                j = self.near[n]
                if self.owners[j] != me or self.threat[j] <= 0.0:
                    continue
                lack = self.want[j] - self.armies[j]
                if lack < 1.0 or self.importance[j] < self.importance[i]:
                    continue
                value = min(lack, cython.cast(cython.double, spare)) * self.importance[j]
                if value > best:
                    best = value
                    self.source = i
                    self.target = j
                    self.amount = min(spare, cython.cast(cython.longlong, lack + 0.999))
        return best > 0.0

    @cython.cfunc
    def _advance(self, me: cython.int) -> cython.bint:
        """Find the stack that is nearest to a front that matters more than its own, so that none blocks the way."""
        i: cython.int
        j: cython.int
        n: cython.int
        to: cython.int
        spare: cython.longlong
        best: cython.double = 0.0
        for i in range(self.count):
            if self.owners[i] != me or self.blocked[i] or self.armies[i] < 2 or self.potential[i] <= best:
                continue
            spare = self.armies[i] - 1 if self.importance[i] == 0.0 else self._spare(i)
            if spare < 1 or (self.importance[i] > 0.0 and not self._subtle):
                continue
            to = -1
            for n in range(self.begins[i], self.begins[i + 1]):
                j = self.near[n]
                if self.owners[j] != me:
                    continue
                if self.importance[i] > 0.0 and self.potential[j] < 1.6 * self.importance[i]:
                    continue
                if self.potential[j] > self.potential[i] and (to < 0 or self.potential[j] > self.potential[to]):
                    to = j
            if to >= 0:
                best = self.potential[i]
                self.source = i
                self.target = to
                self.amount = spare
        return best > 0.0
