"""The options of a game of Empire Plateau. The numbers are those of the contract."""

from enum import IntEnum
from typing import NamedTuple


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

    size: Size = Size.FITTING
    shape: Shape = Shape.ROUND
    first: First = First.LOT
    fallen: Fallen = Fallen.TAKE_OVER
    conquest_wins: bool = False
    alliance: bool = False
    jump_may_end: bool = False
    touch_move: bool = False


START_RULES = {
    "size": "EP-BOARD-2",
    "shape": "EP-BOARD-9",
    "first": "EP-TURN-1",
    "fallen": "EP-MULTI-3",
    "conquest_wins": "EP-MULTI-1",
    "alliance": "EP-MULTI-8",
    "jump_may_end": "EP-MOVE-4S-5",
}
"""The rule of every option that is settled before the start."""
