"""Arranging the stones: which of the 720 set-ups are worth it."""

import json
from dataclasses import dataclass
from pathlib import Path

from brettwerk_games.players.einstein.sides import side_of
from brettwerk_games.rules.einstein.board import ARRANGEMENTS, BLACK, STONES
from brettwerk_games.rules.einstein.position import arranged

PATH = Path(__file__).with_name("setups.json")
"""The best set-ups against one by lot, best first, with their chances in percent: measured by measure/setups.py."""
_BEST = 6


@dataclass(frozen=True, slots=True)
class Measured:
    """A set-up and its chances in percent, when it moves first and when second."""

    stones: tuple[int, ...]
    first: float
    second: float


def measured(path: Path = PATH) -> tuple[Measured, ...]:
    """Return the set-ups of the file, best first. Raises OSError and what a file of another form raises."""
    rows = json.loads(path.read_text())["best"]
    return tuple(Measured(tuple(row["stones"]), row["first"], row["second"]) for row in rows)


def _reversed(numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Return a set-up with the numbers turned round, which changes no value."""
    return tuple(STONES + 1 - number for number in numbers)


GOOD = tuple(stones for one in measured()[:_BEST] for stones in (one.stones, _reversed(one.stones)))
"""The best six and their reverses: extreme numbers behind, middle ones in front (docs/einstein-player.md)."""


def side(numbers: tuple[int, ...]) -> int:
    """Return the side that stands on its start squares in the order of EWN-BOARD-3."""
    return side_of(arranged(BLACK, numbers))


ALL = {numbers: side(numbers) for numbers in ARRANGEMENTS}
"""All 720 as sides."""
