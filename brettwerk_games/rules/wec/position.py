"""The position and the view: everything there is, and what a seat may know of it (WEC-OBS-1)."""

from enum import IntEnum
from functools import cached_property
from typing import NamedTuple, TypeAlias

from brettwerk_games.rules.wec.board import SQUARES
from brettwerk_games.rules.wec.field import Field
from brettwerk_games.rules.wec.kinds import FLIGHT_LEVEL, Article, Hand, Kind
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.pieces import Carried, Piece
from brettwerk_games.rules.wec.visibility import hidden

SPECTATOR = 2
"""The eye of whoever has no seat; eyes 0 and 1 are the seats'."""
EYES = (0, 1, SPECTATOR)
REVISION = 5
"""The revision of the rules that games begin with.

The first knew other reveals and first locks (WEC-RUL-44, WEC-RUL-45); up to the second, a piece kept its number while it was out
of sight (WEC-RUL-54); up to the third, Exchanges stayed on a level (WEC-OPT-35); up to the fourth, the bytes of a position held
every text of its history (codec/lines.py)."""
MAX_PLY = 2000
"""A game that is still on after so many Turns is a draw (WEC-BOUND-1), so that every session ends."""


class End(IntEnum):
    """How a game ended."""

    ON = 0
    TAKEN = 1
    DESTROYED = 2
    CONVERTED = 3
    RESIGNED = 4
    TIME = 5
    AGREED = 6
    STUCK = 7
    BOUND = 8

    __hash__ = int.__hash__


class Projectile(NamedTuple):
    """A Rocket, SAM or Torpedo, named by its launcher. `heading` is a direction; a homing one has a `target`.

    `target` is 0 in views of those who did not fire it. `number` is the order of launching and `launched` the ply of it. `known`
    is what its owner called the target at the launch, as long as it has not been out of its sight since; views have it as target.
    """

    number: int
    weapon: Article
    seat: int
    square: int
    heading: int
    strength: int
    launched: int
    homing: bool = False
    target: int = 0
    known: int = 0

    @property
    def place(self) -> int:
        """The place where it flies: its square on the level of its weapon."""
        return FLIGHT_LEVEL[self.weapon] * SQUARES + self.square


class Reserve(NamedTuple):
    """A reinforcement that waits at its activation square. `kind` is None where the view may not know it (WEC-OBS-11).

    `open`: a piece of its side has left the square in an earlier Turn, and it may be called now (WEC-OPT-34).
    """

    id: int
    seat: int
    square: int
    kind: Kind | None
    hand: Hand = Hand.NONE
    open: bool = False


class Hit(NamedTuple):
    """How many hits a weapon has scored on a piece in this Turn (WEC-STACK-1)."""

    piece: int
    weapon: Article
    times: int


class Mark(NamedTuple):
    """Where an enemy piece went out of sight (WEC-OBS-8)."""

    piece: int
    kind: Kind
    place: int
    hand: Hand = Hand.NONE


class Memory(NamedTuple):
    """The memory of an eye: pieces out of sight, and those that it knows to be gone, by the numbers that it had for them.

    Up to the second revision of the rules a position has ids here, and views have the numbers.
    """

    marks: tuple[Mark, ...] = ()
    gone: tuple[int, ...] = ()


class Item(NamedTuple):
    """An action of the running Turn in notation: its letter (WEC-RUL-52), in full, and as the other eyes may read it.

    `other` is for the other seat and `public` for spectators; empty when they read nothing of it.
    """

    letter: str
    text: str
    other: str
    public: str


class Result(NamedTuple):
    """Something that happened, in notation; `texts` by eye, empty where an eye does not see it, and in full."""

    full: str
    texts: tuple[str, str, str]


