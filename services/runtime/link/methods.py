"""The methods that a server of links offers: what generated code registers, and how calls are read, answered and counted."""

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import grpc
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError, Message

from grpc_http2 import Call
from services.runtime import limits, metrics, trace, wire
from services.runtime.method_names import offered
from services.runtime.refusal import malformed

F = TypeVar("F", bound=Callable[..., Any])
_AT_ONCE = "is_answered_at_once"
_EAGER = "is_eager"
_COUNTED_BYTES = 2 * limits.MESSAGES
"""No message takes less than two bytes, so a smaller request cannot hold more of them than any may."""


def eager(method: F) -> F:
    """Mark and return a method of a servicer whose usual calls wait for links and writes only: they need no task (EagerCall).

    The part before its first await must not need a current task, as `asyncio.timeout` does.
    """
    setattr(method, _EAGER, True)
    return method


def at_once(method: F) -> F:
    """Mark and return a method of a servicer that awaits nothing: its calls need no task."""
    setattr(method, _AT_ONCE, True)
    return method


class Method:
    """A unary method."""

    __slots__ = ("_descriptor", "_read", "_service", "handle", "is_at_once", "is_eager", "name", "write")

    def __init__(self, service: str, name: str, handler: Any) -> None:
        """Take the short name of the service, for metrics, and what generated code has registered."""
        self.name = name
        self.handle: Callable[[Any, None], Awaitable[Any]] = handler.unary_unary
        self.write: Callable[[Any], bytes] = handler.response_serializer
        self.is_at_once: bool = getattr(handler.unary_unary, _AT_ONCE, False)
        self.is_eager: bool = getattr(handler.unary_unary, _EAGER, False)
        self._service = service
        self._read: Callable[[bytes], Message] = handler.request_deserializer
        # Generated code registers `Request.FromString`, which is bound to its type.
        self._descriptor: Descriptor = getattr(handler.request_deserializer, "__self__").DESCRIPTOR  # noqa: B009

    def read(self, data: bytes) -> Message:
        """Return the request. Raises Refused (MALFORMED) for bytes that are none, or hold too many messages."""
        if len(data) > _COUNTED_BYTES:
            wire.check(data, self._descriptor)
        try:
            return self._read(data)
        except DecodeError:
            raise malformed("", f"the message is not a {self._descriptor.name}") from None

    def check(self, request: Message) -> None:
        """Return when the request keeps its bounds. Raises Refused (MALFORMED)."""
        limits.check_call(self.name, request)

    def count(self, code: str, began: float) -> None:
        """Count a call that began at `began` (time.perf_counter)."""
        metrics.CALLS.of(self._service, self.name, code).add(time.perf_counter() - began)


class Methods:
    """A server's methods. Generated code calls `add_registered_method_handlers`; a grpcio server takes the same servicers."""

    def __init__(self, service: str) -> None:
        """Take the short name of the service (session)."""
        self.service = service
        self.services: set[str] = set()
        """The full names of what is offered (brettwerk.v1.SessionService)."""
        self.unary: dict[str, dict[str, Method]] = {}
        """By the service and the path."""
        self.streams: dict[str, Any] = {}
        """Handlers of streams in both directions, by path."""

    def add_generic_rpc_handlers(self, handlers: object) -> None:
        """Do nothing: what comes this way comes by `add_registered_method_handlers`, too."""

    def add_registered_method_handlers(self, service: str, handlers: "Mapping[str, grpc.RpcMethodHandler[Any, Any]]") -> None:
        """Offer the methods of a service, by all names that it has on the wire."""
        for service_name in offered(service):
            self.services.add(service_name)
            unary = self.unary.setdefault(service_name, {})
            for name, handler in handlers.items():
                path = f"/{service_name}/{name}"
                if handler.request_streaming and handler.response_streaming:
                    self.streams[path] = handler
                elif not handler.request_streaming and not handler.response_streaming:
                    unary[path] = Method(self.service, name, handler)


def answer_stream(handler: Any, traceparent: str) -> Callable[[Call], Awaitable[None]]:
    """Return what answers a long stream by the handler that generated code has registered, as a part of its caller's trace.

    Its method gets no context, as none does over links, and may yield messages or what is encoded already.
    """
    write: Callable[[Any], bytes] = handler.response_serializer

    def respond(requests: Any, _call: Any) -> Any:
        return handler.stream_stream(requests, None)

    def encoded(response: Any) -> bytes:
        return response if isinstance(response, bytes) else write(response)

    over_link = grpc.stream_stream_rpc_method_handler(respond, handler.request_deserializer, encoded)

    async def run(call: Call) -> None:
        trace.begin(traceparent)
        await call.serve(over_link)

    return run


def count_stream(service: str, call: Call) -> None:
    """Count a long stream that is over, by its outcome; `service` is the short name of the service."""
    code = grpc.StatusCode.CANCELLED if call.status is None else call.status.code
    metrics.CALLS.of(service, call.path.rpartition("/")[2], code.name).add_stream()
