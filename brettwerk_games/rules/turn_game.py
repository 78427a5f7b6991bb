"""A game in which one seat at a time is to act: what `interface.py` asks for, as far as it is the same everywhere.

It works with and without secrets (brettwerk_games/rules/open is for games without). A game says what an action does (`act`), how
it is over when it ends from outside (`over`), and may read a notation of its own (`parse`, `find`); whose turn it is, what comes
after the end and which system actions there are is asked here, once for all games.
"""

from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any, TypeVar

from brettwerk_games.rules.interface import A, E, Game, O, Outcome, Step, SystemAction, V
from brettwerk_games.rules.notations import find_written
from brettwerk_games.rules.turns import InTurn, Turns

P = TypeVar("P", bound=InTurn)


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
