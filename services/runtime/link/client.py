"""The calling end of a link."""

import asyncio
import contextlib
import functools
import itertools
import time
from collections.abc import Callable, Sequence
from contextvars import Context
from typing import Generic, TypeVar

import grpc
from google.protobuf.message import Message

from brettwerk.v1 import errors_pb2
from services.runtime import trace
from services.runtime.link import bounds
from services.runtime.logs import logger
from services.runtime.refusal import Refused, is_newer, malformed, unavailable

log = logger(__name__)

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
        other: "Callable[..., grpc.aio.StreamStreamCall[B, R]] | None" = None,
        is_passed_on: Callable[[A], bool] = lambda _answer: False,
    ) -> None:
        """`other` is the stub by which other servers than the usual one are reached; without it, they are by the same.

        `is_passed_on` tells whether an answer that is no refusal of the link's own holds one as from an older release.
        """
        self._part = part
        self._method = method
        self._other_method = other or method
        self._batch = batch
        self._answers = answers
        self._is_passed_on = is_passed_on
        self._ids = itertools.count(1)
        self._open = 0
        self._stream: _Stream[C, A, B, R] | None = None
        self._other: _Stream[C, A, B, R] | None = None
        """Where calls go that the server of the usual stream passes on."""
        self._streams: set[_Stream[C, A, B, R]] = set()
        self._is_closed = False

    async def call(self, call: C, timeout: float, *, elsewhere: bool = False) -> A:
        """Send a call (its id is set here) and return its answer.

        `elsewhere`: over another stream than the usual one, which leads to the next server of those that the channel knows. When
        that server, too, refuses it as one of an older release (`newer` in the details), the next such call goes to the one
        after it.

        Raises Refused: what the other side refused, UNAVAILABLE when the stream broke, DEADLINE after `timeout` seconds, FULL
        when OPEN_CALLS are open, MALFORMED for a call of more than CALL_BYTES.
        """
        if self._is_closed:
            raise unavailable(self._part)
        if self._open >= bounds.OPEN_CALLS:
            raise Refused(errors_pb2.REASON_FULL, f"too many calls to the {self._part} are open", retry_after_ms=500)
        number = next(self._ids)
        call.id = number  # type: ignore[attr-defined]
        call.traceparent = trace.traceparent()  # type: ignore[attr-defined]
        size = call.ByteSize()
        if size > bounds.CALL_BYTES:
            raise malformed("", f"the call has {size} bytes, at most {bounds.CALL_BYTES} are allowed")
        self._open += 1
        stream = self._usable_stream(elsewhere=elsewhere)
        waiting = stream.send(number, call, size)
        # asyncio.timeout would cost six times as much, for every call.
        timer = asyncio.get_running_loop().call_later(timeout, self._give_up, waiting)
        try:
            answer = await waiting
        finally:
            timer.cancel()
            self._open -= 1
            stream.forget(number)
        if answer.WhichOneof("response") == "refusal":
            refusal: errors_pb2.Refusal = answer.refusal  # type: ignore[attr-defined]
            if elsewhere and is_newer(refusal):
                stream.leave()
            raise Refused.of(refusal)
        if elsewhere and self._is_passed_on(answer):
            stream.leave()
        return answer

    async def close(self) -> None:
        """End the streams; open calls and all further ones are refused."""
        self._is_closed = True
        await asyncio.gather(*(stream.stop() for stream in tuple(self._streams)))

    def _give_up(self, waiting: "asyncio.Future[A]") -> None:
        if not waiting.done():
            waiting.set_exception(Refused(errors_pb2.REASON_DEADLINE, f"the {self._part} did not answer in time"))

    def _usable_stream(self, *, elsewhere: bool) -> "_Stream[C, A, B, R]":
        stream = self._other if elsewhere else self._stream
        if stream is not None and stream.is_old():
            stream.leave()
        if stream is None or not stream.is_usable:
            method = self._other_method if elsewhere else self._method
            stream = _Stream(self._part, method, self._batch, self._answers)
            if elsewhere:
                self._other = stream
            else:
                self._stream = stream
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
        return time.monotonic() - self._began > bounds.RENEW_S

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
            asyncio.get_running_loop().call_later(bounds.LINGER_S, self.runner.cancel)

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
            await asyncio.sleep(bounds.PACE_S)
        await stream.done_writing()

    def _next_batch(self) -> list[C]:
        numbers: list[int] = []
        total = 0
        for number, (_, size) in itertools.islice(self._outbox.items(), bounds.BATCH):
            total += size
            if numbers and total > bounds.BATCH_BYTES:
                break
            numbers.append(number)
        return [self._outbox.pop(number)[0] for number in numbers]

    def _refuse_all(self) -> None:
        self._outbox.clear()
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(unavailable(self._part))
