"""At every endpoint the address counts that the proxies saw, whatever a client writes into their header."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import grpc
import pytest
from websockets.asyncio.client import connect

from brettwerk.v1 import play_pb2, play_pb2_grpc
from tests.gateway.conftest import OpenGateway
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import RunningGateway, call_of
from tests.web_client import web_client

Fields = Sequence[tuple[str, str]]
"""Header fields as they are sent: each value is a line of its own."""


async def by_json(running: RunningGateway, fields: Fields) -> None:
    async with web_client(base_url=running.web) as client:
        assert (await client.post("/v1/ListSessions", json={}, headers=list(fields))).status_code == 200


async def by_connect(running: RunningGateway, fields: Fields) -> None:
    async with web_client(base_url=running.web) as client:
        path = "/brettwerk.v1.PlayService/ListSessions"
        assert (await client.post(path, json={}, headers=list(fields))).status_code == 200


async def by_websocket(running: RunningGateway, fields: Fields) -> None:
    async with connect(running.websocket, additional_headers=list(fields)) as socket:
        await socket.send(play_pb2.ConnectRequest(id=1, call=call_of("ListSessions")).SerializeToString())
        await socket.recv()


async def by_grpc(running: RunningGateway, fields: Fields) -> None:
    async with grpc.aio.insecure_channel(running.grpc_address) as channel:
        stub: Any = play_pb2_grpc.PlayServiceStub(channel)
        await stub.ListSessions(play_pb2.ListSessionsRequest(), metadata=tuple(fields))


async def by_grpc_stream(running: RunningGateway, fields: Fields) -> None:
    async with grpc.aio.insecure_channel(running.grpc_address) as channel:
        stream: Any = channel.stream_stream("/brettwerk.v1.PlayService/Connect")(metadata=tuple(fields))
        await stream.write(play_pb2.ConnectRequest(id=1, call=call_of("ListSessions")).SerializeToString())
        await stream.read()
        stream.cancel()


@pytest.mark.parametrize(
    ("header", "lines", "counted"),
    [
        ("x-forwarded-for", ["198.51.100.7"], "198.51.100.7"),
        ("x-forwarded-for", ["6.6.6.6", "198.51.100.7"], "198.51.100.7"),
        ("x-forwarded-for", ["6.6.6.6", "198.51.100.7:4711, 127.0.0.2"], "198.51.100.7"),
        ("x-forwarded-for", ["6.6.6.6, [2001:db8::1]:443"], "2001:db8::/64"),
        ("x-forwarded-for", ["6.6.6.6, unknown"], "127.0.0.1"),
        ("forwarded", ['for="6.6.6.6', 'for="198.51.100.7:4711";proto=https', "for=127.0.0.2"], "198.51.100.7"),
    ],
)
@pytest.mark.parametrize("call", [by_json, by_connect, by_websocket, by_grpc, by_grpc_stream])
async def test_every_endpoint_counts_the_address_that_the_proxy_saw(
    open_gateway: OpenGateway,
    peer: Peer,
    call: Callable[[RunningGateway, Fields], Awaitable[None]],
    header: str,
    lines: Sequence[str],
    counted: str,
) -> None:
    running = await open_gateway(trusted_proxies="127.0.0.0/8", proxy_header=header)
    other = {"x-forwarded-for": ("forwarded", "for=6.6.6.6"), "forwarded": ("x-forwarded-for", "6.6.6.6")}[header]
    await call(running, [*((header, line) for line in lines), other])
    assert peer.calls[-1].caller.address == counted


@pytest.mark.parametrize(
    ("call", "counted"),
    [
        *((call, "198.51.100.7") for call in (by_json, by_connect, by_websocket)),
        *((call, "127.0.0.2") for call in (by_grpc, by_grpc_stream)),  # gRPC's own server keeps the last line only
    ],
)
async def test_two_proxies_that_each_add_a_line_let_nobody_choose_an_address(
    open_gateway: OpenGateway, peer: Peer, call: Callable[[RunningGateway, Fields], Awaitable[None]], counted: str
) -> None:
    running = await open_gateway(trusted_proxies="127.0.0.0/8")
    await call(running, [("x-forwarded-for", line) for line in ("6.6.6.6", "198.51.100.7", "127.0.0.2")])
    assert peer.calls[-1].caller.address == counted
