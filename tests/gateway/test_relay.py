"""The relay of these tests leaves no connection behind, which would be blamed on whatever test comes later."""

import asyncio

import pytest

from tests.gateway.relay import Relay


async def test_a_relay_that_ends_hangs_up_on_clients_that_it_has_not_connected_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    connect, connecting = asyncio.open_connection, asyncio.Event()

    async def connect_never(*_: object) -> None:
        connecting.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(asyncio, "open_connection", connect_never)
    async with Relay("127.0.0.1:1").open() as relay:
        host, _, port = relay.address.rpartition(":")
        reader, writer = await connect(host, int(port))
        await connecting.wait()
    assert await asyncio.wait_for(reader.read(), 20) == b""
    writer.close()
    await writer.wait_closed()


async def test_a_relay_that_ends_hangs_up_on_clients_that_it_has_just_met() -> None:
    async with Relay("127.0.0.1:1").open() as relay:
        host, _, port = relay.address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        while not relay.connections:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0)
    assert await asyncio.wait_for(reader.read(), 20) == b""
    writer.close()
    await writer.wait_closed()
