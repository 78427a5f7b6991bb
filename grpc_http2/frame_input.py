"""Input of a connection: bytes are split into frames; those of open streams are read here, all others by h2."""

from collections.abc import Callable
from typing import Protocol

from grpc_http2 import frames
from grpc_http2.bounds import Bounds
from grpc_http2.frames import Fault
from grpc_http2.stream import Stream

_PAID_BYTES = 64
"""A frame with less data counts as one that brings nothing: a message in pieces of one byte costs as much as many messages."""


class Receiver(Protocol):
    """The receiver of the events of frames. Methods raise Fault, and h2's errors."""

    streams: dict[int, Stream]
    highest: int
    """The highest number that a stream has had."""
    is_closed: bool

    def hand_over(self, data: bytes) -> None:
        """Let h2 handle a frame outside the hot path."""

    def widen(self, number: int, more: int) -> None:
        """Take that a stream, or with 0 the connection, may be sent more."""

    def goes_away(self, last: int, code: int) -> None:
        """Take that streams behind the last one are not served."""

    def pay(self, amount: int) -> None:
        """Count frames that bring nothing."""

    def pay_for_reset(self) -> None:
        """Count a stream that the other side breaks."""


class FrameInput:
    """The bytes of one connection, in order."""

    __slots__ = (
        "_bounds",
        "_has_preface",
        "_header_bytes",
        "_needed",
        "_owed",
        "_receiver",
        "_rest",
        "_window",
        "_write",
        "is_in_headers",
        "taken",
    )

    def __init__(self, receiver: Receiver, bounds: Bounds, write: Callable[[bytes], None], *, is_client: bool) -> None:
        """`write` sends a frame."""
        self._receiver = receiver
        self._bounds = bounds
        self._write = write
        self._rest = bytearray()
        self._needed = frames.HEAD_BYTES if is_client else frames.PREFACE_BYTES
        self._has_preface = is_client
        self.is_in_headers = False
        """Whether headers have begun that have not ended."""
        self._header_bytes = 0
        self.taken = 0
        """How many frames have come."""
        self._window = bounds.connection_window
        self._owed = 0

    @property
    def has_begun(self) -> bool:
        """Whether the other side has said that it speaks HTTP/2, where it has to."""
        return self._has_preface

    @property
    def is_in_frame(self) -> bool:
        """Whether a frame, or the preface, has begun that has not ended."""
        return bool(self._rest)

    def close(self) -> None:
        """Take no more, and let go of the connection."""
        del self._receiver
        self._rest.clear()

    def take(self, data: bytes) -> None:
        """Handle input. Raises Fault or h2's errors if it violates the protocol."""
        if self._rest:
            self._rest += data
            if len(self._rest) < self._needed:
                return
            data = bytes(self._rest)
            self._rest.clear()
        self._read(data)

    def _read(self, data: bytes) -> None:
        receiver, at, end = self._receiver, 0, len(data)
        if not self._has_preface:
            if end < frames.PREFACE_BYTES:
                self._rest += data
                return
            receiver.hand_over(data[: frames.PREFACE_BYTES])
            self._has_preface, at = True, frames.PREFACE_BYTES
        needed = frames.HEAD_BYTES
        while end - at >= frames.HEAD_BYTES:
            size, kind, flags, number = frames.read_head(data, at)
            if size > self._bounds.frame_bytes:
                raise Fault(frames.FRAME_SIZE_ERROR, f"a frame of {size} bytes")
            begin, stop = at + frames.HEAD_BYTES, at + frames.HEAD_BYTES + size
            if stop > end:
                needed = frames.HEAD_BYTES + size
                break
            self.taken += 1
            if kind == frames.DATA and number & 1 and number <= receiver.highest and not self.is_in_headers:
                self._read_data(data, begin, stop, flags, number)
            elif kind == frames.WINDOW_UPDATE and not self.is_in_headers:
                receiver.pay(1)
                receiver.widen(number, frames.read_window_update(data, begin, size))
            elif kind == frames.GOAWAY and not self.is_in_headers:
                receiver.pay(1)
                receiver.goes_away(*frames.read_goaway(data, begin, size))
            else:
                if kind in (frames.HEADERS, frames.PUSH_PROMISE, frames.CONTINUATION):
                    self._count_headers(size)
                    self.is_in_headers = not flags & frames.END_HEADERS
                elif kind == frames.RST_STREAM:
                    receiver.pay_for_reset()
                else:
                    receiver.pay(1)
                receiver.hand_over(data[at:stop])
            if receiver.is_closed:
                return
            at = stop
        if at < end:
            self._rest += memoryview(data)[at:]
            self._needed = needed

    def _count_headers(self, size: int) -> None:
        if not self.is_in_headers:
            self._header_bytes = 0
        self._header_bytes += size
        if self._header_bytes > self._bounds.header_bytes:
            raise Fault(frames.ENHANCE_YOUR_CALM, "headers without end")
        self._receiver.pay(self._bounds.headers_cost + size // _PAID_BYTES)

    def _read_data(self, data: bytes, at: int, stop: int, flags: int, number: int) -> None:
        receiver, size = self._receiver, stop - at
        if size < _PAID_BYTES and not flags & frames.END_STREAM:
            receiver.pay(1)
        self._window -= size
        if self._window < 0:
            raise Fault(frames.FLOW_CONTROL_ERROR, "the connection brings more than it may")
        self._owed += size
        if self._owed >= self._bounds.connection_window // 2:
            self._write(frames.window_update(0, self._owed))
            self._window += self._owed
            self._owed = 0
        if flags & frames.PADDED:
            if not size or data[at] >= size:
                raise Fault(frames.PROTOCOL_ERROR, "there is more padding than frame")
            stop -= data[at]
            at += 1
        stream = receiver.streams.get(number)
        if stream is None:
            return  # we have left it, and said so; this was already on its way
        if stream.has_remote_ended:
            raise Fault(frames.PROTOCOL_ERROR, "a stream goes on after its end")
        stream.take(data, at, stop, size)
        if flags & frames.END_STREAM and not stream.is_gone:
            receiver.hand_over(frames.head(0, frames.DATA, frames.END_STREAM, number))
