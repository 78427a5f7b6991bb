"""A Connect stream, over gRPC and over a WebSocket: what is wrong with one request never harms another."""

import asyncio

import grpc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import InvalidStatus

from brettwerk.v1 import errors_pb2, play_pb2
from gateway.streams.connection import CALLS
from tests.gateway.conftest import OpenGateway, OpenTalk
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import RunningGateway, Talk, WebSocketTalk, call_of
from tests.night import examples

KINDS = pytest.mark.parametrize("kind", ["connect", "websocket", "json websocket"])
BINARY = pytest.mark.parametrize("kind", ["connect", "websocket"])

calls_of_anything = st.binary(max_size=40).map(lambda data: b"\x08\x01\x12" + bytes([len(data)]) + data)
"""Frames whose Call is any bytes."""


def request(number: int, call: play_pb2.Call | None = None) -> play_pb2.ConnectRequest:
    return play_pb2.ConnectRequest(id=number, call=call or call_of("GetSession", session_id=f"session {number}"))


async def refused(talk: Talk, number: int) -> errors_pb2.Refusal:
    """Return the refusal of a request itself."""
    response = await talk.receive()
    assert (response.id, response.WhichOneof("kind")) == (number, "refusal")
    return response.refusal


@KINDS
async def test_calls_run_at_the_same_time_and_answers_name_their_requests(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    peer.handlers["get_session"] = lambda _, asked: play_pb2.GetSessionResponse(
        update={"session_id": asked.session_id}  # type: ignore[arg-type, attr-defined]
    )
    talk = await talk_to(kind, running)
    peer.hold.clear()
    for number in range(1, 21):
        await talk.send(request(number))
    await peer.until(lambda: len(peer.calls) == 20)
    peer.hold.set()
    answers = [await talk.receive() for _ in range(20)]
    found = {answer.id: answer.answer.get_session.update.session_id for answer in answers}
    assert found == {number: f"session {number}" for number in range(1, 21)}


@KINDS
async def test_calls_beyond_the_bound_are_refused_and_not_dropped(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    talk = await talk_to(kind, running)
    peer.hold.clear()
    for number in range(1, CALLS + 4):
        await talk.send(request(number))
    beyond = [await talk.receive() for _ in range(3)]
    assert [answer.id for answer in beyond] == [CALLS + 1, CALLS + 2, CALLS + 3]
    assert {answer.answer.refusal.reason for answer in beyond} == {errors_pb2.REASON_FULL}
    peer.hold.set()
    assert {(await talk.receive()).id for _ in range(CALLS)} == set(range(1, CALLS + 1))
    await talk.send(request(1000))
    assert (await talk.receive()).answer.WhichOneof("response") == "get_session"


@KINDS
async def test_calls_beyond_the_bound_count_as_others_do(
    kind: str, open_gateway: OpenGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    running = await open_gateway(address_rate_per_s=0.01, address_rate_burst=CALLS + 11)
    talk = await talk_to(kind, running)
    peer.hold.clear()
    for number in range(1, CALLS + 30):
        await talk.send(request(number))
    beyond = [await talk.receive() for _ in range(29)]
    assert {answer.answer.refusal.reason for answer in beyond} == {errors_pb2.REASON_FULL}
    peer.hold.set()
    assert {(await talk.receive()).id for _ in range(CALLS)} == set(range(1, CALLS + 1))
    await talk.send(request(1000))
    assert (await talk.receive()).answer.refusal.reason == errors_pb2.REASON_TOO_MANY_REQUESTS


@KINDS
async def test_a_hint_that_nobody_waits_for_is_given_up_and_nothing_is_heard_of_it_any_more(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    talk = await talk_to(kind, running)
    peer.hold.clear()
    await talk.send(request(1, call_of("GetHint", session_id="one")))
    await talk.send(request(2, call_of("GetHint", session_id="other")))
    await peer.until(lambda: len(peer.calls) == 2)
    await talk.send(play_pb2.ConnectRequest(id=3, give_up=play_pb2.GiveUp(call_id=1)))
    response = await talk.receive()
    assert (response.id, response.WhichOneof("kind"), response.answer) == (3, "answer", play_pb2.Answer())
    await peer.until(lambda: len(peer.given_up) == 1)
    assert peer.given_up[0].call.get_hint.session_id == "one"
    peer.hold.set()
    response = await talk.receive()
    assert (response.id, response.answer.WhichOneof("response")) == (2, "get_hint")


@KINDS
async def test_other_calls_go_on_and_an_unknown_call_may_be_given_up(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    talk = await talk_to(kind, running)
    peer.hold.clear()
    await talk.send(request(1))
    await peer.until(lambda: len(peer.calls) == 1)
    for number, call in ((2, 1), (3, 77)):
        await talk.send(play_pb2.ConnectRequest(id=number, give_up=play_pb2.GiveUp(call_id=call)))
        assert (await talk.receive()).id == number
    peer.hold.set()
    assert (await talk.receive()).id == 1
    assert peer.given_up == []


@BINARY
@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(frames=st.lists(st.binary(max_size=60) | calls_of_anything, max_size=12))
async def test_any_bytes_get_a_typed_refusal_and_the_stream_goes_on(
    kind: str, running: RunningGateway, talk_to: OpenTalk, frames: list[bytes]
) -> None:
    talk = await talk_to(kind, running)
    for frame in frames:
        await talk.send_bytes(frame)
    await talk.send(request(2**40))
    responses = [await talk.receive() for _ in range(len(frames) + 1)]
    for response in responses:
        refusal = response.refusal if response.WhichOneof("kind") == "refusal" else response.answer.refusal
        assert refusal.reason not in (errors_pb2.REASON_INTERNAL, errors_pb2.REASON_UNAVAILABLE), response
    assert 2**40 in {response.id for response in responses if response.answer.WhichOneof("response") == "get_session"}


@BINARY
async def test_bytes_that_are_no_message_are_malformed(kind: str, running: RunningGateway, talk_to: OpenTalk) -> None:
    talk = await talk_to(kind, running)
    await talk.send_bytes(b"\x08\xff")
    assert (await refused(talk, 0)).reason == errors_pb2.REASON_MALFORMED


@KINDS
async def test_a_message_that_asks_for_nothing_known_is_no_such_method(
    kind: str, running: RunningGateway, talk_to: OpenTalk
) -> None:
    talk = await talk_to(kind, running)
    await talk.send(play_pb2.ConnectRequest(id=5))
    assert (await refused(talk, 5)).reason == errors_pb2.REASON_NO_SUCH_METHOD
    await talk.send(play_pb2.ConnectRequest(id=6, call=play_pb2.Call()))
    answer = await talk.receive()
    assert (answer.id, answer.answer.refusal.reason) == (6, errors_pb2.REASON_NO_SUCH_METHOD)


@BINARY
async def test_calls_of_methods_that_do_not_exist_are_counted(kind: str, open_gateway: OpenGateway, talk_to: OpenTalk) -> None:
    talk = await talk_to(kind, await open_gateway(address_rate_per_s=1, address_rate_burst=3))
    reasons = []
    for number in range(1, 5):
        await talk.send_bytes(play_pb2.ConnectRequest(id=number, call=play_pb2.Call()).SerializeToString())
        reasons.append((await talk.receive()).answer.refusal.reason)
    assert reasons[0] == errors_pb2.REASON_NO_SUCH_METHOD
    assert reasons[-1] == errors_pb2.REASON_TOO_MANY_REQUESTS


@KINDS
async def test_a_caller_who_authenticates_is_known_from_then_on(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk, token: str
) -> None:
    talk = await talk_to(kind, running)
    await talk.send(request(1))
    await talk.receive()
    await talk.authenticate(token)
    await talk.send(request(2))
    await talk.receive()
    assert [carried.caller.name for carried in peer.calls] == ["", "Ada"]


@KINDS
async def test_a_token_that_is_not_good_is_refused_and_changes_nothing(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk, token: str
) -> None:
    talk = await talk_to(kind, running)
    await talk.authenticate(token)
    await talk.send(play_pb2.ConnectRequest(id=2, authenticate=play_pb2.Authenticate(player_token=token[:-2])))
    assert (await refused(talk, 2)).reason == errors_pb2.REASON_NO_TOKEN
    await talk.send(request(3))
    await talk.receive()
    assert peer.calls[0].caller.name == "Ada"


@KINDS
async def test_a_field_of_a_watch_out_of_bounds_is_refused(kind: str, running: RunningGateway, talk_to: OpenTalk) -> None:
    talk = await talk_to(kind, running)
    await talk.send(play_pb2.ConnectRequest(id=1, watch=play_pb2.WatchRequest(session_id="x" * 41)))
    assert (await refused(talk, 1)).field == "watch.session_id"


@KINDS
async def test_an_unknown_session_cannot_be_watched(kind: str, running: RunningGateway, talk_to: OpenTalk) -> None:
    talk = await talk_to(kind, running)
    await talk.send(play_pb2.ConnectRequest(id=1, watch=play_pb2.WatchRequest(session_id="nowhere")))
    assert (await refused(talk, 1)).reason == errors_pb2.REASON_UNKNOWN


@KINDS
async def test_watches_of_one_stream_are_distinguished_and_end_on_request(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    peer.publish("a")
    peer.publish("b")
    talk = await talk_to(kind, running)
    for number, session in ((10, "a"), (20, "b")):
        await talk.send(play_pb2.ConnectRequest(id=number, watch=play_pb2.WatchRequest(session_id=session)))
        number_, message = await talk.watched()
        assert isinstance(message, play_pb2.WatchResponse)
        assert (number_, message.resync.update.session_id) == (number, session)
    await talk.send(play_pb2.ConnectRequest(id=30, unwatch=play_pb2.Unwatch(watch_id=10)))
    response = await talk.receive()
    assert (response.id, response.WhichOneof("kind"), response.answer) == (30, "answer", play_pb2.Answer())
    await peer.until(lambda: len(peer.unfollowed) == 1)
    peer.publish("a")
    peer.publish("b")
    number_, message = await talk.watched()
    assert isinstance(message, play_pb2.WatchResponse)
    assert (number_, message.update.version) == (20, 2)


@KINDS
async def test_an_id_can_name_one_watch_only_and_an_unknown_one_cannot_be_ended(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    peer.publish("a")
    talk = await talk_to(kind, running)
    for _ in range(2):
        await talk.send(play_pb2.ConnectRequest(id=1, watch=play_pb2.WatchRequest(session_id="a")))
    responses = [await talk.receive(), await talk.receive()]
    assert {response.WhichOneof("kind") for response in responses} == {"watch", "refusal"}
    await talk.send(play_pb2.ConnectRequest(id=2, unwatch=play_pb2.Unwatch(watch_id=7)))
    assert (await refused(talk, 2)).reason == errors_pb2.REASON_UNKNOWN


@KINDS
async def test_a_client_that_leaves_lets_go_of_watches_and_streams(
    kind: str, running: RunningGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    peer.publish("a")
    talk = await talk_to(kind, running)
    await talk.send(play_pb2.ConnectRequest(id=1, watch=play_pb2.WatchRequest(session_id="a")))
    await talk.watched()
    assert len(running.gateway.watches) == 1
    await talk.close()
    await peer.until(lambda: len(peer.unfollowed) == 1)
    assert len(running.gateway.watches) == 0
    await peer.until(lambda: not running.gateway.streams._addresses)


@KINDS
async def test_a_player_may_have_so_many_watches_and_streams(
    kind: str, open_gateway: OpenGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    running = await open_gateway(streams_per_player=3)
    made = running.gateway.players.create(play_pb2.CreatePlayerRequest(name="Ada"), "")
    peer.publish("a")
    talk = await talk_to(kind, running)
    await talk.authenticate(made.player_token)
    for number in range(1, 4):
        await talk.send(play_pb2.ConnectRequest(id=number, watch=play_pb2.WatchRequest(session_id="a")))
    found = [await talk.watched() for _ in range(3)]
    refusals = [message for _, message in found if isinstance(message, errors_pb2.Refusal)]
    assert [refusal.reason for refusal in refusals] == [errors_pb2.REASON_FULL]
    await talk.send(play_pb2.ConnectRequest(id=9, unwatch=play_pb2.Unwatch(watch_id=1)))
    assert (await talk.receive()).id == 9
    await talk.send(play_pb2.ConnectRequest(id=10, watch=play_pb2.WatchRequest(session_id="a")))
    assert isinstance((await talk.watched())[1], play_pb2.WatchResponse)


@KINDS
async def test_an_address_may_have_so_many_streams(kind: str, open_gateway: OpenGateway, talk_to: OpenTalk) -> None:
    running = await open_gateway(streams_per_address=1)
    first = await talk_to(kind, running)
    await first.send(request(1))
    await first.receive()

    async def begin_another() -> None:
        second = await talk_to(kind, running)
        await second.receive()  # gRPC's client forgets the status of a stream that ended before it wrote

    with pytest.raises((grpc.aio.AioRpcError, InvalidStatus), match=r"RESOURCE_EXHAUSTED|429"):
        await begin_another()


@KINDS
async def test_a_request_that_is_too_large_for_its_method_is_refused(
    kind: str, shared: tuple[Peer, RunningGateway], talk_to: OpenTalk
) -> None:
    peer, running = shared
    peer.forget()
    talk = await talk_to(kind, running)
    await talk.send(request(1, call_of("Act", session_id="x", notation="x" * 2_000_000)))
    response = await talk.receive()
    refusal = response.refusal if response.HasField("refusal") else response.answer.refusal
    assert (response.id, refusal.reason) == (1, errors_pb2.REASON_MALFORMED)
    assert "2000" in refusal.message
    assert not peer.calls


@KINDS
async def test_a_stream_counts_once_for_its_player_though_another_player_was_refused(
    kind: str, open_gateway: OpenGateway, talk_to: OpenTalk
) -> None:
    running = await open_gateway(streams_per_player=1)
    made = [play_pb2.CreatePlayerRequest(name=name, request_id=f"request {name}") for name in ("Full", "Mine")]
    full, mine = (running.gateway.players.create(one, "192.0.2.1").player_token for one in made)
    there, talk = await talk_to(kind, running), await talk_to(kind, running)
    await there.authenticate(full)
    await talk.authenticate(mine)
    await talk.send(play_pb2.ConnectRequest(id=7, authenticate=play_pb2.Authenticate(player_token=full)))
    assert (await refused(talk, 7)).reason == errors_pb2.REASON_FULL
    assert sorted(running.gateway.streams._players.values()) == [1, 1]
    assert sum(running.gateway.streams._addresses.values()) == 2


@KINDS
async def test_large_requests_are_carried_out_one_after_the_other(
    kind: str, shared: tuple[Peer, RunningGateway], talk_to: OpenTalk
) -> None:
    peer, running = shared
    peer.forget()
    talk, another = await talk_to(kind, running), await talk_to(kind, running)

    def large(letter: bytes) -> play_pb2.Call:
        return call_of("CheckRecord", record={"sealed": letter * 1_500_000})

    def came() -> list[bytes]:
        return [carried.call.check_record.record.sealed[:1] for carried in peer.calls]

    peer.hold.clear()
    await talk.send(request(1, large(b"a")))
    await talk.send(request(2, large(b"b")))
    await peer.until(lambda: came() == [b"a"])
    await another.send(request(1, large(b"c")))  # on another stream, and later
    await peer.until(lambda: b"c" in came())
    assert came() == [b"a", b"c"]
    peer.hold.set()
    assert [(await talk.receive()).id for _ in range(2)] == [1, 2]


@KINDS
async def test_a_stream_ends_with_unavailable_once_its_calls_are_answered_when_the_gateway_ends(
    kind: str, open_gateway: OpenGateway, peer: Peer, talk_to: OpenTalk
) -> None:
    running = await open_gateway()
    for _ in range(3):
        peer.publish("a")
    talk = await talk_to(kind, running)
    await talk.send(play_pb2.ConnectRequest(id=1, watch=play_pb2.WatchRequest(session_id="a")))
    await talk.watched()
    peer.hold.clear()
    await talk.send(request(2))
    await peer.until(lambda: len(peer.calls) == 1)
    stopping = asyncio.create_task(running.stop())
    number, refusal = await talk.watched()
    assert isinstance(refusal, errors_pb2.Refusal)
    assert (number, refusal.reason, refusal.head_version) == (1, errors_pb2.REASON_UNAVAILABLE, 3)
    peer.hold.set()
    answer = await talk.receive()
    assert (answer.id, answer.answer.WhichOneof("response")) == (2, "get_session")
    await stopping
    if isinstance(talk, WebSocketTalk):
        await talk.socket.wait_closed()
        assert talk.socket.close_code == 1001
        assert "gateway" in (talk.socket.close_reason or "")
