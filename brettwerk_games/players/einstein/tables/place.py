"""Where the endgame tables of this machine are, and how large those are that are built: what the environment says.

The server's table of settings describes both variables and checks them when a process starts.
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
