"""The cost of a call: the CPU time that is spent on it here and in the services that it asks.

The event loop's time is measured step by step, so that what others do while a call waits is not counted as its own. It is read
off the monotonic clock: a thread's CPU time has to be asked of the kernel, at ten times the cost, and is the same for short ones.
"""

import time
from collections.abc import Awaitable, Generator
from contextvars import ContextVar
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Spent:
    """The CPU seconds of one call, and who is to be charged for them."""

    __slots__ = ("caller", "seconds")

    def __init__(self, caller: str = "") -> None:
        self.caller = caller
        self.seconds = 0.0

    def here(self) -> "_Here":
        """Return a block in which what other processes and services spend counts; what is spent here does not."""
        return _Here(self)


class _Here:
    """A block; `contextlib` would make a generator and two more objects for each call."""

    __slots__ = ("_spent", "_token")

    def __init__(self, spent: Spent) -> None:
        self._spent = spent

    def __enter__(self) -> None:
        self._token = _current.set(self._spent)

    def __exit__(self, *_exception: object) -> None:
        _current.reset(self._token)


_current: ContextVar[Spent | None] = ContextVar("spent", default=None)


def add(seconds: float) -> None:
    """Count CPU time that another process or service spent on the call that runs here, if one is measured."""
    spent = _current.get()
    if spent is not None:
        spent.seconds += seconds


def measured() -> Spent | None:
    """Return what the call that runs here is charged to, if it is measured."""
    return _current.get()


def caller() -> str:
    """Return who is charged for the call that runs here; empty when nobody is."""
    spent = _current.get()
    return "" if spent is None else spent.caller


class Measured(Generic[T]):
    """Awaits something and counts the time of its steps: `answer = await Measured(coroutine, spent)`."""

    __slots__ = ("_spent", "_work")

    def __init__(self, work: Awaitable[T], spent: Spent) -> None:
        self._work = work
        self._spent = spent

    def __await__(self) -> Generator[Any, Any, T]:
        """Yield what the work waits for, and return its result."""
        token = _current.set(self._spent)
        steps = self._work.__await__()
        send: Any = None
        error: BaseException | None = None
        try:
            while True:
                began = time.perf_counter()
                try:
                    waits_for = steps.send(send) if error is None else steps.throw(error)
                except StopIteration as end:
                    result: T = end.value
                    return result
                finally:
                    self._spent.seconds += time.perf_counter() - began
                send = error = None
                try:
                    send = yield waits_for
                except BaseException as thrown:  # noqa: BLE001 - the work decides what becomes of it, a cancellation included
                    error = thrown
        finally:
            _current.reset(token)
            steps.close()
