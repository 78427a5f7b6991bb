"""Copies the databases in SQLite beside the running games, proves that each copy is whole, and gives the backup its name.

    python databases.py FOLDER_OF_BACKUPS HOW_MANY_TO_KEEP [DATABASE...]

The games were copied before: one that ends meanwhile is in both, never in neither.
"""

import contextlib
import shutil
import sqlite3
import sys
from datetime import UTC, datetime
from pathlib import Path


def copy(source: Path, target: Path) -> int:
    """Copy a database while it is in use; returns how many rows were read back.

    Raises sqlite3.Error when the copy is not whole.
    """
    with (
        contextlib.closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True, timeout=30)) as database,
        contextlib.closing(sqlite3.connect(target)) as made,
    ):
        database.backup(made)
    with contextlib.closing(sqlite3.connect(f"{target.as_uri()}?mode=ro", uri=True)) as made:
        (answer,) = made.execute("PRAGMA integrity_check").fetchone()
        if answer != "ok":
            raise sqlite3.DatabaseError(f"the copy of {source} is damaged: {answer}")
        tables = [name for (name,) in made.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return sum(int(made.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]) for name in tables)  # noqa: S608 - its own


def finish(backups: Path, keep: int) -> Path:
    """Name the unfinished backup after the time, and remove all but the newest ones; returns where it is."""
    finished = backups / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    (backups / "unfinished").rename(finished)
    for old in sorted(path for path in backups.glob("*Z") if path.is_dir())[:-keep]:
        shutil.rmtree(old)
    return finished


def main(backups: Path, keep: int, databases: list[Path]) -> None:
    """Copy every database that is there, and finish the backup that holds the games already."""
    for source in databases:
        if source.exists():
            print(f"{source.name}: {copy(source, backups / 'unfinished' / source.name)} rows were read back from the copy")
        else:
            print(f"{source.name}: not there yet")
    print(f"backup: {finish(backups, keep)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), [Path(name) for name in sys.argv[3:]])
