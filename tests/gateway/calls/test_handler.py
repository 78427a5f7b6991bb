"""The handler while the session service is slow, away or overfull."""

import asyncio
from collections.abc import Callable

import pytest
from google.protobuf.message import Message

from brettwerk.v1 import errors_pb2, play_pb2
from gateway.calls import handler
from gateway.calls.handler import RetryBudget
from services.runtime import metrics
from services.runtime.refusal import Refused, unavailable
from tests.gateway.conftest import OpenEndpoint, OpenGateway
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import RunningGateway, call_of


def failing(times: int) -> Callable[[object, Message], Message]:
    """Return a handler that is unavailable so many times before it answers."""
    left = [times]

    def handle(_: object, __: Message) -> Message:
        left[0] -= 1
        if left[0] >= 0:
            raise unavailable("rules service")
        return play_pb2.ActResponse(version=7) if times else play_pb2.GetSessionResponse()

    return handle


async def test_a_write_with_a_request_id_is_tried_again_until_it_is_answered(
    running: RunningGateway, peer: Peer, through: OpenEndpoint
) -> None:
    peer.handlers["act"] = failing(3)
    answer = await (await through("websocket", running)).call(call_of("Act", session_id="x", request_id="12345678"))
    assert answer.act.version == 7
    assert [carried.call.act.request_id for carried in peer.calls] == ["12345678"] * 4


async def test_a_read_is_tried_a_bounded_number_of_times(running: RunningGateway, peer: Peer, through: OpenEndpoint) -> None:
    peer.handlers["get_session"] = failing(99)
    answer = await (await through("websocket", running)).call(call_of("GetSession", session_id="x"))
    assert answer.refusal.reason == errors_pb2.REASON_UNAVAILABLE
    assert len(peer.calls) == handler.MAX_ATTEMPTS


async def test_a_write_without_a_request_id_is_tried_once(running: RunningGateway, peer: Peer, through: OpenEndpoint) -> None:
    peer.handlers["act"] = failing(1)
    answer = await (await through("websocket", running)).call(call_of("Act", session_id="x"))
    assert answer.refusal.reason == errors_pb2.REASON_UNAVAILABLE
    assert len(peer.calls) == 1


async def test_a_call_refused_for_another_reason_is_tried_once(
    running: RunningGateway, peer: Peer, through: OpenEndpoint
) -> None:
    def stale(_: object, __: Message) -> Message:
        raise Refused(errors_pb2.REASON_STALE_VERSION, "the position changed", head_version=9)

    peer.handlers["act"] = stale
    answer = await (await through("websocket", running)).call(call_of("Act", session_id="x", request_id="12345678"))
    assert answer.refusal.head_version == 9
    assert len(peer.calls) == 1


async def test_calls_come_through_a_restart_of_the_session_service(
    running: RunningGateway, peer: Peer, through: OpenEndpoint
) -> None:
    endpoint = await through("connect", running)
    assert not (await endpoint.call(call_of("GetSession", session_id="x"))).HasField("refusal")
    peer.hold.clear()
    waiting = asyncio.create_task(endpoint.call(call_of("Act", session_id="x", request_id="12345678")))
    await peer.until(lambda: len(peer.calls) == 2)
    await peer.stop()
    peer.hold.set()
    await peer.start()
    assert (await waiting).WhichOneof("response") == "act"
    assert peer.calls[1].call == peer.calls[2].call


async def test_while_the_session_service_is_away_callers_are_told_when_to_come_again(
    running: RunningGateway, peer: Peer, through: OpenEndpoint
) -> None:
    await peer.stop()
    answer = await (await through("json", running)).call(call_of("GetSession", session_id="x"))
    assert answer.refusal.reason == errors_pb2.REASON_UNAVAILABLE
    assert answer.refusal.retry_after_ms > 0
    made = await (await through("json", running)).call(call_of("CreatePlayer", name="Ada"))
    assert made.create_player.player_token


async def test_an_answer_that_takes_too_long_is_a_deadline(open_gateway: OpenGateway, peer: Peer, through: OpenEndpoint) -> None:
    running = await open_gateway(call_timeout_s=0.2)
    peer.hold.clear()
    answer = await (await through("unary", running)).call(call_of("GetSession", session_id="x"))
    peer.hold.set()
    assert answer.refusal.reason == errors_pb2.REASON_DEADLINE
    assert len(peer.calls) == 1


async def test_all_calls_that_fail_at_once_are_tried_again(running: RunningGateway, peer: Peer, through: OpenEndpoint) -> None:
    seen: set[str] = set()

    def handle(_: object, request: Message) -> Message:
        assert isinstance(request, play_pb2.ActRequest)
        if request.request_id not in seen:
            seen.add(request.request_id)
            raise unavailable("rules service")
        return play_pb2.ActResponse(version=7)

    peer.handlers["act"] = handle
    endpoint = await through("unary", running)
    calls = (call_of("Act", session_id="x", request_id=f"request {n:03}") for n in range(300))
    answers = await asyncio.gather(*(endpoint.call(call) for call in calls))
    assert {answer.act.version for answer in answers} == {7}


@pytest.mark.parametrize("name", ["unary", "connect", "websocket", "json websocket", "json"])
async def test_a_flood_is_refused_and_says_when_to_come_again(
    name: str, open_gateway: OpenGateway, through: OpenEndpoint
) -> None:
    running = await open_gateway(address_rate_per_s=1, address_rate_burst=3)
    before = metrics.RATE_LIMITED.labels("address")._value.get()
    endpoint = await through(name, running)
    answers = [await endpoint.call(call_of("GetSession", session_id="x")) for _ in range(5)]
    refusals = [answer.refusal for answer in answers if answer.HasField("refusal")]
    # Opening a stream counts as well.
    assert [answer.HasField("refusal") for answer in answers[:2]] == [False] * 2
    assert answers[-1].HasField("refusal")
    assert {refusal.reason for refusal in refusals} == {errors_pb2.REASON_TOO_MANY_REQUESTS}
    assert all(0 < refusal.retry_after_ms <= 1000 for refusal in refusals)
    assert metrics.RATE_LIMITED.labels("address")._value.get() == before + len(refusals)


@pytest.mark.parametrize("name", ["unary", "connect", "websocket", "json websocket", "json"])
async def test_every_endpoint_counts_its_calls_once(name: str, running: RunningGateway, through: OpenEndpoint) -> None:
    counter = metrics.CALLS.of("gateway", "ReadNotation", "OK")
    before = counter.count
    await (await through(name, running)).call(call_of("ReadNotation", session_id="x"))
    assert counter.count == before + 1


def test_retries_end_while_nearly_everything_fails() -> None:
    budget = RetryBudget(max_tokens=10, earned=1)
    assert [budget.failed() for _ in range(6)] == [True] * 4 + [False] * 2
    for _ in range(3):
        budget.succeeded()
    assert budget.failed()
