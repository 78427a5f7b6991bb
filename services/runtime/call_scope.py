"""The scope of an incoming call: each is traced, counted by its outcome, and explained if it fails, also as a status of gRPC."""

import time

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
