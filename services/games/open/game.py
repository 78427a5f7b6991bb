"""A game of two without secrets: what services/games/interface.py asks for, made of the little that is a game's own.

A game says how it begins, which actions are legal, what one does and how it is written, and draws its board. It gives its
folder (facts.json, contract.binpb, en.md, de.md) and its three kinds of value: options, position and action.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from services.games.interface import A, Choice, O, Outcome, Reoption, Scene, Step, SystemAction, Text
from services.games.open import endings, notation
from services.games.open.codec import derived_codec
from services.games.open.texts import read_open_facts
from services.games.open.values import OpenEnding, OpenPosition, Played, View
from services.games.refusals import GameOver, Illegal, Malformed, NotYourTurn

P = TypeVar("P", bound=OpenPosition)
_SEATS = 2


class OpenGame(ABC, Generic[O, P, A]):
    """The game; the interface says what each method does, and the abstract ones say what is asked of a game."""

    ends: ClassVar[Mapping[str, str]]
    """The game's own reasons to end, and the rule of each."""

    def __init__(self, folder: Path, options: type[O], position: type[P], action: type[A]) -> None:
        """Take the game's folder and its kinds of value. Raises ValueError, TypeError or OSError where they do not fit."""
        self.facts = read_open_facts(folder)
        self.codec = derived_codec(folder, options, position, action, self.require_sound)
        self._texts = self.facts.catalogue("en")
        prefix = self.facts.prefix
        self.rule = {name: f"{prefix}-ANY-{name}" for name in ("TURN", "OPTIONS", "START", "NOTATION")}
        """The rules that all games have, by name."""
        self._end_rules = {reason: f"{prefix}-{rule}" for reason, rule in endings.RULES.items()} | dict(self.ends)

    @abstractmethod
    def begin(self, options: O, seed: bytes) -> P:
        """Return the first position."""

    @abstractmethod
    def legal(self, position: P) -> Sequence[A]:
        """Return what the seat to move may do, in a fixed order; the game is not over. There always is something."""

    @abstractmethod
    def play(self, position: P, action: A, seed: bytes) -> P:
        """Return the position after a legal action, with the next seat to move, and with its ending where it is the last."""

    @abstractmethod
    def notate(self, position: P, action: A) -> str:
        """Return how a legal action is written; no two are written alike."""

    @abstractmethod
    def board(self, view: View[P], facts: tuple[tuple[Text, Text], ...]) -> Scene:
        """Return the scene of a view, with the facts beside it (grid.py draws squares)."""

    def touched(self, position: P, action: A) -> tuple[str, ...]:
        """Return the places of the scene that name an action, in touching order; none for a button."""
        return ()

    def refusal(self, position: P, action: A) -> Illegal:
        """Return why an action is not legal; best with a rule of the game."""
        return Illegal("this cannot be played here", rule=self.rule["NOTATION"])

    def fault(self, position: P) -> str:
        """Return the field of a position from outside that contradicts another one; empty when all is well."""
        return ""

    def require_sound(self, position: P) -> None:
        """Raise Malformed for a position whose fields contradict each other."""
        ending = position.ending
        wrong = ending is not None and not self._can_be(ending)
        if field := "ending" if wrong else self.fault(position):
            raise Malformed(f"{field} cannot be so in this position", field=field)

    def new(self, options: O, seats: int, start: P | None, seed: bytes) -> Step[P, object]:
        """Return the first position. Raises Malformed for other seats than two, Illegal for a start position."""
        if seats != _SEATS:
            raise Malformed("two play this game", field="seats")
        if start is not None:
            raise Illegal("this game always begins from its usual start", rule=self.rule["START"])
        return Step(self.begin(options, seed))

    def seats(self, position: P) -> int:
        """Return 2."""
        return _SEATS

    def to_act(self, position: P) -> tuple[int, ...]:
        """Return the seat to move; nobody after the end."""
        return () if position.ending else (position.to_move,)

    def view(self, position: P, seat: int | None) -> View[P]:
        """Return the position with who looks at it."""
        return View(position, seat)

    def actions(self, view: View[P]) -> Sequence[A]:
        """Return the legal actions of the seat to move; of others none."""
        return self.legal(view.position) if view.seat in self.to_act(view.position) else ()

    def apply(self, position: P, seat: int, action: A, seed: bytes) -> Step[P, object]:
        """Return the step. Raises GameOver, NotYourTurn or Illegal with the rule's id."""
        self._require_turn(position, seat)
        if action not in self.legal(position):
            raise self.refusal(position, action)
        after = self.play(position, action, seed)
        return Step(after, (Played(seat, action), *((after.ending,) if after.ending else ())))

    def system_action(self, position: P, system_action: SystemAction[O], seed: bytes) -> Step[P, object]:
        """Return the end by resigning, time or agreement. Raises Illegal for new options, and for a draw where there is none."""
        self._require_on(position)
        if isinstance(system_action, Reoption):
            raise Illegal("the options are settled before the start", rule=self.rule["OPTIONS"])
        ending = endings.ended_by(system_action, draws=self.facts.draws, prefix=self.facts.prefix)
        return Step(replace(position, ending=ending), (ending,))

    def outcome(self, position: P) -> Outcome | None:
        """Return how the game ended, or None while it is on."""
        return endings.outcome_of(position.ending, self._end_rules[position.ending.reason]) if position.ending else None

    def show(self, event: object, seat: int | None) -> object:
        """Return the event: everybody sees it."""
        return event

    def expire(self, view: View[P]) -> A:
        """Return the first legal action. Raises GameOver or NotYourTurn when the view's seat is not to move."""
        self._require_turn(view.position, view.seat)
        return self.legal(view.position)[0]

    def sample(self, view: View[P], seed: bytes) -> P:
        """Return the position: nothing is hidden."""
        return view.position

    def write(self, view: View[P], action: A) -> str:
        """Return the action as the game writes it."""
        return self.notate(view.position, action)

    def read(self, view: View[P], text: str) -> A:
        """Return the legal action that is written so. Raises Illegal where there is none."""
        self._require_turn(view.position, view.seat)
        legal = self.legal(view.position)
        return notation.find(text, legal, lambda action: self.notate(view.position, action), self.rule["NOTATION"])

    def choice(self, view: View[P], action: A) -> Choice:
        """Return the places of an action, and its notation as a button."""
        return Choice(self.touched(view.position, action), Text("choice.play", {"move": self.notate(view.position, action)}))

    def scene(self, view: View[P]) -> Scene:
        """Return the board, and beside it whose turn it is or how the game ended."""
        outcome = self.outcome(view.position)
        turn = (Text("fact.turn"), Text(f"seat.{view.position.to_move}.name"))
        return self.board(view, ((Text("fact.result"), outcome.reason) if outcome else turn,))

    def _can_be(self, ending: OpenEnding) -> bool:
        """Tell whether a game can have ended so: for a reason that it has, and with a winner where the catalogue names one."""
        won = "" if ending.winner is None else f".{ending.winner}"
        return ending.reason in self._end_rules and f"reason.{ending.reason}{won}" in self._texts

    def _require_on(self, position: P) -> None:
        if position.ending:
            raise GameOver("the game is over", rule=self._end_rules[position.ending.reason])

    def _require_turn(self, position: P, seat: int | None) -> None:
        self._require_on(position)
        if seat != position.to_move:
            raise NotYourTurn("the other seat is to move", rule=self.rule["TURN"])
