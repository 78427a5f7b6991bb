"""Gateways know of a sign-out's number only once they know which API tokens are void since."""

import grpc
import pytest

from brettwerk.internal.v1 import players_pb2, session_pb2
from brettwerk_games.protobuf_wire.fields import tag
from gateway.calls.handler import _request
from gateway.identity.caller import Caller
from gateway.identity.players import Player, SignOuts

ADA = "a" * 26
PAGE = [players_pb2.SignOut(player_id=ADA, generation=2, number=7)]


class Away(grpc.RpcError):
    """The players service cannot be reached."""


async def test_a_number_is_known_once_void_api_tokens_are_and_a_generation_at_once() -> None:
    known: list[tuple[bool, int]] = []
    sign_outs = SignOuts()

    async def refresh() -> None:
        known.append((sign_outs.is_void(ADA, 1), sign_outs.number_of(ADA)))

    sign_outs.refresh = refresh
    await sign_outs._heard(PAGE)
    assert known == [(True, 0)]
    assert sign_outs.number_of(ADA) == 7
    await sign_outs._heard(PAGE)
    assert len(known) == 1, "what is known is nothing new"
    assert (sign_outs.is_void(ADA, 2), sign_outs.number_of("b" * 26)) == (False, 0)


async def test_without_the_players_service_a_number_stays_unknown() -> None:
    sign_outs = SignOuts()

    async def fail() -> None:
        raise Away

    sign_outs.refresh = fail
    with pytest.raises(Away):
        await sign_outs._heard(PAGE)
    assert (sign_outs.number_of(ADA), sign_outs.is_void(ADA, 1)) == (0, True)


@pytest.mark.parametrize("sign_out", [0, 7])
def test_the_session_service_is_told_the_number_with_each_call(sign_out: int) -> None:
    caller = Caller("192.0.2.1", Player(ADA, "Ada"))
    request = session_pb2.CarryOutRequest.FromString(
        _request(caller, sign_out, tag(session_pb2.CarryOutRequest, "call"), b"a call")
    )
    assert request.call == b"a call"
    assert request.caller == session_pb2.Caller(player_id=ADA, name="Ada", address="192.0.2.1", sign_out=sign_out)
