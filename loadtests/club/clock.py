"""The simulated clock of all processes of a deployment: libfaketime reads it from a file, so nothing of the product knows of it.

Only the time of day is moved. Clocks that count on (CLOCK_MONOTONIC) go as they do, and with them all pauses and deadlines of
calls: a jump is a moment in which nothing happens to anybody.
"""

import os
import time
from pathlib import Path

import redis

from services.sharding.shards import SHARDS, shard_key

LIBRARIES = (
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib64/faketime/libfaketimeMT.so.1",
)
"""Where distributions put it (Debian: apt-get install libfaketime)."""
PROCESSES = ("redis", "rules", "session", "ai", "players", "gateway")
"""The processes that have its time; the worker has nothing to do, and libfaketime ends its sleeping threads (0.9.10)."""
_AHEAD_MS = 1_500


def library() -> str:
    """Return the path of libfaketime; empty where it is not installed."""
    return next((path for path in LIBRARIES if Path(path).exists()), "")


class Clock:
    """The clock. It only goes forward."""

    def __init__(self, folder: Path) -> None:
        """Begin at the time that it is, with a file in a folder."""
        self._file = folder / "clock"
        self._offset_s = 0
        self._write()

    def environments(self) -> dict[str, dict[str, str]]:
        """Return the settings of each process that has its time from here. Raises RuntimeError without libfaketime."""
        found = library()
        if not found:
            raise RuntimeError("libfaketime is not installed: apt-get install libfaketime")
        own = {
            "LD_PRELOAD": found,
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_DISABLE_SHM": "1",
            "NO_FAKE_STAT": "1",
        }
        return {name: dict(own) for name in PROCESSES}

    def now_ms(self) -> int:
        """Return the time, in milliseconds since 1970."""
        return time.time_ns() // 1_000_000 + self._offset_s * 1000

    def jump(self, to_ms: int, store: redis.Redis | None = None) -> None:
        """Set the clock to a moment, if that is to come.

        For the owner of a shard a jump would be a silence, whose time it gives back to all clocks of games: in `store` it is
        noted that there was none.
        """
        now_ms = self.now_ms()
        if to_ms <= now_ms:
            return
        if store is not None:
            for shard in range(SHARDS):
                store.set(shard_key(shard, "swept"), to_ms + _AHEAD_MS)
        self._offset_s += -((now_ms - to_ms) // 1000)
        self._write()

    def _write(self) -> None:
        new = self._file.with_suffix(".new")
        new.write_text(f"+{self._offset_s}\n")
        os.replace(new, self._file)
