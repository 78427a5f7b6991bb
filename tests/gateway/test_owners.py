"""Session processes own shards: calls of a session go to the owner of its shard, and along when that changes."""

import asyncio

import pytest

from brettwerk.v1 import play_pb2
from gateway.calls import handler
from services.runtime.refusal import is_newer
from tests.gateway.conftest import OpenEndpoint
from tests.gateway.owners import Owner, give, session_in
from tests.gateway.running_gateway import RunningGateway, call_of

ENDPOINTS = pytest.mark.parametrize("endpoint", ["unary", "json", "connect", "websocket"])


@ENDPOINTS
async def test_calls_go_to_the_owner_of_their_session(
    endpoint: str, owners: list[Owner], between: RunningGateway, through: OpenEndpoint
) -> None:
    entered = await through(endpoint, between)
    for shard in range(16):
        answer = await entered.call(call_of("GetSession", session_id=session_in(shard)))
        assert answer.WhichOneof("response") == "get_session", answer
    for number, one in enumerate(owners):
        asked = [int(carried.call.get_session.session_id[:2], 16) for carried in one.calls]
        assert asked == list(range(number, 16, 2))
        assert one.refused == 0


@ENDPOINTS
async def test_a_call_whose_shard_only_the_session_service_knows_gets_there(
    endpoint: str, owners: list[Owner], between: RunningGateway, through: OpenEndpoint
) -> None:
    token = between.gateway.players.create(play_pb2.CreatePlayerRequest(name="Ada"), "nowhere").player_token
    entered = await through(endpoint, between, token)
    for _ in range(6):
        answer = await entered.call(call_of("CreateSession", request_id="12345678", game="einstein"))
        assert answer.WhichOneof("response") == "create_session", answer
    assert [len(one.calls) for one in owners] == [0, 6]


@ENDPOINTS
async def test_a_write_that_hangs_at_an_owner_is_carried_out_by_the_next(
    endpoint: str, owners: list[Owner], between: RunningGateway, through: OpenEndpoint
) -> None:
    hung, other = owners
    hung.hold.clear()
    entered = await through(endpoint, between)
    asking = asyncio.create_task(entered.call(call_of("Act", session_id=session_in(4), request_id="12345678")))
    await hung.until(lambda: bool(hung.calls))
    other.own({**other.owned, 4: 2})  # it has the lease, and the first one knows nothing of it
    answer = await asking
    assert answer.WhichOneof("response") == "act", answer
    assert [carried.call.act.request_id for carried in other.calls] == ["12345678"]


async def test_calls_go_on_while_shards_go_round(owners: list[Owner], between: RunningGateway, through: OpenEndpoint) -> None:
    """Also those without a request id, which may not be sent twice: nothing is refused, nothing comes twice."""
    entered = await through("unary", between)
    asked = [call_of("Act", session_id=session_in(n % 16), seat_token=f"{n}") for n in range(300)]
    asking = []
    for n, call in enumerate(asked):
        asking.append(asyncio.create_task(entered.call(call)))
        if n % 3 == 0:
            shard = n // 3 % 16
            one, to = owners if shard in owners[0].owned else owners[::-1]
            give(shard, one, to)
        await asyncio.sleep(0.001)  # calls and changes of owners mix
    for answer in await asyncio.gather(*asking):
        assert answer.WhichOneof("response") == "act", answer
    came = [carried.call.act.seat_token for one in owners for carried in one.calls]
    assert sorted(came) == sorted(call.act.seat_token for call in asked)


@ENDPOINTS
async def test_a_call_that_an_owner_is_too_old_for_is_refused_as_that_after_a_few_attempts(
    endpoint: str, owners: list[Owner], between: RunningGateway, through: OpenEndpoint
) -> None:
    older, other = owners
    older.is_too_old = True
    answer = await (await through(endpoint, between)).call(call_of("GetSession", session_id=session_in(4)))
    assert is_newer(answer.refusal), answer
    assert (older.refused, len(other.calls) + other.refused) == (handler.MAX_ATTEMPTS, 0)


@ENDPOINTS
async def test_a_call_that_an_owner_is_too_old_for_is_answered_by_the_next(
    endpoint: str, owners: list[Owner], between: RunningGateway, through: OpenEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handler, "MAX_ATTEMPTS", 30)
    older, newest = owners
    older.is_too_old = True
    asking = asyncio.create_task((await through(endpoint, between)).call(call_of("GetSession", session_id=session_in(4))))
    await older.until(lambda: older.refused > 0)
    give(4, older, newest)
    assert (await asking).WhichOneof("response") == "get_session"
