"""Power cuts: Redis is killed, and what it wrote in the last second is not on the disk."""

import asyncio
import random
import time
from pathlib import Path

from loadtests.chaos.judgement import Loss
from loadtests.chaos.system import System

MAX_BYTES = 30_000
SYNCED_S = 1.0
"""`appendfsync everysec`: what is older is on the disk."""


class PowerCut:
    """Takes the end off the append-only file, never more than was written within the last second: so the setting promises."""

    name = "power"

    def __init__(self, system: System, dice: random.Random, losses: list[Loss]) -> None:
        self._system, self._dice, self._losses = system, dice, losses

    async def strike(self) -> str:
        """Cut the power; return when Redis is started again."""
        folder = self._system.folder / "redis"
        before = _newest(folder)
        synced = before.stat().st_size if before else 0
        mark_s = time.monotonic()
        await asyncio.sleep(SYNCED_S)
        cut = 0

        def take() -> None:
            nonlocal cut
            file = _newest(folder)
            if file is not None:
                size = file.stat().st_size
                unsynced = size - synced if file == before else 0
                cut = self._dice.randint(0, max(0, min(MAX_BYTES, unsynced)))
                with file.open("r+b") as writer:
                    writer.truncate(size - cut)
            self._losses.append(Loss(mark_s - 0.1, time.monotonic()))

        await asyncio.to_thread(self._system.deployment.restart, "redis", take)
        return f"power cut: {cut} bytes lost"

    async def heal(self) -> None:
        """Return when Redis runs."""
        await asyncio.to_thread(self._system.deployment.wait, "redis")


def _newest(folder: Path) -> Path | None:
    """Return the part of the append-only file that is being written."""
    files = list(folder.glob("appendonlydir/*.incr.aof"))
    return max(files, key=lambda file: int(file.name.split(".")[-3]), default=None)
