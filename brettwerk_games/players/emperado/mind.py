"""Decides what a seat does next. Every decision is made from the sheet alone, so a turn that was begun is taken up anywhere.

The order of a turn is: fill the garrisons of held continents, place armies for the attacks that are planned and the rest at
the most important front, attack while it is worth it, move, and end the turn.
"""

from enum import IntEnum
from typing import NamedTuple

from brettwerk_games.players.emperado import battles
from brettwerk_games.players.emperado.kernels.attacks import Attacks
from brettwerk_games.players.emperado.kernels.judgement import Judge
from brettwerk_games.players.emperado.kernels.marches import Marches
from brettwerk_games.players.emperado.sheet import Sheet
from brettwerk_games.players.emperado.style import Style
from brettwerk_games.rules.emperado.actions import MAX_THROWS


class Deed(IntEnum):
    """The kinds of action that a mind decides on."""

    PLACE = 1
    ATTACK = 2
    ENTER = 3
    MOVE = 4
    DONE = 5


class Decision(NamedTuple):
    """An action. PLACE: armies in `target`; ATTACK: so many throws; ENTER and MOVE: that many armies."""

    deed: int
    source: int = 0
    target: int = 0
    amount: int = 0


DONE = Decision(Deed.DONE)


class Mind:
    """A computer player of one style, looking at one sheet."""

    def __init__(self, seen: Sheet, style: Style) -> None:
        """Look at a sheet; whoever owns it may change it between decisions."""
        self.sheet = seen
        self.judge = Judge(seen, style, seen.ground)
        self.attacks = Attacks(seen, style, seen.ground, battles)
        self.marches = Marches(seen, style, seen.ground)

    def look(self) -> None:
        """Judge the sheet as it is now."""
        s = self.sheet
        self.judge.look(s.me, s.seats, s.to_place, s.bonus, s.solidarity, s.coalition, s.handicap, s.takes_cards, s.whole_world)

    @property
    def card(self) -> float:
        """The worth of the card for the first capture of the turn, in armies."""
        return 0.0 if self.sheet.captured else 0.27 * self.sheet.bonus + 0.5

    @property
    def turn(self) -> int:
        """A number that names the turn."""
        return 8 * self.sheet.round + self.sheet.me

    def decide(self) -> Decision:
        """Return what the seat does next. Cards are not its business."""
        s = self.sheet
        self.look()
        if s.entry_source >= 0:
            return self._enter()
        if s.to_place:
            return self._place()
        attacks = self.attacks
        if attacks.best(s.me, self.card, self.turn, s.luck):
            source, target = attacks.source, attacks.target
            return Decision(Deed.ATTACK, source, target, throws(s.armies[source], s.armies[target]))
        marches = self.marches
        marches.weigh(s.me)
        if marches.next(s.me):
            return Decision(Deed.MOVE, marches.source, marches.target, marches.amount)
        return DONE

    def _place(self) -> Decision:
        s, marches, attacks = self.sheet, self.marches, self.attacks
        if marches.defence(s.me, s.to_place):
            return Decision(Deed.PLACE, 0, marches.target, marches.amount)
        first = attacks.plan(s.me, s.to_place, self.card, self.turn, s.capture_move, s.luck)
        if first >= 0:
            return Decision(Deed.PLACE, 0, first, s.planned[first])
        marches.weigh(s.me)
        return Decision(Deed.PLACE, 0, marches.front(s.me), s.to_place)

    def _enter(self) -> Decision:
        """All move in but the garrison of a held continent, unless the captured country needs it as much (EMP-ATTACK-11)."""
        s = self.sheet
        most = s.entry_least + s.armies[s.entry_source] - 1
        keep = 0
        if s.holders[s.ground.continent_of[s.entry_source]] == s.me and s.threat[s.entry_source]:
            keep = max(0, round(s.want[s.entry_source]) - 1)
        return Decision(Deed.ENTER, s.entry_source, s.entry_target, max(s.entry_least, most - keep))


def throws(attackers: int, defenders: int) -> int:
    """Return how often to throw before looking again: until about a quarter of the stack may be gone."""
    return min(MAX_THROWS, 1 + (attackers - 1) // (4 if defenders < 3 else 8))
