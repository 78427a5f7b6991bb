"""The values that games made from this package share: endings, views, and what happens."""

from dataclasses import dataclass
from typing import Annotated, Generic

from brettwerk_games.rules.bounds import Bound
from brettwerk_games.rules.interface import A, P


@dataclass(frozen=True, slots=True)
class OpenEnding:
    """How a game ended: the reason, and the seat that has won; None for a draw."""

    reason: str
    winner: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPosition:
    """The common fields of every position: whose turn it is, and how the game ended (None while it is on).

    Their numbers in the contract leave room for what a game has before them, now or later.
    """

    to_move: Annotated[int, Bound(max=1, number=14)] = 0
    ending: Annotated[OpenEnding | None, Bound(number=15)] = None

    @property
    def end(self) -> str:
        """Why the game has ended; empty while it is on."""
        return self.ending.reason if self.ending else ""

    @property
    def winner(self) -> int | None:
        """The seat that has won."""
        return self.ending.winner if self.ending else None


@dataclass(frozen=True, slots=True)
class View(Generic[P]):
    """The view of a seat, or of a spectator (None): all of the position."""

    position: P
    seat: Annotated[int | None, Bound(max=1)] = None


@dataclass(frozen=True, slots=True)
class Played(Generic[A]):
    """A seat has played an action."""

    seat: Annotated[int, Bound(max=1)]
    action: A
