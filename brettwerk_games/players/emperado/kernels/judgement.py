# cython: boundscheck=False, wraparound=False, cdivision=True, cpow=True
"""The worth of a position to a seat: strengths, threats, the continents it wants, and the worth of every foreign country."""

from __future__ import annotations

import math
from array import array
from typing import Any

import cython

from brettwerk_games.players.emperado.kernels.outlook import Outlook


@cython.cclass
class Judge(Outlook):
    """Fills a sheet's `strength`, `income`, `wish`, `mu`, `threat`, `want` and `worth`.

    And of continents `goals`, `gains`, `missing` and `holders`.
    """

    cards: cython.int[::1]
    computers: cython.int[::1]
    alive: cython.int[::1]
    strength: cython.double[::1]
    wish: cython.double[::1]
    income: cython.double[::1]
    gains: cython.double[::1]
    missing: cython.int[::1]
    favour: cython.double[::1]
    # Of this judgement only: by owner countries and what is likely to come; by continent its reach, cost and what is there.
    _countries: cython.int[::1]
    _coming: cython.double[::1]
    _reach: cython.int[::1]
    _cost: cython.double[::1]
    _hold: cython.double[::1]
    _have: cython.double[::1]
    # Of the world: by country its neighbours in other continents, and which continents these are.
    _outside: cython.int[::1]
    _outside_begins: cython.int[::1]
    _beside: cython.int[::1]
    _beside_begins: cython.int[::1]
    _land: cython.double
    _rich_land: cython.double
    _garrison: cython.double
    _ending: cython.double
    _unity: cython.double
    _heed: cython.double
    _duel_hurry: cython.double
    _duel_rich_land: cython.double

    def __init__(self, sheet: Any, style: Any, world: Any) -> None:
        """Take the arrays of a sheet (sheet.py), a style (style.py) and the world (sheet.py)."""
        super().__init__(sheet, world)
        self.cards, self.computers, self.alive = sheet.cards, sheet.computers, sheet.alive
        self.strength, self.wish = sheet.strength, sheet.wish
        self.income, self.gains, self.missing, self.favour = sheet.income, sheet.gains, sheet.missing, sheet.favour
        self._countries, self._reach = (array("i", bytes(4 * n)) for n in (7, 10))
        self._coming = array("d", bytes(8 * 7))
        self._cost, self._hold, self._have = (array("d", bytes(8 * 10)) for _ in range(3))
        self._outside, self._outside_begins = _rows(_abroad(world))
        self._beside, self._beside_begins = _rows([sorted({world.continent_of[j] for j in row}) for row in _abroad(world)])
        self._land, self._rich_land = style.land, style.rich_land
        self._garrison, self._ending = style.garrison, style.ending
        self._unity, self._heed = style.unity, style.heed
        self._duel_hurry, self._duel_rich_land = style.duel_hurry, style.duel_rich_land

    def look(
        self,
        me: cython.int,
        seats: cython.int,
        to_place: cython.longlong,
        card_bonus: cython.longlong,
        solidarity: cython.int,
        coalition: cython.int,
        handicap: cython.int,
        takes_cards: cython.bint,
        whole_world: cython.bint,
    ) -> None:
        """Judge the position for the seat `me`; `seats` are those at the start, the rest is as the sheet has it."""
        self._count(seats, card_bonus, handicap)
        self._wishes(me, solidarity, coalition)
        self._threats(me)
        self._choose_goals(me, to_place)
        self._judge_countries(me, seats, card_bonus, handicap, takes_cards, whole_world)

    @cython.cfunc
    def _extra(self, seat: cython.int, handicap: cython.int) -> cython.int:
        """Return the countries that the handicap adds to a seat's (EMP-REINF-6)."""
        if handicap > 0:
            return handicap if self.computers[seat] else 0
        return 0 if self.computers[seat] else -handicap

    @cython.cfunc
    def _count(self, seats: cython.int, card_bonus: cython.longlong, handicap: cython.int) -> cython.void:
        """Count armies and countries, and work out incomes: with a set of cards now and then, and the one likely to come."""
        i: cython.int
        q: cython.int
        k: cython.int
        counted: cython.int
        threshold: cython.int = self.count // seats
        pay: cython.double
        for q in range(7):
            self.strength[q] = 0.0
            self._countries[q] = 0
            self.income[q] = 0.0
            self._coming[q] = 0.0
        for k in range(self.continents):
            self.holders[k] = -2
            self.missing[k] = 0
        for i in range(self.count):
            q = self.owners[i]
            k = self.continent_of[i]
            self.strength[q] += self.armies[i]
            self._countries[q] += 1
            if self.holders[k] == -2:
                self.holders[k] = q
            elif self.holders[k] != q:
                self.holders[k] = -1
        for k in range(self.continents):
            if self.holders[k] == 6:
                self.holders[k] = -1
            elif self.holders[k] >= 0:
                self.income[self.holders[k]] += self.bonus[k]
        for q in range(seats):
            if not self.alive[q]:
                self.strength[q] = 0.0
                continue
            counted = self._countries[q] + self._extra(q, handicap)
            pay = 3.0 + self.income[q]
            if counted >= threshold:
                pay += 1 + (counted - threshold) // 3
            self.income[q] = pay + 0.27 * card_bonus
            # With three cards one hand in three holds a set at the start of the next turn, with four two, with five all do.
            self._coming[q] = pay + card_bonus * min(max(self.cards[q] - 2, 0), 3) / 3.0
            self.strength[q] += 2 * self.income[q]
        self.strength[6] = 0.0

    @cython.cfunc
    def _wishes(self, me: cython.int, solidarity: cython.int, coalition: cython.int) -> cython.void:
        """Work out how much the seat wishes to hurt each other one, and what killing one of its armies is worth.

        The coalition and the solidarity (EMP-PARAM-2, EMP-PARAM-3) count here and nowhere else. The coalition binds a seat that
        is not stronger than each other one by as many percent as the number says: within a turn seats overtake each other, and
        whoever forgot it at once would finish the weak that it had spared (EMP-PARAM-4). Below zero the weak are hurt more.
        """
        q: cython.int
        alive: cython.int = 0
        total: cython.double = 0.0
        most: cython.double = 0.0
        w: cython.double
        mine: cython.double = self.strength[me]
        bound: cython.bint
        for q in range(6):
            if self.alive[q]:
                alive += 1
                total += self.strength[q]
                if q != me and self.strength[q] > most:
                    most = self.strength[q]
        bound = alive > 2 and mine < most * (1.0 + max(coalition, 0) / 100.0)
        for q in range(7):
            self.wish[q] = 1.0
            self.mu[q] = 0.0
        for q in range(6):
            if q == me or not self.alive[q]:
                continue
            w = 1.0
            if bound and coalition != 0:
                w = (self.strength[q] * alive / total) ** (coalition / self._unity)
            if self.computers[me] and solidarity != 0:
                w *= math.exp(-solidarity / 40.0 if self.computers[q] else solidarity / 40.0)
            w = min(max(w, 0.05), 6.0)
            self.wish[q] = w
            self.mu[q] = 3.0 if total <= mine else min(3.0, w * mine / (total - mine))

    @cython.cfunc
    def _threats(self, me: cython.int) -> cython.void:
        """Work out what may attack the own countries: the largest neighbour with half of its income, a third of the next."""
        i: cython.int
        j: cython.int
        n: cython.int
        first: cython.double
        second: cython.double
        power: cython.double
        for i in range(self.count):
            self.threat[i] = 0.0
            self.want[i] = 0.0
            if self.owners[i] != me:
                continue
            first = second = 0.0
            for n in range(self.begins[i], self.begins[i + 1]):
                j = self.near[n]
                if self.owners[j] == me or self.owners[j] == 6:
                    continue
                power = self.armies[j] - 1 + 0.5 * self._coming[self.owners[j]]
                if power > first:
                    second = first
                    first = power
                elif power > second:
                    second = power
            self.threat[i] = first + 0.35 * second
            self.want[i] = 1.0 + self._garrison * self.threat[i]

    @cython.cfunc
    def _choose_goals(self, me: cython.int, to_place: cython.longlong) -> cython.void:
        """Weigh the continents: what they pay against what it costs to take and to hold them, and what is there for it."""
        i: cython.int
        j: cython.int
        k: cython.int
        n: cython.int
        best: cython.double = 0.0
        largest: cython.longlong
        share: cython.double
        value: cython.double
        for k in range(self.continents):
            self._cost[k] = self._hold[k] = 0.0
            self._have[k] = 0.8 * to_place
            self._reach[k] = 0
        for i in range(self.count):
            k = self.continent_of[i]
            if self._outside_begins[i + 1] > self._outside_begins[i]:
                largest = 0
                for n in range(self._outside_begins[i], self._outside_begins[i + 1]):
                    j = self._outside[n]
                    if self.owners[j] != me and self.owners[j] != 6 and self.armies[j] > largest:
                        largest = self.armies[j]
                self._hold[k] += 1.0 + 0.55 * largest
            if self.owners[i] == me:
                self._have[k] += self.armies[i]
                self._reach[k] = 1
                continue
            self.missing[k] += 1
            share = self.wish[self.owners[i]]
            self._cost[k] += (1.5 * self.armies[i] + 1.0) / min(max(0.5 + 0.5 * share, 0.35), 1.0)
        for i in range(self.count):
            if self.owners[i] == me:
                for n in range(self._beside_begins[i], self._beside_begins[i + 1]):
                    k = self._beside[n]
                    self._have[k] += 0.5 * self.armies[i]
                    self._reach[k] = 1
        for k in range(self.continents):
            self.gains[k] = 0.0
            if self.missing[k] and self._reach[k]:
                value = self.bonus[k] * 5.0 / (self._cost[k] + 0.6 * self._hold[k] + 1.0)
                self.gains[k] = value * self._have[k] / (self._have[k] + self._cost[k] + 0.4 * self._hold[k])
                best = max(best, self.gains[k])
        for k in range(self.continents):
            self.goals[k] = self.gains[k] > 0.0 and self.gains[k] >= 0.55 * best
            if best > 0.0:
                self.gains[k] /= best

    @cython.cfunc
    def _judge_countries(
        self,
        me: cython.int,
        seats: cython.int,
        card_bonus: cython.longlong,
        handicap: cython.int,
        takes_cards: cython.bint,
        whole_world: cython.bint,
    ) -> cython.void:
        """Work out what every foreign country is worth, in armies."""
        i: cython.int
        k: cython.int
        q: cython.int
        value: cython.double
        share: cython.double
        counted: cython.int = self._countries[me] + self._extra(me, handicap)
        hurry: cython.double = self._duel_hurry if seats == 2 else 0.0
        rich_land: cython.double = self._duel_rich_land if seats == 2 else self._rich_land
        land: cython.double = rich_land if counted >= self.count // seats - 3 else self._land
        for i in range(self.count):
            q = self.owners[i]
            self.worth[i] = 0.0
            if q == me:
                continue
            k = self.continent_of[i]
            value = land + self.favour[i]
            if self.goals[k]:
                share = ((6.0 if self.missing[k] <= 2 else 4.5) - hurry) / self.missing[k]
                value += 0.8 + self.bonus[k] * self.gains[k] * share
            if q == 6:
                self.worth[i] = value + (5.0 if whole_world else 0.0)
                continue
            if self.holders[k] == q:
                value += self.bonus[k] * 2.2 * self.wish[q]
            if self._countries[q] <= 6:
                value += self._ending * self.mu[q] * self.income[q] * 5.0 / self._countries[q]
                if takes_cards:
                    value += self._ending * self.cards[q] * card_bonus / (3.0 * self._countries[q])
            if self.mu[q] > 1.71:
                value += 0.25 * (self.mu[q] - 1.71) * self.armies[i]
            self.worth[i] = value * min(1.0 - self._heed + self._heed * self.wish[q], 1.6)


def _abroad(world: Any) -> list[list[int]]:
    """Return by country its neighbours in other continents."""
    near, begins, continent = world.near, world.begins, world.continent_of
    return [[j for j in near[begins[i] : begins[i + 1]] if continent[j] != continent[i]] for i in range(world.count)]


def _rows(rows: list[list[int]]) -> tuple[array[int], array[int]]:
    """Return rows of numbers one after the other, and where each of them begins."""
    begins = array("i", [0])
    all_of_them = array("i")
    for row in rows:
        all_of_them.extend(row)
        begins.append(len(all_of_them))
    return all_of_them, begins
