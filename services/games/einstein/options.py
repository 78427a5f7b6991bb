"""The options of a game of EinStein würfelt nicht. The numbers are those of the contract."""

from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from services.games.facts import read_facts

FACTS = read_facts(Path(__file__).parent)
PRESETS = FACTS.presets_of_options


class First(IntEnum):
    """Who moves first (EWN-TURN-1)."""

    WHITE = 1
    BLACK = 2
    LOT = 3


class Setup(IntEnum):
    """How the stones are set up (EWN-BOARD-3, EWN-BOARD-4)."""

    STANDARD = 1
    RANDOM = 2
    CHOSEN = 3


class Options(NamedTuple):
    """What the creator of a game chooses.

    `show_roll` asks clients to show the die where players leave it to the table (EWN-UI-4).
    """

    first: First = First(PRESETS["first"])
    setup: Setup = Setup(PRESETS["setup"])
    show_roll: bool = bool(PRESETS["show_roll"])
