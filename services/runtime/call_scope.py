"""The scope of an incoming call: it is traced, counted by its outcome, explained if it fails, and its CPU time is measured.

That is the time which is spent on a call here and in the services that it asks. The event loop's is measured step by step, so
that nothing is counted which others do while the call waits. It is read off the monotonic clock: a thread's CPU time has to be
asked of the kernel, at ten times the cost, and is the same for short ones.
"""

import time
from collections.abc import Awaitable, Generator
from contextvars import ContextVar
from typing import Any, Generic, TypeVar

import grpc

from brettwerk.v1 import errors_pb2
from grpc_http2 import CallError
from grpc_http2.status import DETAILS, Headers, Status, status_in
from services.runtime import metrics, trace
from services.runtime.logs import logger
from services.runtime.refusal import Refused, cut, internal, of_status, status_details

log = logger(__name__)

_REASONS = {
    grpc.StatusCode.INVALID_ARGUMENT: errors_pb2.REASON_MALFORMED,
    grpc.StatusCode.RESOURCE_EXHAUSTED: errors_pb2.REASON_FULL,
    grpc.StatusCode.UNAVAILABLE: errors_pb2.REASON_UNAVAILABLE,
}
"""Why a server of gRPC ends a call by itself."""


class Entry:
    """A call that has come in. It is over when it has ended or failed."""

    __slots__ = ("_began", "_service", "_span", "name")

    def __init__(self, service: str, name: str = "unknown") -> None:
        """Take the short name of the service and that of the method, by which it is counted."""
        self.name = name
        self._service = service
        self._began = time.perf_counter()
        self._span = trace.NO_SPAN

    def trace(self, name: str, parent: str = "") -> None:
        """Continue a caller's trace, or begin one, with a step of this name."""
        self._span = trace.begin_span(name, parent)

    def end(self, code: str = "OK", *, is_counted: bool = True) -> None:
        """Note its outcome, as a gRPC code."""
        self._span.end(code)
        if is_counted:
            metrics.CALLS.of(self._service, self.name, code).add(time.perf_counter() - self._began, self._span.trace_id)

    def fail(self, error: BaseException) -> Refused:
        """End it, and return the refusal that the error is (`explained`)."""
        refused = explained(error, self.name)
        self.end(refused.code.name)
        return refused


def explained(error: BaseException, what: str) -> Refused:
    """Return an error as a refusal: itself, what gRPC refuses, or a fault of ours, which is logged with `what` failed."""
    if isinstance(error, Refused):
        return error.alone()
    if isinstance(error, CallError) and (reason := _REASONS.get(error.status.code)) is not None:
        retry_after_ms = 0 if reason == errors_pb2.REASON_MALFORMED else 1000
        return Refused(reason, error.status.message, retry_after_ms=retry_after_ms)
    log.error("call failed", method=what, exc_info=error)
    return internal()


def traced(refused: Refused) -> Refused:
    """Return the refusal with the current trace, if it was made outside one."""
    if not refused.refusal.trace_id:
        refused.refusal.trace_id = trace.trace_id()
    return refused


_MESSAGE_BYTES = 300
"""More of a sentence is not sent beside the refusal itself: it is sent percent-encoded."""


def status_of(refused: Refused | None) -> Status:
    """Return the status of a call that went well, or was refused."""
    if refused is None:
        return Status()
    message = cut(refused.refusal.message, _MESSAGE_BYTES)
    return Status(refused.code, message, ((DETAILS, status_details(refused.refusal)),))


def status_of_error(error: Exception, path: str) -> Status:
    """Return the status of a call of this path that has failed (`explained`)."""
    return status_of(explained(error, path))


def refusal_in(headers: Headers | None, service: str) -> Refused | None:
    """Return what the headers with which a service has ended a call say; None when it went well."""
    status = status_in(headers)
    return None if status.code is grpc.StatusCode.OK else of_status(status.code, status.details, service)


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


def add_cpu(seconds: float) -> None:
    """Count CPU time that another process or service spent on the call that runs here, if one is measured."""
    spent = _current.get()
    if spent is not None:
        spent.seconds += seconds


def charged() -> Spent | None:
    """Return what the call that runs here is charged to, if it is measured."""
    return _current.get()


def charged_caller() -> str:
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
