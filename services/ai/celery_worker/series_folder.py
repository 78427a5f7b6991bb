"""The folder in which the processes of a worker count, and what workers leave there that were killed.

A worker holds a lock in its folder, and so do the processes of its pool: a folder whose lock is free belongs to nobody any more.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

PREFIX = "brettwerk-worker-"
_LOCK = "lock"
_YOUNG_S = 60.0
"""A folder without a lock, so young, may be one that is just being made."""


@contextlib.contextmanager
def own_folder() -> Iterator[Path]:
    """Yield a new folder under the system's temporary folder; it is gone afterwards, and so is what dead workers left there."""
    remove_left_over()
    folder, lock = _made()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)
        remove_left_over()


def remove_left_over() -> None:
    """Remove the folders of dead workers of this user, however they died."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            if folder.lstat().st_uid == os.getuid() and not folder.is_symlink():
                _remove_if_left_over(folder)


def _made() -> tuple[Path, int]:
    """Return a new folder and the lock in it, which this process holds."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (folder / _LOCK).exists():
            return folder, lock
        os.close(lock)  # another worker has come upon it between the last two steps, and removed it


def _remove_if_left_over(folder: Path) -> None:
    """Remove a folder that belongs to nobody. Raises OSError where it belongs to somebody, or has gone."""
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR)
    except FileNotFoundError:  # just being made, or of a version that had no locks
        if time.time() - folder.lstat().st_mtime > _YOUNG_S and not any(map(_lives, folder.glob("*.db"))):
            shutil.rmtree(folder)
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder)  # under the lock: if it has just been made, its maker waits for that, and makes another
    finally:
        os.close(lock)


def _lives(series: Path) -> bool:
    """Return whether the process runs that counts in a file such as counter_4711.db."""
    number = series.stem.rpartition("_")[2]
    return number.isdecimal() and Path(f"/proc/{number}").exists() if Path("/proc").exists() else True
