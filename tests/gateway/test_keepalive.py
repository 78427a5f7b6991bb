"""Channels that live long: idle ones that ask for signs of life stay, and old connections are replaced without a call failing."""

import asyncio
from typing import Any

import grpc
import pytest

from brettwerk.v1 import play_pb2, play_pb2_grpc
from services.runtime import server
from tests.gateway.conftest import OpenGateway
from tests.gateway.relay import Relay
from tests.gateway.running_gateway import RunningGateway

KEEPALIVE = (
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.use_local_subchannel_pool", 1),
)


@pytest.mark.nightly
@pytest.mark.parametrize(("every_ms", "pings"), [(300, 8), (6_000, 8)])
async def test_an_idle_channel_that_asks_for_signs_of_life_stays(running: RunningGateway, every_ms: int, pings: int) -> None:
    options = (*KEEPALIVE, ("grpc.keepalive_time_ms", every_ms))
    async with Relay(running.grpc_address).open() as relay, grpc.aio.insecure_channel(relay.address, options=options) as channel:
        stub: Any = play_pb2_grpc.PlayServiceStub(channel)
        await stub.ListGames(play_pb2.ListGamesRequest(), timeout=20)
        while relay.pings < pings:
            await asyncio.sleep(0.05)
            assert channel.get_state() is grpc.ChannelConnectivity.READY
        await stub.ListGames(play_pb2.ListGamesRequest(), timeout=20)
        assert relay.connections == 1


async def test_old_connections_are_replaced_without_a_call_failing(
    open_gateway: OpenGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_ENDPOINT_TURN_S", 0.2)
    running = await open_gateway()
    async with Relay(running.grpc_address).open() as relay, grpc.aio.insecure_channel(relay.address) as channel:
        stub: Any = play_pb2_grpc.PlayServiceStub(channel)
        while relay.connections < 4:
            await asyncio.gather(*(stub.ListGames(play_pb2.ListGamesRequest(), timeout=20) for _ in range(5)))
