"""The messages of a long stream that wait for its reader. While there are many, the other side waits, too."""

import asyncio
from collections import deque
from collections.abc import Callable

from grpc_http2.stream import Stream


class Inbox:
    """For one reader."""

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
