"""The actions of players, and their events."""

from typing import NamedTuple, TypeAlias

from brettwerk_games.rules.plateau.board import Army
from brettwerk_games.rules.plateau.position import End


class Move(NamedTuple):
    """Move the army on `source` to `target` in that many steps.

    `path` names every node from source to target, a jumped one too (EP-MOVE-4S-7). It is checked when it is given; when it
    is empty, any legal path serves, since the path changes nothing but what is seen. One step has one path: it is not given.
    """

    source: int
    target: int
    steps: int
    path: tuple[int, ...] = ()


class EndTurn(NamedTuple):
    """Say that the turn is over (EP-TURN-7)."""


Action: TypeAlias = Move | EndTurn


class Moved(NamedTuple):
    """An army moved along a path. `captured` is the army that stood on its end and whose; `conquered` the seat of the base."""

    seat: int
    army: Army
    path: tuple[int, ...]
    captured: tuple[int, Army] | None
    conquered: int | None


class Ceased(NamedTuple):
    """A turn is over, after that many steps of small armies and of the emblem."""

    seat: int
    small: int
    emblem: int


class Skipped(NamedTuple):
    """A seat cannot make a single step, so its turn is skipped (EP-TURN-8)."""

    seat: int


class Fell(NamedTuple):
    """An empire is out: conquered by a seat, or, with None, without armies or given up. `inherited` armies changed hands."""

    seat: int
    by: int | None
    inherited: int


class Ended(NamedTuple):
    """The game ended. `winner` is None in a draw."""

    winner: int | None
    end: End


Event: TypeAlias = Moved | Ceased | Skipped | Fell | Ended
