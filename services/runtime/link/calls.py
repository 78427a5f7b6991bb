"""The open calls of a channel: what they wait for, and how they end if nobody answers.

Unary calls are counted here and go out in batches; a long call has a stream of its own, for messages in both directions.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import grpc

from brettwerk.v1 import errors_pb2
from grpc_http2 import Inbox, Stream
from grpc_http2.status import Headers, timeout_header
from services.runtime import call_scope, trace
from services.runtime.call_scope import refusal_in
from services.runtime.link import bounds
from services.runtime.link.addresses import Place
from services.runtime.refusal import Refused, malformed, unavailable
from services.runtime.tasks import PromptFuture

if TYPE_CHECKING:
    from services.runtime.link.link import Link


@dataclass(frozen=True, slots=True)
class Moved:
    """A server has said that it does not own the shard of a call."""

    link: "Link"
    epoch: int
    """The epoch with which it claimed the shard when it was asked; -1: it did not claim it."""
    count: int
    """How often that has happened to the call."""


class Pending(PromptFuture[Any]):
    """The future response of a call. Its exceptions are Refused; cancelling it abandons the call."""

    __slots__ = (
        "asked",
        "calls",
        "epoch",
        "is_ownerless",
        "is_sent",
        "link",
        "looks_left",
        "method",
        "moved",
        "number",
        "read",
        "request",
        "shard",
        "spent",
        "traceparent",
        "until",
    )

    def __init__(
        self,
        calls: "OpenCalls",
        loop: asyncio.AbstractEventLoop,
        method: str,
        request: bytes,
        read: Callable[[bytes], Any],
        shard: int | None,
    ) -> None:
        super().__init__(loop=loop)
        self.calls = calls
        self.number = 0
        self.method = method
        self.request = request
        self.read = read
        self.until = 0.0
        self.looks_left = round(calls.time_left_s(loop.time()) / bounds.SWEEP_S)
        """How often it may be found without a server before it is refused. Not a time: after a busy loop there may be servers."""
        self.link: Link | None = None
        """Where it was sent, or is about to be sent; None while no server can be reached."""
        self.is_sent = False
        self.asked: set[Place] | None = None
        """Servers whose release is too old for the call's subject."""
        self.shard = shard
        """The shard that it is about; None if unknown, or if there is none."""
        self.epoch = -1
        """The epoch with which the server that it was sent to owns that."""
        self.moved: Moved | None = None
        """The last server that said it does not own that."""
        self.is_ownerless = False
        """Whether it has waited for an owner."""
        self.spent = call_scope.charged()
        self.traceparent = trace.traceparent()

    def cancel(self, msg: Any | None = None) -> bool:
        """Abandon the call, and inform its server. Returns whether it was open."""
        is_cancelled = super().cancel(msg)
        if is_cancelled:
            self.calls.give_up(self)
        return is_cancelled


