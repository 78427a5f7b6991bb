"""The messages that wait for a client: bounded, so that a client that does not read is disconnected and fills no memory."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Protocol

from brettwerk.v1 import errors_pb2
from services.runtime.refusal import Refused

MAX_BYTES = 4 * 1024 * 1024
"""How many bytes may wait for one client. A single message may be larger if nothing else is waiting."""
MAX_FRAMES = 4096
"""How many messages may wait for one client."""
MAX_BYTES_IN_ALL = 160 * 1024 * 1024
"""How many bytes may wait for all clients of the process; beyond that, those with more than SMALL_BYTES waiting count as slow."""
SMALL_BYTES = 64 * 1024

Frame = tuple[bytes, bytes]
"""A message in two parts: the client's own part, and the part that it may share with others. Neither is copied to wait here."""


def _nobody() -> None:
    pass


class Outgoing(Protocol):
    """The source of a WebSocket's messages."""

    on_mail: Callable[[], None]
    """Called whenever there is something to take, or an end to see."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing can be taken at the moment."""

    @property
    def is_over(self) -> bool:
        """Whether nothing can be taken, and nothing more will come."""

    @property
    def ending(self) -> Refused | None:
        """Why it was closed, unless the client wanted that."""

    def take(self, max_bytes: int) -> list[Frame]:
        """Return the next messages, of about `max_bytes`. They count as waiting until `mark_sent` is called."""

    def mark_sent(self) -> None:
        """Stop counting what was taken."""

    def close(self, ending: Refused | None = None) -> None:
        """Accept nothing more. Waiting messages are still delivered."""


class SendQueue:
    """The messages for one client, in order."""

    in_all = 0
    """How many bytes are waiting for all clients of this process."""

    def __init__(self, on_slow: Callable[[Refused], None]) -> None:
        """Take what is called if the client reads too slowly; after that, nothing more is accepted."""
        self._on_slow = on_slow
        self._frames: deque[Frame] = deque()
        self._waiting = 0
        self._handed_out = 0
        self.on_mail: Callable[[], None] = _nobody
        """Called whenever there is something to take, or an end to see."""
        self.is_closed = False
        """Whether nothing more is accepted."""
        self.ending: Refused | None = None
        """Why it was closed, unless the client wanted that."""

    def put(self, head: bytes, body: bytes = b"") -> None:
        """Add a message; it is dropped if the send queue is closed."""
        if self.is_closed:
            return
        size = len(head) + len(body)
        if self._frames:
            waiting = self._waiting + self._handed_out + size
            is_full = waiting > MAX_BYTES or len(self._frames) >= MAX_FRAMES
            if is_full or (SendQueue.in_all + size > MAX_BYTES_IN_ALL and waiting > SMALL_BYTES):
                refused = Refused(errors_pb2.REASON_FULL, "the messages of this stream are read too slowly", retry_after_ms=1000)
                self.discard(refused)
                self._on_slow(refused)
                return
        self._frames.append((head, body))
        self._waiting += size
        SendQueue.in_all += size
        self.on_mail()

    def take(self, max_bytes: int) -> list[Frame]:
        """Return the next messages, if any are waiting: at least one, and up to `max_bytes`.

        They count as waiting until `mark_sent` is called, because they wait wherever they were taken.
        """
        taken: list[Frame] = []
        size = 0
        while self._frames and size < max_bytes:
            frame = self._frames.popleft()
            taken.append(frame)
            size += len(frame[0]) + len(frame[1])
        self._waiting -= size
        self._handed_out += size
        return taken

    def mark_sent(self) -> None:
        """Stop counting what was taken: it has reached the client's end."""
        SendQueue.in_all -= self._handed_out
        self._handed_out = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing is waiting to be taken."""
        return not self._frames

    @property
    def is_over(self) -> bool:
        """Whether nothing is waiting, and nothing more is accepted."""
        return self.is_closed and not self._frames

    def close(self, ending: Refused | None = None) -> None:
        """Accept nothing more. Waiting messages are still delivered."""
        if not self.is_closed:
            self.is_closed = True
            self.ending = ending
            self.on_mail()

    def discard(self, ending: Refused | None = None) -> None:
        """Accept nothing more, and forget what is waiting."""
        self.close(ending)
        self._frames.clear()
        SendQueue.in_all -= self._waiting
        self._waiting = 0

    def release(self) -> None:
        """Forget what is waiting and what was taken: the client has gone."""
        self.mark_sent()
        self.discard()

    async def messages(self) -> AsyncIterator[bytes]:
        """Yield what is waiting, as soon as there is something, until the send queue is closed and empty."""
        has_mail = asyncio.Event()
        self.on_mail = has_mail.set
        try:
            while True:
                while taken := self.take(1):
                    while taken:
                        yield b"".join(taken.pop(0))
                    self.mark_sent()
                if self.is_closed:
                    return
                has_mail.clear()
                await has_mail.wait()
        finally:
            self.release()
