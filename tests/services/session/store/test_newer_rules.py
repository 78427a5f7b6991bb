"""A session process between rules processes of two releases: what one of them does not know, it asks of another."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any, cast

import pytest

from brettwerk.internal.v1 import rules_pb2_grpc
from brettwerk.v1 import games_pb2, record_pb2
from services.runtime.link import LinkServer, Methods
from services.runtime.refusal import Refused, is_newer, newer
from services.session.domain.plies import Variation
from services.session.live.rules_client import RulesClient
from tests.services.session.refusing import refused
from tests.services.session.running import running_rules


class OlderRules(rules_pb2_grpc.RulesServiceServicer):
    """Rules of a release that does not know the position that it is asked about."""

    def __init__(self) -> None:
        self.asked = 0

    async def NewPosition(self, request, context):
        self.asked += 1
        raise newer("position")


@contextlib.asynccontextmanager
async def older_rules() -> AsyncIterator[tuple[OlderRules, str]]:
    methods, servicer = Methods("rules"), OlderRules()  # type: ignore[abstract]
    rules_pb2_grpc.add_RulesServiceServicer_to_server(servicer, cast(Any, methods))
    server = LinkServer(methods)
    yield servicer, await server.listen("127.0.0.1:0")
    await server.stop(0)


@contextlib.asynccontextmanager
async def asking(*addresses: str) -> AsyncIterator[RulesClient]:
    client = RulesClient(",".join(addresses), 5)
    yield client
    await client.close()


async def test_rules_of_a_newer_release_are_asked_when_others_pass_a_call_on() -> None:
    async with older_rules() as (older, one), running_rules() as other, asking(one, other) as client:
        for _ in range(8):
            assert (await client.new("einstein", None, 2, None, bytes(32))).step.to_act == [0]
        assert older.asked <= 8


async def test_when_there_are_none_the_call_is_refused_as_it_was_and_each_is_asked_once() -> None:
    async with older_rules() as (older, one), older_rules() as (other, two), asking(one, two) as client:
        await client._channel.channel_ready()
        while len(client._channel._routing.links) < 2:  # noqa: ASYNC110 - the other has no event
            await asyncio.sleep(0.01)
        with pytest.raises(Refused) as caught:
            await client.new("einstein", None, 2, None, bytes(32))
        assert is_newer(caught.value.refusal)
        assert (older.asked, other.asked) == (1, 1)


async def test_the_revision_of_the_rules_that_a_session_began_with_goes_along() -> None:
    async with running_rules() as address, asking(address) as client:
        first = (await client.new("einstein", None, 2, None, bytes(32))).step
        ply = record_pb2.Ply(system_action=games_pb2.SystemAction(resign=0), seed=bytes(32))
        assert (await client.play("einstein", first.position, ply, "1")).HasField("outcome")
        with refused("UNAVAILABLE") as caught:
            await client.play("einstein", first.position, ply, "99")
        assert caught.value.refusal.details["newer"] == "rules_version 99"


async def test_a_method_that_an_older_release_does_not_have_is_distinguished_from_a_fault() -> None:
    server = LinkServer(Methods("rules"))
    async with asking(await server.listen("127.0.0.1:0")) as client:
        with refused("NO_SUCH_METHOD"):
            await client.write_variation("einstein", 2, Variation(None, None, ()))
    await server.stop(0)
