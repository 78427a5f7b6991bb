"""The values that games made from this package share: endings, views, and what happens."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Generic, NamedTuple

from brettwerk_games.rules.bounds import Bound
from brettwerk_games.rules.interface import A, P


class NoOptions(NamedTuple):
    """The options of a game in which there is nothing to choose."""


@dataclass(frozen=True, slots=True)
class OpenEnding:
    """How a game ended: the reason, and the seat that has won; None for a draw."""

    reason: Annotated[str, Bound(max=32)]
    winner: Annotated[int | None, Bound(is_seat=True)] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPosition:
    """The common fields of every position: whose turn it is, and how the game ended (None while it is on).

    Their numbers in the contract leave room for what a game has before them, now or later.
    """

    to_move: Annotated[int, Bound(is_seat=True, number=14)] = 0
    ending: Annotated[OpenEnding | None, Bound(number=15)] = None

    @property
    def end(self) -> str:
        """Why the game has ended; empty while it is on."""
        return self.ending.reason if self.ending else ""

    @property
    def winner(self) -> int | None:
        """The seat that has won."""
        return self.ending.winner if self.ending else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatsPosition(OpenPosition):
    """The common fields of every position of a game whose number of seats is chosen: how many play, and who is out, in order."""

    seats: Annotated[int, Bound(min=1, max=6, number=13)]
    out: Annotated[tuple[int, ...], Bound(items=6, is_seat=True, number=12)] = ()

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that are not out, in order."""
        return tuple(seat for seat in range(self.seats) if seat not in self.out)

    def next_seat(self) -> int:
        """Return the seat that comes after the one to move, without those that are out; itself where no other is left."""
        return next(self._others(1), self.to_move)

    def previous_seat(self) -> int:
        """Return the seat that comes before the one to move, without those that are out; itself where no other is left."""
        return next(self._others(-1), self.to_move)

    def _others(self, step: int) -> Iterator[int]:
        return (seat for ahead in range(1, self.seats) if (seat := (self.to_move + step * ahead) % self.seats) not in self.out)


@dataclass(frozen=True, slots=True)
class View(Generic[P]):
    """The view of a seat, or of a spectator (None): the position, as far as it may know it."""

    position: P
    seat: Annotated[int | None, Bound(is_seat=True)] = None


@dataclass(frozen=True, slots=True)
class Played(Generic[A]):
    """A seat has played an action."""

    seat: Annotated[int, Bound(is_seat=True)]
    action: A
