"""Gives back what a process took while it was busy, once it rests: after a crowd, half of its heap is holes."""

import asyncio
import gc
import time
from functools import cache

from services.runtime.heap import give_back

LOOK_S = 15.0
"""How often a process looks whether it has come to rest."""
REST_SHARE = 0.02
"""A process that used less of a core since its last look rests."""
BUSY_S = 0.5
"""CPU time after which there is something to give back again."""


class Rest:
    """Tells when a process has come to rest after it did something."""

    def __init__(self) -> None:
        self._looked_s, self._used_s = time.monotonic(), time.process_time()
        self._given_s = 0.0
        """The CPU time that the process had used when it rested last."""

    def has_begun(self) -> bool:
        """Return whether it rests since the last look, for the first time after it was busy."""
        looked_s, used_s = time.monotonic(), time.process_time()
        share = (used_s - self._used_s) / max(looked_s - self._looked_s, 0.001)
        self._looked_s, self._used_s = looked_s, used_s
        if share >= REST_SHARE or used_s - self._given_s < BUSY_S:
            return False
        self._given_s = used_s
        return True


@cache
def _of_process() -> Rest:
    """Return that of this process, which several services may ask."""
    return Rest()


async def give_back_at_rest() -> None:
    """Collect and give memory back whenever the process comes to rest, until cancelled."""
    while True:
        await asyncio.sleep(LOOK_S)
        if _of_process().has_begun():
            gc.collect()
            give_back()
