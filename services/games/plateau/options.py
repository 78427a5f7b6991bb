"""The options of a game of Empire Plateau. The numbers are those of the contract."""

from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from services.games.facts import read_facts

FACTS = read_facts(Path(__file__).parent)
PRESETS = FACTS.presets_of_options


class Size(IntEnum):
    """Which board (EP-BOARD-2). FITTING is the arena for two and the first edition for three or four."""

    FITTING = 1
    ARENA = 2
    FIRST = 3


class Shape(IntEnum):
    """How the board is joined: round (EP-BOARD-5), or the flat fallback without a way around (EP-BOARD-9)."""

    ROUND = 1
    FLAT = 2


class First(IntEnum):
    """Who begins (EP-TURN-1): the lot, or the seat with this number less 2."""

    LOT = 1
    BABYLON = 2
    MEDIA_PERSIA = 3
    GREECE = 4
    ROME = 5


class Fallen(IntEnum):
    """What becomes of a fallen empire's armies (EP-MULTI-3)."""

    TAKE_OVER = 1
    REMOVE = 2


class Options(NamedTuple):
    """What the creator of a game chooses.

    `conquest_wins`: the first conquest ends a game of three or four (EP-MULTI-1). `alliance`: opposite seats are partners
    (EP-MULTI-8). `jump_may_end`: a four may stop where it lands (EP-MOVE-4S-5). `touch_move`: nothing is taken back (EP-TURN-10).
    """

    size: Size = Size(PRESETS["size"])
    shape: Shape = Shape(PRESETS["shape"])
    first: First = First(PRESETS["first"])
    fallen: Fallen = Fallen(PRESETS["fallen"])
    conquest_wins: bool = bool(PRESETS["conquest_wins"])
    alliance: bool = bool(PRESETS["alliance"])
    jump_may_end: bool = bool(PRESETS["jump_may_end"])
    touch_move: bool = bool(PRESETS["touch_move"])
