"""Endgame tables: where they are, and the building of those that somebody has asked for, beside everything else."""

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from deploy.local.options import IS_CHECKOUT, ROOT, program_name

FOLDER, STONES = "BRETTWERK_TABLES_FOLDER", "BRETTWERK_TABLES_STONES"
USUAL_STONES = 4
"""Up to so many stones workers build what is missing, in seconds."""
USUAL_BYTES = 25_000_000
"""The most bytes that those take."""
_END_S = 30.0
_BUILD = "brettwerk_games.players.einstein.tables"


def folder_of(data: Path) -> Path:
    """Return where tables are: all data folders of a checkout share them, and nothing is written where packages are installed."""
    return Path(os.environ.get(FOLDER) or (ROOT / "generated" / "tables" if IS_CHECKOUT else data.resolve() / "tables"))


def stones() -> int:
    """Return up to how many stones tables are built where no option says it; what the setting says wrongly, workers refuse."""
    said = os.environ.get(STONES, "")
    return int(said) if said.isascii() and said.isdecimal() else USUAL_STONES


@contextlib.contextmanager
def asked_for(folder: Path, stones: int, say: Callable[[str], None]) -> Iterator[None]:
    """Have tables of more than the usual stones built in a process of low priority, which ends at the latest with the context.

    Its messages go to `say`: size and time, how far it is, or why it cannot. Where nobody asks for so much, tables that are there
    from another time are mentioned, with the command that deletes them.
    """
    if stones <= USUAL_STONES:
        larger = sum(file.stat().st_size for file in folder.glob("*.table")) - USUAL_BYTES
        if larger > 0:
            say(f"{folder} has {larger / 1e6:,.0f} MB of large endgame tables: `{program_name('tables')} --delete` removes them")
        yield
        return
    building = subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-P", "-m", _BUILD, "--folder", str(folder), "--stones", str(stones), "--dying-with-parent"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for the launcher
        text=True,
        errors="replace",
    )
    assert building.stderr
    threading.Thread(target=_repeat, args=(building.stderr, say), name="tables", daemon=True).start()
    try:
        yield
    finally:
        building.terminate()
        try:
            building.wait(_END_S)
        except subprocess.TimeoutExpired:
            building.kill()
            building.wait()


def _repeat(output: IO[str], say: Callable[[str], None]) -> None:
    with output:
        for line in output:
            say(f"tables: {line.rstrip()}")
