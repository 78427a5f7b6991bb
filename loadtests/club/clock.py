"""The simulated clock of all processes of a deployment: a library (clock.c) moves what the system's clock says.

Only the time of day is moved, and nothing of the product knows of it. Clocks that count on (CLOCK_MONOTONIC) go as they do, and
with them all pauses and deadlines of calls: a jump is a moment in which nothing happens to anybody.
"""

import mmap
import shutil
import struct
import subprocess
import time
from pathlib import Path

import redis

from services.sharding.shards import SHARDS, shard_key

PROCESSES = ("redis", "rules", "session", "ai", "worker", "players", "gateway")
"""The processes that have its time."""
_SOURCE = Path(__file__).parent / "clock.c"
_AHEAD_MS = 1_500
_MS_NS = 1_000_000


def compiler() -> str:
    """Return the path of the C compiler, which makes the library; empty where there is none."""
    return shutil.which("cc") or ""


class Clock:
    """The clock. It only goes forward."""

    def __init__(self, folder: Path) -> None:
        """Begin at the time that it is, with a file in a folder."""
        self._folder, self._ahead_ms = folder, 0
        self._file = folder / "clock"
        self._file.write_bytes(bytes(8))
        with self._file.open("r+b") as file:
            self._mapped = mmap.mmap(file.fileno(), 8)

    def environments(self) -> dict[str, dict[str, str]]:
        """Return the settings of each process that has its time from here. Raises RuntimeError without a C compiler."""
        library, command = self._folder / "clock.so", compiler()
        if not command:
            raise RuntimeError("there is no C compiler: apt-get install gcc")
        making = [command, "-O2", "-shared", "-fPIC", "-o", str(library), str(_SOURCE), "-ldl"]
        subprocess.run(making, check=True)  # noqa: S603 - sources of ours
        return {name: {"LD_PRELOAD": str(library), "SIMULATED_CLOCK": str(self._file)} for name in PROCESSES}

    def now_ms(self) -> int:
        """Return the time, in milliseconds since 1970."""
        return time.time_ns() // _MS_NS + self._ahead_ms

    def jump(self, to_ms: int, store: redis.Redis | None = None) -> None:
        """Set the clock to a moment, if that is to come.

        For the owner of a shard a jump would be a silence, whose time it gives back to all clocks of games: in `store` it is
        noted that there was none.
        """
        now_ms = self.now_ms()
        if to_ms <= now_ms:
            return
        if store is not None:
            noting = store.pipeline(transaction=False)
            for shard in range(SHARDS):
                noting.set(shard_key(shard, "swept"), to_ms + _AHEAD_MS)
            noting.execute()
        self._ahead_ms += to_ms - now_ms
        self._mapped[:] = struct.pack("q", self._ahead_ms * _MS_NS)
