"""The same call through each of the four endpoints gives the same answer, and the same refusal."""

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from brettwerk.v1 import errors_pb2, games_pb2, play_pb2, record_pb2, sessions_pb2
from gateway.messages.contract import METHODS
from services.runtime.refusal import Refused
from tests.gateway.conftest import OpenEndpoint
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import RunningGateway, call_of
from tests.gateway.sharing import shared_peer, shared_running

peer, running = shared_peer, shared_running


ENDPOINTS = ("unary", "connect", "websocket", "json")
OWN = {"CreatePlayer", "RenamePlayer"}
SESSION_METHODS = {name for name, one in METHODS.items() if not (one.is_for_players or one.is_for_operators)} - OWN
"""Calls that the gateway passes on to the session service for everybody; it makes guests itself, and others know accounts."""


def same(answers: list[play_pb2.Answer]) -> play_pb2.Answer:
    """Return the answer that all endpoints gave; only the ids of traces differ."""
    for answer in answers:
        if answer.HasField("refusal"):
            assert len(answer.refusal.trace_id) == 32
            answer.refusal.trace_id = ""
    assert all(answer == answers[0] for answer in answers), answers
    return answers[0]


async def ask_all(through: OpenEndpoint, running: RunningGateway, call: play_pb2.Call, token: str = "") -> play_pb2.Answer:
    return same([await (await through(name, running, token)).call(call) for name in ENDPOINTS])


@pytest.mark.parametrize("name", sorted(SESSION_METHODS))
async def test_every_method_goes_through_every_endpoint_to_the_session_service_and_back(
    name: str, running: RunningGateway, peer: Peer, through: OpenEndpoint, token: str
) -> None:
    call = call_of(name)
    request = getattr(call, METHODS[name].field)
    if "session_id" in request.DESCRIPTOR.fields_by_name:
        request.session_id = "07abc"
    if METHODS[name].has_request_id:
        request.request_id = "a new thing"
    answer = await ask_all(through, running, call, token)
    assert answer.WhichOneof("response") == METHODS[name].field
    assert [carried.call for carried in peer.calls] == [call] * len(ENDPOINTS)
    assert {carried.caller.name for carried in peer.calls} == {"Ada"}
    assert len({carried.caller.player_id for carried in peer.calls}) == 1


async def test_an_answer_comes_through_every_endpoint_whole(running: RunningGateway, peer: Peer, through: OpenEndpoint) -> None:
    update = sessions_pb2.Update(session_id="07abc", version=2**63, to_act=[0, 3], free_undo_plies=0)
    update.view.Pack(games_pb2.Text(key="ein Würfel"))
    peer.handlers["get_session"] = lambda _, request: play_pb2.GetSessionResponse(update=update)
    answer = await ask_all(through, running, call_of("GetSession", session_id="07abc"))
    assert answer.get_session.update == update
    assert not peer.calls[0].caller.player_id


async def test_a_refusal_of_the_session_service_comes_through_every_endpoint_whole(
    running: RunningGateway, peer: Peer, through: OpenEndpoint
) -> None:
    def refuse(_: object, __: Message) -> Message:
        raise Refused(
            errors_pb2.REASON_ILLEGAL,
            "die Regel",
            rule="EWN-TURN-3",
            details={"stone": "4"},
            field="action.stone",
            head_version=7,
        )

    peer.handlers["act"] = refuse
    refusal = (await ask_all(through, running, call_of("Act", session_id="x", request_id="12345678"))).refusal
    assert (refusal.code, refusal.reason, refusal.rule) == (9, errors_pb2.REASON_ILLEGAL, "EWN-TURN-3")
    assert (refusal.message, refusal.field, refusal.head_version) == ("die Regel", "action.stone", 7)
    assert dict(refusal.details) == {"stone": "4"}


async def test_a_field_out_of_bounds_is_refused_at_every_endpoint_and_goes_no_further(
    running: RunningGateway, peer: Peer, through: OpenEndpoint
) -> None:
    refusal = (await ask_all(through, running, call_of("GetSession", session_id="7" * 41))).refusal
    assert (refusal.code, refusal.reason, refusal.field) == (3, errors_pb2.REASON_MALFORMED, "session_id")
    assert not peer.calls


