"""A game without secrets: everybody sees all of the position and all that happens, so legal actions depend on it alone."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from brettwerk_games.rules.interface import A, E, O, V
from brettwerk_games.rules.turn_game import P, TurnGame


class OpenGame(TurnGame[P, V, A, E, O]):
    """The game; a view of it is the `position` and the `seat` that looks."""

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
