"""Messages are counted before they are parsed, by what a parser would make of them."""

import random
import subprocess
import sys
import time

import pytest
from google.protobuf.message import Message
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk.v1 import errors_pb2, play_pb2, record_pb2
from brettwerk_games.protobuf_wire.fields import block
from services.runtime import limits, wire
from services.runtime.refusal import Refused
from tests.night import examples

CHECK = play_pb2.CheckRecordRequest.DESCRIPTOR


def with_plies(entries: int, plies: int) -> bytes:
    """Return a request with so many empty plies in each of so many entries."""
    entry = record_pb2.Entry(loaded=record_pb2.Loaded(variation=[record_pb2.Ply()] * plies))
    record = record_pb2.Record(format=1, entries=[entry] * entries)
    return play_pb2.CheckRecordRequest(record=record).SerializeToString()


def refusal(data: bytes) -> Refused | None:
    try:
        wire.check(data, CHECK)
    except Refused as refused:
        return refused
    return None


def messages_in(message: Message) -> int:
    """Return how many messages a parsed one holds."""
    found = 0
    for field, value in message.ListFields():
        if field.message_type is not None:
            inner = value if field.is_repeated else [value]
            found += sum(1 + messages_in(one) for one in inner)
    return found


def test_millions_of_empty_plies_are_refused_by_the_field_they_stand_in_before_they_are_parsed() -> None:
    data = with_plies(40, 80_000)
    assert len(data) > 6_000_000
    began = time.process_time()
    refused = refusal(data)
    assert time.process_time() - began < 2
    assert refused is not None
    assert refused.reason == errors_pb2.REASON_MALFORMED
    assert refused.refusal.field == "record.entries.loaded.variation"


def test_a_parsed_message_of_too_many_is_refused_before_it_is_walked() -> None:
    """One that did not come through the endpoint."""
    request = play_pb2.CheckRecordRequest.FromString(with_plies(5, 80_000))
    with pytest.raises(Refused) as refused:
        limits.check(request)
    assert "entries[" in refused.value.refusal.field


def test_the_record_of_the_longest_session_passes() -> None:
    """20,000 entries with all that an entry can have, after a line of 20,000 plies (services/session/domain/bounds.py)."""
    ply = record_pb2.Ply(actor=1, seed=bytes(32), notation="a1-a2")
    ply.action.type_url = "type.googleapis.com/brettwerk.v1.EinsteinAction"
    entry = record_pb2.Entry(version=20_000, at_ms=1_700_000_000_000)
    entry.acted.ply.CopyFrom(ply)
    entry.acted.thought.win_chance = 0.5
    created = record_pb2.Entry(created=record_pb2.Created(variation=[ply] * 20_000))
    record = record_pb2.Record(format=1, entries=[created, *[entry] * 20_000])
    request = play_pb2.ImportSessionRequest(record=record)
    wire.check(request.SerializeToString(), request.DESCRIPTOR)
    limits.check(request)
    assert request.ByteSize() < 6 * 2**20


@pytest.mark.parametrize(
    "data",
    [b"\x0a", b"\x0a\x05ab", b"\x0a\x02\x0a\x05", b"\x0b", b"\x0f", b"\x80" * 20, b"\x0a" + b"\xff" * 9 + b"\x01"],
)
def test_bytes_that_are_no_message_are_refused(data: bytes) -> None:
    refused = refusal(data)
    assert refused is not None
    assert refused.reason == errors_pb2.REASON_MALFORMED


def test_fields_that_nobody_knows_are_counted_too() -> None:
    assert refusal(b"\x78\x01" * 1000) is None
    assert refusal(b"\x78\x01" * 2_500_000) is not None
    assert refusal(b"\x7a\x00" * 2_500_000) is not None


def test_depth_is_bounded() -> None:
    data = b""
    for _ in range(20):
        record = block(b"\x2a", data)  # Proposal.load would nest records for ever
        data = record_pb2.Record(format=1).SerializeToString() + record
    nested = play_pb2.ProposeRequest.DESCRIPTOR
    proposal = record_pb2.Proposal(load=record_pb2.Record(format=1))
    for _ in range(20):
        entry = record_pb2.Entry(proposed=record_pb2.Proposed(proposal=proposal))
        proposal = record_pb2.Proposal(load=record_pb2.Record(entries=[entry]))
    with pytest.raises(Refused) as refused:
        wire.check(play_pb2.ProposeRequest(proposal=proposal).SerializeToString(), nested)
    assert "too many messages" in refused.value.refusal.message


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32))
def test_messages_are_counted_as_a_parser_takes_them(seed: int) -> None:
    lot = random.Random(seed)
    record = record_pb2.Record(format=1, game="x" * lot.randrange(300))
    for _ in range(lot.randrange(20)):
        entry = record.entries.add(version=lot.randrange(2**40), at_ms=-lot.randrange(9))
        for _ in range(lot.randrange(5)):
            entry.created.variation.add(actor=lot.randrange(7), notation="y" * lot.randrange(200)).action.value = bytes(
                lot.randrange(9)
            )
    data = record.SerializeToString()
    count = messages_in(record)
    wire._count(data, record.DESCRIPTOR, count, 10**6)
    if count:
        with pytest.raises(Refused):
            wire._count(data, record.DESCRIPTOR, count - 1, 10**6)


@given(st.binary(max_size=60))
def test_bytes_that_a_parser_takes_are_not_called_unreadable(data: bytes) -> None:
    try:
        play_pb2.ConnectRequest.FromString(data)
    except Exception:  # noqa: BLE001 - whatever it is that it does not like
        return
    if not any(byte & 7 in (3, 4) for byte in data):  # groups, which nobody here writes
        wire.check(data, play_pb2.ConnectRequest.DESCRIPTOR)


def test_a_message_is_split_into_its_own_fields() -> None:
    request = play_pb2.ConnectRequest(id=70_000, call=play_pb2.Call(act=play_pb2.ActRequest(session_id="abc")))
    assert wire.split(request.SerializeToString()) == {1: 70_000, 2: request.call.SerializeToString()}


def test_pieces_of_a_field_are_one_message() -> None:
    first, second = play_pb2.ActRequest(session_id="a"), play_pb2.ActRequest(notation="b")
    data = play_pb2.Call(act=first).SerializeToString() + play_pb2.Call(act=second).SerializeToString()
    (joined,) = wire.split(data).values()
    assert isinstance(joined, bytes)
    assert play_pb2.ActRequest.FromString(joined) == play_pb2.Call.FromString(data).act


PARSER = """
import resource
from pathlib import Path
from google.protobuf.message import DecodeError
from brettwerk.v1 import play_pb2, record_pb2
from services.runtime import wire
data = b"\\x0a\\x00" * 3_000_000
pages = int(Path("/proc/self/statm").read_text().split()[5])
resource.setrlimit(resource.RLIMIT_DATA, (pages * resource.getpagesize() + 20_000_000,) * 2)
for broken in (b"", b"\\xff"):
    try:
        record_pb2.Loaded.FromString((b"" if broken else data) + broken)
    except DecodeError as error:
        print(wire.lacks_memory(error))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is bounded on Linux only")
def test_a_message_for_which_there_is_no_memory_is_distinguished_from_one_that_is_none() -> None:
    run = subprocess.run([sys.executable, "-c", PARSER], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["True", "False"]
