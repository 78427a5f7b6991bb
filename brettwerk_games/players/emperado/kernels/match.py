# cython: boundscheck=False, wraparound=False, cdivision=True
"""Whole games at full speed, for statistics: the rules of brettwerk_games/rules/emperado over the arrays of a sheet.

The rules themselves are the oracle: the tests play whole games with both, action by action, from the same dice.
"""

from __future__ import annotations

from array import array
from typing import Any

import cython

_FREED: cython.int = 1
_STILL: cython.int = 3
_ROUNDS: cython.int = 4
_LIMIT: cython.int = 7
_MAX_ACTIONS: cython.int = 16_000


class Match:
    """A game. Its position is partly in `sheet`, which the minds look at; owner 6 there is nobody."""

    def __init__(self, sheet: Any, world: Any, options: Any, seats: int, order: Any, luck: Any) -> None:
        """Deal the countries in `order` (a shuffle of them) as EMP-SETUP-4 says and begin; `luck` throws the dice."""
        self.sheet, self.world, self.options, self.seats, self.luck = sheet, world, options, seats, luck
        self.hands = array("i", bytes(4 * 18))
        self.fresh, self.out = array("i", bytes(24)), array("i", bytes(24))
        self.exchanging = False
        self.clock = self.stirred = self.end = self.played = 0
        self.winner = -1
        self.first_continents = array("i", [-1] * 6)
        count = world.count
        first = (count - seats * (seats - 1) // 2) // seats
        lots = [seat for seat in range(seats) for _ in range(first + seat)]
        lots += [6] * (count - len(lots))
        for country, owner in zip(order, lots, strict=True):
            sheet.owners[country] = owner
            sheet.armies[country] = options.ghost_armies if owner == 6 else options.start_armies
            sheet.blocked[country] = 0
        for country in range(count, len(sheet.owners)):
            sheet.owners[country] = 6
        for seat in range(6):
            sheet.cards[seat] = 0
            sheet.alive[seat] = seat < seats
            sheet.computers[seat] = options.computers[seat]
        sheet.seats, sheet.me, sheet.round, sheet.to_place, sheet.captured = seats, 0, 1, 0, False
        sheet.bonus, sheet.capture_move = options.card_bonus_start, int(options.capture_move)
        sheet.luck = int(options.luck)
        sheet.takes_cards, sheet.whole_world = options.captured_cards == 2, options.win == 2
        sheet.solidarity, sheet.coalition, sheet.handicap = options.solidarity, options.coalition, options.country_handicap
        sheet.entry_source = -1
        self._begin()

    def sets(self, seat: int) -> int:
        """Return the set with which a seat turns in most: 1 to 3 for three equal cards, 4 for one of each, 0 for none."""
        hand = self.hands
        found, most = 0, -1
        for kind in range(3):
            if hand[3 * seat + kind] >= 3 and (others := self._most_sets(seat, kind + 1)) > most:
                found, most = kind + 1, others
        if hand[3 * seat] and hand[3 * seat + 1] and hand[3 * seat + 2] and self._most_sets(seat, 4) > most:
            return 4
        return found

    def _most_sets(self, seat: int, without: int) -> int:
        """Return how many sets a seat can turn in after one."""
        left = [self.hands[3 * seat + kind] - (1 if without == 4 else 3 * (without == kind + 1)) for kind in range(3)]
        return max(mixed + sum([(count - mixed) // 3 for count in left]) for mixed in range(min(2, *left) + 1))

    def exchange(self, found: int) -> None:
        """Turn in a set."""
        self.played += 1
        self._exchange(self.sheet.me, found)
        self._limit()

    def _exchange(self, seat: int, found: int) -> None:
        sheet = self.sheet
        for kind in range(3):
            if found == 4 or found == kind + 1:
                self.hands[3 * seat + kind] -= 1 if found == 4 else 3
        sheet.cards[seat] -= 3
        sheet.to_place += sheet.bonus
        sheet.bonus += 1

    def place(self, country: int, armies: int) -> None:
        """Place armies (EMP-REINF-8)."""
        sheet = self.sheet
        self.played += 1
        armies = min(armies, sheet.to_place)
        sheet.armies[country] += armies
        sheet.to_place -= armies
        self.exchanging = False
        self._limit()

    def attack(self, source: int, target: int, throws: int) -> None:
        """Attack (EMP-ATTACK-3 to EMP-ATTACK-13)."""
        sheet = self.sheet
        self.played += 1
        attackers, defenders, dice = self.luck.fight(sheet.armies[source], sheet.armies[target], throws, sheet.luck)
        if defenders:
            sheet.armies[source], sheet.armies[target] = attackers, defenders
            self._limit()
            return
        entering = {1: attackers - 1, 4: 1}.get(sheet.capture_move, dice)
        sheet.armies[source], sheet.armies[target] = attackers - entering, entering
        seat, loser = sheet.me, sheet.owners[target]
        sheet.owners[target] = seat
        sheet.captured = True
        if loser != 6 and loser not in sheet.owners:
            self._eliminate(loser, seat)
        if self._has_won(seat):
            self._finish(seat, _FREED)
        elif sheet.capture_move == 2 and sheet.armies[source] > 1:
            sheet.entry_source, sheet.entry_target, sheet.entry_least = source, target, dice
        self._limit()

    def enter(self, armies: int) -> None:
        """Say how many armies move in (EMP-ATTACK-11)."""
        sheet = self.sheet
        self.played += 1
        sheet.armies[sheet.entry_source] -= armies - sheet.entry_least
        sheet.armies[sheet.entry_target] += armies - sheet.entry_least
        sheet.entry_source = -1
        self._limit()

    def move(self, source: int, target: int, armies: int) -> None:
        """Move armies (EMP-MOVE)."""
        sheet = self.sheet
        self.played += 1
        armies = min(armies, sheet.armies[source] - 1)
        sheet.armies[source] -= armies
        sheet.armies[target] += armies
        sheet.blocked[target] = 1
        self._limit()

    def done(self) -> None:
        """End the turn (EMP-TURN-7)."""
        sheet = self.sheet
        self.played += 1
        seat = sheet.me
        self.fresh[seat] = sheet.captured
        if sheet.captured:
            self.hands[3 * seat + self.luck.below(3)] += 1
            sheet.cards[seat] += 1
        self._clear()
        self.clock += 1
        if self.clock > sum(sheet.alive):
            sheet.bonus += 1
            self.clock = 0
        following = seat
        while True:
            following = (following + 1) % self.seats
            if sheet.alive[following]:
                break
        if following <= seat and self._round_is_over():
            return
        sheet.me = following
        self._begin()
        self._limit()

    def _round_is_over(self) -> bool:
        """Step the round; True where the game is drawn by it (EMP-END-5)."""
        sheet, options = self.sheet, self.options
        for q in range(self.seats):
            if sheet.alive[q] and sheet.owners.count(q) > self.world.count // 2:
                self.stirred = sheet.round
        if options.auto_draw and sheet.round - self.stirred >= 25:
            self._finish(-1, _STILL)
        elif options.max_rounds and sheet.round >= options.max_rounds:
            self._finish(-1, _ROUNDS)
        else:
            sheet.round += 1
            return False
        return True

    def _begin(self) -> None:
        sheet, options = self.sheet, self.options
        seat = sheet.me
        manual = options.card_exchange == 2
        if not manual:
            while found := self.sets(seat):
                self._exchange(seat, found)
        pay = 3 + self._country_bonus(seat)
        if sheet.round > 1:
            pay += self._continents(seat)
        sheet.to_place += pay
        self.exchanging = manual

    def _country_bonus(self, seat: int) -> int:
        handicap = self.options.country_handicap
        counted = self.sheet.owners.count(seat)
        if bool(self.options.computers[seat]) == (handicap > 0):
            counted += abs(handicap)
        threshold = self.world.count // self.seats
        return 0 if counted < threshold else 1 + (counted - threshold) // 3

    def _continents(self, seat: int) -> int:
        """Return what the seat's continents pay, and note the first one that it is ever paid for."""
        held: cython.int[::1] = array("i", bytes(40))
        owners: cython.int[::1] = self.sheet.owners
        continent_of: cython.int[::1] = self.world.continent_of
        count: cython.int = self.world.count
        me: cython.int = seat
        i: cython.int
        for i in range(count):
            if owners[i] == me:
                held[continent_of[i]] += 1
        pay = 0
        for k, size in enumerate(self.world.sizes):
            if held[k] == size:
                pay += self.world.bonus[k]
                if self.first_continents[seat] < 0:
                    self.first_continents[seat] = k
        return pay

    def _clear(self) -> None:
        sheet = self.sheet
        for country in range(self.world.count):
            sheet.blocked[country] = 0
        sheet.to_place, sheet.captured, sheet.entry_source = 0, False, -1
        self.exchanging = False

    def _eliminate(self, loser: int, by: int) -> None:
        sheet = self.sheet
        for kind in range(3):
            if sheet.takes_cards:
                self.hands[3 * by + kind] += self.hands[3 * loser + kind]
            self.hands[3 * loser + kind] = 0
        if sheet.takes_cards:
            sheet.cards[by] += sheet.cards[loser]
        sheet.cards[loser] = sheet.alive[loser] = self.fresh[loser] = 0
        self.out[loser] = self.stirred = sheet.round

    def _has_won(self, seat: int) -> bool:
        sheet = self.sheet
        if sheet.whole_world:
            return bool(sheet.owners.count(seat) == self.world.count)
        return bool(sum(sheet.alive) == 1)

    def _finish(self, winner: int, how: int) -> None:
        self.winner, self.end = winner, how
        self._clear()

    def _limit(self) -> None:
        if self.played >= _MAX_ACTIONS and not self.end:
            self._finish(-1, _LIMIT)
