"""Frames of HTTP/2 that cost the gateway more than their sender, and silence: they end their connection, and nobody notices."""

import asyncio
import contextlib
import gzip
import itertools
import struct
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any

import grpc
import pytest
import pytest_asyncio

from brettwerk.v1 import play_pb2, play_pb2_grpc
from loadtests.attacks.http2 import (
    CONTINUATION,
    DATA,
    END_HEADERS,
    END_STREAM,
    HEADERS,
    PING,
    PREFACE,
    PRIORITY,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    Wire,
    field,
    frame,
    head,
    message,
)
from services.runtime import endpoint
from tests.gateway.conftest import OpenGateway
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import RunningGateway

ATTACKER, ANOTHER = "127.9.0.1", "127.9.0.2"
Open = Callable[..., Awaitable[Wire]]


@pytest.fixture
def small_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A gateway that is opened afterwards holds little for a connection."""
    monkeypatch.setattr(endpoint, "BOUNDS", replace(endpoint.BOUNDS, held_bytes=1024 * 1024))


@pytest.fixture
def short_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """A gateway that is opened afterwards waits for a request for a moment only."""
    monkeypatch.setattr(endpoint, "BOUNDS", replace(endpoint.BOUNDS, request_s=0.2))


@pytest_asyncio.fixture(loop_scope="session")
async def wire(running: RunningGateway) -> AsyncIterator[Open]:
    """Opens connections to the gateway, from the attacker's address."""
    opened: list[Wire] = []

    async def open_one(settings: bytes = b"", source: str = ATTACKER) -> Wire:
        opened.append(await Wire.open(running.grpc_address, source, settings))
        return opened[-1]

    yield open_one
    for one in opened:
        await one.close()


@contextlib.asynccontextmanager
async def quiet(running: RunningGateway) -> AsyncIterator[list[float]]:
    """Ask for the list of games, again and again; each answer must come, and none late.

    Yields how many seconds of a processor passed before each answer in the thread of the gateway (and of this test): work
    that an attack puts before others' calls counts, and what other programs of the machine take does not.
    """
    waits: list[float] = []
    async with grpc.aio.insecure_channel(running.grpc_address) as channel:
        stub: Any = play_pb2_grpc.PlayServiceStub(channel)

        async def ask() -> None:
            while True:
                began = time.thread_time()
                await stub.ListGames(play_pb2.ListGamesRequest(), timeout=20)
                waits.append(time.thread_time() - began)

        await stub.ListGames(play_pb2.ListGamesRequest(), timeout=20)  # the connection is open before anybody attacks
        asking = asyncio.create_task(ask())
        yield waits
        seen = len(waits)
        while len(waits) < seen + 3 and not asking.done():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.01)
        asking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asking


async def poured(wire: Wire, data: bytes, times: int = 400) -> str:
    """Return how a connection ends over which the same is sent so often, at most."""
    with contextlib.suppress(OSError):
        for _ in range(times):
            await wire.send(data)
            await asyncio.sleep(0)
    return await wire.ended(20)


async def test_streams_that_are_broken_at_once_end_their_connection_and_no_call_of_others(
    running: RunningGateway, wire: Open
) -> None:
    attacker = await wire()
    block = head("ListGames")
    async with quiet(running) as waits:
        for number in itertools.count(1, 400):
            pairs = [
                frame(HEADERS, END_HEADERS, n, block) + frame(RST_STREAM, 0, n, struct.pack(">I", 8))
                for n in range(number, number + 400, 2)
            ]
            if number > 20_000 or attacker.ended_by:
                break
            with contextlib.suppress(OSError):
                await attacker.send(b"".join(pairs))
            await asyncio.sleep(0)
        assert await attacker.ended(20) == "ENHANCE_YOUR_CALM"
    assert max(waits) < 1


