"""The lock of a folder of tables: one process at a time builds or deletes there, and says in the lock's file how far it is."""

import contextlib
import fcntl
import os
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_SAID = struct.Struct("=IQQd")
"""Stones, positions filled and all positions of a table, and the seconds since it was begun."""


class Busy(Exception):
    """Another process is building in this folder."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a build is."""

    stones: int
    """Of the table that is being filled."""
    share: float
    """How much of it is, from 0 to 1."""
    left_s: float
    """In how many seconds it is done, going on like this; 0 while that is not known."""


class Hold:
    """The lock, held."""

    def __init__(self, lock: int) -> None:
        """Take the descriptor of the lock's file."""
        self._lock = lock
        self._stones, self._began = 0, 0.0

    def note(self, stones: int, done: int, total: int) -> None:
        """Say how many positions of a table are filled."""
        if stones != self._stones:
            self._stones, self._began = stones, time.monotonic()
        os.pwrite(self._lock, _SAID.pack(stones, done, total, time.monotonic() - self._began), 0)


@contextlib.contextmanager
def locked(folder: Path, *, wait: bool = True) -> Iterator[Hold]:
    """Hold the folder's lock and yield it; it ends with the process.

    Raises Busy unless it is to wait, OSError for a read-only folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o666)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            raise Busy(str(folder)) from None
        os.ftruncate(lock, 0)
        yield Hold(lock)
    finally:
        os.close(lock)


def under_way(folder: Path) -> Progress | None:
    """Return how far the build is that is under way in a folder, by whatever process; None where there is none."""
    try:
        lock = os.open(folder / "lock", os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        said = os.pread(lock, _SAID.size, 0)
    else:
        return None
    finally:
        os.close(lock)
    if len(said) < _SAID.size:
        return None
    stones, done, total, spent_s = _SAID.unpack(said)
    return Progress(stones, done / total, spent_s * (total - done) / done if done else 0.0)
