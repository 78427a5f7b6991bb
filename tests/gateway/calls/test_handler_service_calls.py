"""Calls to a players service that is away, and to one that has just come."""

from typing import Any, cast

import grpc
import pytest

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc
from brettwerk.v1 import accounts_pb2, errors_pb2, play_pb2
from gateway.calls.handler import AccountCalls
from gateway.calls.requests import Incoming
from gateway.identity.caller import Caller
from gateway.identity.players import Players
from gateway.messages.contract import METHODS
from services.runtime.channel import open_channel
from services.runtime.inner_calls import by_all_names
from services.runtime.refusal import Refused
from tests.ports import free_port

ANSWER = play_pb2.Answer(get_account=accounts_pb2.GetAccountResponse()).SerializeToString()
CALL = play_pb2.Call(get_account=accounts_pb2.GetAccountRequest()).SerializeToString()
INCOMING = Incoming(METHODS["GetAccount"], accounts_pb2.GetAccountRequest(), CALL)


class Service(players_pb2_grpc.PlayersServiceServicer):
    async def AnswerCall(self, request: Any, context: Any) -> players_pb2.AnswerCallResponse:
        return players_pb2.AnswerCallResponse(answer=ANSWER)


async def test_the_first_call_after_a_long_absence_finds_a_service_that_has_just_come() -> None:
    port = free_port()
    async with open_channel(f"127.0.0.1:{port}") as channel:
        calls = AccountCalls(channel, cast(Players, None))
        for _ in range(3):  # the pauses between the channel's attempts have grown by then
            with pytest.raises(Refused) as caught:
                await calls.ask(INCOMING, Caller("192.0.2.1"), 10)
            assert caught.value.reason == errors_pb2.REASON_UNAVAILABLE
        server = grpc.aio.server()
        players_pb2_grpc.add_PlayersServiceServicer_to_server(Service(), by_all_names(server))  # type: ignore[abstract]
        server.add_insecure_port(f"127.0.0.1:{port}")
        await server.start()
        try:
            assert await calls.ask(INCOMING, Caller("192.0.2.1"), 10) == ANSWER
        finally:
            await server.stop(None)
