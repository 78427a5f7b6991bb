"""A game in which one seat at a time is to act: what `interface.py` asks for, as far as it is the same everywhere.

A position says how it ended (`end`: nothing while it is on, else one of the game's reasons), who has won (`winner`) and whose
turn it is (`to_move`). A game's `Turns` names the rule of each. A `TurnGame` works with and without secrets, an `OpenGame` has
none. A game says what an action does (`act`), how it is over when it ends from outside (`over`), and may read a notation of its
own (`parse`, `find`); whose turn it is, what comes after the end and which system actions there are is asked here, once for all
games.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from inspect import signature
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from brettwerk_games.rules.facts import Facts
from brettwerk_games.rules.interface import A, Draw, E, Flag, Game, O, Outcome, Reoption, Resign, Step, SystemAction, Text, V
from brettwerk_games.rules.notations import find_written
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


class TurnGame(Game[P, V, A, E, O]):
    """The game; the interface says what each method does, and the abstract ones say what is asked of a game."""

    turns: Turns[Any]
    """The rules of its turns and endings."""
    notation_rule: str
    """The rule of its notation, where nothing else reads that than `find` here."""

    @abstractmethod
    def act(self, position: P, action: A, seed: bytes) -> Step[P, E]:
        """Return the step of an action of the seat to act. Raises Illegal with the rule's id where it is not legal."""

    @abstractmethod
    def over(self, position: P, reason: Any, winner: int | None, /) -> Step[P, E]:
        """Return the step in which the game ends for a reason from outside of the turns; without a winner it is a draw."""

    @abstractmethod
    def reoption(self, position: P, options: O) -> Step[P, E]:
        """Return the step in which the seats agree on other options. Raises Illegal for what is settled before the start."""

    def leave(self, position: P, seat: int, reason: Any, seed: bytes, /) -> Step[P, E]:
        """Return the step in which a seat gives up or has no time left. Of two the other one wins.

        `seed` is for what is drawn when the others go on; a game written for 1.0 may do without this parameter. Raises Illegal
        for a seat that is out already.
        """
        return self.over(position, reason, 1 - seat)

    def draw(self, position: P, reason: Any) -> Step[P, E]:
        """Return the step in which the seats agree on a draw."""
        return self.over(position, reason, None)

    def parse(self, view: V, text: str) -> Any:
        """Return what a notation says, for `find`, whoever's turn it is. Raises Malformed or Ambiguous; here it is the text."""
        return text

    def find(self, view: V, text: str, parsed: Any, /) -> A:
        """Return the legal action of the view's seat, which is to act, that a parsed notation means: here the one written so.

        Raises Ambiguous, or Illegal with the rule.
        """
        return find_written(text, self.actions(view), partial(self.write, view), self.notation_rule)

    def due(self, view: V) -> A:
        """Return what is played for the view's seat, which is to act, when its time is over: the first legal action."""
        return self.actions(view)[0]

    def known(self, view: V) -> tuple[Any, int | None]:
        """Return what a view knows of turn and end, and who looks: its `position` and `seat`."""
        seen: Any = view
        return seen.position, seen.seat

    def seats(self, position: P) -> int:
        """Return how many play: as many as the facts have seats."""
        return len(self.facts.seats)

    def to_act(self, position: P) -> tuple[int, ...]:
        """Return the seat to act; nobody after the end."""
        return self.turns.to_act(position)

    def apply(self, position: P, seat: int, action: A, seed: bytes) -> Step[P, E]:
        """Return the step that an action makes. Raises Illegal (GameOver, NotYourTurn) with the rule's id."""
        self.turns.require_turn(position, seat)
        return self.act(position, action, seed)

    def system_action(self, position: P, system_action: SystemAction[O], seed: bytes) -> Step[P, E]:
        """Return the step of a system action. Raises GameOver, Illegal with the rule's id, or Malformed for no seat."""
        return self.turns.carry_out(
            position,
            system_action,
            seats=self.seats(position),
            leave=partial(_leave, self.leave, seed),
            draw=self.draw,
            reoption=self.reoption,
        )

    def outcome(self, position: P) -> Outcome | None:
        """Return how a game of two ended, or None while it is on."""
        return self.turns.of_two(position)

    def expire(self, view: V) -> A:
        """Return what is due. Raises GameOver or NotYourTurn when the view's seat is not to act."""
        self.turns.require_turn(*self.known(view))
        return self.due(view)

    def read(self, view: V, text: str) -> A:
        """Return the action that the view's seat means. Raises Malformed, Ambiguous, or Illegal with the rule."""
        parsed = self.parse(view, text)
        self.turns.require_turn(*self.known(view))
        return self.find(view, text, parsed)


def _leave(leave: Callable[..., Step[P, E]], seed: bytes, position: P, seat: int, reason: Any) -> Step[P, E]:
    """Return what a game's `leave` returns, which is given the seed unless it is one of 1.0, which takes none."""
    given = (position, seat, reason, seed)
    try:
        signature(leave).bind(*given)
    except TypeError:
        return leave(*given[:-1])
    return leave(*given)


class OpenGame(TurnGame[P, V, A, E, O]):
    """A game without secrets: everybody sees all of it. A view of it is the `position` and the `seat` that looks."""

    view_type: ClassVar[type[Any]]
    """The kind of its views, made of the two."""

    @abstractmethod
    def legal(self, position: P) -> Sequence[A]:
        """Return what the seat to act may do, in a fixed order; the game is not over."""

    def view(self, position: P, seat: int | None) -> V:
        """Return the position with who looks at it."""
        seen: V = self.view_type(position, seat)
        return seen

    def actions(self, view: V) -> Sequence[A]:
        """Return the legal actions of the seat to act; of others none."""
        position, seat = self.known(view)
        return () if position.end or seat != position.to_move else self.legal(position)

    def show(self, event: E, seat: int | None) -> E | None:
        """Return the event: everybody sees it."""
        return event

    def sample(self, view: V, seed: bytes) -> P:
        """Return the position: it is the only one that looks like the view."""
        position: P = self.known(view)[0]
        return position
