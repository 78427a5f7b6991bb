"""A game that is a module: its words stand in one file for each language, and its bytes follow from its values.

`of_two.py` and `of_seats.py` are the two kinds, of two seats and of a chosen number of them. Nothing is hidden unless the game
says what a seat may know (`seen`) and guesses the rest (`guess`).
"""

import sys
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import new_class
from typing import Any, ClassVar, Generic, TypeVar

from brettwerk_games.rules.board import Board
from brettwerk_games.rules.bounds import BySeat
from brettwerk_games.rules.derived.contract import bounds_of
from brettwerk_games.rules.interface import A, Choice, O, Scene, Step, Text
from brettwerk_games.rules.messages import MessageCodec
from brettwerk_games.rules.open.codec import contract_of, derived_codec
from brettwerk_games.rules.open.grid import Grid, piece
from brettwerk_games.rules.open.texts import read_open_facts
from brettwerk_games.rules.open.values import NoOptions, OpenEnding, OpenPosition, Played, View
from brettwerk_games.rules.refusals import Illegal, Malformed
from brettwerk_games.rules.turn_game import OpenGame, Turns

P = TypeVar("P", bound=OpenPosition)
_END_RULES = {"resigned": "ANY-RESIGN", "time": "ANY-TIME", "agreed": "ANY-DRAW", "last": "ANY-RESIGN"}
"""By reason that all games have: the end of the rule's id; the game's prefix comes before it."""


class ModuleGame(OpenGame[P, View[P], A, object, O], Generic[O, P, A]):
    """The game; the interface says what each method does, and the abstract ones say what is asked of a game.

    It should have `touched` (places to click instead of buttons), `refusal` or `forbidden` (which rule forbids an action) and
    `fault` (which positions cannot be).
    """

    ends: ClassVar[Mapping[str, str]]
    """The game's own reasons to end, and the rule of each."""
    forbidden: ClassVar[str] = ""
    """The rule by which an action is not legal, where `refusal` does not say another one."""
    waiting: ClassVar[str] = "another seat is to move"
    """The words of a refusal when it is not the seat's turn."""
    view_type = View

    def __init__(self, folder: Path, options: type[O], position: type[P], action: type[A]) -> None:
        """Take the game's folder and its kinds of value. Raises ValueError, KeyError or OSError for facts that do not fit."""
        self.facts = read_open_facts(folder, options)
        self._kinds = options, position, action
        self._texts = self.facts.catalogue("en")
        prefix = self.facts.prefix
        self.rule = {name: f"{prefix}-ANY-{name}" for name in ("TURN", "OPTIONS", "START", "NOTATION", "RESIGN")}
        """The rules that all games have, by name."""
        self.notation_rule = self.rule["NOTATION"]
        self.turns = Turns(
            end_rules={reason: f"{prefix}-{rule}" for reason, rule in _END_RULES.items()} | dict(self.ends),
            rule=self.rule["TURN"],
            message=self.waiting,
            resigned="resigned",
            time="time",
            agreed="agreed" if self.facts.draws else None,
            no_draw=f"{prefix}-ANY-DRAW",
        )

    @cached_property
    def codec(self) -> MessageCodec:  # type: ignore[override] # an attribute that is made when it is asked for
        """The codec, of values and contract. Raises what `derived_codec` raises."""
        return derived_codec(self.facts.folder, *self._kinds, self.require_sound, self.require_seat)

    def contract(self) -> bytes:
        """Return the contract of its values, an encoded FileDescriptorSet.

        Raises ValueError for a value that no message can have.
        """
        return contract_of(self.facts.id, *self._kinds, len(self.facts.seats))

    @abstractmethod
    def _begun(self, options: O, seats: int, seed: bytes) -> P:
        """Return the first position of a game of so many seats."""

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
        return Illegal("this cannot be played here", rule=self.forbidden or self.rule["NOTATION"])

    def fault(self, position: P) -> str:
        """Return the field of a position from outside that contradicts another one; empty when all is well."""
        return ""

    def seen(self, position: P, seat: int | None) -> P:
        """Return the position as a seat, or a spectator (None), may know it: with nothing where something is hidden."""
        return position

    def guess(self, position: P, seat: int | None, seed: bytes) -> P:
        """Return a position that the seat sees like this one, of which it knows what `seen` leaves."""
        return position

    def reveals(self, before: P, action: A, after: P) -> bool:
        """Tell whether a seat learnt something hidden, so that the action cannot be taken back; asked where something is."""
        return True

    def require_sound(self, position: P) -> None:
        """Raise Malformed for a position whose fields contradict each other."""
        ending = position.ending
        wrong = ending is not None and not self._can_be(ending)
        if field := "ending" if wrong else self._wrong_rows(position) or self.fault(position):
            raise Malformed(f"{field} cannot be so in this position", field=field)

    def require_seat(self, view: View[P]) -> None:
        """Raise Malformed for a view of a seat that does not play."""
        if view.seat is not None and view.seat >= self.seats(view.position):
            raise Malformed("there is no such seat", field="seat")

    def new(self, options: O, seats: int, start: P | None, seed: bytes) -> Step[P, object]:
        """Return the first position. Raises Malformed for seats that it is not played with, Illegal for a start position."""
        least, most = self.facts.min_seats, len(self.facts.seats)
        if not least <= seats <= most:
            raise Malformed(f"{least} to {most} play this game" if least < most else f"{most} play this game", field="seats")
        if start is not None:
            raise Illegal("this game always begins from its usual start", rule=self.rule["START"])
        return Step(self._begun(options, seats, seed))

    def view(self, position: P, seat: int | None) -> View[P]:
        """Return what the seat may know of the position, with who looks at it."""
        return View(self.seen(position, seat), seat)

    def sample(self, view: View[P], seed: bytes) -> P:
        """Return a position that looks like the view to its seat."""
        return self.guess(view.position, view.seat, seed)

    def act(self, position: P, action: A, seed: bytes) -> Step[P, object]:
        """Return the step of a legal action. Raises what `refusal` makes of others."""
        seen = self.seen(position, position.to_move)
        if action not in self.legal(seen):
            raise self.refusal(seen, action)
        after = self._after(position, action, seed)
        events = (Played(position.to_move, action), *((after.ending,) if after.ending else ()))
        return Step(after, events, reveals=self.facts.hidden and self.reveals(position, action, after))

    def position_after(self, position: P, seat: int, action: A, seed: bytes) -> P:
        """Return the position after an action that was just listed."""
        return self._after(position, action, seed)

    def _after(self, position: P, action: A, seed: bytes) -> P:
        """Return the position after a legal action, with what every game of this kind makes of it."""
        return self.play(position, action, seed)

    def over(self, position: P, reason: Any, winner: int | None, /) -> Step[P, object]:
        """Return the end."""
        ending = OpenEnding(reason, winner)
        return Step(replace(position, ending=ending), (ending,), reveals=self.facts.hidden)

    def reoption(self, position: P, options: O) -> Step[P, object]:
        """Raise Illegal: the options are settled."""
        raise Illegal("the options are settled before the start", rule=self.rule["OPTIONS"])

    def write(self, view: View[P], action: A) -> str:
        """Return the action as the game writes it."""
        return self.notate(view.position, action)

    def choice(self, view: View[P], action: A) -> Choice:
        """Return the places of an action, and its button: its notation, or what the catalogue has for it (`choice.pass`)."""
        move = self.notate(view.position, action)
        own = f"choice.{move}"
        label = Text(own) if own in self._texts else Text("choice.play", {"move": move})
        return Choice(self.touched(view.position, action), label)

    def scene(self, view: View[P]) -> Scene:
        """Return the board, and beside it whose turn it is or how the game ended."""
        return self.board(view, (self.turns.beside(view.position),))

    @cached_property
    def _by_seat(self) -> tuple[str, ...]:
        """The fields of a position that have one element for each seat."""
        return tuple(name for name, bound in bounds_of(self._kinds[1]).items() if isinstance(bound, BySeat))

    def _wrong_rows(self, position: P) -> str:
        """Return which of them has more or fewer; empty when all is well."""
        seats = self.seats(position)
        return next((name for name in self._by_seat if len(getattr(position, name)) != seats), "")

    def _can_be(self, ending: OpenEnding) -> bool:
        """Tell whether a game can have ended so: for a reason that it has, and with a winner where the catalogue names one."""
        won = "" if ending.winner is None else f".{ending.winner}"
        return ending.reason in self.turns.end_rules and f"reason.{ending.reason}{won}" in self._texts


