"""The engine of this process: one for all players, with the tables that there are.

New ones are taken when they appear, and those that somebody has deleted are let go, so that their room on the disk is free.
"""

import time
from pathlib import Path

import brettwerk_games.players.einstein.kernels.search as kernel
from brettwerk_games.players.einstein.evaluation import evaluation
from brettwerk_games.players.einstein.kernels.search import Engine
from brettwerk_games.players.einstein.layout import layout
from brettwerk_games.players.einstein.tables import place
from brettwerk_games.players.einstein.tables.files import open_tables, path_of

COMPILED = not str(kernel.__file__).endswith(".py")
"""Whether the kernels run at full speed."""
PACE = 20_000 if COMPILED else 50
"""Positions between two looks at the clock: some milliseconds."""
SLOTS_LOG2 = 19 if COMPILED else 12
"""How many positions are remembered, as a power of two: 8 MB. It pays in a long look; 100 ms are too short for it."""
_LOOK_S = 5.0
"""How often to look whether there are others now."""


class Opened:
    """An engine and the folder of its tables."""

    def __init__(self, folder: Path | None, slots_log2: int = SLOTS_LOG2) -> None:
        """Open it with the tables that are in the folder (none is fine) and room for 2 ** slots_log2 positions met."""
        self._folder = folder
        self._tables = open_tables(folder) if folder is not None else {}
        self._looked = time.monotonic()
        self.engine = Engine(layout(), evaluation(), self._tables, slots_log2)

    @property
    def reach(self) -> int:
        """Up to how many stones everything is known."""
        return max(self._tables, default=0)

    def refresh(self) -> None:
        """Take tables that have appeared, and let go of those that are deleted."""
        if self._folder is None or time.monotonic() < self._looked + _LOOK_S:
            return
        self._looked = time.monotonic()
        has_more = path_of(self._folder, max(self.reach, 1) + 1).exists()
        has_less = bool(self.reach) and not path_of(self._folder, self.reach).exists()
        if (has_more or has_less) and len(found := open_tables(self._folder)) != len(self._tables):
            self._tables = found
            self.engine.take_tables(found)


_opened: list[Opened] = []


def opened() -> Opened:
    """Return this process's engine, opened with the first call; not to be used by two threads at once."""
    if not _opened:
        _opened.append(Opened(place.folder()))
    _opened[0].refresh()
    return _opened[0]
