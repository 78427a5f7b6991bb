"""Attacks by connections that do next to nothing: idle ones, half a handshake, a byte a second."""

import asyncio
import contextlib

from loadtests.attacks.raw_connections import CALL, HANDSHAKE, connected, spoken
from loadtests.attacks.target import Target

HELLO = bytes.fromhex("160301020001")
"""The beginning of a handshake of TLS (RFC 8446 section 5.1), of which 512 bytes are announced."""
ADDRESSES = 500
BATCH = 200
"""How many connections are begun at once."""
_PHASES = {
    "request line": (b"", b"GET /v1/health HTTP/1.1\r\n" * 10),
    "header": (b"GET /v1/health HTTP/1.1\r\n", b"x-field: value\r\n" * 100),
    "body": (CALL + b"content-length: 1000\r\n\r\n", b" " * 999),
    "chunks": (CALL + b"transfer-encoding: chunked\r\n\r\n", b"1\r\n \r\n" * 100),
    "handshake of TLS": (b"", HELLO + bytes(500)),
    "handshake of a WebSocket": (HANDSHAKE, b"x-field: value\r\n" * 100),
    "frame": (HANDSHAKE + b"\r\n", b"\x82\xfe\x03\xe8\0\0\0\0" + bytes(999)),
}


async def byte_a_second(target: Target) -> None:
    """Send a byte a second in every phase of a connection, fifty connections each."""
    phases = [_PHASES[name] for name in _PHASES for _ in range(50)]
    await asyncio.gather(*(spoken(target, [first, *_bytes(rest)], 1.0) for first, rest in phases))


async def half_handshakes(target: Target) -> None:
    """Begin ten thousand handshakes of TLS, a thousand from an address, and never end them."""
    await _crowd(target, 10_000, 10, HELLO)


async def idle_crowd(target: Target) -> None:
    """Open connections from one address, as many as it may have and some more, and say nothing."""
    await _crowd(target, 4000, 1, b"")


async def idle_crowds(target: Target) -> None:
    """Open WebSockets from five hundred addresses, as many as this process can have, and say nothing."""
    await _crowd(target, 15_000, ADDRESSES, HANDSHAKE + b"\r\n")


def _bytes(data: bytes) -> list[bytes]:
    return [data[index : index + 1] for index in range(len(data))]


async def _crowd(target: Target, size: int, addresses: int, said: bytes) -> None:
    ready = asyncio.Semaphore(BATCH)

    async def one(number: int) -> None:
        try:
            async with contextlib.AsyncExitStack() as stack:
                async with ready, asyncio.timeout(20):
                    reader, writer = await stack.enter_async_context(connected(target, 1 + number % addresses))
                writer.write(said)
                await target.wait()
                target.tally["cut" if reader.at_eof() or reader.exception() or writer.is_closing() else "open to the end"] += 1
        except (OSError, TimeoutError):
            target.tally["refused"] += 1

    await asyncio.gather(*(one(number) for number in range(size)))
