"""Calls that run without a task: from one answer to the next, in the moment when it comes.

A task costs the loop a round for its beginning and one for each answer that it awaits. An `EagerCall` takes the first steps of a
coroutine where it is made, and the next ones where the `PromptFuture` that it awaits gets its result. Python 3.12 has eager tasks
for the first half of that; this works with 3.11, and for both halves. A coroutine that awaits anything else goes on in a task, so
that the same one runs with and without waiting.
"""

import asyncio
import types
from collections.abc import Callable, Coroutine, Generator
from contextvars import copy_context
from typing import Any, TypeVar

from services.runtime.logs import logger

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
