"""Processes of release 1.0 and of this one call each other: both names of an inner service lead to it, by links and by gRPC."""

from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from brettwerk.internal.v1 import rules_pb2, rules_pb2_grpc
from services.runtime.channel import open_channel
from services.runtime.inner_calls import by_all_names, offered, on_the_wire
from services.runtime.link import LinkChannel, LinkServer, Methods

NAMES = ("brettwerk.internal.v1.RulesService", "brettwerk.v1.RulesService")


class Rules(rules_pb2_grpc.RulesServiceServicer):
    """Answers each call alike."""

    async def FindGames(self, request: rules_pb2.FindGamesRequest, context: Any) -> rules_pb2.FindGamesResponse:
        response = rules_pb2.FindGamesResponse()
        response.games.add()
        return response


def _rules() -> Any:
    return Rules()  # type: ignore[abstract] # nothing else is asked


@pytest.fixture
async def server() -> AsyncIterator[str]:
    """The address of a gRPC server of the service."""
    running = grpc.aio.server()
    rules_pb2_grpc.add_RulesServiceServicer_to_server(_rules(), by_all_names(running))
    port = running.add_insecure_port("127.0.0.1:0")
    await running.start()
    yield f"127.0.0.1:{port}"
    await running.stop(None)


@pytest.fixture
async def link_server() -> AsyncIterator[str]:
    """The address of a server of links to the service."""
    methods = Methods("rules")
    rules_pb2_grpc.add_RulesServiceServicer_to_server(_rules(), by_all_names(methods))
    running = LinkServer(methods)
    yield await running.listen("127.0.0.1:0")
    await running.stop(0)


def test_methods_of_clients_have_one_name() -> None:
    assert on_the_wire("/brettwerk.v1.PlayService/Act") == "/brettwerk.v1.PlayService/Act"
    assert offered("brettwerk.v1.PlayService") == ("brettwerk.v1.PlayService",)
    assert offered("grpc.health.v1.Health") == ("grpc.health.v1.Health",)


def test_an_inner_method_is_called_by_the_name_that_release_1_0_knows() -> None:
    assert on_the_wire("/brettwerk.internal.v1.RulesService/FindGames") == "/brettwerk.v1.RulesService/FindGames"
    assert offered("brettwerk.internal.v1.RulesService") == NAMES


@pytest.mark.parametrize("name", NAMES)
async def test_a_server_answers_to_both_names(server: str, name: str) -> None:
    async with grpc.aio.insecure_channel(server) as channel:
        method: Any = channel.unary_unary(f"/{name}/FindGames")
        data = await method(b"")
    assert len(rules_pb2.FindGamesResponse.FromString(data).games) == 1


@pytest.mark.parametrize("name", NAMES)
async def test_a_server_of_links_answers_to_both_names(link_server: str, name: str) -> None:
    channel = LinkChannel(link_server, "rules")
    try:
        response = await channel.call(f"/{name}/FindGames", b"", rules_pb2.FindGamesResponse.FromString, 10)
    finally:
        await channel.close()
    assert len(response.games) == 1


async def test_our_own_calls_reach_a_server_of_release_1_0() -> None:
    handler: Any = grpc.unary_unary_rpc_method_handler(_rules().FindGames, None, rules_pb2.FindGamesResponse.SerializeToString)
    running = grpc.aio.server()
    running.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("brettwerk.v1.RulesService", {"FindGames": handler}),))
    port = running.add_insecure_port("127.0.0.1:0")
    await running.start()
    try:
        async with open_channel(f"127.0.0.1:{port}") as channel:
            response = await rules_pb2_grpc.RulesServiceStub(channel).FindGames(rules_pb2.FindGamesRequest())
    finally:
        await running.stop(None)
    assert len(response.games) == 1
