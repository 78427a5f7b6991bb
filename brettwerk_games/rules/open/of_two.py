"""A game of two without secrets whose words stand in one file for each language and whose bytes follow from its values.

A game says how it begins, which actions are legal, what one does and how it is written, and draws its board: in a module, which
`game_of_two` makes a game, or in a class. Its folder has facts.json, en.md and de.md, and, once it is built, contract.binpb.
"""

import sys
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import new_class
from typing import Any, ClassVar, Generic, TypeVar

from brettwerk_games.rules.interface import A, Choice, O, Scene, Step, Text
from brettwerk_games.rules.messages import MessageCodec
from brettwerk_games.rules.open.codec import contract_of, derived_codec
from brettwerk_games.rules.open.game import OpenGame
from brettwerk_games.rules.open.texts import read_open_facts
from brettwerk_games.rules.open.values import OpenEnding, OpenPosition, Played, View
from brettwerk_games.rules.refusals import Illegal, Malformed
from brettwerk_games.rules.turns import Turns

P = TypeVar("P", bound=OpenPosition)
_SEATS = 2
_END_RULES = {"resigned": "ANY-RESIGN", "time": "ANY-TIME", "agreed": "ANY-DRAW"}
"""By reason that all games have: the end of the rule's id; the game's prefix comes before it."""


class GameOfTwo(OpenGame[P, View[P], A, object, O], Generic[O, P, A]):
    """The game; the interface says what each method does, and the abstract ones say what is asked of a game.

    A game must have `begin`, `legal`, `play`, `notate` and `board`. It should have `touched` (places to click instead of
    buttons), `refusal` (which rule forbids an action) and `fault` (which positions cannot be).
    """

    ends: ClassVar[Mapping[str, str]]
    """The game's own reasons to end, and the rule of each."""
    view_type = View

    def __init__(self, folder: Path, options: type[O], position: type[P], action: type[A]) -> None:
        """Take the game's folder and its kinds of value. Raises ValueError, KeyError or OSError for facts that do not fit."""
        self.facts = read_open_facts(folder, options)
        self._kinds = options, position, action
        self._texts = self.facts.catalogue("en")
        prefix = self.facts.prefix
        self.rule = {name: f"{prefix}-ANY-{name}" for name in ("TURN", "OPTIONS", "START", "NOTATION")}
        """The rules that all games have, by name."""
        self.notation_rule = self.rule["NOTATION"]
        self.turns = Turns(
            end_rules={reason: f"{prefix}-{rule}" for reason, rule in _END_RULES.items()} | dict(self.ends),
            rule=self.rule["TURN"],
            message="the other seat is to move",
            resigned="resigned",
            time="time",
            agreed="agreed" if self.facts.draws else None,
            no_draw=f"{prefix}-ANY-DRAW",
        )

    @cached_property
    def codec(self) -> MessageCodec:  # type: ignore[override] # an attribute that is made when it is asked for
        """The codec, of values and contract. Raises what `derived_codec` raises."""
        return derived_codec(self.facts.folder, *self._kinds, self.require_sound)

    def contract(self) -> bytes:
        """Return the contract of its values, an encoded FileDescriptorSet.

        Raises ValueError for a value that no message can have.
        """
        return contract_of(self.facts.id, *self._kinds)

    @abstractmethod
    def begin(self, options: O, seed: bytes) -> P:
        """Return the first position."""

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

    def act(self, position: P, action: A, seed: bytes) -> Step[P, object]:
        """Return the step of a legal action. Raises what `refusal` makes of others."""
        if action not in self.legal(position):
            raise self.refusal(position, action)
        after = self.play(position, action, seed)
        return Step(after, (Played(position.to_move, action), *((after.ending,) if after.ending else ())))

    def position_after(self, position: P, seat: int, action: A, seed: bytes) -> P:
        """Return the position after an action that was just listed."""
        return self.play(position, action, seed)

    def over(self, position: P, reason: Any, winner: int | None, /) -> Step[P, object]:
        """Return the end."""
        ending = OpenEnding(reason, winner)
        return Step(replace(position, ending=ending), (ending,))

    def reoption(self, position: P, options: O) -> Step[P, object]:
        """Raise Illegal: the options are settled."""
        raise Illegal("the options are settled before the start", rule=self.rule["OPTIONS"])

    def write(self, view: View[P], action: A) -> str:
        """Return the action as the game writes it."""
        return self.notate(view.position, action)

    def choice(self, view: View[P], action: A) -> Choice:
        """Return the places of an action, and its notation as a button."""
        return Choice(self.touched(view.position, action), Text("choice.play", {"move": self.notate(view.position, action)}))

    def scene(self, view: View[P]) -> Scene:
        """Return the board, and beside it whose turn it is or how the game ended."""
        return self.board(view, (self.turns.beside(view.position),))

    def _can_be(self, ending: OpenEnding) -> bool:
        """Tell whether a game can have ended so: for a reason that it has, and with a winner where the catalogue names one."""
        won = "" if ending.winner is None else f".{ending.winner}"
        return ending.reason in self.turns.end_rules and f"reason.{ending.reason}{won}" in self._texts


def game_of_two(name: str) -> GameOfTwo[Any, Any, Any]:
    """Return the game that a module is (`__name__`): its functions are the methods of `GameOfTwo`, without `self`.

    Its values are called Options, Position and Action, and ENDS has the rules of its endings. Raises TypeError where a function
    is missing, and what `GameOfTwo` raises.
    """
    module = sys.modules[name]
    functions = {key: value for key, value in vars(module).items() if getattr(value, "__module__", "") == name}
    own = {key: staticmethod(value) for key, value in functions.items() if callable(getattr(GameOfTwo, key, None))}
    kind = new_class("ModuleOfTwo", (GameOfTwo,), exec_body=lambda body: body.update(own, ends=module.ENDS))
    game: GameOfTwo[Any, Any, Any] = kind(Path(str(module.__file__)).parent, module.Options, module.Position, module.Action)
    return game