OPENED = frame(HEADERS, END_HEADERS, 1, head("Connect"))
FLOODS = {
    "settings": frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 65_535)),
    "signs of life": frame(PING, 0, 0, bytes(8)),
    "windows": frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 1)),
    "windows of a stream": OPENED + frame(WINDOW_UPDATE, 0, 1, struct.pack(">I", 1)) * 3000,
    "priorities": frame(PRIORITY, 0, 3, struct.pack(">IB", 0, 1)),
    "frames of a kind that nobody knows": frame(99, 0, 0, b""),
    "frames without data": OPENED + frame(DATA, 0, 1) * 3000,
    "data byte by byte": OPENED + frame(DATA, 0, 1, struct.pack(">BI", 0, 2**20)) + frame(DATA, 0, 1, b"x") * 3000,
    "headers without end": frame(HEADERS, 0, 1, head("Connect")) + frame(CONTINUATION, 0, 1, field(b"x", b"y" * 100) * 9) * 50,
    "headers of one long one": frame(HEADERS, END_HEADERS, 1, head("Connect") + b"\x40\x01x\x7e" + b"y" * 126 + b"\xbe" * 15_000),
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
async def test_a_flood_of_frames_that_bring_nothing_ends_its_connection(
    running: RunningGateway, wire: Open, flood: bytes
) -> None:
    attacker = await wire()
    async with quiet(running) as waits:
        assert await poured(attacker, flood * (30_000 // len(flood) + 1)) == "ENHANCE_YOUR_CALM"
    assert max(waits) < 1


async def test_an_address_that_has_used_its_allowance_gets_no_new_one_by_connecting_again(wire: Open) -> None:
    flood = frame(PING, 0, 0, bytes(8)) * 2500
    taken = 0
    for _ in range(6):
        attacker = await wire()
        with contextlib.suppress(OSError):
            for _ in range(40):
                await attacker.send(frame(PING, 0, 0, bytes(8)) * 100)
                taken += 100
        assert await poured(attacker, flood) == "ENHANCE_YOUR_CALM"
    other = await wire(source=ANOTHER)
    await other.send(frame(PING, 0, 0, bytes(8)))
    await other.heard(PING)
    assert not other.ended_by


@pytest.mark.usefixtures("small_memory")
async def test_answers_that_nobody_takes_are_bounded(running: RunningGateway, peer: Peer, wire: Open) -> None:
    peer.handlers["list_games"] = lambda caller, request: play_pb2.ListGamesResponse(next_page_token="x" * 100_000)
    attacker = await wire(struct.pack(">HI", 4, 0))
    async with quiet(running) as waits:
        for number in range(1, 60, 2):
            with contextlib.suppress(OSError):
                await attacker.send(
                    frame(HEADERS, END_HEADERS, number, head("ListGames")) + frame(DATA, END_STREAM, number, message(b""))
                )
        assert await attacker.ended(20)
    assert max(waits) < 1


async def test_answers_are_not_taken_byte_by_byte(running: RunningGateway, peer: Peer, wire: Open) -> None:
    peer.handlers["list_games"] = lambda caller, request: play_pb2.ListGamesResponse(next_page_token="x" * 100_000)
    attacker = await wire(struct.pack(">HI", 4, 1))
    await attacker.send(frame(HEADERS, END_HEADERS, 1, head("ListGames")) + frame(DATA, END_STREAM, 1, message(b"")))
    await attacker.heard(DATA)
    async with quiet(running) as waits:
        assert await poured(attacker, frame(WINDOW_UPDATE, 0, 1, struct.pack(">I", 1)) * 100) == "ENHANCE_YOUR_CALM"
    assert max(waits) < 1


@pytest.mark.usefixtures("small_memory")
async def test_requests_that_are_begun_and_not_ended_are_bounded(wire: Open) -> None:
    attacker = await wire()
    part = struct.pack(">BI", 0, 1_000_000) + bytes(100_000)
    with contextlib.suppress(OSError):
        for number in range(1, 40, 2):
            await attacker.send(frame(HEADERS, END_HEADERS, number, head("CheckRecord")) + frame(DATA, 0, number, part))
    assert await attacker.ended(20) == "ENHANCE_YOUR_CALM"


DROPS = {
    "nothing": b"",
    "half a preface": PREFACE[:10],
    "half a frame": PREFACE + frame(SETTINGS, 0, 0) + frame(PING, 0, 0, bytes(8))[:12],
    "half of the headers": PREFACE + frame(SETTINGS, 0, 0) + frame(HEADERS, 0, 1, head("Connect")),
}


@pytest.mark.parametrize("said", DROPS.values(), ids=DROPS)
async def test_a_request_that_stops_halfway_is_cut_off(
    open_gateway: OpenGateway, said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "BOUNDS", replace(endpoint.BOUNDS, keepalive_s=0.1))
    running = await open_gateway()
    host, _, port = running.grpc_address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(said)

    async def drop() -> None:
        while True:  # a byte in time, of a frame that takes an hour: silence is no reason
            await asyncio.sleep(0.05)  # the pace of the attack
            writer.write(b"\0" if len(said) > len(PREFACE) else b"")

    dropping = asyncio.create_task(drop())
    async with asyncio.timeout(20):
        with contextlib.suppress(ConnectionError):
            while await reader.read(65_536):
                pass
    dropping.cancel()
    writer.close()


@pytest.mark.usefixtures("short_timeout")
async def test_a_request_that_does_not_come_is_refused(wire: Open) -> None:
    attacker = await wire()
    await attacker.send(frame(HEADERS, END_HEADERS, 1, head("ListGames")))
    await attacker.heard(HEADERS)
    assert not attacker.ended_by, "a call that ends is no fault of its connection"


async def test_an_address_has_a_bounded_number_of_connections(open_gateway: OpenGateway, peer: Peer) -> None:
    running = await open_gateway(connections_per_address=3)
    opened = [await Wire.open(running.grpc_address, ATTACKER) for _ in range(3)]
    other = await Wire.open(running.grpc_address, ANOTHER)
    await opened[0].send(OPENED)
    await peer.until(lambda: bool(running.gateway._connections.open))
    opened.append(await Wire.open(running.grpc_address, ATTACKER))
    assert await opened[1].ended(10), "an idle one makes room"
    assert [bool(wire.ended_by) for wire in (opened[0], *opened[2:], other)] == [False] * 4
    for wire in (*opened, other):
        await wire.close()


async def test_an_address_has_a_bounded_number_of_calls(open_gateway: OpenGateway, peer: Peer) -> None:
    running = await open_gateway(streams_per_address=5)
    peer.hold.clear()
    async with grpc.aio.insecure_channel(running.grpc_address) as channel:
        stub: Any = play_pb2_grpc.PlayServiceStub(channel)
        calls = [stub.ListGames(play_pb2.ListGamesRequest(), timeout=20) for _ in range(6)]
        done, _ = await asyncio.wait([asyncio.ensure_future(call.code()) for call in calls], return_when=asyncio.FIRST_COMPLETED)
        assert [one.result() for one in done] == [grpc.StatusCode.RESOURCE_EXHAUSTED]
        peer.hold.set()
        codes = sorted([(await call.code()).name for call in calls])
        assert codes == ["OK"] * 5 + ["RESOURCE_EXHAUSTED"]


async def test_compressed_requests_are_read_as_far_as_they_are_no_bombs(running: RunningGateway, peer: Peer, wire: Open) -> None:
    def echo(caller: object, request: Any) -> play_pb2.ListGamesResponse:
        return play_pb2.ListGamesResponse(next_page_token=request.language)

    peer.handlers["list_games"] = echo
    for compression in (grpc.Compression.Gzip, grpc.Compression.Deflate):
        async with grpc.aio.insecure_channel(running.grpc_address, compression=compression) as channel:
            stub: Any = play_pb2_grpc.PlayServiceStub(channel)
            assert (await stub.ListGames(play_pb2.ListGamesRequest(language="en"), timeout=20)).next_page_token == "en"
    attacker = await wire()
    block = head("CheckRecord", field(b"grpc-encoding", b"gzip"))
    bomb = message(gzip.compress(bytes(7_000_000)), is_compressed=True)
    async with quiet(running) as waits:
        with contextlib.suppress(OSError):
            for number in range(
                1, 2 * endpoint.BOUNDS.streams, 2
            ):  # until it is too much: an allowance grows while a slow machine reads
                await attacker.send(frame(HEADERS, END_HEADERS, number, block) + frame(DATA, END_STREAM, number, bomb))
        assert await attacker.ended(20) == "ENHANCE_YOUR_CALM"
    assert max(waits) < 1


@pytest.mark.parametrize(
    "data",
    [b"no gzip at all", gzip.compress(b"x" * 100)[:-9], gzip.compress(bytes(2**23 + 1))],
    ids=["no gzip", "cut off", "too large"],
)
async def test_a_message_that_cannot_be_inflated_is_malformed(running: RunningGateway, data: bytes) -> None:
    async with grpc.aio.insecure_channel(running.grpc_address) as channel:
        stub: Any = play_pb2_grpc.PlayServiceStub(channel)
        attacker = await Wire.open(running.grpc_address, ATTACKER)
        block = head("ListGames", field(b"grpc-encoding", b"gzip"))
        body = message(data, is_compressed=True)
        await attacker.send(frame(HEADERS, END_HEADERS, 1, block) + frame(DATA, END_STREAM, 1, body))
        await attacker.heard(HEADERS)
        assert not attacker.ended_by
        await attacker.close()
        await stub.ListGames(play_pb2.ListGamesRequest(), timeout=20)
