"""Full disks: the data folder lies on a small file system in memory, which is filled for a while."""

import asyncio
import contextlib
import os
import random
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from loadtests.chaos.judgement import Loss

MEGABYTES = 40
GROWTH = 0.5
"""Megabytes a second that are left for what a long run writes."""
MOMENT_S = 0.5
"""Actions acknowledged so shortly before or after the disk became full may be in Redis' memory only."""
WRITTEN_S = 3.0
"""How soon Redis has written it once there is room again: it tries once a second."""


@contextlib.contextmanager
def small_disk(folder: Path, seconds: float) -> Iterator[str]:
    """Mount a small file system at a folder. Yields why that is not possible, or nothing when it was."""
    folder.mkdir(parents=True, exist_ok=True)
    size = int(MEGABYTES + GROWTH * seconds)
    try:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}m,mode=700", "chaos", str(folder)], check=True, capture_output=True)  # fmt: skip # noqa: E501, S603, S607
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", b"") or str(error).encode()
        yield f"no file system can be mounted: {said.decode(errors='replace').strip()} (run it as root)"
        return
    try:
        yield ""
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)  # noqa: S603, S607


class FullDisk:
    """Fills the file system of a folder, and makes room again."""

    name = "disk"

    def __init__(
        self,
        folder: Path,
        dice: random.Random,
        redis_pid: Callable[[], int],
        losses: list[Loss],
        min_s: float = 4.0,
        max_s: float = 12.0,
    ) -> None:
        """`redis_pid` tells Redis' process (0 while there is none); a moment that may be lost is added to `losses`."""
        self._file = folder / "filler"
        self._dice, self._min_s, self._max_s = dice, min_s, max_s
        self._redis_pid, self._losses = redis_pid, losses
        self._full: asyncio.Task[None] | None = None

    async def strike(self) -> str:
        """Fill it."""
        if self._full and not self._full.done():
            return "the disk is full already"
        seconds = self._dice.uniform(self._min_s, self._max_s)
        pid, begin_s = self._redis_pid(), time.monotonic()
        await asyncio.to_thread(fill, self._file)
        moment = Loss(begin_s - MOMENT_S, time.monotonic() + MOMENT_S)
        self._full = asyncio.create_task(self._free_after(seconds, pid, moment))
        return f"disk full for {seconds:.0f} s"

    async def heal(self) -> None:
        """Return when there is room, and what could not be written is."""
        if self._full:
            await self._full

    async def _free_after(self, seconds: float, pid: int, moment: Loss) -> None:
        """Make room after a time, and watch whether Redis ends before it has written what it acknowledged as it became full."""
        until_s = time.monotonic() + seconds
        is_lost = False
        try:
            while time.monotonic() < until_s + WRITTEN_S:
                if not is_lost and self._redis_pid() != pid:
                    is_lost = True
                    self._losses.append(moment)
                if time.monotonic() >= until_s:
                    self._file.unlink(missing_ok=True)
                await asyncio.sleep(0.1)
        finally:
            self._file.unlink(missing_ok=True)


def fill(file: Path) -> None:
    """Write a file until there is no room for a byte more."""
    with file.open("ab", buffering=0) as writer:
        for size in (1 << 20, 1 << 12, 1):
            piece = bytes(size)
            with contextlib.suppress(OSError):
                while writer.write(piece) == size:
                    pass
        os.fsync(writer.fileno())
