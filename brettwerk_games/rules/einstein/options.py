"""The options of a game of EinStein würfelt nicht. The contract is made of it (scripts/option_contract.py)."""

from enum import IntEnum
from pathlib import Path
from typing import Annotated, NamedTuple

from brettwerk_games.rules.facts import read_facts
from brettwerk_games.rules.options import Option


class First(IntEnum):
    """Which side moves first (EWN-TURN-1)."""

    WHITE = 1
    """White, as in the manual."""
    BLACK = 2
    """Black."""
    LOT = 3
    """Drawn by lot."""


class Setup(IntEnum):
    """How the stones are set up (EWN-BOARD-3, EWN-BOARD-4)."""

    STANDARD = 1
    """The manual's picture."""
    RANDOM = 2
    """Each side's stones drawn over its six start squares."""
    CHOSEN = 3
    """Each player arranges their own stones, Black first."""


class Options(NamedTuple):
    """The choices of the creator of a game."""

    setup: Annotated[Setup, Option("EWN-BOARD-4", "start", number=2)] = Setup.STANDARD
    """How the stones are set up."""
    first: Annotated[First, Option("EWN-TURN-1", "start", number=1)] = First.WHITE
    """Who moves first."""
    show_roll: Annotated[bool, Option("EWN-UI-4", "display", "always", number=3)] = False
    """Whether clients show the roll to people who leave that choice to the table."""


FACTS = read_facts(Path(__file__).parent, Options)
