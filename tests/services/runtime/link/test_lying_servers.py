"""Servers that tell of shards what there cannot be, or all the time, do no harm."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from brettwerk.internal.v1 import link_pb2, link_pb2_grpc
from brettwerk.v1 import errors_pb2
from services.runtime.inner_calls import by_all_names
from services.runtime.link import bounds
from services.runtime.refusal import Refused
from tests.services.runtime.link.ends import (
    channel_to,
    said,
    until,
)
from tests.services.runtime.link.owning import ask, find, owning


class Lying(link_pb2_grpc.LinkServiceServicer):
    """A server of gRPC's own library that announces what it likes before it answers."""

    def __init__(self, *announced: link_pb2.Shards) -> None:
        self.announced = announced
        self.opened = 0

    async def Open(self, request_iterator: Any, context: Any) -> AsyncIterator[link_pb2.OpenResponse]:
        self.opened += 1
        for shards in self.announced:
            yield link_pb2.OpenResponse(shards=shards)
        async for batch in request_iterator:
            answers = [link_pb2.LinkAnswer(id=call.id, response=said("lie").SerializeToString()) for call in batch.calls]
            if answers:
                yield link_pb2.OpenResponse(answers=answers)


def shards(*owned: tuple[int, int]) -> link_pb2.Shards:
    return link_pb2.Shards(owned=[link_pb2.ShardEpoch(shard=shard, epoch=epoch) for shard, epoch in owned])


@contextlib.asynccontextmanager
async def lying(*announced: link_pb2.Shards) -> AsyncIterator[tuple[Lying, str]]:
    server = grpc.aio.server()
    servicer = Lying(*announced)
    link_pb2_grpc.add_LinkServiceServicer_to_server(servicer, by_all_names(server))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield servicer, f"127.0.0.1:{port}"
    finally:
        await server.stop(None)


async def test_calls_go_to_owners_that_gRPC_s_own_library_runs() -> None:
    async with lying(shards((5, 2**64 - 1))) as (_, where), owning(1) as (one,), channel_to(f"{where},{one.where}") as stub:
        one.own({5: 1, 6: 1})
        stub.channel.get_state(try_to_connect=True)
        await until(lambda: len(stub.channel._routing.links) == 2 and stub.channel.owner(6) is not None)
        await until(lambda: stub.channel.owner(5) is not stub.channel.owner(6))
        assert (await ask(stub, 5)).next_page_token == "lie"
        assert (await ask(stub, 6)).next_page_token == one.where


@pytest.mark.parametrize(
    "received",
    [shards((256, 1)), shards((2**32 - 1, 1)), shards(*((n % 256, n) for n in range(257))), shards((5, 1), (5, 2))],
    ids=["out of range", "far out of range", "too many", "one twice"],
)
async def test_a_server_that_tells_of_what_there_cannot_be_is_not_used(
    received: link_pb2.Shards, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "FIRST_PAUSE_S", 0.2)
    async with lying(received) as (liar, where), owning(1) as (one,), channel_to(f"{where},{one.where}") as stub:
        one.own({5: 1})
        for n in range(30):
            call = ask(stub, 5, str(n)) if n % 2 else find(stub, 5, str(n))
            try:
                assert (await call).next_page_token in (one.where, "lie")
            except Refused as refused:
                assert refused.reason == errors_pb2.REASON_UNAVAILABLE  # noqa: PT017 - sent to the liar before it lied
        assert {one.done.count(str(n)) for n in range(30)} <= {0, 1}
        await until(lambda: stub.channel.owner(5) is not None)
        for _ in range(20):
            assert (await ask(stub, 5)).next_page_token == one.where
        assert liar.opened < 20, "it is asked again and again without a pause"


async def test_epochs_that_fall_and_thousands_of_announcements_do_no_harm() -> None:
    lies = [shards(*((shard, 2**40 - n) for shard in range(256) if shard % 2 != n % 2)) for n in range(3000)]
    async with lying(*lies, shards()) as (_, where), owning(1) as (one,), channel_to(f"{where},{one.where}") as stub:
        received: list[None] = []
        stub.channel.follow_owners(lambda: received.append(None))
        one.own({5: 1, 6: 1})
        calls = [ask(stub, 5 + n % 2, str(n)) for n in range(100)]
        answers = {answer.next_page_token for answer in await asyncio.gather(*calls)}
        assert answers <= {one.where, "lie"}
        await until(lambda: len(stub.channel._routing.owners._claims) == 2)
        while (await ask(stub, 5)).next_page_token != one.where:
            pass
        assert len(stub.channel._calls) == 0
        assert len(received) < 3100
