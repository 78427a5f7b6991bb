"""Ending tasks so that they really end, and futures with a result.

A task may forget that it was cancelled. redis-py sends under `asyncio.wait_for`, which in Python 3.11 drops a cancellation that
comes at the moment it is done (CPython issue 86296): a loop that asks Redis then goes on, and waiting for its end takes forever.
"""

import asyncio
from typing import Any, TypeVar

T = TypeVar("T")

AGAIN_S = 1.0
"""A task that is still running after this time is cancelled again; a regular end takes less."""


async def ended(*tasks: "asyncio.Task[Any]", again_s: float = AGAIN_S) -> None:
    """Cancel tasks and return when all have ended; their exceptions stay with them."""
    waiting = set(tasks)
    while waiting:
        for task in waiting:
            task.cancel()
        done, waiting = await asyncio.wait(waiting, timeout=again_s)
        for task in done:
            if not task.cancelled():
                task.exception()  # retrieved, so that asyncio does not complain


def end(future: "asyncio.Future[T]", outcome: T | Exception) -> None:
    """End a future with a result, or with an exception. If it has been cancelled, nothing happens."""
    if future.done():
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
