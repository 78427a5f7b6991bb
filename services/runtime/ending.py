"""Ending tasks so that they do end, and futures with what came of something.

A task may forget that it was cancelled. redis-py sends under `asyncio.wait_for`, which in Python 3.11 drops a cancellation that
comes in the moment when it is done (CPython issue 86296): a loop that asks Redis then goes on, and who waits for its end waits
for ever.
"""

import asyncio
from typing import Any, TypeVar

T = TypeVar("T")

AGAIN_S = 1.0
"""After so long a task that still runs is cancelled once more; ending in order takes less."""


async def ended(*tasks: "asyncio.Task[Any]", again_s: float = AGAIN_S) -> None:
    """Cancel tasks and return when all have ended; what they raise stays with them."""
    waiting = set(tasks)
    while waiting:
        for task in waiting:
            task.cancel()
        done, waiting = await asyncio.wait(waiting, timeout=again_s)
        for task in done:
            if not task.cancelled():
                task.exception()  # asked for, so that asyncio does not complain that nobody did


def end(future: "asyncio.Future[T]", outcome: T | Exception) -> None:
    """End a future with what came of something, or with why nothing did. It may have been given up: then nothing happens."""
    if future.done():
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
