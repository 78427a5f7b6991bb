"""Gives back what a process took while it was busy, once it rests: after a crowd, half of its heap is holes."""

import asyncio
import gc
import time

from services.runtime.heap import give_back

LOOK_S = 15.0
"""How often a process looks whether it rests."""
REST_SHARE = 0.02
"""A process that used less of a core since its last look rests."""
GIVES = (1, 3)
"""At which looks in a row that find it at rest it gives back: at once, and when caches have forgotten what nobody asks for."""


class Rest:
    """For how long a process has rested."""

    def __init__(self) -> None:
        self._looked_s, self._used_s = time.monotonic(), time.process_time()
        self._looks = 0

    def look(self) -> int:
        """Return how many looks in a row, this one included, have found it at rest."""
        looked_s, used_s = time.monotonic(), time.process_time()
        is_busy = used_s - self._used_s >= REST_SHARE * (looked_s - self._looked_s)
        self._looked_s, self._used_s = looked_s, used_s
        self._looks = 0 if is_busy else self._looks + 1
        return self._looks


async def give_back_at_rest() -> None:
    """Collect and give memory back when the process has come to rest, each time that it does, until cancelled."""
    rest = Rest()
    while True:
        await asyncio.sleep(LOOK_S)
        if rest.look() in GIVES:
            gc.collect()
            give_back()
