"""Tasks beside what has begun them, ending tasks so that they really end, and futures with a result.

A task may forget that it was cancelled. redis-py sends under `asyncio.wait_for`, which in Python 3.11 drops a cancellation that
comes at the moment it is done (CPython issue 86296): a loop that asks Redis then goes on, and waiting for its end takes forever.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from typing import Any, TypeVar

from services.runtime.logs import logger
from services.runtime.refusal import Refused

log = logger(__name__)
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


class TaskSet:
    """Tasks that nobody awaits: each is kept until it has ended, and known by its key if it was given one."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}

    def __len__(self) -> int:
        return len(self._tasks)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._tasks

    def start(self, work: Coroutine[Any, Any, None], key: Hashable = None) -> None:
        """Let a task run. Of each key there must be only one at a time."""
        task = asyncio.create_task(work)
        named = task if key is None else key
        self._tasks[named] = task
        task.add_done_callback(lambda _: self._tasks.pop(named, None))

    async def idle(self) -> None:
        """Return when no task runs any more, however each has ended."""
        while self._tasks:
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def end(self) -> None:
        """Cancel all tasks, and return when they have ended."""
        await ended(*self._tasks.values())


async def repeat(work: Callable[[], Awaitable[object]], every_s: float, complaint: str) -> None:
    """Do something again and again, with a pause of some seconds before each time, until cancelled.

    After a refusal it simply goes on: the store is down then, and its client has logged that. Other errors are logged.
    """
    while True:
        await asyncio.sleep(every_s)
        try:
            await work()
        except Refused:
            pass
        except Exception as error:
            log.error(complaint, exc_info=error)


def end(future: "asyncio.Future[T]", outcome: T | Exception) -> None:
    """End a future with a result, or with an exception. If it has been cancelled, nothing happens."""
    if future.done():
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
