"""Many calls over one long stream: the cheap road between two services.

Whatever waits when the stream can be written goes out as one batch, so the cost of a hop is shared under load and no call
waits for company. The unary RPCs are the contract; a link carries the same messages, each with an id. Calls have
deadlines, the number of open calls is bounded, and when the stream breaks every open call is refused (UNAVAILABLE) and
the next one opens it anew.
"""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Generic, TypeVar

import grpc
from google.protobuf.message import Message

from brettwerk.v1 import errors_pb2
from services.runtime import limits, trace
from services.runtime.interceptor import internal
from services.runtime.logs import logger
from services.runtime.refusal import Refused, unavailable

log = logger(__name__)

OPEN_CALLS = 4096
"""Open calls of a link; more are refused."""
BATCH = 512
"""Messages in a batch at most."""


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
        self._waiting: dict[int, asyncio.Future[A]] = {}
        self._outbox: list[C] = []
        self._has_mail = asyncio.Event()
        self._runner: asyncio.Task[None] | None = None

    async def call(self, call: C, timeout: float) -> A:
        """Send a call (its id is set here) and return its answer.

        Raises Refused: what the other side refused, UNAVAILABLE when the stream broke, DEADLINE after `timeout` seconds.
        """
        if len(self._waiting) >= OPEN_CALLS:
            raise Refused(errors_pb2.REASON_FULL, f"too many calls to the {self._part} are open", retry_after_ms=500)
        number = next(self._ids)
        call.id = number  # type: ignore[attr-defined]
        call.traceparent = trace.traceparent()  # type: ignore[attr-defined]
        if self._runner is None or self._runner.done():
            self._runner = asyncio.create_task(self._run())
        future: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        self._outbox.append(call)
        self._has_mail.set()
        try:
            async with asyncio.timeout(timeout):
                answer = await future
        except TimeoutError:
            raise Refused(errors_pb2.REASON_DEADLINE, f"the {self._part} did not answer in time") from None
        finally:
            self._waiting.pop(number, None)
        if answer.WhichOneof("response") == "refusal":
            raise Refused.of(answer.refusal)  # type: ignore[attr-defined]
        return answer

    async def close(self) -> None:
        """End the stream; open calls are refused."""
        if self._runner is not None:
            self._runner.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._runner
        self._refuse_all()

    async def _run(self) -> None:
        stream = self._method(wait_for_ready=False)
        writer = asyncio.create_task(self._write(stream))
        try:
            async for response in stream:
                for answer in self._answers(response):
                    future = self._waiting.get(answer.id)  # type: ignore[attr-defined]
                    if future is not None and not future.done():
                        future.set_result(answer)
        except grpc.RpcError as error:
            log.debug("link broke", part=self._part, error=repr(error))
        finally:
            writer.cancel()
            stream.cancel()
            with contextlib.suppress(asyncio.CancelledError, grpc.RpcError, asyncio.InvalidStateError):
                await writer
            self._runner = None
            self._refuse_all()

    async def _write(self, stream: "grpc.aio.StreamStreamCall[B, R]") -> None:
        while True:
            await self._has_mail.wait()
            batch, self._outbox = self._outbox[:BATCH], self._outbox[BATCH:]
            if not self._outbox:
                self._has_mail.clear()
            await stream.write(self._batch(batch))

    def _refuse_all(self) -> None:
        self._outbox.clear()
        self._has_mail.clear()
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(unavailable(self._part))


async def answer_link(
    requests: AsyncIterator[B],
    calls: Callable[[B], Sequence[C]],
    handle: Callable[[C], Awaitable[A]],
    refuse: Callable[[errors_pb2.Refusal], A],
    response: Callable[[Sequence[A]], R],
) -> AsyncIterator[R]:
    """Serve the other end: yield batches of answers as they are ready.

    Each call runs in a task of its own and in its own trace; its bounds are checked first. What `handle` raises becomes a
    refusal. At most OPEN_CALLS run at once: beyond that the stream is not read on, so the caller's queue fills and refuses.
    """
    outbox: list[A] = []
    has_mail = asyncio.Event()
    room = asyncio.Semaphore(OPEN_CALLS)
    running: set[asyncio.Task[None]] = set()

    async def one(call: C) -> None:
        trace.begin(call.traceparent)  # type: ignore[attr-defined]
        try:
            limits.check(call)
            answer = await handle(call)
        except Refused as refused:
            answer = refuse(refused.refusal)
        except Exception as error:
            log.error("call failed", call=call.WhichOneof("request"), exc_info=error)
            answer = refuse(internal().refusal)
        finally:
            room.release()
        answer.id = call.id  # type: ignore[attr-defined]
        outbox.append(answer)
        has_mail.set()

    async def read() -> None:
        async for request in requests:
            for call in calls(request):
                await room.acquire()
                task = asyncio.create_task(one(call))
                running.add(task)
                task.add_done_callback(running.discard)

    reader = asyncio.create_task(read())
    reader.add_done_callback(lambda _: has_mail.set())
    try:
        while not (reader.done() and not running and not outbox):
            await has_mail.wait()
            has_mail.clear()
            while outbox:
                batch, outbox[:] = outbox[:BATCH], outbox[BATCH:]
                yield response(batch)
            if reader.done() and running:
                await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                has_mail.set()
    finally:
        reader.cancel()
        for task in running:
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError, grpc.RpcError):
            await reader
