"""One gRPC stream of a connection: messages of it are put together, and sent as far as the other side takes them."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from grpc_http2 import frames
from grpc_http2.status import Headers

if TYPE_CHECKING:
    from grpc_http2.connection import Connection
    from grpc_http2.write_buffer import WriteBuffer

Inflate = Callable[[bytes], bytes]
"""Returns a message that was compressed. Raises ValueError for one that cannot be read, or is too large."""


class StreamOwner(Protocol):
    """The receiver of a stream's events. No method may wait or raise."""

    def message(self, data: bytes) -> None:
        """Take a message."""

    def flush_pending(self) -> None:
        """Send what waits: the event loop's tick ends, or there is room again."""

    def ended(self, headers: Headers | None) -> None:
        """The other side sends no more; a server has said how it ended in these headers, if it has."""

    def broken(self, why: str) -> None:
        """The stream is gone: it was reset, or its connection is."""


class Stream:
    """Made by its connection; lives until both sides have ended it, or one has broken it."""

    __slots__ = (
        "_bounds",
        "_connection",
        "_held",
        "_is_ending",
        "_is_held",
        "_needed",
        "_owed",
        "_partial",
        "_trailers",
        "_write_buffer",
        "has_remote_ended",
        "headers",
        "inflate",
        "is_gone",
        "number",
        "on_unreadable",
        "owner",
        "queue",
        "queued",
        "receive_window",
        "send_window",
    )

    def __init__(
        self, connection: "Connection", write_buffer: "WriteBuffer", number: int, owner: StreamOwner, send_window: int
    ) -> None:
        self.number = number
        self.owner = owner
        self.headers: Headers | None = None
        """The latest headers of the server."""
        self.has_remote_ended = False
        self.is_gone = False
        self.inflate: Inflate | None = None
        """Reads compressed messages; None: there must be none."""
        self.on_unreadable: Callable[[str], None] | None = None
        """Is told of a message that is not taken, and why, and ends the stream; None: it is reset."""
        self.send_window = send_window
        self.receive_window = connection.bounds.stream_window
        self.queue: deque[memoryview] = deque()
        """The bytes that do not fit into the windows yet, in pieces."""
        self.queued = 0
        """Bytes of it."""
        self._connection = connection
        self._bounds = connection.bounds
        self._write_buffer = write_buffer
        self._partial = bytearray()
        self._held = 0
        self._needed = frames.PREFIX_BYTES
        self._owed = 0
        self._is_held = False
        self._is_ending = False
        self._trailers: Headers | None = None

    @property
    def is_full(self) -> bool:
        """Whether enough waits to be sent; `flush_pending` is called when there is room."""
        return self.queued >= self._bounds.stream_bytes

    @property
    def peer(self) -> str:
        """Where the other side is."""
        return self._connection.peer

    def answer(self, headers: Headers) -> None:
        """Send the headers that come before all messages, as a server."""
        if not self.is_gone:
            self._connection.answer(self, headers)

    def send(self, message: bytes) -> None:
        """Send a message at the end of this tick, or when the other side takes it."""
        if not (self.is_gone or self._is_ending):
            self._write_buffer.send(self, message)

    def finish(self, trailers: Headers | None = None) -> None:
        """Send no more after what waits; a server says in its trailers what became of the call."""
        if not (self.is_gone or self._is_ending):
            self._is_ending, self._trailers = True, trailers
            self.try_to_end()

    def try_to_end(self) -> None:
        """End our side if that is wanted and all was sent."""
        if self._is_ending and not self.queue and not self.is_gone:
            self._is_ending = False
            self._connection.end(self, self._trailers)

    def reset(self, code: int = frames.CANCEL) -> None:
        """Break the stream; its owner is not told."""
        if not self.is_gone:
            self._connection.reset(self, code)

    def schedule_flush(self) -> None:
        """Let the owner send what waits at the end of this tick."""
        self._write_buffer.schedule_flush(self.owner)

    def hold(self) -> None:
        """Let the other side wait when it has filled its window."""
        self._is_held = True

    def release(self) -> None:
        """Let it go on."""
        if self._is_held:
            self._is_held = False
            self._credit()

    def let_go(self) -> None:
        """Forget what has come of a message."""
        self._partial.clear()
        self._hold_partial()

    def take(self, data: bytes, at: int, stop: int, size: int) -> None:
        """Take a part of the stream, data[at:stop], which was `size` bytes of the window. Raises Fault."""
        self.receive_window -= size
        if self.receive_window < 0:
            raise frames.Fault(frames.FLOW_CONTROL_ERROR, "a stream brings more than it may")
        self._owed += size
        if self._partial:
            self._partial += memoryview(data)[at:stop]
            if len(self._partial) < self._needed:
                self._hold_partial()
                self._credit()
                return
            data, at, stop = bytes(self._partial), 0, len(self._partial)
            self._partial.clear()
        needed = frames.PREFIX_BYTES
        while stop - at >= frames.PREFIX_BYTES and not self.is_gone:
            is_compressed, size = frames.read_prefix(data, at)
            if size > self._bounds.message_bytes:
                self._refuse(f"of {size} bytes, more than {self._bounds.message_bytes}")
                return
            if is_compressed and self.inflate is None:
                self._refuse("compressed")
                return
            needed = frames.PREFIX_BYTES + size
            if stop - at < needed:
                break
            begin, at = at + frames.PREFIX_BYTES, at + needed
            needed = frames.PREFIX_BYTES
            message = data[begin:at]
            if is_compressed and self.inflate is not None:
                try:
                    message = self.inflate(message)
                except ValueError as error:
                    self._refuse(f"{error}")
                    return
            self.owner.message(message)
        if at < stop and not self.is_gone:
            self._partial += memoryview(data)[at:stop]
            self._needed = needed
        if self._partial or self._held:
            self._hold_partial()
        self._credit()

    def _hold_partial(self) -> None:
        """Let what has come of a message count as what the connection holds. Raises Fault if that is too much."""
        more, self._held = len(self._partial) - self._held, len(self._partial)
        if more:
            self._connection.hold(more)

    def _credit(self) -> None:
        if not self._is_held and self._owed >= self._bounds.stream_window // 2 and not (self.is_gone or self.has_remote_ended):
            self._write_buffer.write(frames.window_update(self.number, self._owed))
            self.receive_window += self._owed
            self._owed = 0

    def _refuse(self, what: str) -> None:
        self._partial.clear()
        if self.on_unreadable is not None:
            self.on_unreadable(f"a message is {what}")
            return
        self.reset()
        self.owner.broken(f"a message is {what}")


