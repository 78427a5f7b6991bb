"""Many calls over one long stream: the cheap road between two services.

Whatever waits when the stream can be written goes out as one batch, so the cost of a hop is shared under load. A call on a
silent stream waits for nobody, one on a busy stream for PACE_S at most. The unary RPCs are the contract; a link carries the
same messages, each with an id. Calls have deadlines; calls, batches and what waits to be written are bounded. When the stream
breaks every open call is refused (UNAVAILABLE) and the next one opens it anew.

A stream also ends without breaking. A server that is about to stop sends an empty batch: the client then opens another stream
for new calls, and closes the old one when it has its answers. The client does the same by itself every RENEW_S seconds, so
that servers which came later get their share.
"""

import asyncio
import contextlib
import functools
import itertools
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextvars import Context
from typing import Any, Generic, TypeVar

import grpc
from google.protobuf.message import Message

from brettwerk.v1 import errors_pb2
from services.runtime import limits, trace
from services.runtime.channel import MESSAGE_BYTES
from services.runtime.interceptor import internal
from services.runtime.logs import logger
from services.runtime.refusal import Refused, malformed, unavailable

log = logger(__name__)

OPEN_CALLS = 4096
"""Open calls of a link; more are refused."""
BATCH = 512
"""Messages in a batch at most."""
BATCH_BYTES = 1024 * 1024
"""A batch that has grown to this size is sent without waiting for more."""
CALL_BYTES = MESSAGE_BYTES - 1024
"""A call or an answer may have this size alone in its batch."""
RENEW_S = 600.0
"""A client opens another stream after this time."""
LINGER_S = 120.0
"""How long a stream that is being left may take for its last answers."""
PACE_S = 0.002
"""How long a stream rests after it was written: one that was silent is written at once, a busy one a few hundred times a
second, with larger batches. Each message costs both ends and the kernel as much as carrying out a call."""
_SLICE_S = 0.005
"""How long calls that are answered at once may keep the event loop in one go."""


C = TypeVar("C", bound=Message)
A = TypeVar("A", bound=Message)
B = TypeVar("B", bound=Message)
R = TypeVar("R", bound=Message)


class LinkClient(Generic[C, A, B, R]):
    """The calling end. `method` is the stream-stream stub; `batch` makes its request of calls; `answers` reads its response."""

    def __init__(
        self,
        part: str,
        method: "Callable[..., grpc.aio.StreamStreamCall[B, R]]",
        batch: Callable[[Sequence[C]], B],
        answers: Callable[[R], Sequence[A]],
    ) -> None:
        self._part = part
        self._method = method
        self._batch = batch
        self._answers = answers
        self._ids = itertools.count(1)
        self._open = 0
        self._stream: _Stream[C, A, B, R] | None = None
        self._streams: set[_Stream[C, A, B, R]] = set()
        self._is_closed = False

    async def call(self, call: C, timeout: float) -> A:
        """Send a call (its id is set here) and return its answer.

        Raises Refused: what the other side refused, UNAVAILABLE when the stream broke, DEADLINE after `timeout` seconds, FULL
        when OPEN_CALLS are open, MALFORMED for a call of more than CALL_BYTES.
        """
        if self._is_closed:
            raise unavailable(self._part)
        if self._open >= OPEN_CALLS:
            raise Refused(errors_pb2.REASON_FULL, f"too many calls to the {self._part} are open", retry_after_ms=500)
        number = next(self._ids)
        call.id = number  # type: ignore[attr-defined]
        call.traceparent = trace.traceparent()  # type: ignore[attr-defined]
        size = call.ByteSize()
        if size > CALL_BYTES:
            raise malformed("", f"the call has {size} bytes, at most {CALL_BYTES} are allowed")
        self._open += 1
        stream = self._usable_stream()
        try:
            async with asyncio.timeout(timeout):
                answer = await stream.send(number, call, size)
        except TimeoutError:
            raise Refused(errors_pb2.REASON_DEADLINE, f"the {self._part} did not answer in time") from None
        finally:
            self._open -= 1
            stream.forget(number)
        if answer.WhichOneof("response") == "refusal":
            raise Refused.of(answer.refusal)  # type: ignore[attr-defined]
        return answer

    async def close(self) -> None:
        """End the streams; open calls and all further ones are refused."""
        self._is_closed = True
        await asyncio.gather(*(stream.stop() for stream in tuple(self._streams)))

    def _usable_stream(self) -> "_Stream[C, A, B, R]":
        stream = self._stream
        if stream is not None and stream.is_old():
            stream.leave()
        if stream is None or not stream.is_usable:
            stream = self._stream = _Stream(self._part, self._method, self._batch, self._answers)
            self._streams.add(stream)
            stream.runner.add_done_callback(functools.partial(self._ended, stream))
        return stream

    def _ended(self, stream: "_Stream[C, A, B, R]", _runner: "asyncio.Task[None]") -> None:
        self._streams.discard(stream)