class Turn(NamedTuple):
    """The actions of the active player in this Turn.

    `exposed` fired or took, `emerged` came into the opponent's sight (WEC-RUL-45). Their view has it without `emerged` and with
    `hits` as they must believe them to be; other views have the items and results that were shown to them.
    """

    mover: int = 0
    fires: int = 0
    picked: bool = False
    exchanged: bool = False
    reinforced: bool = False
    dropped: bool = False
    acted: tuple[int, ...] = ()
    spent: tuple[int, ...] = ()
    vacated: tuple[int, ...] = ()
    arrived: tuple[int, ...] = ()
    hits: tuple[Hit, ...] = ()
    believed: tuple[Hit, ...] = ()
    lost: tuple[End, End] = (End.ON, End.ON)
    exposed: tuple[int, ...] = ()
    emerged: tuple[int, ...] = ()
    items: tuple[Item, ...] = ()
    results: tuple[Result, ...] = ()


class _Line(NamedTuple):
    full: str
    texts: tuple[str, str, str]


class Line(_Line):
    """The notation of a whole Turn: in full, and as each eye may read it in a competitive game (WEC-RUL-53)."""

    encoded: bytes | None = None
    """The field that holds it in a position, once that was asked for (codec/); no part of the value."""
    encoded_formerly: bytes | None = None
    """The same in positions of the first four revisions."""


Called: TypeAlias = tuple[tuple[int, int], ...]
"""Ids and the numbers that an eye has for them, in order."""
NO_ARTICLES: tuple[tuple[Carried, ...], ...] = ((),) * SQUARES


class _Position(NamedTuple):
    options: Options
    pieces: tuple[Piece, ...]
    ground: tuple[tuple[Carried, ...], ...] = NO_ARTICLES
    ply: int = 1
    projectiles: tuple[Projectile, ...] = ()
    reserves: tuple[Reserve, ...] = ()
    turn: Turn = Turn()
    memory: tuple[Memory, Memory, Memory] = (Memory(), Memory(), Memory())
    history: tuple[Line, ...] = ()
    first_line: int = 1
    idle: bool = False
    edited: bool = False
    end: End = End.ON
    winner: int | None = None
    names: tuple[tuple[int, ...], ...] = ()
    revision: int = REVISION
    called: tuple[Called, Called, Called] = ((), (), ())


class Position(_Position):
    """Everything. `pieces` are in order of id; `ground` has the unowned articles of each square; `ply` counts from 1.

    `revision` is the one of the rules that it goes on with. `called` has by eye the numbers of pieces in its sight that it does
    not call by their ids (sightings.py); `names` has the pieces that each eye knows, up to the second revision
    (piece_numbers.py). `memory` is by eye; that of spectators is shown to nobody, and empty up to the second revision.

    A value that follows from it and is asked for in several steps is worked out once; it is no part of the value.
    """

    @property
    def active(self) -> int:
        """The seat to act: Black at odd plies (WEC-GAME-4)."""
        return (self.ply + 1) % 2

    to_move = active

    @cached_property
    def unseen(self) -> frozenset[int]:
        """The pieces that their opponent does not see."""
        return hidden(self.pieces, self.options, self.ply)

    @cached_property
    def field(self) -> Field:
        """Its pieces by place, in order of id; nobody changes it."""
        return Field(self.pieces)

    @cached_property
    def numbers(self) -> "dict[int, dict[int, int]]":
        """By eye, the numbers that it has for pieces, as far as that was asked for (piece_numbers.py)."""
        return {}

    @cached_property
    def views(self) -> "dict[int, View]":
        """The views that were made so far, by eye (view.py)."""
        return {}

    @cached_property
    def history_of(self) -> "dict[int, tuple[str, ...]]":
        """The history as it is told, by eye, as far as that was asked for (view.py)."""
        return {}


class _View(NamedTuple):
    eye: int
    options: Options
    pieces: tuple[Piece, ...]
    ground: tuple[tuple[Carried, ...], ...]
    ply: int
    projectiles: tuple[Projectile, ...]
    reserves: tuple[Reserve, ...]
    turn: Turn
    memory: Memory
    history: tuple[str, ...]
    first_line: int
    idle: bool
    edited: bool
    end: End
    winner: int | None


class View(_View):
    """The view of an eye; the fields are those of Position, without what it may not know. `history` starts at `first_line`."""

    @cached_property
    def field(self) -> Field:
        """Its pieces by place; nobody changes it."""
        return Field(self.pieces)

    @property
    def active(self) -> int:
        """The seat to act."""
        return (self.ply + 1) % 2

    to_move = active
