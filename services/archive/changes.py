"""Whether a database may have changed, found out without asking it: an SQLite file and its log say when they were written last.

A loop that looks for work in a database has to look often, since any process may have left some. At rest none does, and to look
at two files takes microseconds where a query takes a millisecond of a thread. PostgreSQL says nothing of the kind: there is
always work.
"""

import os
import time
from collections.abc import Callable

from sqlalchemy import Engine

UNSETTLED_S = 2.0
"""A row that was written so lately may be seen only in a moment: the disk still has to have it, and times of files are coarse."""
AT_LEAST_S = 30.0
"""How often there is work at any rate: whatever a file system thinks of times, nothing waits for longer."""
_FILES = ("", "-wal")

_Stat = tuple[int, int] | None


class Changes:
    """The changes of a database that one caller has seen; each has its own."""

    def __init__(self, engine: Engine, now: Callable[[], float] = time.time) -> None:
        url = engine.url
        path = url.database if url.get_backend_name() == "sqlite" else None
        self._paths = [path + suffix for suffix in _FILES] if path else []
        self._now = now
        self._seen: list[_Stat] = []
        self._looked_s = float("-inf")

    def may_have_come(self) -> bool:
        """Return whether anything may have been written since this last returned True; the caller looks then, at once."""
        now = self._now()
        found = [_stat(path) for path in self._paths]
        is_old = bool(self._paths) and all(stat is None or now - stat[0] / 1e9 > UNSETTLED_S for stat in found)
        if is_old and found == self._seen and 0 <= now - self._looked_s < AT_LEAST_S:
            return False
        self._seen, self._looked_s = found, now
        return True


def _stat(path: str) -> _Stat:
    """Return when a file was written last, in nanoseconds since 1970, and its size; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