class Inbox:
    """The messages of a stream that wait for its one reader. While there are many, the other side waits, too."""

    def __init__(self, most_bytes: int) -> None:
        """`most_bytes` may wait before the other side waits."""
        self._most_bytes = most_bytes
        self._messages: deque[bytes] = deque()
        self._size = 0
        self._has_ended = False
        self._error: Exception | None = None
        self._reader: asyncio.Future[None] | None = None
        self._taker: Callable[[bytes], None] | None = None

    def put(self, stream: Stream, message: bytes) -> None:
        """Take a message of a stream."""
        if self._taker is not None:
            try:
                self._taker(message)
            except Exception as error:  # noqa: BLE001 - whoever waits for the end hears it
                self._taker = None
                self.end(error)
            return
        self._messages.append(message)
        self._size += len(message)
        if self._size > self._most_bytes:
            stream.hold()
        self._wake()

    def end(self, error: Exception | None = None) -> None:
        """Nothing follows what is here; the reader learns why, if it is an error."""
        if not self._has_ended:
            self._has_ended, self._error = True, error
            self._wake()

    def discard(self) -> None:
        """Discard what is waiting: it is no longer wanted."""
        self._messages.clear()
        self.end()

    async def take(self, stream: Stream) -> bytes | None:
        """Return the next message; None at the end. Raises the error that the stream ended with."""
        while not self._messages:
            if self._has_ended:
                if self._error is not None:
                    raise self._error
                return None
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        message = self._messages.popleft()
        self._size -= len(message)
        if self._size <= self._most_bytes // 2:
            stream.release()
        return message

    async def each(self, stream: Stream, take: Callable[[bytes], None]) -> None:
        """Pass all messages to `take` the moment they arrive, and return at the end. Raises what either of them raises."""
        while self._messages:
            take(await self.take(stream) or b"")
        self._taker = take
        while not self._has_ended:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        self._taker = None
        if self._error is not None:
            raise self._error

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)
