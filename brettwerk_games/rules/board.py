"""The board of a game, as data: places, what is next to what, places that belong together, and how pieces go.

A game makes it of the same data as its rules (`Game.board_of` in interface.py), and clients get it with the game: a program that
plays learns the world from it, and not from the actions that it is offered.
"""

from dataclasses import dataclass
from typing import TypeAlias

Line: TypeAlias = tuple[tuple[int, int], ...]
"""Places one after another, as how far each is to the right of the piece, and below it."""


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """A square, node or country: the number it has in the game's messages, and its name in the notation and in scenes.

    `label` is the key of what it is called, empty where that is its name in every language. `x` and `y` say where its middle is
    drawn, from the left and from the top; None for a place without a position. `neighbours` are one step away, ascending.
    `outlines` are those of a country on a map, each point by point; none where a place is drawn some other way.
    """

    number: int
    name: str
    x: float | None = None
    y: float | None = None
    neighbours: tuple[int, ...] = ()
    label: str = ""
    outlines: tuple[tuple[tuple[float, float], ...], ...] = ()


@dataclass(frozen=True, slots=True)
class BoardGroup:
    """Places that belong together, by their numbers.

    `label` is the key of what they are called, `bonus` what holding all of them pays, and `owner` the seat whose they are from
    the start (None: nobody's). `colour` is theirs on a map (#rrggbb).
    """

    id: str
    places: tuple[int, ...]
    label: str = ""
    bonus: int = 0
    owner: int | None = None
    colour: str = ""


@dataclass(frozen=True, slots=True)
class BoardPattern:
    """How a kind of piece of these seats goes on an empty board, or, where `hits`, what it can hit without going there."""

    id: str
    seats: tuple[int, ...]
    lines: tuple[Line, ...]
    hits: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """The places in the order of their numbers, in an area of that width and height (0 where they have no positions).

    `one_way` is set where a place can be next to another one that is not next to it.
    """

    places: tuple[BoardPlace, ...]
    groups: tuple[BoardGroup, ...] = ()
    patterns: tuple[BoardPattern, ...] = ()
    width: float = 0
    height: float = 0
    one_way: bool = False