class OnGrid(ModuleGame[O, Any, A]):
    """The rest of a game whose positions are `squares` of one board, each with its owner: 0 for nobody, else the seat plus one.

    Its actions are numbers of squares.
    """

    grid: ClassVar[Grid]

    def touched(self, position: Any, action: Any) -> tuple[str, ...]:
        """Return the squares of an action."""
        return tuple(self.grid.name(square) for square in action)

    def notate(self, position: Any, action: A) -> str:
        """Return the names of what is touched."""
        return "-".join(self.touched(position, action))

    def fault(self, position: Any) -> str:
        """Return the field that is wrong where there are other squares, or where nothing can be done and nobody has noticed."""
        if len(position.squares) != len(self.grid):
            return "squares"
        return "ending" if position.ending is None and not self.legal(position) else ""

    def board(self, view: View[Any], facts: tuple[tuple[Text, Text], ...]) -> Scene:
        """Return the board with a piece of its owner on each square."""
        return self.grid.scene([piece(owner - 1) if owner else None for owner in view.position.squares], facts)

    def board_of(self, options: O, seats: int) -> Board:
        """Return the squares."""
        return self.grid.board()


def game_of(name: str, kind: type[Any]) -> Any:
    """Return the game of a kind that a module is (`__name__`): its functions are the methods, without `self`.

    Its values are called Options (left out where there is nothing to choose), Position and Action. ENDS has the rules of its
    endings, FORBIDDEN may name the one that illegal actions break, and GRID the squares that it is played on (`OnGrid`). Raises
    TypeError where a function is missing, and what the kind raises.
    """
    module = sys.modules[name]
    functions = {key: value for key, value in vars(module).items() if getattr(value, "__module__", "") == name}
    asked = {key: value for key, value in functions.items() if key[0] != "_" and callable(getattr(kind, key, None))}
    own: dict[str, Any] = {key: staticmethod(value) for key, value in asked.items()}
    own |= {key: staticmethod(functions[key]) for key in ("require_order", "next_action") if key in functions}
    own["ends"] = module.ENDS
    own |= {key.lower(): getattr(module, key) for key in ("FORBIDDEN", "GRID") if hasattr(module, key)}
    bases: tuple[type[Any], ...] = (OnGrid, kind) if "grid" in own else (kind,)
    made = new_class(f"Module{kind.__name__}", bases, exec_body=lambda body: body.update(own))
    options = getattr(module, "Options", NoOptions)
    return made(Path(str(module.__file__)).parent, options, module.Position, module.Action)
