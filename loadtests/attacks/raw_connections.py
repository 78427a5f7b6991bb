"""Connections to the web endpoint whose bytes an attack chooses: no proxy states where they are from, so they come from there."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Iterable

from loadtests.attacks.target import Target

HANDSHAKE = (
    b"GET /v1/connect HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
    b"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n"
)
"""Of a WebSocket, up to the empty line."""
JSON_HANDSHAKE = HANDSHAKE + b"sec-websocket-protocol: brettwerk.v1+json\r\n"
CALL = b"POST /v1/ListGames HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
"""Of a call, up to its length."""
AT_ONCE = 64 * 1024
"""How many bytes are handed to the system in one go."""

Wire = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def source(number: int) -> str:
    """Return one of 60,000 addresses of this machine, none of which is the proxy's."""
    return f"127.1.{number // 250}.{1 + number % 250}"


@contextlib.asynccontextmanager
async def connected(target: Target, number: int = 0) -> AsyncIterator[Wire]:
    """Open a connection from the attacker's address of that number. Raises OSError."""
    host, _, port = target.web_address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port), local_addr=(source(number), 0))
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def pour(target: Target, first: bytes, piece: bytes, *, is_read: bool = True) -> None:
    """Send `first` and then the piece for ever, as fast as it is taken, and begin again whenever the connection has ended."""
    many = piece * max(1, AT_ONCE // len(piece))
    while target.is_on:
        with contextlib.suppress(OSError, TimeoutError):
            async with connected(target) as (reader, writer):
                target.tally["connections"] += 1
                said = asyncio.create_task(reader.read(2**24) if is_read else asyncio.sleep(3600))
                for data in itertools.chain([first], itertools.repeat(many)):
                    if not target.is_on or said.done() or writer.is_closing():
                        break
                    writer.write(data)
                    async with asyncio.timeout(1):
                        await writer.drain()
                    target.tally["bytes"] += len(data)
                    await asyncio.sleep(0)
                if said.done() and not said.exception():
                    answer = said.result() or b"hung up"
                    target.tally[answer.split(b"\r\n")[0].decode("latin-1")[:40]] += 1
                said.cancel()
        await asyncio.sleep(0.001)


async def spoken(target: Target, pieces: Iterable[bytes], pause_s: float, number: int = 0) -> None:
    """Send one piece after the other with a pause between them, and count whether the connection lasts to the end."""
    try:
        async with connected(target, number) as (reader, writer):
            said = asyncio.create_task(reader.read())
            for piece in pieces:
                if not target.is_on or said.done():
                    break
                writer.write(piece)
                await asyncio.sleep(pause_s)
            target.tally["cut" if said.done() else "open to the end"] += 1
            said.cancel()
            await asyncio.gather(said, return_exceptions=True)
    except OSError:
        target.tally["refused"] += 1
