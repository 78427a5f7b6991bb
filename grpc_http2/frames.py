"""HTTP/2 frames that are read and written without h2: those of established streams (RFC 9113, sections 4.1 and 6).

The input of a connection is split into frames here; those of open streams are read, all others are h2's.

h2 checks every frame with great care, at ten times the cost of what DATA on an open stream needs. GOAWAY is here, too, because h2
insists that nothing may follow one.
"""

from collections.abc import Callable, Mapping
from struct import Struct
from typing import TYPE_CHECKING, Protocol

from h2.settings import SettingCodes

from grpc_http2.bounds import Bounds

if TYPE_CHECKING:
    from grpc_http2.stream import Stream

DATA, HEADERS, RST_STREAM, SETTINGS, PUSH_PROMISE, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 5, 7, 8, 9
END_STREAM, END_HEADERS, PADDED = 0x1, 0x4, 0x8
NO_ERROR, PROTOCOL_ERROR, FLOW_CONTROL_ERROR, FRAME_SIZE_ERROR = 0, 1, 3, 6
REFUSED_STREAM, CANCEL, ENHANCE_YOUR_CALM = 7, 8, 11

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
"""The bytes that a client sends before its first frame."""
PREFACE_BYTES = len(PREFACE)
HEAD_BYTES = 9
PREFIX_BYTES = 5
"""The head of a gRPC message: whether it is compressed, and its size."""
MAX_WINDOW = 2**31 - 1
DEFAULT_WINDOW = 65_535
DEFAULT_FRAME_BYTES = 16_384
_PAID_BYTES = 64
"""A frame with less data counts as one that brings nothing: a message in pieces of one byte costs as much as many messages."""

_HEAD = Struct(">HBBBI")
_PREFIX = Struct(">BI")
_DATA_AND_PREFIX = Struct(">HBBBIBI")
_NUMBER = Struct(">I")
_TWO_NUMBERS = Struct(">II")
_SETTING = Struct(">HI")


class Fault(Exception):
    """The other side has violated the protocol; the connection ends with this code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def read_head(data: bytes, at: int) -> tuple[int, int, int, int]:
    """Return size, type, flags and stream of the frame that begins there."""
    high, low, kind, flags, number = _HEAD.unpack_from(data, at)
    return high << 8 | low, kind, flags, number & MAX_WINDOW


def read_prefix(data: bytes | bytearray, at: int) -> tuple[int, int]:
    """Return whether the gRPC message that begins there is compressed, and its size."""
    flag, size = _PREFIX.unpack_from(data, at)
    return flag, size


def read_window_update(data: bytes, at: int, size: int) -> int:
    """Return by how much a window grows. Raises Fault."""
    if size != 4:
        raise Fault(FRAME_SIZE_ERROR, "a WINDOW_UPDATE has four bytes")
    more: int = _NUMBER.unpack_from(data, at)[0] & MAX_WINDOW
    return more


def read_goaway(data: bytes, at: int, size: int) -> tuple[int, int]:
    """Return the last stream that is still served, and the error code. Raises Fault."""
    if size < 8:
        raise Fault(FRAME_SIZE_ERROR, "a GOAWAY has eight bytes or more")
    last, code = _TWO_NUMBERS.unpack_from(data, at)
    return last & MAX_WINDOW, code


def head(size: int, kind: int, flags: int, number: int) -> bytes:
    """Return the head of a frame."""
    return _HEAD.pack(size >> 8, size & 0xFF, kind, flags, number)


def head_and_prefix(number: int, size: int) -> bytes:
    """Return what comes before a gRPC message of a size that fits into one frame with its prefix."""
    whole = size + PREFIX_BYTES
    return _DATA_AND_PREFIX.pack(whole >> 8, whole & 0xFF, DATA, 0, number, 0, size)


def prefix(size: int) -> bytes:
    """Return what comes before a gRPC message."""
    return _PREFIX.pack(0, size)


def window_update(number: int, more: int) -> bytes:
    """Return the frame that lets the other side send that much more; stream 0 is the whole connection."""
    return head(4, WINDOW_UPDATE, 0, number) + _NUMBER.pack(more)


def settings(values: Mapping[SettingCodes, int]) -> bytes:
    """Return the frame that tells the other side what we accept."""
    return head(_SETTING.size * len(values), SETTINGS, 0, 0) + b"".join(_SETTING.pack(*one) for one in values.items())


def goaway(last: int, code: int) -> bytes:
    """Return the frame that tells the other side to open no more streams here."""
    return head(8, GOAWAY, 0, 0) + _TWO_NUMBERS.pack(last, code)


class Receiver(Protocol):
    """The receiver of the events of  Methods raise Fault, and h2's errors."""

    streams: "dict[int, Stream]"
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
        self._needed = HEAD_BYTES if is_client else PREFACE_BYTES
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
            if end < PREFACE_BYTES:
                self._rest += data
                return
            receiver.hand_over(data[:PREFACE_BYTES])
            self._has_preface, at = True, PREFACE_BYTES
        needed = HEAD_BYTES
        while end - at >= HEAD_BYTES:
            size, kind, flags, number = read_head(data, at)
            if size > self._bounds.frame_bytes:
                raise Fault(FRAME_SIZE_ERROR, f"a frame of {size} bytes")
            begin, stop = at + HEAD_BYTES, at + HEAD_BYTES + size
            if stop > end:
                needed = HEAD_BYTES + size
                break
            self.taken += 1
            if kind == DATA and number & 1 and number <= receiver.highest and not self.is_in_headers:
                self._read_data(data, begin, stop, flags, number)
            elif kind == WINDOW_UPDATE and not self.is_in_headers:
                receiver.pay(1)
                receiver.widen(number, read_window_update(data, begin, size))
            elif kind == GOAWAY and not self.is_in_headers:
                receiver.pay(1)
                receiver.goes_away(*read_goaway(data, begin, size))
            else:
                if kind in (HEADERS, PUSH_PROMISE, CONTINUATION):
                    self._count_headers(size)
                    self.is_in_headers = not flags & END_HEADERS
                elif kind == RST_STREAM:
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
            raise Fault(ENHANCE_YOUR_CALM, "headers without end")
        self._receiver.pay(self._bounds.headers_cost + size // _PAID_BYTES)

    def _read_data(self, data: bytes, at: int, stop: int, flags: int, number: int) -> None:
        receiver, size = self._receiver, stop - at
        if size < _PAID_BYTES and not flags & END_STREAM:
            receiver.pay(1)
        self._window -= size
        if self._window < 0:
            raise Fault(FLOW_CONTROL_ERROR, "the connection brings more than it may")
        self._owed += size
        if self._owed >= self._bounds.connection_window // 2:
            self._write(window_update(0, self._owed))
            self._window += self._owed
            self._owed = 0
        if flags & PADDED:
            if not size or data[at] >= size:
                raise Fault(PROTOCOL_ERROR, "there is more padding than frame")
            stop -= data[at]
            at += 1
        stream = receiver.streams.get(number)
        if stream is None:
            return  # we have left it, and said so; this was already on its way
        if stream.has_remote_ended:
            raise Fault(PROTOCOL_ERROR, "a stream goes on after its end")
        stream.take(data, at, stop, size)
        if flags & END_STREAM and not stream.is_gone:
            receiver.hand_over(head(0, DATA, END_STREAM, number))
