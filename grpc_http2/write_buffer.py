"""The bytes that go out over a connection: all of a tick in one write at its end, as far as windows and transport allow."""

import asyncio
from collections.abc import Callable

from grpc_http2 import frames
from grpc_http2.bounds import Bounds
from grpc_http2.stream import Stream, StreamOwner
from grpc_http2.visitors import Visit

_EARNING_BYTES = 512
"""A peer that takes a message in pieces of fewer bytes earns nothing: each of them costs us as much as a large one."""


class WriteBuffer:
    """The frames of one connection, in order."""

    __slots__ = (
        "_abort",
        "_blocked",
        "_bounds",
        "_is_scheduled",
        "_loop",
        "_out",
        "_to_flush",
        "frame_bytes",
        "is_choked",
        "queued",
        "sent",
        "transport",
        "visit",
        "window",
    )

    def __init__(self, bounds: Bounds, abort: Callable[[str], None], visit: Visit | None = None) -> None:
        """`abort` cuts the connection off, for a reason; `visit` is the other side's account, if it has one."""
        self.visit = visit
        self.queued = 0
        """Bytes of streams that wait until the other side takes them."""
        self.sent = 0
        """How many frames of streams were sent."""
        self.transport: asyncio.Transport | None = None
        """Where it goes; None before and after."""
        self.window = frames.DEFAULT_WINDOW
        """How many bytes of all streams the other side takes."""
        self.frame_bytes = frames.DEFAULT_FRAME_BYTES
        """The largest frame that it takes."""
        self.is_choked = False
        """Whether the transport has enough."""
        self._abort = abort
        self._bounds = bounds
        self._loop = asyncio.get_running_loop()
        self._out: list[bytes | memoryview] = []
        self._to_flush: list[StreamOwner] = []
        self._blocked: dict[Stream, None] = {}
        self._is_scheduled = False

    def send(self, stream: Stream, message: bytes) -> None:
        """Send a message of a stream."""
        size = len(message)
        whole = size + frames.PREFIX_BYTES
        if (
            not stream.queue
            and not self.is_choked
            and whole <= stream.send_window
            and whole <= self.window
            and whole <= self.frame_bytes
        ):
            stream.send_window -= whole
            self.window -= whole
            self._out.append(frames.head_and_prefix(stream.number, size))
            self._out.append(message)
            self._note_sent(self._bounds.earned)
            self._schedule()
            return
        stream.queue.append(memoryview(frames.prefix(size)))
        if size:
            stream.queue.append(memoryview(message))
        stream.queued += whole
        self._blocked[stream] = None
        self.queued += whole
        if self.visit is not None and not self.visit.hold(whole):
            self._abort("the other side does not take what it asked for")
            return
        self.pump()

    def schedule_flush(self, owner: StreamOwner) -> None:
        """Call the owner's `flush_pending` before the next write."""
        self._to_flush.append(owner)
        self._schedule()

    def write(self, frame: bytes) -> None:
        """Send a frame with what goes out next."""
        self._out.append(frame)
        self._schedule()

    def forget(self, stream: Stream) -> None:
        """Send nothing more of a stream."""
        self._blocked.pop(stream, None)
        self._note_gone(stream.queued)
        stream.queued = 0
        stream.queue.clear()

    def close(self) -> None:
        """Send nothing more at all, and let go of the connection: what holds it need not wait for the garbage collector."""
        self.transport = self.visit = None
        self._abort = _ended
        self._out.clear()
        self._blocked.clear()

    def flush(self) -> None:
        """Let owners send what waits, and write all of it."""
        if self._to_flush:
            to_flush, self._to_flush = self._to_flush, []
            for owner in to_flush:
                owner.flush_pending()
        self._write_out()

    def pump(self) -> None:
        """Send of the streams that wait as much as the windows and the transport allow, a frame of each in turn."""
        while self._blocked and not self.is_choked and self.window > 0:
            sent = False
            for stream in list(self._blocked):
                if stream.send_window > 0 and self.window > 0:
                    self._send_frame(stream)
                    sent = True
                    if not stream.queue:
                        del self._blocked[stream]
                        stream.try_to_end()
                    if not stream.is_full and not stream.is_gone:
                        self.schedule_flush(stream.owner)
            if not sent:
                return
            self._write_out()  # the transport says when it has enough

    def _send_frame(self, stream: Stream) -> None:
        room = min(stream.send_window, self.window, self.frame_bytes)
        pieces: list[memoryview] = []
        size = 0
        while stream.queue and size < room:
            piece = stream.queue.popleft()
            if len(piece) > room - size:
                stream.queue.appendleft(piece[room - size :])
                piece = piece[: room - size]
            pieces.append(piece)
            size += len(piece)
        stream.queued -= size
        stream.send_window -= size
        self.window -= size
        self._note_gone(size)
        self._note_sent(min(self._bounds.earned, size // _EARNING_BYTES))
        self._out.append(frames.head(size, frames.DATA, 0, stream.number))
        self._out += pieces

    def _note_sent(self, earned: int) -> None:
        self.sent += 1
        if self.visit is not None:
            self.visit.earn(earned)

    def _note_gone(self, size: int) -> None:
        self.queued -= size
        if self.visit is not None:
            self.visit.hold(-size)

    def _schedule(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            self._loop.call_soon(self._flush_scheduled)

    def _flush_scheduled(self) -> None:
        self._is_scheduled = False
        self.flush()

    def _write_out(self) -> None:
        if self._out and self.transport is not None:
            out, self._out = self._out, []
            self.transport.write(b"".join(out))
            if self.is_choked and self.transport.get_write_buffer_size() > self._bounds.unwritten_bytes:
                self._abort("the other side does not read what it makes us say")


def _ended(_why: str) -> None:
    """Do nothing: the connection is gone."""
