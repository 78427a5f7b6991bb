"""The answering end of a link: one stream of calls, from its opening to its end, and the methods that it calls.

What generated code registers is a method here, which says how its calls are read, answered and counted.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import grpc
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError, Message

from brettwerk.internal.v1 import link_pb2
from brettwerk.v1 import errors_pb2
from grpc_http2 import Call, Stream
from grpc_http2.status import Headers
from services.runtime import limits, metrics, trace, wire
from services.runtime.call_scope import explained, status_of, traced
from services.runtime.inner_calls import offered
from services.runtime.link import bounds
from services.runtime.logs import logger
from services.runtime.refusal import Refused, internal, malformed
from services.runtime.tasks import EagerCall

F = TypeVar("F", bound=Callable[..., Any])
_AT_ONCE = "is_answered_at_once"
_EAGER = "is_eager"
_OK, _CANCELLED = grpc.StatusCode.OK.name, grpc.StatusCode.CANCELLED.name
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


log = logger(__name__)

_SWEEP_S = 0.25


class ServerStream:
    """Carries out the calls that come over a stream, and sends the answers of a tick together."""

    def __init__(self, methods: Mapping[str, Method], shards: link_pb2.Shards | None = None) -> None:
        """Take the methods of the service that the caller may call, and what to announce first about what is owned here."""
        self._methods = methods
        self._shards = shards
        """The shards to announce as owned here; None once that was done."""
        self._stream: Stream | None = None
        self._todo: deque[link_pb2.LinkCall] = deque()
        """Calls that have arrived but not begun: there are too many, or they wait for the next tick."""
        self._running: dict[int, tuple[asyncio.Task[None] | EagerCall, float]] = {}
        """Calls that await something, and when their callers give up."""
        self._send_queue: deque[link_pb2.LinkAnswer] = deque()
        self._unsent = 0
        self._is_due = False
        self._is_going_on = False
        self._has_ended = False
        self._is_leaving = False
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, stream: Stream) -> None:
        """Answer over this stream."""
        self._stream = stream
        if self._shards is not None:
            self._schedule_flush()

    def announce(self, shards: link_pb2.Shards) -> None:
        """Announce to the caller what is owned here, before all answers that have not been sent yet."""
        self._shards = shards
        self._schedule_flush()

    def leave(self) -> None:
        """Tell the caller to send further calls elsewhere."""
        if self._stream is not None and not self._is_leaving:
            self._is_leaving = True
            self._stream.send(b"")

    @property
    def is_idle(self) -> bool:
        """Whether no call is open."""
        return not (self._running or self._todo or self._send_queue)

    # The events of the stream.

    def message(self, data: bytes) -> None:
        """Begin the calls of a batch. A batch that exceeds the contract's bounds ends the stream."""
        try:
            if len(data) > _COUNTED_BYTES:
                wire.check(data, link_pb2.OpenRequest.DESCRIPTOR)
            batch = link_pb2.OpenRequest.FromString(data)
            limits.check_own(batch)
        except Refused as refused:
            self._end(refused)
            return
        except DecodeError:
            self._end(malformed("", "the message is not an OpenRequest"))
            return
        for number in batch.given_up[:]:  # a walk over the field itself ends in an exception
            self._cancel(number)
        self._todo.extend(batch.calls[:])
        if not self._is_going_on:
            self._go_on()

    def flush_pending(self) -> None:
        """Send waiting answers, as far as the caller accepts them."""
        self._is_due = False
        stream = self._stream
        if stream is None:
            return
        if self._shards is not None and not stream.is_full:
            stream.send(link_pb2.OpenResponse(shards=self._shards).SerializeToString())
            self._shards = None
        while self._send_queue and not stream.is_full:
            batch: list[link_pb2.LinkAnswer] = []
            size = 0
            while self._send_queue and len(batch) < bounds.BATCH:
                more = len(self._send_queue[0].response)
                if batch and size + more > bounds.BATCH_BYTES:
                    break
                size += more
                batch.append(self._send_queue.popleft())
            self._unsent -= size
            stream.send(link_pb2.OpenResponse(answers=batch).SerializeToString())
        if self._todo and not self._is_going_on:
            self._go_on()
        self._end_if_done()

    def ended(self, headers: Headers | None) -> None:
        """The caller has no more calls."""
        self._has_ended = True
        self._end_if_done()

    def broken(self, why: str) -> None:
        """The caller is gone."""
        self._stream = None
        self._todo.clear()
        self._send_queue.clear()
        if self._timer is not None:
            self._timer.cancel()
        for number in list(self._running):
            self._cancel(number)

    # Calls.

    def _go_on(self) -> None:
        """Begin waiting calls, for a slice of time, while there is room for the answers."""
        self._is_going_on = False
        stream = self._stream
        if stream is None:
            return
        until = time.perf_counter() + bounds.SLICE_S
        while self._todo:
            if len(self._running) + len(self._send_queue) >= bounds.OPEN_CALLS or self._unsent > bounds.UNSENT_BYTES:
                stream.hold()  # it goes on when answers were sent
                return
            self._begin(self._todo.popleft())
            if time.perf_counter() > until and self._todo:
                stream.hold()
                self._is_going_on = True
                asyncio.get_running_loop().call_soon(self._go_on)
                return
        stream.release()

    def _begin(self, call: link_pb2.LinkCall) -> None:
        began = time.perf_counter()
        method = self._methods.get(call.method)
        span = trace.begin_span("unknown" if method is None else method.name, call.traceparent)
        try:
            if method is None:
                raise Refused(errors_pb2.REASON_NO_SUCH_METHOD, f"there is no method {call.method} here")
            request = method.read(call.request)
            if not method.is_at_once or len(call.request) > limits.LARGE_BYTES:
                self._run(call, method, request, span, began)
                return
            method.check(request)
            response = _stepped(method, request)
            answer = self._written(call.id, method, response)
            code = _OK
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer
            answer, code = self._refused(call, error)
        span.end(code)
        if method is not None:
            method.count(code, began)
        answer.cpu_us = int((time.perf_counter() - began) * 1e6)
        self._put(answer)

    def _run(self, call: link_pb2.LinkCall, method: Method, request: Message, span: trace.Span, began: float) -> None:
        """Carry a call out, in its own task unless the method is eager."""
        work = self._awaited(call, method, request, span, began)
        running = EagerCall(work) if method.is_eager else asyncio.get_running_loop().create_task(work)
        if isinstance(running, EagerCall) and running.is_over:
            return
        loop = asyncio.get_running_loop()
        self._running[call.id] = running, loop.time() + call.timeout_ms / 1000 if call.timeout_ms else float("inf")
        if self._timer is None:
            self._timer = loop.call_later(_SWEEP_S, self._sweep)

    async def _awaited(self, call: link_pb2.LinkCall, method: Method, request: Message, span: trace.Span, began: float) -> None:
        answer: link_pb2.LinkAnswer | None = None
        code = _CANCELLED
        try:
            if len(call.request) > limits.LARGE_BYTES:
                await asyncio.to_thread(method.check, request)
            else:
                method.check(request)
            answer = self._written(call.id, method, await method.handle(request, None))
            code = _OK
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer
            answer, code = self._refused(call, error)
        finally:
            self._running.pop(call.id, None)
            span.end(code)
            method.count(code, began)
            if answer is not None:
                self._put(answer)

    def _written(self, number: int, method: Method, response: Any) -> link_pb2.LinkAnswer:
        data = method.write(response)
        if len(data) > bounds.CALL_BYTES:
            log.error("answer is too large", method=method.name, size=len(data))
            return link_pb2.LinkAnswer(id=number, refusal=internal().refusal)
        return link_pb2.LinkAnswer(id=number, response=data)

    def _refused(self, call: link_pb2.LinkCall, error: Exception) -> tuple[link_pb2.LinkAnswer, str]:
        refused = traced(explained(error, call.method))
        answer = link_pb2.LinkAnswer(id=call.id, refusal=refused.refusal, cpu_us=int(refused.spent_s * 1e6))
        return answer, refused.code.name

    def _put(self, answer: link_pb2.LinkAnswer) -> None:
        if self._stream is not None:
            self._send_queue.append(answer)
            self._unsent += len(answer.response)
            self._schedule_flush()

    def _schedule_flush(self) -> None:
        if not self._is_due and self._stream is not None:
            self._is_due = True
            self._stream.schedule_flush()

    def _sweep(self) -> None:
        """Abandon calls whose callers have given up."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for number, (_, until) in list(self._running.items()):
            if until <= now:
                self._cancel(number)
        self._timer = loop.call_later(_SWEEP_S, self._sweep) if self._running else None

    def _cancel(self, number: int) -> None:
        """Abandon a call. A task that is cancelled before its first step takes none, so it cannot clean up after itself."""
        running = self._running.pop(number, None)
        if running is not None:
            running[0].cancel()
            self._schedule_flush()  # there is room for another call

    def _end_if_done(self) -> None:
        if self._has_ended and self.is_idle and self._stream is not None:
            self._end(None)

    def _end(self, refused: Refused | None) -> None:
        stream = self._stream
        if stream is not None:
            self.broken("it has ended")
            stream.finish(status_of(refused).trailers())


def _stepped(method: Method, request: Message) -> Any:
    """Return the result of a method that awaits nothing."""
    coroutine: Any = method.handle(request, None)
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    coroutine.close()
    raise RuntimeError(f"{method.name} is marked `at_once`, and awaits something")
