"""The WebSocket of a client, made to cost little: frames are cut out of what arrives, one callback a message.

Only what servers send to a well-behaved client is understood: whole messages, pings and closes, no extensions.
RFC 6455; the mask is zero, so that masking is nothing to do.
"""

import asyncio
import base64
import os
from collections.abc import Callable
from typing import cast

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
_WHOLE = 0x80
_MASKED = 0x80
_NO_MASK = bytes(4)
_MAX_HEAD = 16 * 1024


def frame(opcode: int, payload: bytes) -> bytes:
    """Return a client's frame with a whole message."""
    size = len(payload)
    if size < 126:
        head = bytes((_WHOLE | opcode, _MASKED | size))
    elif size < 65536:
        head = bytes((_WHOLE | opcode, _MASKED | 126)) + size.to_bytes(2, "big")
    else:
        head = bytes((_WHOLE | opcode, _MASKED | 127)) + size.to_bytes(8, "big")
    return head + _NO_MASK + payload


class Frames(asyncio.Protocol):
    """An open WebSocket."""

    def __init__(self, path: str, host: str, opcode: int, forwarded_for: str) -> None:
        head = [f"GET {path} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
        head += [f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}"]
        head += [f"X-Forwarded-For: {forwarded_for}"] if forwarded_for else []
        self._hello = "".join(f"{line}\r\n" for line in [*head, ""]).encode()
        self._opcode = opcode
        self._rest = b""
        self._open = False
        self._transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._early: list[bytes] = []
        self._on_message: Callable[[bytes], None] = self._early.append
        self._on_end: Callable[[str], None] = lambda _why: None

    @classmethod
    async def connect(cls, address: str, path: str, opcode: int = BINARY, forwarded_for: str = "") -> "Frames":
        """Return an open WebSocket to host:port. Raises OSError.

        `forwarded_for` is what a trusted proxy would say of where the client is.
        """
        host, _, port = address.rpartition(":")
        _, made = await asyncio.get_running_loop().create_connection(
            lambda: cls(path, address, opcode, forwarded_for), host.strip("[]"), int(port)
        )
        await made.opened
        return made

    def listen(self, on_message: Callable[[bytes], None], on_end: Callable[[str], None]) -> None:
        """Give every message, those that are here already too, to `on_message`, and to `on_end` why there will be no more."""
        self._on_message, self._on_end = on_message, on_end
        while self._early:
            on_message(self._early.pop(0))

    def send(self, message: bytes) -> None:
        """Send one message."""
        if self._transport is not None:
            self._transport.write(frame(self._opcode, message))

    def close(self) -> None:
        """End it without telling `on_end`."""
        self._on_end = lambda _why: None
        if self._transport is not None:
            self._transport.write(frame(CLOSE, (1000).to_bytes(2, "big")))
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a WebSocket."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._hello)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell that it is over."""
        self._transport = None
        if not self.opened.done():
            self.opened.set_exception(ConnectionError(f"no WebSocket was opened: {exc}"))
        self._on_end(f"the server ended the connection: {exc}")

    def data_received(self, data: bytes) -> None:
        """Cut messages out of what has arrived. Whatever goes wrong with one ends the connection, and is told."""
        try:
            self._cut(data)
        except Exception as error:  # noqa: BLE001 - an event loop would swallow it
            self._on_end(f"a message was not understood: {error!r}")
            self.close()

    def _cut(self, data: bytes) -> None:
        if self._rest:
            data = self._rest + data
            self._rest = b""
        at = 0 if self._open else self._answered(data)
        end = len(data)
        while end - at >= 2:
            size, begin = data[at + 1], at + 2
            if size == 126:
                begin = at + 4
                size = int.from_bytes(data[at + 2 : begin], "big")
            elif size == 127:
                begin = at + 10
                size = int.from_bytes(data[at + 2 : begin], "big")
            if begin + size > end:
                break
            head, at = data[at], begin + size
            if head in (_WHOLE | BINARY, _WHOLE | TEXT):
                self._on_message(data[begin:at])
            else:
                self._control(head, data[begin:at])
        if at < end:
            self._rest = data[at:]

    def _answered(self, data: bytes) -> int:
        """Return where frames begin, once the server has agreed to a WebSocket; the whole length until then."""
        head, found, _ = data.partition(b"\r\n\r\n")
        if not found and len(data) < _MAX_HEAD:
            self._rest = data
            return len(data)
        if not head.startswith(b"HTTP/1.1 101"):
            raise ConnectionError(f"no WebSocket: {head[:200]!r}")
        self._open = True
        self.opened.set_result(None)
        return len(head) + 4

    def _control(self, head: int, payload: bytes) -> None:
        if head == _WHOLE | PING and self._transport is not None:
            self._transport.write(frame(PONG, payload))
        elif head == _WHOLE | CLOSE and self._transport is not None:
            self._on_end(f"the server closed: {payload!r}")
            self._transport.close()
        elif head & 0x0F not in (PING, PONG, CLOSE):
            raise ConnectionError(f"a frame that this driver does not know: {head:#x}")
