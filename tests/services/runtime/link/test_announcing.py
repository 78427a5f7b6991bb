"""A server tells all callers which shards it owns: first of all, and before every answer that it gives after a change."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
import pytest_asyncio

from brettwerk.internal.v1 import link_pb2, link_pb2_grpc
from services.runtime.link import LinkServer
from tests.services.runtime.link.ends import AtOnce, Awaited, Request, Response, echo, said, say, served, until

FIND_GAMES = "/brettwerk.internal.v1.RulesService/FindGames"


def owned(response: link_pb2.OpenResponse) -> dict[int, int] | None:
    """Return what a response announces."""
    return {one.shard: one.epoch for one in response.shards.owned} if response.HasField("shards") else None


def batch(*texts: str) -> link_pb2.OpenRequest:
    calls = [link_pb2.LinkCall(id=n, method=FIND_GAMES, request=say(text).SerializeToString()) for n, text in enumerate(texts)]
    return link_pb2.OpenRequest(calls=calls)


class Raw:
    """A caller that grpcio speaks for."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.stream: Any = link_pb2_grpc.LinkServiceStub(channel).Open()

    async def next(self) -> link_pb2.OpenResponse:
        response: link_pb2.OpenResponse = await asyncio.wait_for(self.stream.read(), 20)
        return response


@pytest_asyncio.fixture
async def linked() -> AsyncIterator[tuple[LinkServer, grpc.aio.Channel]]:
    async with served(AtOnce(echo)) as (server, where), grpc.aio.insecure_channel(where) as channel:  # type: ignore[abstract]
        yield server, channel


async def test_a_stream_begins_with_what_is_owned_and_every_change_follows(linked: tuple[LinkServer, grpc.aio.Channel]) -> None:
    server, channel = linked
    server.announce({3: 7, 255: 2**63})
    first, second = Raw(channel), Raw(channel)
    for caller in (first, second):
        assert owned(await caller.next()) == {3: 7, 255: 2**63}
    for change in ({3: 8}, {}, {0: 1}):
        server.announce(change)
        for caller in (first, second):
            assert owned(await caller.next()) == change


async def test_a_caller_without_an_announcement_is_not_heard_of(linked: tuple[LinkServer, grpc.aio.Channel]) -> None:
    _, channel = linked
    caller = Raw(channel)
    await caller.stream.write(batch("x"))
    assert owned(await caller.next()) is None


async def test_an_answer_is_never_before_the_change_that_it_was_given_after() -> None:
    async def handle(request: Request) -> Response:
        await asyncio.sleep(0)
        epochs[0] += 1
        server.announce({0: epochs[0]})
        return said(str(epochs[0]))

    epochs = [0]
    async with (
        served(Awaited(handle)) as (server, where),  # type: ignore[abstract]
        grpc.aio.insecure_channel(where) as channel,
    ):
        caller, known, answered = Raw(channel), 0, 0
        for _ in range(20):
            await caller.stream.write(batch(*"x" * 50))
        while answered < 1000:
            response = await caller.next()
            known = (owned(response) or {}).get(0, known)
            for answer in response.answers:
                answered += 1
                assert int(Response.FromString(answer.response).next_page_token) <= known


async def test_a_caller_that_does_not_read_costs_no_memory_for_changes(linked: tuple[LinkServer, grpc.aio.Channel]) -> None:
    server, channel = linked
    caller = Raw(channel)
    await caller.stream.write(batch("x"))
    await until(lambda: server._answering)
    (answering,) = next(iter(server._answering.values()))
    everything = dict.fromkeys(range(256), 2**64 - 1)
    for n in range(3000):
        server.announce({**everything, 0: n})
        await asyncio.sleep(0)
    stream = answering._stream
    assert stream is not None
    assert stream.queued < 2 * 1024 * 1024
    while (owned(await caller.next()) or {}).get(0) != 2999:
        pass


def test_only_shards_that_there_can_be_are_announced() -> None:
    server = LinkServer(None)  # type: ignore[arg-type]
    for shard in (256, -1):
        with pytest.raises(ValueError, match=r"shard|range"):
            server.announce({shard: 1})
