"""The options of a game of Empire Plateau. The contract is made of it (scripts/option_contract.py)."""

from enum import IntEnum
from pathlib import Path
from typing import Annotated, NamedTuple

from brettwerk_games.rules.facts import read_facts
from brettwerk_games.rules.options import Option


class Size(IntEnum):
    """Which board is played on (EP-BOARD-2)."""

    FITTING = 1
    """The arena for two, the first edition for three and four."""
    ARENA = 2
    """16 longitudes, for two."""
    FIRST = 3
    """24 longitudes, for two to four."""


class Shape(IntEnum):
    """The shape of the board."""

    ROUND = 1
    """The last longitude is next to the first (EP-BOARD-5, EP-BOARD-6)."""
    FLAT = 2
    """A rectangle with a hole in the middle, for two or four (EP-BOARD-9)."""


class First(IntEnum):
    """Who begins (EP-TURN-1)."""

    LOT = 1
    """Drawn by lot."""
    BABYLON = 2
    """Seat 0."""
    MEDIA_PERSIA = 3
    """Seat 1."""
    GREECE = 4
    """Seat 2."""
    ROME = 5
    """Seat 3."""


class Fallen(IntEnum):
    """What happens to the armies of an empire whose base is conquered (EP-MULTI-3)."""

    TAKE_OVER = 1
    """They pass to the conqueror."""
    REMOVE = 2
    """They leave the board."""


class Options(NamedTuple):
    """The choices of the creator of a game."""

    size: Annotated[Size, Option("EP-BOARD-2", "board")] = Size.FITTING
    """Which board."""
    shape: Annotated[Shape, Option("EP-BOARD-9", "board")] = Shape.ROUND
    """The shape of the board."""
    first: Annotated[First, Option("EP-TURN-1", "start")] = First.LOT
    """Who begins."""
    fallen: Annotated[Fallen, Option("EP-MULTI-3", "many")] = Fallen.TAKE_OVER
    """What happens to a fallen empire's armies."""
    conquest_wins: Annotated[bool, Option("EP-MULTI-1", "many")] = False
    """Whether the first conquest ends a game of three or four."""
    alliance: Annotated[bool, Option("EP-MULTI-8", "many")] = False
    """Whether opposite seats are partners, for four only."""
    jump_may_end: Annotated[bool, Option("EP-MOVE-4S-5", "moves")] = False
    """Whether a four may stop where its jump lands."""
    touch_move: Annotated[bool, Option("EP-TURN-10", "moves", "always")] = False
    """Whether nothing is taken back."""


FACTS = read_facts(Path(__file__).parent, Options)