async def test_the_same_request_makes_the_same_player_at_every_endpoint(running: RunningGateway, through: OpenEndpoint) -> None:
    answer = await ask_all(through, running, call_of("CreatePlayer", name="  Grace  Hopper ", request_id="request 1"))
    assert answer.create_player.name == "Grace Hopper"
    other = await ask_all(through, running, call_of("CreatePlayer", name="Grace Hopper", request_id="request 2"))
    assert other.create_player.player_id != answer.create_player.player_id


async def test_a_player_is_renamed_at_every_endpoint_and_stays_the_same_player(
    running: RunningGateway, through: OpenEndpoint, token: str
) -> None:
    call = call_of("RenamePlayer", name="  Grace  Hopper ")
    renamed = (await ask_all(through, running, call, token)).rename_player
    before, after = running.gateway.players.recognise(token), running.gateway.players.recognise(renamed.player_token)
    assert (after.id, after.name) == (before.id, "Grace Hopper")
    refusal = (await ask_all(through, running, call)).refusal
    assert refusal.reason == errors_pb2.REASON_NO_TOKEN


async def test_a_fault_of_the_session_service_tells_nothing_but_the_trace(
    running: RunningGateway, peer: Peer, through: OpenEndpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: object, __: Message) -> Message:
        raise KeyError("a secret")

    peer.handlers["get_session"] = fail
    refusal = (await ask_all(through, running, call_of("GetSession", session_id="x"))).refusal
    assert refusal.reason == errors_pb2.REASON_INTERNAL
    assert "secret" not in refusal.message


def _refusal_by(url: str) -> list[tuple[play_pb2.Call, str]]:
    """Return calls with a value of a type that a URL names, and the path of the URL in each."""
    value = AnyMessage(type_url=url, value=b"x")
    proposal = record_pb2.Proposal(setup=record_pb2.Setup(start_position=value))
    ply = record_pb2.Ply(system_action=games_pb2.SystemAction(options=value))
    entry = record_pb2.Entry(acted=record_pb2.Acted(ply=ply))
    record = record_pb2.Record(entries=[record_pb2.Entry(created=record_pb2.Created(variation=[ply])), entry])
    return [
        (call_of("CreateSession", options=value), "options"),
        (call_of("CreateSession", start_position=value), "start_position"),
        (call_of("CheckStart", start_position=value), "start_position"),
        (call_of("DescribeView", view=value), "view"),
        (call_of("Act", action=value), "action"),
        (call_of("Propose", proposal=record_pb2.Proposal(options=value)), "proposal.options"),
        (call_of("Propose", proposal=proposal), "proposal.setup.start_position"),
        (
            call_of("Propose", proposal=record_pb2.Proposal(load=record)),
            "proposal.load.entries[0].created.variation[0].system_action.options",
        ),
        (
            call_of("ImportSession", record=record_pb2.Record(entries=[entry])),
            "record.entries[0].acted.ply.system_action.options",
        ),
        (call_of("CheckRecord", record=record), "record.entries[0].created.variation[0].system_action.options"),
    ]


@pytest.mark.parametrize("url", ["", "brettwerk.v1.EinsteinOptions", "type.googleapis.com/", "/"])
async def test_a_value_of_an_unknown_type_is_refused_by_every_endpoint(
    url: str, running: RunningGateway, peer: Peer, through: OpenEndpoint, token: str
) -> None:
    for call, field in _refusal_by(url):
        answers = [await (await through(name, running, token)).call(call) for name in ("unary", "connect", "websocket")]
        refusal = same(answers).refusal
        assert (refusal.reason, refusal.field) == (errors_pb2.REASON_MALFORMED, f"{field}.type_url")
    assert not peer.calls


async def test_the_part_before_the_slash_of_a_type_does_not_matter(
    running: RunningGateway, peer: Peer, through: OpenEndpoint, token: str
) -> None:
    value = AnyMessage(type_url="types.example.org/brettwerk.v1.EinsteinOptions")
    await ask_all(through, running, call_of("CreateSession", options=value), token)
    assert len(peer.calls) == len(ENDPOINTS)
