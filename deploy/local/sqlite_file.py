"""A database of SQLite that may be damaged: whether it is whole, and a new one made of what can be read of it."""

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

_FIRST, _LAST = -(2**63), 2**63 - 1
"""Rowids."""
_MAX_BYTES = 2**40


def damage_of(file: Path, *, quick: bool = False) -> str:
    """Return what is wrong with a database that nobody uses, in SQLite's words; nothing if it is whole.

    `quick` leaves out whether indexes have what their tables have, which takes several times as long.
    """
    try:
        with contextlib.closing(sqlite3.connect(file, timeout=30)) as database:
            (found,) = database.execute("PRAGMA quick_check(1)" if quick else "PRAGMA integrity_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if found == "ok" else " ".join(str(found).split())


def rescue(damaged: Path, fresh: Path) -> dict[str, int | None]:
    """Make a new database of what can be read of a damaged one; returns how many rows of each table are lost, if any.

    None where nobody can say how many there were. A damaged one that was cut off is filled with zeros.
    Raises sqlite3.DatabaseError when it cannot be read at all.
    """
    lost: dict[str, int | None] = {}
    with contextlib.closing(sqlite3.connect(fresh, isolation_level=None)) as database:
        _lengthen(damaged)
        database.execute("ATTACH ? AS damaged", (str(damaged),))
        made = database.execute("SELECT type, name, sql FROM damaged.sqlite_master WHERE sql IS NOT NULL").fetchall()
        if not made:
            raise sqlite3.DatabaseError("nothing of it can be read")
        (version,) = database.execute("PRAGMA damaged.user_version").fetchone()
        database.execute(f"PRAGMA main.user_version = {int(version)}")
        tables = [(name, sql) for kind, name, sql in made if kind == "table" and not name.startswith("sqlite_")]
        for name, sql in tables:
            database.execute(sql)
            if not _copy(database, name):
                lost[name] = _missing(database, name)
        for kind, _, sql in made:
            if kind != "table":
                database.execute(sql)
    return lost


def _lengthen(file: Path) -> None:
    """Give a database that was cut off the length that its header says: else SQLite reads nothing of it."""
    with file.open("r+b") as database:
        header = database.read(32)
        page_size = int.from_bytes(header[16:18], "big")
        whole = (65536 if page_size == 1 else page_size) * int.from_bytes(header[28:32], "big")
        if file.stat().st_size < whole <= _MAX_BYTES:
            database.truncate(whole)


def _copy(database: sqlite3.Connection, table: str) -> bool:
    """Copy the rows of a table as far as they can be read; returns whether all could be."""

    def takes(first: int, last: int) -> bool:
        """Copy the rows with these rowids, or none if one of them cannot be read."""
        with contextlib.suppress(sqlite3.DatabaseError):
            database.execute(
                f'INSERT OR IGNORE INTO main."{table}" SELECT * FROM damaged."{table}" WHERE rowid BETWEEN ? AND ?',  # noqa: S608
                (first, last),
            )
            return True
        return False

    if takes(_FIRST, _LAST):
        return True
    takes(_FIRST, 0)
    at, step = 1, 1024
    while at <= _LAST:
        if takes(at, min(at + step - 1, _LAST)):
            at, step = at + step, step * 2
        elif step > 1:
            step = max(step // 4, 1)
        else:
            at = _next(at, lambda rowid: takes(rowid, rowid))
    return False


def _next(lost: int, takes: Callable[[int], bool]) -> int:
    """Return the first rowid after a lost one where something can be read again; beyond the last where nothing can."""
    jump = 1
    while lost + jump <= _LAST and not takes(lost + jump):
        jump *= 2
    if lost + jump > _LAST:
        return _LAST + 1
    low, high = lost + jump // 2, lost + jump
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if takes(middle) else (middle, high)
    return high


def _missing(database: sqlite3.Connection, table: str) -> int | None:
    """Return how many rows of a table were not copied, which an index of the damaged database may still say."""
    with contextlib.suppress(sqlite3.DatabaseError):
        (there,) = database.execute(f'SELECT count(*) FROM damaged."{table}"').fetchone()  # noqa: S608 - its own name
        (copied,) = database.execute(f'SELECT count(*) FROM main."{table}"').fetchone()  # noqa: S608
        return int(there) - int(copied)
    return None