class _Stream(Generic[C, A, B, R]):
    """One stream of a client, from its opening to its end."""

    def __init__(
        self,
        part: str,
        method: "Callable[..., grpc.aio.StreamStreamCall[B, R]]",
        batch: Callable[[Sequence[C]], B],
        answers: Callable[[R], Sequence[A]],
    ) -> None:
        self.is_usable = True
        self._part = part
        self._method = method
        self._batch = batch
        self._answers = answers
        self._began = time.monotonic()
        self._waiting: dict[int, asyncio.Future[A]] = {}
        self._outbox: dict[int, tuple[C, int]] = {}
        self._has_mail = asyncio.Event()
        self._has_answered = False
        # In a context of its own: the stream outlives the call, and the trace, that opens it.
        self.runner = asyncio.get_running_loop().create_task(self._run(), context=Context())

    def is_old(self) -> bool:
        """Return whether another stream should take its place."""
        return time.monotonic() - self._began > RENEW_S

    def send(self, number: int, call: C, size: int) -> "asyncio.Future[A]":
        """Queue a call and return the future of its answer."""
        future: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        self._outbox[number] = call, size
        self._has_mail.set()
        return future

    def forget(self, number: int) -> None:
        """Drop a call that has ended; it is not sent if it has not been yet."""
        self._waiting.pop(number, None)
        self._outbox.pop(number, None)

    def leave(self) -> None:
        """Take no more calls, and end when the open ones are answered."""
        if self.is_usable:
            self.is_usable = False
            self._has_mail.set()
            asyncio.get_running_loop().call_later(LINGER_S, self.runner.cancel)

    async def stop(self) -> None:
        """End now; open calls are refused."""
        self.runner.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.runner
        self._refuse_all()

    async def _run(self) -> None:
        stream: grpc.aio.StreamStreamCall[B, R] | None = None
        writer: asyncio.Task[None] | None = None
        try:
            stream = self._method(wait_for_ready=False)
            writer = asyncio.create_task(self._write(stream))
            writer.add_done_callback(self._writer_ended)
            async for response in stream:
                answers = self._answers(response)
                self._has_answered = True
                if not answers:
                    self.leave()
                for answer in answers:
                    future = self._waiting.get(answer.id)  # type: ignore[attr-defined]
                    if future is not None and not future.done():
                        future.set_result(answer)
        except grpc.RpcError as error:
            # While nobody is there every call tries to open a stream: only the loss of one that worked is news.
            (log.warning if self._has_answered else log.debug)("link broke", part=self._part, error=repr(error))
        except Exception as error:
            log.error("link failed", part=self._part, exc_info=error)
        finally:
            self.is_usable = False
            self._refuse_all()
            if stream is not None:
                stream.cancel()
            if writer is not None:
                writer.cancel()
                await asyncio.gather(writer, return_exceptions=True)

    def _writer_ended(self, writer: "asyncio.Task[None]") -> None:
        """End the stream when it can no longer be written, lest its calls wait for their deadlines."""
        if not writer.cancelled() and (error := writer.exception()) is not None:
            log.debug("link cannot be written", part=self._part, error=repr(error))
            self.runner.cancel()

    async def _write(self, stream: "grpc.aio.StreamStreamCall[B, R]") -> None:
        while self.is_usable or self._outbox:
            await self._has_mail.wait()
            if batch := self._next_batch():
                await stream.write(self._batch(batch))
            if not self._outbox and self.is_usable:
                self._has_mail.clear()
            await asyncio.sleep(PACE_S)
        await stream.done_writing()

    def _next_batch(self) -> list[C]:
        numbers: list[int] = []
        total = 0
        for number, (_, size) in itertools.islice(self._outbox.items(), BATCH):
            total += size
            if numbers and total > BATCH_BYTES:
                break
            numbers.append(number)
        return [self._outbox.pop(number)[0] for number in numbers]

    def _refuse_all(self) -> None:
        self._outbox.clear()
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(unavailable(self._part))


