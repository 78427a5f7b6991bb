"""The answering end of a link."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message

from brettwerk.v1 import errors_pb2
from services.runtime import limits, spans
from services.runtime.interceptor import internal
from services.runtime.link import bounds
from services.runtime.logs import logger
from services.runtime.refusal import Refused, malformed

log = logger(__name__)

_SLICE_S = 0.005
"""How long calls that are answered at once may keep the event loop in one go."""

C = TypeVar("C", bound=Message)
A = TypeVar("A", bound=Message)
B = TypeVar("B", bound=Message)
R = TypeVar("R", bound=Message)


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
            await asyncio.sleep(bounds.PACE_S)
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
                while self.open >= bounds.OPEN_CALLS:
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
        while self._outbox and len(batch) < bounds.BATCH:
            size = self._outbox[0].ByteSize()
            if size > bounds.CALL_BYTES:
                self._outbox[0] = self._too_large(self._outbox[0], size)
                continue
            total += size
            if batch and total > bounds.BATCH_BYTES:
                break
            batch.append(self._outbox.popleft())
        return batch

    def written(self, count: int) -> None:
        """Note that answers are on their way: there is room for as many calls."""
        self.open -= count
        self._has_room.set()

    def _begin(self, call: C) -> None:
        span = spans.begin(str(call.WhichOneof("request")), call.traceparent)  # type: ignore[attr-defined]
        try:
            limits.check(_request(call))
            answer = self._handle(call)
            if not isinstance(answer, Message):
                task = asyncio.create_task(self._finish(call, answer, span))
                self.running.add(task)
                task.add_done_callback(self.running.discard)
                return
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer
            answer = self._refused(call, error)
        span.end()
        self._put(call, answer)

    async def _finish(self, call: C, answer: Awaitable[A], span: spans.Span) -> None:
        try:
            finished = await answer
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer
            finished = self._refused(call, error)
        span.end()
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
