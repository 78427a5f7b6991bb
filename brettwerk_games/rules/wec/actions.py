"""The actions of players. Pieces are named by id, squares and places by number, directions by their place in board.DIRECTIONS."""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from brettwerk_games.rules.wec.kinds import Article
from brettwerk_games.rules.wec.position import End


class Route(IntEnum):
    """The way of a transit (WEC-TRAN-6)."""

    BEELINE = 1
    PORT = 2
    STARBOARD = 3

    __hash__ = int.__hash__


@dataclass(frozen=True, slots=True)
class Move:
    """Move a piece to a place; a carrier may take its passenger along (WEC-TURN-5, WEC-CARRY-1)."""

    piece: int
    place: int
    carry: bool = False


@dataclass(frozen=True, slots=True)
class Doze:
    """Move a Dozer in a direction together with its companion and the pieces of the chosen squares (WEC-DOZE)."""

    piece: int
    direction: int
    squares: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Fire:
    """Fire a weapon in a direction."""

    piece: int
    weapon: Article
    direction: int


@dataclass(frozen=True, slots=True)
class Home:
    """Fire a SAM or Torpedo that homes on a piece (WEC-FIRE-HOMING-1)."""

    piece: int
    weapon: Article
    target: int


@dataclass(frozen=True, slots=True)
class Strike:
    """Fire the restricted Rocket Launcher at the Ground of a square (WEC-RUL-15)."""

    piece: int
    square: int


@dataclass(frozen=True, slots=True)
class Travel:
    """Fire a transport: start a transit to a square (WEC-TRAN-1)."""

    piece: int
    transport: Article
    square: int
    route: Route = Route.BEELINE


@dataclass(frozen=True, slots=True)
class PickUp:
    """Take an article of a kind from the Ground of the piece's square; the first of that kind that lies there."""

    piece: int
    article: Article


@dataclass(frozen=True, slots=True)
class Drop:
    """Put an article of a kind on the Ground; the first of that kind that is not in use for a transit."""

    piece: int
    article: Article


@dataclass(frozen=True, slots=True)
class Exchange:
    """Give an article to a friendly piece, and take one for it if `back` is given; a swap is listed with the lower id first."""

    piece: int
    article: Article
    other: int
    back: Article | None = None


@dataclass(frozen=True, slots=True)
class Reinforce:
    """Call a reinforcement, named by its id."""

    piece: int


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End the Turn."""


Action: TypeAlias = Move | Doze | Fire | Home | Strike | Travel | PickUp | Drop | Exchange | Reinforce | EndTurn


def turned(action: Action) -> Action:
    """Return a swap with the lower id first, and every other action as it is: a swap may name either piece first."""
    if isinstance(action, Exchange) and action.back is not None and action.piece > action.other:
        return Exchange(action.other, action.back, action.piece, action.article)
    return action


class Acted(NamedTuple):
    """A seat acted: the action in notation, as each eye may read it; empty where it may not know of it."""

    seat: int
    texts: tuple[str, str, str]


class Happened(NamedTuple):
    """A result in notation, by eye."""

    texts: tuple[str, str, str]


class Written(NamedTuple):
    """A Turn is over; its whole string, by eye (WEC-HIST-1)."""

    ply: int
    texts: tuple[str, str, str]


class Ended(NamedTuple):
    """The game ended. `winner` is None for a draw."""

    winner: int | None
    end: End


Event: TypeAlias = Acted | Happened | Written | Ended
