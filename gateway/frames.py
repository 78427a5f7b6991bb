"""Reads and writes the frames of a WebSocket as a server does (RFC 6455 section 5): messages, in pieces or not, and control.

Input is bounded before it arrives: by its announced length, and in fragments by their sum. Nothing of a message is kept once it
has been passed on.
"""

from websockets.exceptions import ProtocolError
from websockets.frames import Close

try:
    from websockets.speedups import apply_mask
except ImportError:  # a platform without the compiled module
    from websockets.utils import apply_mask

CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
"""Opcodes (section 5.2)."""

NORMAL, GOING_AWAY, AGAINST_PROTOCOL, NOT_UNDERSTOOD, NO_STATUS, NO_TEXT, TOO_LARGE, GAVE_UP, TRY_AGAIN_LATER = (
    1000,
    1001,
    1002,
    1003,
    1005,
    1007,
    1009,
    1011,
    1013,
)
"""Close codes (section 7.4.1, and its registry)."""

CONTROL_BYTES = 125
"""The longest control frame."""
_LAST, _MASKED = 0x80, 0x80


class Broken(Exception):
    """The client has violated the protocol or a bound; the connection ends with this code and reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class FrameReader:
    """The messages and control frames of one client, in order."""

    __slots__ = ("_data", "_max_bytes", "_opcode", "_pieces", "_pos", "_whole")

    def __init__(self, max_bytes: int, opcode: int = BINARY) -> None:
        """Take the maximum size of a message, and the opcode of messages: BINARY or TEXT."""
        self._max_bytes = max_bytes
        self._opcode = opcode
        self._whole = _LAST | opcode
        self._data: bytes | bytearray = b""
        self._pos = 0
        self._pieces: bytearray | None = None

    def feed(self, data: bytes) -> None:
        """Take what the client has sent."""
        if self._pos == len(self._data):
            self._data, self._pos = data, 0
            return
        if self._pos or not isinstance(self._data, bytearray):
            self._data, self._pos = bytearray(memoryview(self._data)[self._pos :]), 0
        self._data += data

    def next(self) -> tuple[int, bytes] | None:
        """Return the opcode and payload of the next item, or None until there is more.

        A message has its opcode even if it came in fragments. Of one of the other kind, only the beginning is reported. Raises
        Broken.
        """
        while True:
            data, pos = self._data, self._pos
            have = len(data)
            if have - pos < 2:
                return None
            first, size = data[pos], data[pos + 1] & 0x7F
            begin = pos + 6
            if size > CONTROL_BYTES:
                begin += 2 if size == 126 else 8
                if have < begin - 4:
                    return None
                size = int.from_bytes(data[pos + 2 : begin - 4], "big")
            if first != self._whole or self._pieces is not None or size > self._max_bytes or not data[pos + 1] & _MASKED:
                self._check(first, data[pos + 1], size)
                if first & 0x0F in (TEXT, BINARY) and first & 0x0F != self._opcode:
                    self._data, self._pos = b"", 0
                    return first & 0x0F, b""
            end = begin + size
            if have < end:
                return None
            payload = apply_mask(data[begin:end], data[begin - 4 : begin])
            if end == have:
                self._data, self._pos = b"", 0
            else:
                self._pos = end
            if first == self._whole:
                return self._opcode, payload
            if first & 0x08:
                return first & 0x0F, payload
            if (message := self._joined(payload, is_last=bool(first & _LAST))) is not None:
                return self._opcode, message

    def _check(self, first: int, second: int, size: int) -> None:
        """Return if a frame may begin like this. Raises Broken."""
        opcode = first & 0x0F
        if first & 0x70:
            raise Broken(AGAINST_PROTOCOL, "reserved bits are set")
        if not second & _MASKED:
            raise Broken(AGAINST_PROTOCOL, "frames of clients are masked")
        if opcode in (CLOSE, PING, PONG):
            if size > CONTROL_BYTES or not first & _LAST:
                raise Broken(AGAINST_PROTOCOL, "a control frame is too long or in pieces")
            return
        if opcode not in (CONTINUED, TEXT, BINARY):
            raise Broken(AGAINST_PROTOCOL, "the opcode is not known")
        if (opcode == CONTINUED) is (self._pieces is None):
            raise Broken(AGAINST_PROTOCOL, "the pieces of a message are not in order")
        if size + len(self._pieces or b"") > self._max_bytes:
            raise Broken(TOO_LARGE, f"a message has at most {self._max_bytes} bytes")

    def _joined(self, piece: bytes, *, is_last: bool) -> bytes | None:
        """Return the message that ends with this fragment, or None if there is more of it."""
        if self._pieces is None:
            self._pieces = bytearray()
        self._pieces += piece
        if not is_last:
            return None
        message, self._pieces = bytes(self._pieces), None
        return message


def head(opcode: int, size: int) -> bytes:
    """Return what precedes the payload in a whole frame of a server."""
    if size < 126:
        return bytes((_LAST | opcode, size))
    if size < 65536:
        return bytes((_LAST | opcode, 126, size >> 8, size & 0xFF))
    return bytes((_LAST | opcode, 127)) + size.to_bytes(8, "big")


def control(opcode: int, payload: bytes) -> bytes:
    """Return a control frame."""
    return head(opcode, len(payload)) + payload


def close(code: int, reason: str = "") -> bytes:
    """Return a close frame; the reason is truncated if necessary."""
    if code == NO_STATUS:
        return control(CLOSE, b"")
    text = reason.encode()[: CONTROL_BYTES - 2].decode("utf-8", "ignore").encode()
    return control(CLOSE, code.to_bytes(2, "big") + text)


def code_of(payload: bytes) -> int:
    """Return the code in a client's close frame. Raises Broken if the frame is invalid."""
    try:
        return int(Close.parse(payload).code)
    except ProtocolError as error:
        raise Broken(AGAINST_PROTOCOL, str(error)) from None
    except UnicodeDecodeError:
        raise Broken(NO_TEXT, "the reason is not UTF-8") from None