class OpenCalls:
    """All open calls of one channel, by the numbers that it assigns."""

    def __init__(self, service: str) -> None:
        self.service = service
        self.unsent = 0
        """Bytes of requests that have not been sent yet."""
        self.alone_since: float | None = None
        """When the last server went, or the first was looked for (loop.time)."""
        self._numbers = itertools.count(1)
        self._open: dict[int, Pending] = {}
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._open)

    def time_left_s(self, now: float) -> float:
        """Return how long a call may wait for a server: only for one more attempt if there has been none for a while."""
        gone_s = 0.0 if self.alone_since is None else now - self.alone_since
        return max(bounds.ALONE_S, bounds.HOMELESS_S - gone_s)

    def begin(
        self, method: str, request: bytes, read: Callable[[bytes], Any], timeout: float | None, shard: int | None = None
    ) -> Pending:
        """Return a call that waits to be sent, or one that is refused already: FULL, or MALFORMED for too large a request."""
        loop = asyncio.get_running_loop()
        call = Pending(self, loop, method, request, read, shard)
        if len(self._open) >= bounds.OPEN_CALLS or self.unsent > bounds.UNSENT_BYTES:
            call.set_exception(
                Refused(errors_pb2.REASON_FULL, f"too many calls to the {self.service} are open", retry_after_ms=500)
            )
            return call
        if len(request) > bounds.CALL_BYTES:
            call.set_exception(malformed("", f"the call has {len(request)} bytes, at most {bounds.CALL_BYTES} are allowed"))
            return call
        now = loop.time()
        call.number = next(self._numbers)
        call.until = float("inf") if timeout is None else now + timeout
        self._open[call.number] = call
        self.unsent += len(request)
        if self._timer is None:
            self._timer = loop.call_later(bounds.SWEEP_S, self._sweep)
        return call

    def sent(self, call: Pending) -> None:
        """Note that a request is on its way."""
        if not call.is_sent:
            call.is_sent = True
            self.unsent -= len(call.request)

    def take(self, number: int) -> Pending | None:
        """Remove and return an open call; None if it has already ended."""
        call = self._open.pop(number, None)
        if call is not None:
            if not call.is_sent:
                self.unsent -= len(call.request)
            if call.link is not None:
                call.link.open -= 1
        return call

    def again(self, call: Pending) -> None:
        """Let a removed call wait to be sent again."""
        self._open[call.number] = call
        call.link, call.is_sent = None, False
        self.unsent += len(call.request)

    def refuse(self, call: Pending, refused: Refused) -> None:
        """End a call."""
        if self.take(call.number) is not None and not call.done():
            call.set_exception(refused)

    def give_up(self, call: Pending) -> None:
        """End a call whose answer nobody is waiting for."""
        if self.take(call.number) is not None and call.link is not None:
            call.link.give_up(call)

    def abandon(self, call: Pending, refused: Refused) -> None:
        """End a call, and tell its server that nobody is waiting for it any more."""
        self.give_up(call)
        if not call.done():
            call.set_exception(refused)

    def of(self, link: "Link") -> list[Pending]:
        """Return the open calls of a server."""
        return [call for call in self._open.values() if call.link is link]

    def all(self) -> list[Pending]:
        """Return all of them."""
        return list(self._open.values())

    def homeless(self) -> list[Pending]:
        """Return those that wait for a server."""
        return [call for call in self._open.values() if call.link is None]

    def close(self) -> None:
        """Refuse all."""
        for call in list(self._open.values()):
            self.refuse(call, unavailable(self.service))

    def _sweep(self) -> None:
        """End calls whose time is up. Checking all of them costs less than a timer for each."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for call in list(self._open.values()):
            if call.link is None:
                call.looks_left -= 1
                if call.looks_left < 0 or call.until <= now:
                    self.refuse(call, unavailable(self.service))
            elif call.until <= now:
                self.abandon(call, Refused(errors_pb2.REASON_DEADLINE, f"the {self.service} did not answer in time"))
        self._timer = loop.call_later(bounds.SWEEP_S, self._sweep) if self._open else None


class LongCall(AsyncIterator[Any]):
    """A stream that is opened as soon as there is a server for it. Reading and writing raise Refused."""

    def __init__(
        self,
        service: str,
        path: str,
        write: Callable[[Any], bytes],
        read: Callable[[bytes], Any],
        route: "Callable[[], Awaitable[Link]]",
        timeout: float | None,
    ) -> None:
        """`route` returns the server to open it at, or raises Refused."""
        loop = asyncio.get_running_loop()
        self._service = service
        self._path = path
        self._write = write
        self._read = read
        self._timeout = timeout
        self._inbox = Inbox(bounds.HTTP2.inbox_bytes)
        self._stream: Stream | None = None
        self._link: Link | None = None
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._is_cancelled = False
        self._opening = loop.create_task(self._open(route))
        self._opening.add_done_callback(_retrieved)
        self._timer = None if timeout is None else loop.call_later(timeout, self._give_up)

    async def write(self, request: Any) -> None:
        """Send a message, once the server accepts it."""
        stream = await self._opened()
        await self._has_room.wait()
        stream.send(self._write(request))
        if stream.is_full:
            self._has_room.clear()

    async def done_writing(self) -> None:
        """Tell the server that nothing more comes."""
        (await self._opened()).finish()

    async def read(self) -> Any:
        """Return the next message; grpc.aio.EOF once the server has ended the stream regularly."""
        message = await self._inbox.take(await self._opened())
        return grpc.aio.EOF if message is None else self._read(message)

    async def each(self, take: Callable[[Any], None]) -> None:
        """Pass every message to `take` the moment it arrives: no task is woken for it. Returns once the server has ended.

        An exception of `take` is raised here, and nothing more is taken.
        """
        await self._inbox.each(await self._opened(), lambda data: take(self._read(data)))

    def __aiter__(self) -> Self:
        """Return itself: there is one reader."""
        return self

    async def __anext__(self) -> Any:
        """Return the next message."""
        message = await self._inbox.take(await self._opened())
        if message is None:
            raise StopAsyncIteration
        return self._read(message)

    def cancel(self) -> bool:
        """End the stream from our side; its reader reaches the end. Returns whether it was open."""
        was_open = not self._is_cancelled and not (self._stream is not None and self._stream.is_gone)
        self._is_cancelled = True
        self._inbox.discard()
        self._leave()
        return was_open

    def cancelled(self) -> bool:
        """Return whether it was ended from our side."""
        return self._is_cancelled

    @property
    def server(self) -> object | None:
        """The object that stands for the server at which it is open (LinkChannel.owner); None as long as it is not."""
        return self._link

    # The events of its stream.

    def message(self, data: bytes) -> None:
        """Keep a message for the reader."""
        if self._stream is not None:
            self._inbox.put(self._stream, data)

    def flush_pending(self) -> None:
        """Let the writer go on."""
        self._has_room.set()

    def ended(self, headers: Headers | None) -> None:
        """The server has ended it, and said why."""
        self._inbox.end(refusal_in(headers, self._service))
        self._leave()

    def broken(self, why: str) -> None:
        """It is gone."""
        self._inbox.end(unavailable(self._service))
        self._leave()

    async def _open(self, route: "Callable[[], Awaitable[Link]]") -> Stream:
        more: Headers = []
        if self._timeout is not None:
            more.append((b"grpc-timeout", timeout_header(self._timeout)))
        if traceparent := trace.traceparent():
            more.append((trace.HEADER.encode(), traceparent.encode()))
        link = await route()
        try:
            self._stream = link.open_stream(self._path, self, *more)
        except ConnectionError:
            raise unavailable(self._service) from None
        self._link = link
        link.long_calls += 1
        return self._stream

    async def _opened(self) -> Stream:
        if self._stream is None:
            await asyncio.wait([self._opening])
            if self._opening.cancelled():
                raise unavailable(self._service)
            return self._opening.result()
        return self._stream

    def _give_up(self) -> None:
        self._inbox.end(Refused(errors_pb2.REASON_DEADLINE, f"the {self._service} did not answer in time"))
        self._leave()

    def _leave(self) -> None:
        """Let go of everything; who waits goes on."""
        if self._timer is not None:
            self._timer.cancel()
        self._opening.cancel()
        self._has_room.set()
        link, self._link = self._link, None
        if self._stream is not None:
            self._stream.reset()
        if link is not None:
            link.long_call_ended()


def _retrieved(opening: "asyncio.Task[Stream]") -> None:
    if not opening.cancelled():
        opening.exception()  # whoever reads or writes is told
