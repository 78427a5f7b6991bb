"""The disk of the deployment: the size of its append-only file, databases and logs; and a disk of a size of its own."""

import contextlib
import os
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_MEMORY = "/dev/shm"  # noqa: S108 - a temporary folder is made in it


@dataclass(frozen=True, slots=True)
class OnDisk:
    """Bytes."""

    store: int
    databases: int
    logs: int
    whole: int
    """Of the whole folder."""

    @classmethod
    def of(cls, data: Path) -> "OnDisk":
        """Return what a data folder has now."""

        def size(*patterns: str) -> int:
            total = 0
            for pattern in patterns:
                for file in data.glob(pattern):
                    with contextlib.suppress(FileNotFoundError):  # a file that was replaced meanwhile
                        total += file.stat().st_size if file.is_file() else 0
            return total

        return cls(size("redis/appendonlydir/*"), size("*.sqlite3*"), size("logs/*"), size("**/*"))


def checkpoint(data: Path) -> None:
    """Have what is in the databases' logs of writes go into their files."""
    for database in data.glob("*.sqlite3"):
        with contextlib.closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


@contextlib.contextmanager
def small(folder: Path, megabytes: int) -> Iterator[Path]:
    """Yield a folder on a disk of that size; for 0 in memory, where that can be, since it is not the disk that is simulated.

    Raises RuntimeError where none can be mounted.
    """
    if not megabytes:
        with tempfile.TemporaryDirectory(
            prefix="brettwerk-", dir=_MEMORY if os.access(_MEMORY, os.W_OK) else folder.parent
        ) as own:
            yield Path(own)
        return
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:  # noqa: S603
        raise RuntimeError("no disk can be mounted: run it as root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], capture_output=True, check=False)  # noqa: S603, S607
