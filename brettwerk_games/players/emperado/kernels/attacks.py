# cython: boundscheck=False, wraparound=False, cdivision=True
"""Which attack is best now, and where armies are placed for those that are to come."""

from __future__ import annotations

from array import array
from typing import Any

import cython

from brettwerk_games.players.emperado.kernels.outlook import Outlook


@cython.cclass
class Attacks(Outlook):
    """Weighs attacks on a sheet that a Judge has judged."""

    blocked: cython.int[::1]
    planned: cython.longlong[::1]
    _win: cython.double[::1]
    _lost: cython.double[::1]
    _killed: cython.double[::1]
    _need: cython.int[::1]
    _reserve: cython.double[::1]
    # How luck counts in the game that is looked at, from 0: which of the tables.
    _luck: cython.int
    # The plan's own picture: who would own a country, with how many armies, and from which country these have come.
    _holder: cython.int[::1]
    _stack: cython.double[::1]
    _root: cython.int[::1]
    _exposure: cython.double
    _noise: cython.double
    _chains: cython.bint
    _least_chance: cython.double
    _least_for_card: cython.double
    # The expected results of the last battle that was weighed.
    _p: cython.double
    _loss: cython.double
    source = cython.declare(cython.int, visibility="readonly")
    target = cython.declare(cython.int, visibility="readonly")
    score = cython.declare(cython.double, visibility="readonly")
    chance = cython.declare(cython.double, visibility="readonly")

    def __init__(self, sheet: Any, style: Any, world: Any, tables: Any) -> None:
        """Take the arrays of a sheet, a style, the world (sheet.py) and the tables of battles (battles.py)."""
        super().__init__(sheet, world)
        self.blocked, self.planned = sheet.blocked, sheet.planned
        self._win, self._lost, self._killed, self._need = tables.WIN, tables.LOST, tables.KILLED, tables.NEED
        self._reserve, self._luck = tables.RESERVE, 0
        self._holder, self._root = array("i", bytes(4 * 60)), array("i", bytes(4 * 60))
        self._stack = array("d", bytes(8 * 60))
        self._exposure, self._noise, self._chains = style.exposure, style.noise, style.chains
        self._least_chance, self._least_for_card = style.least_chance, style.least_chance_for_card
        self.source = self.target = -1
        self.score = self.chance = 0.0

    @cython.cfunc
    def _required(self, defenders: cython.double) -> cython.double:
        """Return how many attackers a good chance takes (EMP-ATTACK-9)."""
        if defenders <= 120:
            return self._need[121 * self._luck + cython.cast(cython.int, defenders)]
        return 1.71 * defenders + self._reserve[self._luck] * defenders**0.5

    @cython.cfunc
    def _weigh(self, attackers: cython.double, defenders: cython.double) -> cython.double:
        """Note chance and losses of a battle to the end, and return how many defenders it kills."""
        scale: cython.double = 1.0
        largest: cython.double = max(attackers, defenders)
        a: cython.int
        d: cython.int
        if attackers > 2.6 * defenders + 20 and attackers > 120:
            self._p = 1.0
            self._loss = 1.71 * defenders if defenders > 3 else defenders
            return defenders
        if largest > 120:
            scale = largest / 120.0
        a = cython.cast(cython.int, attackers / scale)
        d = cython.cast(cython.int, defenders / scale + 0.999)
        at: cython.int = 121 * (121 * self._luck + a) + d
        self._p = self._win[at]
        self._loss = self._lost[at] * scale
        return self._killed[at] * scale

    @cython.cfunc
    def _error(self, i: cython.int, j: cython.int, turn: cython.longlong) -> cython.double:
        """Return the error of the judgement of an attack: another one each turn, the same for all of it."""
        mixed: cython.longlong = (turn * 3600 + i * 60 + j + 1) * 48271 % 2147483647
        mixed = mixed * 48271 % 2147483647
        mixed = mixed * 48271 % 2147483647
        return self._noise * (2.0 * mixed / 2147483647.0 - 1.0)

    @cython.cfunc
    def _value(
        self, i: cython.int, j: cython.int, attackers: cython.double, card: cython.double, turn: cython.longlong
    ) -> cython.double:
        """Return what an attack brings, in armies; leaves its chance and losses noted."""
        kills: cython.double = self._weigh(attackers, self.armies[j])
        value: cython.double = self._p * (self.worth[j] + card) + self.mu[self.owners[j]] * kills - self._loss
        if not self.goals[self.continent_of[j]]:
            value -= self._p * self._exposure
        if self._noise > 0.0:
            value += self._error(i, j, turn)
        return value

    @cython.cfunc
    def _others(self, i: cython.int, but: cython.int, me: cython.int) -> cython.bint:
        """Tell whether a country has another foreign neighbour, of a seat, besides one."""
        n: cython.int
        for n in range(self.begins[i], self.begins[i + 1]):
            if self.near[n] != but and self._holder[self.near[n]] != me and self._holder[self.near[n]] != 6:
                return True
        return False

    @cython.cfunc
    def _available(self, i: cython.int, j: cython.int, me: cython.int) -> cython.double:
        """Return how many armies a country can send against another: garrisons of held continents stay where they are needed."""
        stack: cython.double = self._stack[i]
        if self.holders[self.continent_of[i]] == me and self._others(i, j, me):
            return stack - max(1.0, self.want[i])
        return stack - 1.0

    @cython.cfunc
    def _begin(self, luck: cython.int) -> cython.void:
        i: cython.int
        self._luck = luck - 1
        for i in range(self.count):
            self._holder[i] = self.owners[i]
            self._stack[i] = self.armies[i]
            self._root[i] = i

    @cython.cfunc
    def _together(self, j: cython.int, me: cython.int) -> cython.double:
        """Return what all larger stacks next to a country can send against it."""
        i: cython.int
        n: cython.int
        total: cython.double = 0.0
        for n in range(self.begins[j], self.begins[j + 1]):
            i = self.near[n]
            if self._holder[i] == me and self._stack[i] > 3 and not (self.blocked[i] and self._root[i] == i):
                total += max(0.0, self._available(i, j, me))
        return total

    def best(self, me: cython.int, card: cython.double, turn: cython.longlong, luck: cython.int) -> cython.bint:
        """Return whether an attack of the seat is worth it, and note the best as source, target, score and chance.

        `card` is what the card for the first capture is worth, 0 when it is earned. `turn` names the turn. `luck` is the option
        (EMP-ATTACK-15).
        """
        i: cython.int
        j: cython.int
        n: cython.int
        together: cython.double
        attackers: cython.double
        value: cython.double
        rank: cython.double
        best: cython.double = 0.0
        most: cython.double = 0.0
        least: cython.double = self._least_for_card if card > 0.0 else self._least_chance
        self._begin(luck)
        self.source = -1
        for j in range(self.count):
            if self.owners[j] == me:
                continue
            together = -1.0
            for n in range(self.begins[j], self.begins[j + 1]):
                i = self.near[n]
                if self.owners[i] != me or self.blocked[i] or self.armies[i] < 2:
                    continue
                attackers = self._available(i, j, me)
                if attackers < 1.0:
                    continue
                if together < 0.0:
                    together = self._together(j, me) if self.armies[j] > 3 else 0.0
                value = self._value(i, j, together if together > attackers and self.armies[i] > 3 else attackers, card, turn)
                if value <= 0.0 or (self._p < least and self.mu[self.owners[j]] < 1.75):
                    continue
                rank = value / (1.0 + 0.6 * self._loss)
                if rank > best or (rank == best and attackers > most):
                    best = rank
                    most = attackers
                    self.source = i
                    self.target = j
                    self.score = value
                    self.chance = self._p
        return self.source >= 0

    def judged(
        self, i: cython.int, j: cython.int, me: cython.int, card: cython.double, turn: cython.longlong, luck: cython.int
    ) -> cython.double:
        """Return what one attack of the seat would bring, in armies."""
        self._begin(luck)
        return self._value(i, j, max(0.0, self._available(i, j, me)), card, turn)

    def plan(
        self,
        me: cython.int,
        to_place: cython.longlong,
        card: cython.double,
        turn: cython.longlong,
        capture_move: cython.int,
        luck: cython.int,
    ) -> cython.int:
        """Note in `planned` where armies go for the attacks of this turn; return the first country that gets some, or -1.

        A greedy play with expected losses: always the best attack, with the armies that it lacks placed at the root of its chain.
        Armies that are not needed are not placed. `capture_move` and `luck` are the options (EMP-ATTACK-11, EMP-ATTACK-15).
        """
        i: cython.int
        j: cython.int
        n: cython.int
        first: cython.int = -1
        source: cython.int
        target: cython.int = 0
        attackers: cython.double
        together: cython.double
        missing: cython.double
        value: cython.double
        rank: cython.double
        best: cython.double
        spent: cython.double = 0.0
        lost: cython.double = 0.0
        left: cython.double = to_place
        survivors: cython.double
        for i in range(self.count):
            self.planned[i] = 0
        self._begin(luck)
        while left > 0.0:
            best = 0.0
            source = -1
            for j in range(self.count):
                if self._holder[j] == me:
                    continue
                together = -1.0
                for n in range(self.begins[j], self.begins[j + 1]):
                    i = self.near[n]
                    if self._holder[i] != me or (self._root[i] != i and not self._chains):
                        continue
                    if together < 0.0:
                        together = self._together(j, me) if self.armies[j] > 3 else 0.0
                    attackers = self._available(i, j, me)
                    if together > attackers and self._stack[i] > 3:
                        attackers = together
                    missing = min(left, max(0.0, self._required(self.armies[j]) - attackers))
                    missing = cython.cast(cython.longlong, missing + 0.999)
                    if attackers + missing < 1.0:
                        continue
                    value = self._value(i, j, attackers + missing, card, turn)
                    if value <= 0.0 or self._p < 0.3:
                        continue
                    rank = value / (1.0 + 0.6 * self._loss)
                    if rank > best:
                        best = rank
                        source = i
                        target = j
                        spent = missing
                        lost = self._loss
            if source < 0:
                break
            spent = min(spent, left)
            left -= spent
            self.planned[self._root[source]] += cython.cast(cython.longlong, spent)
            if spent > 0.0 and first < 0:
                first = self._root[source]
            survivors = max(1.0, self._stack[source] - 1.0 + spent - lost)
            self._holder[target] = me
            self._root[target] = self._root[source]
            card = 0.0
            if capture_move == 4:
                survivors = 1.0
            elif capture_move == 3:
                survivors = min(survivors, 3.0)
            self._stack[source] = max(1.0, self._stack[source] + spent - lost - survivors)
            self._stack[target] = survivors
        return first
