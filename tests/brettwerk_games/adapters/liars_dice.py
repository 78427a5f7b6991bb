"""Liar's dice for two with one die each, as OpenSpiel has it: the highest face is wild, and who calls a lie ends the game.

Only as much of a game as trees are made of. It is small enough for every position of it to be looked at.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.interface import Choice, Game, Kind, Outcome, Scene, Step, Text
from brettwerk_games.rules.ranking import of_two
from tests.brettwerk_games.rules.blind_duel.game import BlindDuel

CALL = -1


class Position(NamedTuple):
    dice: tuple[int, int]
    """Faces from 1."""
    bids: tuple[int, ...] = ()
    """Numbers from 0, the faces of one die first; CALL is the last one."""


class View(NamedTuple):
    seat: int | None
    die: int
    bids: tuple[int, ...]


class Written:
    """Values as Python writes them."""

    def type_name(self, kind: Kind) -> str:
        return kind.value

    def encode(self, kind: Kind, value: Any) -> bytes:
        return repr(value).encode()

    def decode(self, kind: Kind, data: bytes) -> Any:
        return ()


class LiarsDice(Game[Position, View, int, int, tuple[()]]):
    codec: Any = Written()

    def __init__(self, faces: int) -> None:
        self.faces = faces
        self.facts = replace(BlindDuel.facts, id=f"liars_dice_{faces}", draws=False, max_actions=2 * faces + 1)

    def new(self, options: tuple[()], seats: int, start: Position | None, seed: bytes) -> Step[Position, int]:
        dice = Dice(seed)
        return Step(Position((dice.roll(self.faces), dice.roll(self.faces))))

    def seats(self, position: Position) -> int:
        return 2

    def to_act(self, position: Position) -> tuple[int, ...]:
        return () if position.bids[-1:] == (CALL,) else (len(position.bids) % 2,)

    def view(self, position: Position, seat: int | None) -> View:
        return View(seat, 0 if seat is None else position.dice[seat], position.bids)

    def actions(self, view: View) -> tuple[int, ...]:
        higher = range(view.bids[-1] + 1 if view.bids else 0, 2 * self.faces)
        return (*higher, CALL) if view.bids else tuple(higher)

    def apply(self, position: Position, seat: int, action: int, seed: bytes) -> Step[Position, int]:
        return Step(position._replace(bids=(*position.bids, action)), (action,))

    def outcome(self, position: Position) -> Outcome | None:
        if self.to_act(position):
            return None
        amount, face = divmod(position.bids[-2], self.faces)
        there = sum(die in (face + 1, self.faces) for die in position.dice)
        bidder = len(position.bids) % 2
        return of_two(bidder if there > amount else 1 - bidder, Text("reason.called"), "LD-1")

    def show(self, event: int, seat: int | None) -> int | None:
        return event

    def write(self, view: View, action: int) -> str:
        return "liar" if action == CALL else str(action)

    def scene(self, view: View) -> Scene:
        return Scene(0, 0, (), ((Text("fact.turns"), Text("number", {"number": str(len(view.bids))})),))

    def choice(self, view: View, action: int) -> Choice:
        return Choice((), Text("choice", {"number": str(action)}))

    def system_action(self, position: Position, system_action: Any, seed: bytes) -> Step[Position, int]:
        raise NotImplementedError

    def expire(self, view: View) -> int:
        raise NotImplementedError

    def sample(self, view: View, seed: bytes) -> Position:
        raise NotImplementedError

    def read(self, view: View, text: str) -> int:
        raise NotImplementedError
