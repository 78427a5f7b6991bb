# cython: boundscheck=False, wraparound=False, cdivision=True
"""The game played on from a sheet for a round, quickly, and how a seat stands then: what looking ahead is made of.

It plays by the rules of match.py on what a view shows. Whether a seat has a set of cards is drawn by their number alone, which is
exact where sets are turned in at once (EMP-CARD-4): of three cards one hand in three has one, of four two, of five all. Two
things are coarser than in a turn that is really played: the world is judged anew after a capture and not after every throw, and
all armies are placed by one plan.
"""

from __future__ import annotations

from array import array
from typing import Any

import cython

from brettwerk_games.players.emperado.kernels.evaluation import Evaluation
from brettwerk_games.players.emperado.kernels.luck import EvenLuck, Luck

_MAX_STEPS: cython.int = 400
"""Attacks of a turn, and moves of one."""


@cython.cclass
class Playout:
    """Plays on from the position that it noted; the sheet is its board, so whoever owns it takes the position back."""

    _sheet: Any
    _luck: Any
    _battles: Any
    _evaluation: Any
    owners: cython.int[::1]
    armies: cython.longlong[::1]
    blocked: cython.int[::1]
    cards: cython.int[::1]
    alive: cython.int[::1]
    favour: cython.double[::1]
    planned: cython.longlong[::1]
    _continent_of: cython.int[::1]
    _bonuses: cython.int[::1]
    _sizes: cython.int[::1]
    _count: cython.int
    _continents: cython.int
    _lands: cython.int[::1]
    _held: cython.int[::1]
    # The position that was noted.
    _noted_owners: cython.int[::1]
    _noted_armies: cython.longlong[::1]
    _noted_blocked: cython.int[::1]
    _noted_cards: cython.int[::1]
    _noted_alive: cython.int[::1]
    # Where the game stands.
    _me: cython.int
    _round: cython.int
    _to_place: cython.longlong
    _captured: cython.bint
    _bonus: cython.longlong
    _clock: cython.int
    _from: cython.int
    _to: cython.int
    _over: cython.bint
    # The constants.
    _seats: cython.int
    _capture_move: cython.int
    _luck_option: cython.int
    _takes_cards: cython.bint
    _whole_world: cython.bint
    _solidarity: cython.int
    _coalition: cython.int
    _handicap: cython.int
    work = cython.declare(cython.longlong, visibility="public")
    """How often kernels were asked since it was set to 0: what took the time."""

    def __init__(self, sheet: Any, world: Any, tables: Any) -> None:
        """Take a sheet, the world (sheet.py), and the chances of throws (battles.py)."""
        self._sheet = sheet
        self._luck, self._battles = Luck(0), EvenLuck(tables.CHANCES)
        self._evaluation = Evaluation(sheet, world)
        self.owners, self.armies, self.blocked = sheet.owners, sheet.armies, sheet.blocked
        self.cards, self.alive, self.favour = sheet.cards, sheet.alive, sheet.favour
        self.planned = sheet.planned
        self._continent_of, self._bonuses, self._sizes = world.continent_of, world.bonus, world.sizes
        self._count, self._continents = world.count, len(world.bonus)
        self._lands, self._held = array("i", bytes(4 * 7)), array("i", bytes(4 * 10))
        self._noted_owners, self._noted_blocked = array("i", bytes(4 * 60)), array("i", bytes(4 * 60))
        self._noted_armies = array("q", bytes(8 * 60))
        self._noted_cards, self._noted_alive = array("i", bytes(4 * 6)), array("i", bytes(4 * 6))
        self.work = 0

    def note(self) -> None:
        """Note the sheet's position."""
        s = self._sheet
        self._noted_owners[:] = self.owners
        self._noted_armies[:] = self.armies
        self._noted_blocked[:] = self.blocked
        self._noted_cards[:] = self.cards
        self._noted_alive[:] = self.alive
        self._seats, self._capture_move, self._luck_option = s.seats, s.capture_move, s.luck
        self._takes_cards, self._whole_world = s.takes_cards, s.whole_world
        self._solidarity, self._coalition, self._handicap = s.solidarity, s.coalition, s.handicap
        self._from, self._to = s.entry_source, s.entry_target

    def restore(self) -> None:
        """Take the noted position back to the sheet."""
        q: cython.int
        i: cython.int
        s = self._sheet
        self.owners[:] = self._noted_owners
        self.armies[:] = self._noted_armies
        self.blocked[:] = self._noted_blocked
        self.cards[:] = self._noted_cards
        self.alive[:] = self._noted_alive
        self._me, self._round, self._to_place = s.me, s.round, s.to_place
        self._captured, self._bonus = s.captured, s.bonus
        self._clock = 0
        self._over = False
        for q in range(7):
            self._lands[q] = 0
        for i in range(self._count):
            self._lands[self.owners[i]] += 1

    def play(
        self, mine: Any, others: Any, favour: cython.double[::1], seed: cython.longlong, is_answered: cython.bint = True
    ) -> float:
        """Return the chance to win, 0 to 1, that the seat to act has when its turn comes again.

        The rest of its turn is played by the mind `mine` with the favour of its aim, all others by `others`; they do nothing
        where it is not answered. 1 is a game that is won, 0 one that is lost. The sheet shows how it ended.
        """
        i: cython.int
        hero: cython.int
        self.restore()
        self._luck.begin(seed)
        self._battles.begin(self._luck, self._luck_option)
        hero = self._me
        if self._from >= 0:  # all move in that have still to say so (EMP-ATTACK-11)
            self.armies[self._to] += self.armies[self._from] - 1
            self.armies[self._from] = 1
        self.favour[:] = favour
        self._turn(mine)
        for i in range(self._count):
            self.favour[i] = 0.0
        while is_answered and self._me != hero and not self._over and self.alive[hero]:
            self._begin()
            self._turn(others)
        if not self.alive[hero]:
            return 0.0
        if self._over:
            return 1.0
        self._look(others.judge)
        return float(self._evaluation.chance(hero, self._seats, self._bonus))

    @cython.cfunc
    def _look(self, judge: Any) -> cython.void:
        self.work += 1
        judge.look(
            self._me,
            self._seats,
            self._to_place,
            self._bonus,
            self._solidarity,
            self._coalition,
            self._handicap,
            self._takes_cards,
            self._whole_world,
        )

    @cython.cfunc
    def _card(self) -> cython.double:
        return 0.0 if self._captured else 0.27 * self._bonus + 0.5

    @cython.cfunc
    def _turn(self, mind: Any) -> cython.void:
        """Play the turn of the seat to act from where it stands, and pass it on."""
        attacks: Any = mind.attacks
        marches: Any = mind.marches
        turn: cython.longlong = 8 * self._round + self._me
        if self._to_place > 0:
            self._place(mind, turn)
        self._look(mind.judge)
        self._attack(mind.judge, attacks, turn)
        if self._over:
            return
        self._march(marches)
        self._end()

    @cython.cfunc
    def _place(self, mind: Any, turn: cython.longlong) -> cython.void:
        i: cython.int
        amount: cython.longlong
        attacks: Any = mind.attacks
        marches: Any = mind.marches
        self._look(mind.judge)
        while self._to_place > 0 and marches.defence(self._me, self._to_place):
            self._put(marches.target, marches.amount)
        if self._to_place > 0:
            self.work += 4
            attacks.plan(self._me, self._to_place, self._card(), turn, self._capture_move, self._luck_option)
            for i in range(self._count):
                amount = self.planned[i]
                if amount > 0 and self._to_place > 0:
                    self._put(i, amount)
        if self._to_place > 0:
            self.work += 1
            marches.weigh(self._me)
            self._put(marches.front(self._me), self._to_place)

    @cython.cfunc
    def _put(self, i: cython.int, armies: cython.longlong) -> cython.void:
        armies = min(armies, self._to_place)
        self.armies[i] += armies
        self._to_place -= armies

    @cython.cfunc
    def _attack(self, judge: Any, attacks: Any, turn: cython.longlong) -> cython.void:
        _: cython.int
        source: cython.int
        target: cython.int
        ours: cython.longlong
        theirs: cython.longlong
        throws: cython.longlong
        dice: cython.int
        for _ in range(_MAX_STEPS):
            self.work += 1
            if not attacks.best(self._me, self._card(), turn, self._luck_option):
                return
            source = attacks.source
            target = attacks.target
            ours = self.armies[source]
            theirs = self.armies[target]
            throws = 1 + (ours - 1) // (4 if theirs < 3 else 8)
            ours, theirs, dice = self._battles.fight(ours, theirs, throws)
            self.armies[source] = ours
            self.armies[target] = theirs
            if theirs == 0:
                self._capture(source, target, dice)
                if self._over:
                    return
                self._look(judge)

    @cython.cfunc
    def _capture(self, source: cython.int, target: cython.int, dice: cython.int) -> cython.void:
        """Let the country change hands (EMP-ATTACK-10, EMP-ATTACK-11, EMP-END-1)."""
        q: cython.int
        left: cython.int = 0
        loser: cython.int = self.owners[target]
        entering: cython.longlong = self.armies[source] - 1
        if self._capture_move == 4:
            entering = 1
        elif self._capture_move == 3:
            entering = dice
        self.armies[source] -= entering
        self.armies[target] = entering
        self.owners[target] = self._me
        self._captured = True
        self._lands[self._me] += 1
        self._lands[loser] -= 1
        if loser < 6 and self._lands[loser] == 0:
            self.alive[loser] = 0
            if self._takes_cards:
                self.cards[self._me] += self.cards[loser]
            self.cards[loser] = 0
        for q in range(6):
            left += self.alive[q]
        self._over = self._lands[self._me] == self._count if self._whole_world else left == 1

    @cython.cfunc
    def _march(self, marches: Any) -> cython.void:
        _: cython.int
        source: cython.int
        target: cython.int
        amount: cython.longlong
        self.work += 1
        marches.weigh(self._me)
        for _ in range(_MAX_STEPS):
            if not marches.next(self._me):
                return
            source = marches.source
            target = marches.target
            amount = marches.amount
            self.armies[source] -= amount
            self.armies[target] += amount
            self.blocked[target] = 1

    @cython.cfunc
    def _end(self) -> cython.void:
        """End the turn (EMP-TURN-7) and pass it on."""
        i: cython.int
        q: cython.int
        left: cython.int = 0
        seat: cython.int = self._me
        if self._captured:
            self.cards[seat] += 1
        for i in range(self._count):
            self.blocked[i] = 0
        self._captured = False
        for q in range(6):
            left += self.alive[q]
        self._clock += 1
        if self._clock > left:
            self._bonus += 1
            self._clock = 0
        for _ in range(self._seats):
            self._me = (self._me + 1) % self._seats
            if self.alive[self._me]:
                break
        if self._me <= seat:
            self._round += 1

    @cython.cfunc
    def _begin(self) -> cython.void:
        """Let the seat to act receive its armies (EMP-REINF-1, EMP-CARD-4)."""
        i: cython.int
        k: cython.int
        counted: cython.int
        threshold: cython.int = self._count // self._seats
        seat: cython.int = self._me
        self._to_place = 3
        while self.cards[seat] >= 3 and self._luck.below(3) < self.cards[seat] - 2:
            self.cards[seat] -= 3
            self._to_place += self._bonus
            self._bonus += 1
        counted = self._lands[seat]
        if self._handicap > 0 and self._sheet.computers[seat]:
            counted += self._handicap
        elif self._handicap < 0 and not self._sheet.computers[seat]:
            counted -= self._handicap
        if counted >= threshold:
            self._to_place += 1 + (counted - threshold) // 3
        if self._round > 1:
            for k in range(self._continents):
                self._held[k] = 0
            for i in range(self._count):
                if self.owners[i] == seat:
                    self._held[self._continent_of[i]] += 1
            for k in range(self._continents):
                if self._held[k] == self._sizes[k]:
                    self._to_place += self._bonuses[k]
