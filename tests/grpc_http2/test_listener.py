"""Connections come in one by one, and none is forgotten, however soon it is to end again."""

import asyncio
import contextlib
import errno
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from grpc_http2 import Visitors
from grpc_http2.listener import Listener
from grpc_http2.visitors import Visit


class Watched(Visitors):
    """Does something as soon as somebody has come."""

    def __init__(self, then: Callable[[Visit], None]) -> None:
        super().__init__(10)
        self._then = then

    def enter(self, peer: str) -> Visit | None:
        visit = super().enter(peer)
        assert visit is not None
        asyncio.get_running_loop().call_soon(self._then, visit)
        return visit


@contextlib.asynccontextmanager
async def connected(listener: Listener) -> AsyncIterator[asyncio.StreamReader]:
    """Yield what a client of the listener reads."""
    bound = socket.create_server(("127.0.0.1", 0))
    listener.add(bound)
    listener.open()
    try:
        reader, writer = await asyncio.open_connection(*bound.getsockname())
        yield reader
        writer.close()
    finally:
        listener.close()


async def test_a_connection_that_is_to_end_before_it_began_is_closed_and_no_longer_counts() -> None:
    visitors = Watched(lambda visit: visit.cut_off("others need the room"))
    async with connected(Listener(visitors, lambda visit: pytest.fail("it was let in"))) as reader, asyncio.timeout(20):
        assert await reader.read() == b""
    assert len(visitors) == 0


async def test_a_listener_without_file_descriptors_accepts_again_when_there_are_some(monkeypatch: Any) -> None:
    monkeypatch.setattr("grpc_http2.listener._PAUSE_S", 0.001)
    came: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    accepting, faults = socket.socket.accept, [OSError(errno.EMFILE, "Too many open files"), ConnectionAbortedError()]

    def accept(bound: socket.socket) -> tuple[socket.socket, Any]:
        if faults:
            raise faults.pop(0)
        return accepting(bound)

    def protocol(visit: Visit) -> asyncio.Protocol:
        came.set_result(None)
        return asyncio.Protocol()

    monkeypatch.setattr(socket.socket, "accept", accept)
    async with connected(Listener(Visitors(10), protocol)), asyncio.timeout(20):
        await came
