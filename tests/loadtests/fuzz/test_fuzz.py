"""The fuzzer itself: its mutants are messages, the same seed makes the same ones, and what goes wrong is told with little."""

import json
import random
from collections.abc import Callable

import pytest
from google.protobuf import json_format
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from brettwerk.v1 import einstein_pb2, errors_pb2, play_pb2, record_pb2
from loadtests.fuzz.__main__ import Faults, Run
from loadtests.fuzz.material import Material, Person
from loadtests.fuzz.mutations import Mutator, unpacked
from loadtests.fuzz.senders import Said, frames_of, garbled, is_fault

ANNA = Person("Anna", "p1", "token")


def packed(inner: Message) -> AnyMessage:
    found = AnyMessage()
    found.Pack(inner)
    return found


def act() -> play_pb2.ActRequest:
    action = packed(einstein_pb2.EinsteinAction(move=einstein_pb2.EinsteinMove(stone=3, target=12)))
    return play_pb2.ActRequest(session_id="07abc", seat_token="seat", expected_version=7, action=action, request_id="12345678")


def mutants(seed: int, count: int = 300) -> list[play_pb2.ActRequest]:
    mutator = Mutator(random.Random(seed))
    mutator.any_values = [packed(einstein_pb2.EinsteinOptions(show_roll=True))]
    mutator.texts = ["another token"]
    return [mutator.mutant(act(), 1) for _ in range(count)]


def test_every_mutant_is_a_message_and_the_same_seed_makes_the_same_ones() -> None:
    made = mutants(1)
    assert [type(mutant).FromString(mutant.SerializeToString()) for mutant in made] == mutants(1) == made
    assert made != mutants(2)


def test_mutants_differ_in_every_field_and_inside_of_values_of_a_game() -> None:
    made = mutants(3, 2000)
    for field in play_pb2.ActRequest.DESCRIPTOR.fields:
        assert any(getattr(mutant, field.name) != getattr(act(), field.name) for mutant in made), field.name
    inner = [unpacked(mutant.action) for mutant in made]
    targets = {one.move.target for one in inner if isinstance(one, einstein_pb2.EinsteinAction)}
    assert {0, 2**32 - 1} < targets
    assert any(isinstance(one, einstein_pb2.EinsteinOptions) for one in inner)
    assert "another token" in {mutant.seat_token for mutant in made}


def test_a_request_is_made_of_the_contract_alone_for_every_method() -> None:
    mutator = Mutator(random.Random(4))
    for field in play_pb2.Call.DESCRIPTOR.oneofs_by_name["request"].fields:
        made = [mutator.generate(field.message_type) for _ in range(30)]
        assert all(type(one).FromString(one.SerializeToString()) is not None for one in made)
        assert not field.message_type.fields or any(one.ByteSize() for one in made), field.name  # type: ignore[union-attr]


def test_a_garbled_body_is_json_and_differs_in_one_value() -> None:
    body = json_format.MessageToJson(act())
    found = [json.loads(garbled(body, random.Random(seed))) for seed in range(50)]
    assert all(one != json.loads(body) for one in found)
    assert {len(one) for one in found} == {len(json.loads(body))}


def test_frames_are_calls_watches_and_now_and_then_nothing_at_all() -> None:
    mutator = Mutator(random.Random(5))
    frames = [frame for _ in range(50) for frame in frames_of(mutator, [act(), play_pb2.WatchRequest(session_id="x")])]
    kinds: set[str | None] = set()
    for frame in frames:
        try:
            kinds.add(play_pb2.ConnectRequest.FromString(frame).WhichOneof("kind"))
        except Exception:  # noqa: BLE001 - bytes that are no message belong to them
            kinds.add("none")
    assert {"call", "watch", "unwatch"} <= kinds


def test_internal_and_unspecified_refusals_are_faults() -> None:
    assert is_fault(errors_pb2.Refusal(reason=errors_pb2.REASON_INTERNAL))
    assert is_fault(errors_pb2.Refusal())
    assert not is_fault(errors_pb2.Refusal(reason=errors_pb2.REASON_MALFORMED))


class Planted:
    """A server with a fault: a request that `breaks` is answered with INTERNAL."""

    def __init__(self, breaks: Callable[[Message], bool]) -> None:
        self.breaks = breaks

    async def send(self, _way: str, _person: Person, request: Message) -> Said:
        return Said(reason="INTERNAL", fault="INTERNAL: planted") if self.breaks(request) else Said(reason="MALFORMED")


async def test_the_smallest_request_that_shows_a_fault_is_found() -> None:
    def breaks(request: Message) -> bool:
        assert isinstance(request, play_pb2.CheckRecordRequest)
        return any(entry.acted.ply.actor == 6 for entry in request.record.entries)

    record = record_pb2.Record(format=1, session_id="07abc", game="wec")
    for number in range(6):
        ply = record_pb2.Ply(actor=number + 1, seed=bytes(32), notation="x")
        record.entries.add(version=number + 1, at_ms=5, acted=record_pb2.Acted(ply=ply))
    run = Run(1, Planted(breaks), Faults(1))  # type: ignore[arg-type]
    found = await run._smallest("grpc", ANNA, play_pb2.CheckRecordRequest(record=record))
    wanted = record_pb2.Record(entries=[record_pb2.Entry(acted=record_pb2.Acted(ply=record_pb2.Ply(actor=6)))])
    assert found == play_pb2.CheckRecordRequest(record=wanted)


def test_a_fault_is_reported_once_with_the_seed_and_the_request(capsys: pytest.CaptureFixture[str]) -> None:
    faults = Faults(77)
    for _ in range(3):
        faults.add("INTERNAL: broken", "Act by json", act())
    received = capsys.readouterr().out
    assert faults.count == 3
    assert received.count("FAULT") == 1
    assert "seed 77" in received and 'session_id: "07abc"' in received and "target: 12" in received


def test_players_remember_what_answers_say() -> None:
    material = Material(random.Random(1))
    response = play_pb2.CreateSessionResponse(grants=[play_pb2.SeatGrant(seat=1, seat_token="the token")])
    response.session.id = "07abc"
    material.learn(ANNA, play_pb2.CreateSessionRequest(request_id="12345678"), response)
    assert material.tables["07abc"].tokens == {1: ("the token", ANNA)}
    update = play_pb2.GetSessionResponse()
    update.update.session_id, update.update.version = "07abc", 9
    material.learn(ANNA, play_pb2.GetSessionRequest(seat_token="the token"), update)
    assert material.tables["07abc"].updates[1].version == 9
    assert list(material.request_ids) == ["12345678"]