async def answer_link(
    requests: AsyncIterator[B],
    calls: Callable[[B], Sequence[C]],
    handle: Callable[[C], A | Awaitable[A]],
    refuse: Callable[[errors_pb2.Refusal], A],
    response: Callable[[Sequence[A]], R],
    leaving: asyncio.Event | None = None,
) -> AsyncIterator[R]:
    """Serve the other end: yield batches of answers as they are ready.

    Each call runs in its own trace; the bounds of its request are checked first. `handle` either returns the answer at once,
    or something to await, which runs in a task of its own. What it raises becomes a refusal. At most OPEN_CALLS are being
    answered or wait to be written: beyond that the stream is not read on, so the caller's queue fills and refuses.

    When `leaving` is set the client is told to go elsewhere, and the stream ends when it has done so. A stream that begins
    after that is refused (UNAVAILABLE); so is, as MALFORMED, one with a batch that breaks the contract's bounds.
    """
    if leaving is not None and leaving.is_set():
        raise Refused(errors_pb2.REASON_UNAVAILABLE, "this server is about to stop", retry_after_ms=1000)
    answering = _Answering(calls, handle, refuse)
    reader = asyncio.create_task(answering.read(requests))
    reader.add_done_callback(lambda _: answering.has_mail.set())
    farewell = asyncio.create_task(leaving.wait()) if leaving is not None else None
    if farewell is not None:
        farewell.add_done_callback(lambda _: answering.has_mail.set())
    try:
        while not (reader.done() and answering.open == 0):
            await answering.has_mail.wait()
            answering.has_mail.clear()
            if farewell is not None and farewell.done():
                farewell = None
                yield response(())
            while batch := answering.next_batch():
                yield response(batch)
                answering.written(len(batch))
            await asyncio.sleep(PACE_S)
        await reader
    finally:
        left = [task for task in (reader, farewell, *answering.running) if task is not None]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


class _Answering(Generic[C, A]):
    """The calls of one stream that are being answered, and the answers that wait to be written."""

    def __init__(
        self,
        calls: Callable[[Any], Sequence[C]],
        handle: Callable[[C], A | Awaitable[A]],
        refuse: Callable[[errors_pb2.Refusal], A],
    ) -> None:
        self.open = 0
        self.has_mail = asyncio.Event()
        self.running: set[asyncio.Task[None]] = set()
        self._calls = calls
        self._handle = handle
        self._refuse = refuse
        self._outbox: deque[A] = deque()
        self._has_room = asyncio.Event()

    async def read(self, requests: AsyncIterator[Any]) -> None:
        """Begin every call that comes, until the other side has no more."""
        async for request in requests:
            calls = self._calls(request)
            limits.check_own(request)
            began = time.perf_counter()
            for call in calls:
                while self.open >= OPEN_CALLS:
                    self._has_room.clear()
                    await self._has_room.wait()
                self.open += 1
                self._begin(call)
                if time.perf_counter() - began > _SLICE_S:
                    await asyncio.sleep(0)
                    began = time.perf_counter()

    def next_batch(self) -> list[A]:
        """Return the answers to write next."""
        batch: list[A] = []
        total = 0
        while self._outbox and len(batch) < BATCH:
            size = self._outbox[0].ByteSize()
            if size > CALL_BYTES:
                self._outbox[0] = self._too_large(self._outbox[0], size)
                continue
            total += size
            if batch and total > BATCH_BYTES:
                break
            batch.append(self._outbox.popleft())
        return batch

    def written(self, count: int) -> None:
        """Note that answers are on their way: there is room for as many calls."""
        self.open -= count
        self._has_room.set()

    def _begin(self, call: C) -> None:
        trace.begin(call.traceparent)  # type: ignore[attr-defined]
        try:
            limits.check(_request(call))
            answer = self._handle(call)
            if not isinstance(answer, Message):
                task = asyncio.create_task(self._finish(call, answer))
                self.running.add(task)
                task.add_done_callback(self.running.discard)
                return
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer
            answer = self._refused(call, error)
        self._put(call, answer)

    async def _finish(self, call: C, answer: Awaitable[A]) -> None:
        try:
            finished = await answer
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer
            finished = self._refused(call, error)
        self._put(call, finished)

    def _refused(self, call: C, error: Exception) -> A:
        if isinstance(error, Refused):
            return self._refuse(error.refusal)
        log.error("call failed", call=call.WhichOneof("request"), exc_info=error)
        return self._refuse(internal().refusal)

    def _too_large(self, answer: A, size: int) -> A:
        log.error("answer is too large", response=answer.WhichOneof("response"), size=size)
        refusal = self._refuse(internal().refusal)
        refusal.id = answer.id  # type: ignore[attr-defined]
        return refusal

    def _put(self, call: C, answer: A) -> None:
        answer.id = call.id  # type: ignore[attr-defined]
        self._outbox.append(answer)
        self.has_mail.set()


def _request(call: Message) -> Message:
    which = call.WhichOneof("request")
    if which is None:
        raise malformed("request", "the call has no request, or one that is not known here")
    request: Message = getattr(call, which)
    return request
