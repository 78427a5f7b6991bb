"""Calls that are for operators alone: the gateway lets them through with the key, or from a player who is one."""

import pytest

from brettwerk.v1 import errors_pb2, operation_pb2, play_pb2
from gateway.messages.contract import METHODS, SMALL_BYTES
from tests.gateway.conftest import OpenEndpoint, OpenGateway
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import call_of

KEY = "an operator's key of more than thirty-two characters"
TABLES = ("ListEndgameTables", "ChangeEndgameTables")


@pytest.mark.parametrize("kind", ["json", "unary", "connect", "websocket"])
@pytest.mark.parametrize("name", TABLES)
async def test_with_the_key_a_call_reaches_the_session_service(
    open_gateway: OpenGateway, through: OpenEndpoint, peer: Peer, kind: str, name: str
) -> None:
    endpoint = await through(kind, await open_gateway(operator_key=KEY))
    answer = await endpoint.call(call_of(name, operator_key=KEY))
    assert answer.WhichOneof("response") == METHODS[name].field
    assert len(peer.calls) == 1


@pytest.mark.parametrize("key", ["", "x" * 40, KEY[:-1]])
@pytest.mark.parametrize("name", TABLES)
async def test_without_the_key_it_reaches_nobody(
    open_gateway: OpenGateway, through: OpenEndpoint, peer: Peer, token: str, name: str, key: str
) -> None:
    endpoint = await through("json", await open_gateway(operator_key=KEY), token)
    answer = await endpoint.call(call_of(name, operator_key=key))
    assert (answer.refusal.reason, answer.refusal.field) == (errors_pb2.REASON_UNKNOWN, "operator_key")
    assert not peer.calls


@pytest.mark.parametrize("kind", ["unary", "connect", "websocket"])
async def test_a_request_that_is_large_by_what_nobody_knows_is_let_through_no_more_than_others(
    open_gateway: OpenGateway, through: OpenEndpoint, peer: Peer, kind: str
) -> None:
    unknown_field = b"\xfa\x7f\x80\x80\x04" + bytes(65536)
    request = operation_pb2.ChangeEndgameTablesRequest.FromString(b"\x10\x05" + unknown_field)
    call = play_pb2.Call(change_endgame_tables=request)
    assert call.ByteSize() > SMALL_BYTES
    answer = await (await through(kind, await open_gateway(operator_key=KEY))).call(call)
    assert answer.HasField("refusal")
    assert not peer.calls
