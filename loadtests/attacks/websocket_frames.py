"""Attacks by frames of a WebSocket that are no messages, or hardly any."""

import asyncio

from loadtests.attacks.raw_connections import HANDSHAKE, JSON_HANDSHAKE, connected, pour
from loadtests.attacks.target import Target

OPENED = HANDSHAKE + b"\r\n"
FIRST = b"\x02\x81\0\0\0\0x"
"""A fragment of one byte that begins a message and is not masked in truth: the mask is zero."""
LARGE = 7_800_000
"""Less than a message may have."""


async def empty_fragments(target: Target) -> None:
    """Begin a message and go on with empty fragments."""
    await pour(target, OPENED + FIRST, b"\0\x80\0\0\0\0")


async def fragments_of_a_byte(target: Target) -> None:
    """Send messages in fragments of a byte."""
    await pour(target, OPENED + FIRST, b"\0\x81\0\0\0\0x")


async def pings(target: Target) -> None:
    """Send pings, and read no answer."""
    await pour(target, OPENED, b"\x89\x80\0\0\0\0", is_read=False)


async def pongs(target: Target) -> None:
    """Send pongs that nobody has asked for."""
    await pour(target, OPENED, b"\x8a\x80\0\0\0\0", is_read=False)


async def messages_of_a_byte(target: Target) -> None:
    """Send messages of a byte, and read no answer."""
    await pour(target, OPENED, b"\x82\x81\0\0\0\0x", is_read=False)


async def texts_of_a_byte(target: Target) -> None:
    """The same in JSON."""
    await pour(target, JSON_HANDSHAKE + b"\r\n", b"\x81\x81\0\0\0\0x", is_read=False)


async def unfinished_messages(target: Target) -> None:
    """Send nearly as much as a message may have through each of two hundred WebSockets, and never the end."""
    head = b"\x82\xff" + (LARGE + 1).to_bytes(8, "big") + bytes(4)

    async def one() -> None:
        try:
            async with connected(target) as (reader, writer):
                writer.write(OPENED)
                await reader.readuntil(b"\r\n\r\n")
                writer.write(head)
                for _ in range(LARGE // 100_000):
                    writer.write(b"x" * 100_000)
                    async with asyncio.timeout(10):
                        await writer.drain()
                target.tally["begun"] += 1
                await target.wait()
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            target.tally["cut"] += 1

    await asyncio.gather(*(one() for _ in range(200)))
