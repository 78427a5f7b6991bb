"""What waits for a client to be read: bounded, so that a client who does not read is parted from and not remembered for ever."""

import asyncio
from collections.abc import AsyncIterator, Callable

from brettwerk.v1 import errors_pb2
from services.runtime.refusal import Refused

MOST_BYTES = 4 * 1024 * 1024
"""What may wait for one client. A single message may be larger when nothing else waits."""
MOST_FRAMES = 4096
"""How many messages may wait for one client."""
MOST_BYTES_IN_ALL = 160 * 1024 * 1024
"""What may wait for all clients of the process; beyond it, clients with more than SMALL_BYTES waiting are the slow ones."""
SMALL_BYTES = 64 * 1024


class Outbox:
    """The messages for one client, in order."""

    in_all = 0
    """Bytes that wait for all clients of this process."""

    def __init__(self, on_slow: Callable[[Refused], None]) -> None:
        """Take what is called when the client reads too slowly; nothing more is taken in then."""
        self._on_slow = on_slow
        self._frames: list[bytes] = []
        self._waiting = 0
        self._handed_out = 0
        self._has_mail = asyncio.Event()
        self.is_closed = False
        """Whether nothing is taken in any more."""
        self.ending: Refused | None = None
        """Why it was closed, when that was not the client's wish."""

    def put(self, frame: bytes) -> None:
        """Add a message; it is dropped when the outbox is closed."""
        if self.is_closed:
            return
        size = len(frame)
        waiting = self._waiting + self._handed_out + size
        is_full = waiting > MOST_BYTES or len(self._frames) >= MOST_FRAMES
        is_house_full = Outbox.in_all + size > MOST_BYTES_IN_ALL and waiting > SMALL_BYTES
        if self._frames and (is_full or is_house_full):
            refused = Refused(errors_pb2.REASON_FULL, "the messages of this stream are read too slowly", retry_after_ms=1000)
            self.discard(refused)
            self._on_slow(refused)
            return
        self._frames.append(frame)
        self._waiting += size
        Outbox.in_all += size
        self._has_mail.set()

    def close(self, ending: Refused | None = None) -> None:
        """Take nothing in any more. What waits is still delivered."""
        if not self.is_closed:
            self.is_closed = True
            self.ending = ending
            self._has_mail.set()

    def discard(self, ending: Refused | None = None) -> None:
        """Take nothing in any more and forget what waits."""
        self.close(ending)
        self._frames = []
        Outbox.in_all -= self._waiting
        self._waiting = 0

    async def batches(self) -> AsyncIterator[list[bytes]]:
        """Yield what waits, as soon as something does, until the outbox is closed and empty."""
        try:
            while True:
                await self._has_mail.wait()
                self._has_mail.clear()
                while self._frames:
                    batch, self._frames = self._frames, []
                    # What is handed out still counts: it waits until the client's end has taken it.
                    self._handed_out, self._waiting = self._waiting, 0
                    yield batch
                    self._settle()
                if self.is_closed:
                    return
        finally:
            self._settle()
            self.discard()

    def _settle(self) -> None:
        Outbox.in_all -= self._handed_out
        self._handed_out = 0
