"""Calls that run without a task, tasks that really end, and a lock for each key: asyncio has none of them.

A task costs the loop a round for its beginning and one for each answer that it awaits. An `EagerCall` takes the first steps of a
coroutine where it is made, and the next ones where the `PromptFuture` that it awaits gets its result. Python 3.12 has eager tasks
for the first half of that; this works with 3.11, and for both halves. A coroutine that awaits anything else goes on in a task, so
that the same one runs with and without waiting.

A task may forget that it was cancelled. redis-py sends under `asyncio.wait_for`, which in Python 3.11 drops a cancellation that
comes at the moment it is done (CPython issue 86296): a loop that asks Redis then goes on, and waiting for its end takes forever.
`ended` cancels until it has ended.
"""

import asyncio
import types
import weakref
from collections.abc import Awaitable, Callable, Coroutine, Generator, Hashable
from contextvars import copy_context
from typing import Any, TypeVar

from services.runtime.logs import logger
from services.runtime.refusal import Refused

T = TypeVar("T")
log = logger(__name__)


class PromptFuture(asyncio.Future[T]):
    """A future that tells one listener of its result at once: others that await it are woken by the loop's next round."""

    __slots__ = ("listener",)

    def __init__(self, *, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop=loop)
        self.listener: Callable[[Any], None] | None = None

    def tell(self, listener: Callable[[Any], None]) -> None:
        """Call the listener with this future when it ends: with a result in that moment, otherwise soon after."""
        if self.done():
            self.get_loop().call_soon(listener, self)
        else:
            self.listener = listener

    def set_result(self, result: T) -> None:
        """End with a result."""
        super().set_result(result)
        listener, self.listener = self.listener, None  # which may know this future: one would keep the other
        if listener is not None:
            try:
                listener(self)
            except Exception as error:  # the same message may have ended other futures
                log.error("a result was not taken", exc_info=error)

    def set_exception(self, exception: Any) -> None:
        """End with an exception."""
        super().set_exception(exception)
        self._tell_soon()

    def cancel(self, msg: Any | None = None) -> bool:
        """Cancel it. Returns whether it was open."""
        is_cancelled = super().cancel(msg)
        if is_cancelled:
            self._tell_soon()
        return is_cancelled

    def _tell_soon(self) -> None:
        listener, self.listener = self.listener, None
        if listener is not None:
            self.get_loop().call_soon(listener, self)


class EagerCall:
    """Runs a coroutine, in a task only from where it awaits something else than a PromptFuture.

    Before that it has no current task: `asyncio.timeout` (see `ends_within`) and task groups need one, locks and events do not.
    It handles its own exceptions; what it lets out is logged.
    """

    __slots__ = ("_context", "_steps", "_task", "_waits_for", "is_over")

    def __init__(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin: the first steps are taken before this returns, in a copy of the caller's context."""
        self.is_over = False
        """Whether it has returned, failed, or was cancelled."""
        self._steps = work
        self._context = copy_context()
        self._waits_for: PromptFuture[Any] | None = None
        self._task: asyncio.Task[None] | None = None
        self._step()

    def cancel(self) -> None:
        """Raise CancelledError where it waits, and cancel what it waits for, as `Task.cancel` does."""
        if self._task is not None:
            # Not before its first step: the coroutine would never hear of it.
            self._task.get_loop().call_soon(self._task.cancel)
        elif (future := self._waits_for) is not None:
            future.listener = None
            future.cancel()
            self._step()

    def _step(self, _ended: PromptFuture[Any] | None = None) -> None:
        """Go on to the next thing that is not there yet. The result that has come is read by the coroutine itself."""
        self._waits_for = None
        try:
            waits_for = self._context.run(self._steps.send, None)
        except (StopIteration, asyncio.CancelledError):
            self.is_over = True
        except Exception as error:
            self.is_over = True
            log.error("a call failed without an answer", exc_info=error)
        else:
            if isinstance(waits_for, PromptFuture) and waits_for.listener is None:
                waits_for._asyncio_future_blocking = False  # as a task notes that it has understood
                self._waits_for = waits_for
                waits_for.tell(self._step)
            else:
                rest = _rest(self._steps, waits_for)
                self._task = asyncio.get_running_loop().create_task(rest, context=self._context)
                self._task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self.is_over = True
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a call failed without an answer", exc_info=error)


async def ends_within(timeout_s: float, work: Coroutine[Any, Any, object]) -> bool:
    """Return whether something ends in time; it is cancelled if not. Unlike `asyncio.timeout` this needs no current task.

    Raises what the work raises.
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait((task,), timeout=timeout_s)
    finally:
        task.cancel()  # does nothing to one that has ended
    if not task.done():
        return False
    task.result()
    return True


async def _rest(steps: Coroutine[Any, Any, T], waits_for: Any) -> T:
    """Take the remaining steps of a coroutine, which waits for something already."""
    return await _steps_from(steps, waits_for)


@types.coroutine
def _steps_from(steps: Coroutine[Any, Any, T], waits_for: Any) -> Generator[Any, Any, T]:
    try:
        while True:
            try:
                sent = yield waits_for
            except BaseException as thrown:  # noqa: BLE001 - the coroutine decides what becomes of it, a cancellation included
                waits_for = steps.throw(thrown)
            else:
                waits_for = steps.send(sent)
    except StopIteration as end:
        result: T = end.value
        return result


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


class KeyLocks:
    """Locks by key: there is one as long as somebody holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()

    def of(self, key: str) -> asyncio.Lock:
        """Return the lock of a key."""
        return self._locks.setdefault(key, asyncio.Lock())
