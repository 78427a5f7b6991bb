"""Where the endgame tables of this machine are, and how large those are that are built: what the environment says.

The server's table of settings describes these variables and checks them when a process starts.
"""

import os
from pathlib import Path

FOLDER, STONES = "generated/tables", 4
"""Without a variable."""


def folder() -> Path:
    """Return the folder: BRETTWERK_TABLES_FOLDER."""
    return Path(os.environ.get("BRETTWERK_TABLES_FOLDER", FOLDER))


def stones() -> int:
    """Return up to how many stones missing tables are built: BRETTWERK_TABLES_STONES. Raises ValueError for no number."""
    return int(os.environ.get("BRETTWERK_TABLES_STONES", STONES))


def bound() -> int:
    """Return how many bytes all tables may take: BRETTWERK_TABLES_ROOM_MIB; 0: what the disk has.

    Raises ValueError for no number.
    """
    return int(os.environ.get("BRETTWERK_TABLES_ROOM_MIB") or 0) << 20
