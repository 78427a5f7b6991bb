"""The calling end of a long stream in both directions: what the contract has in addition to unary calls."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Self

import grpc

from brettwerk.v1 import errors_pb2
from grpc_http2 import Inbox, Stream
from grpc_http2.status import Headers, timeout_header
from services.runtime import trace
from services.runtime.link import bounds
from services.runtime.link.link import Link
from services.runtime.link.status import refusal_in
from services.runtime.refusal import Refused, unavailable


class LongCall(AsyncIterator[Any]):
    """A stream that is opened as soon as there is a server for it. Reading and writing raise Refused."""

    def __init__(
        self,
        service: str,
        path: str,
        write: Callable[[Any], bytes],
        read: Callable[[bytes], Any],
        route: Callable[[], Awaitable[Link]],
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

    async def _open(self, route: Callable[[], Awaitable[Link]]) -> Stream:
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
