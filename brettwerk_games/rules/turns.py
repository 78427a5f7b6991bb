"""The turns and the end of a game, where one seat at a time is to act: refusals, system actions and texts of that, once.

A position says how it ended (`end`: nothing while it is on, else one of the game's reasons), who has won (`winner`) and whose
turn it is (`to_move`). A game's `Turns` knows the rule of each.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Generic, Protocol, TypeVar

from brettwerk_games.rules.facts import Facts
from brettwerk_games.rules.interface import Draw, E, Flag, O, Outcome, Reoption, Resign, Step, SystemAction, Text
from brettwerk_games.rules.ranking import of_two
from brettwerk_games.rules.refusals import GameOver, Illegal, Malformed, NotYourTurn

P = TypeVar("P", bound="InTurn")
R = TypeVar("R", bound=IntEnum | str)
"""A reason to end: a word, or a member of an enum whose name it is."""


class InTurn(Protocol):
    """The turn and the end in a position, and the view that is asked for them."""

    @property
    def end(self) -> Any:
        """Why the game has ended; None, or a reason that counts as nothing, while it is on."""
        ...

    @property
    def winner(self) -> int | None:
        """The seat that has won; None in a draw and while the game is on."""
        ...

    @property
    def to_move(self) -> int:
        """The seat to act; any after the end."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns(Generic[R]):
    """The rules of a game's turns and endings.

    `end_rules`: by reason, the rule by which a game ended so. `rule`, `message` and `names`: the rule that others wait, how a
    refusal says so, and what it calls the seat to act. `resigned`, `time` and `agreed` are the reasons of system actions; where
    `agreed` is None there is no draw by agreement, which the rule `no_draw` says.
    """

    end_rules: Mapping[R, str]
    rule: str
    resigned: R
    time: R
    agreed: R | None = None
    no_draw: str = ""
    message: str = "another seat is to act"
    names: Sequence[str] = ()

    def to_act(self, position: InTurn) -> tuple[int, ...]:
        """Return the seat to act; nobody after the end."""
        return () if position.end else (position.to_move,)

    def require_on(self, position: InTurn) -> None:
        """Raise GameOver with the rule by which the game has ended, unless it is on."""
        if position.end:
            raise GameOver("the game is over", rule=self.end_rules[position.end])

    def require_turn(self, position: InTurn, seat: int | None) -> None:
        """Raise GameOver or NotYourTurn unless the seat is to act."""
        self.require_on(position)
        if seat != position.to_move:
            details = {"seat": self.names[position.to_move]} if self.names else None
            raise NotYourTurn(self.message, rule=self.rule, details=details)

    def reason(self, position: InTurn, whose: str | None = None) -> Text:
        """Return why a game has ended: `reason.<its name>`, and behind it the winner's seat or `whose`, unless nobody has won."""
        end = position.end
        name = end if isinstance(end, str) else end.name.lower()
        last = "" if position.winner is None else f".{position.winner}" if whose is None else f".{whose}"
        return Text(f"reason.{name}{last}")

    def beside(self, position: InTurn) -> tuple[Text, Text]:
        """Return what stands first beside a board: how the game ended (that of two), or whose turn it is."""
        if position.end:
            return Text("fact.result"), self.reason(position)
        return Text("fact.turn"), Text(f"seat.{position.to_move}.name")

    def of_two(self, position: InTurn) -> Outcome | None:
        """Return how a game of two ended, or None while it is on."""
        return of_two(position.winner, self.reason(position), self.end_rules[position.end]) if position.end else None

    def carry_out(
        self,
        position: P,
        system_action: SystemAction[O],
        *,
        seats: int,
        leave: Callable[[P, int, R], Step[P, E]],
        draw: Callable[[P, R], Step[P, E]],
        reoption: Callable[[P, O], Step[P, E]],
    ) -> Step[P, E]:
        """Return the step of a system action: what `leave`, `draw` or `reoption` make of the position, the reason given.

        Raises GameOver after the end, Malformed for a seat that there is not, Illegal for a draw where there is none.
        """
        self.require_on(position)
        match system_action:
            case Resign(seat=seat) | Flag(seat=seat):
                if seat not in range(seats):
                    raise Malformed("there is no such seat", field="seat")
                return leave(position, seat, self.resigned if isinstance(system_action, Resign) else self.time)
            case Draw():
                if self.agreed is None:
                    raise Illegal("there is no draw", rule=self.no_draw)
                return draw(position, self.agreed)
            case Reoption(options=options):
                return reoption(position, options)


def require_settled(facts: Facts, before: object, after: object) -> None:
    """Raise Illegal with its rule where options differ in one that is settled before the start."""
    for key, rule in facts.settled.items():
        if getattr(before, key) != getattr(after, key):
            raise Illegal(f"{key} is settled before the start", rule=rule)
