"""HTTP/2 frames that are read and written without h2: those of established streams (RFC 9113, sections 4.1 and 6).

h2 checks every frame with great care, at ten times the cost of what DATA on an open stream needs. GOAWAY is here, too, because h2
insists that nothing may follow one.
"""

from collections.abc import Mapping
from struct import Struct

from h2.settings import SettingCodes

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
