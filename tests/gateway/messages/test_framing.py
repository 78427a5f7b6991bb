"""Frames made by hand are the bytes that protobuf would have written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.v1 import errors_pb2, play_pb2, sessions_pb2
from brettwerk_games.protobuf_wire.fields import block
from gateway.messages import framing
from gateway.messages.contract import METHODS
from services.runtime import wire

numbers = st.integers(0, 2**64 - 1) | st.sampled_from([0, 1, 127, 128, 2**14 - 1, 2**14, 2**32, 2**64 - 1])


@st.composite
def watch_responses(draw: st.DrawFn) -> play_pb2.WatchResponse:
    update = sessions_pb2.Update(
        session_id=draw(st.text(max_size=40)),
        version=draw(numbers),
        at_ms=draw(st.integers(-(2**63), 2**63 - 1)),
        to_act=draw(st.lists(st.integers(0, 5), max_size=6)),
        session=sessions_pb2.Session(title=draw(st.text(max_size=300))),
    )
    update.view.type_url = draw(st.text(max_size=20))
    update.view.value = draw(st.binary(max_size=20_000))
    kinds = [
        play_pb2.WatchResponse(update=update),
        play_pb2.WatchResponse(resync=play_pb2.Resync(cause=draw(st.integers(0, 3)), update=update)),  # type: ignore[arg-type]
        play_pb2.WatchResponse(heartbeat=play_pb2.Heartbeat(head_version=draw(numbers))),
        play_pb2.WatchResponse(),
    ]
    return draw(st.sampled_from(kinds))


@given(numbers, watch_responses())
def test_a_message_of_a_watch_is_framed_as_protobuf_would(number: int, message: play_pb2.WatchResponse) -> None:
    data = message.SerializeToString()
    framed = block(framing.head(number, "watch"), data)
    assert framed == play_pb2.ConnectResponse(id=number, watch=message).SerializeToString()


@given(numbers, st.text(max_size=300), st.integers(0, 2**32 - 1))
def test_answers_and_refusals_are_framed_as_protobuf_would(number: int, text: str, wait: int) -> None:
    refusal = errors_pb2.Refusal(code=9, message=text, retry_after_ms=wait)
    assert framing.refusal_frame(number, refusal) == play_pb2.ConnectResponse(id=number, refusal=refusal).SerializeToString()
    for answer in (play_pb2.Answer(refusal=refusal), play_pb2.Answer()):
        data = answer.SerializeToString()
        assert framing.answer_head(number, data) + data == play_pb2.ConnectResponse(id=number, answer=answer).SerializeToString()


@given(numbers, st.text(max_size=20_000))
def test_a_call_is_found_in_its_frame_and_made_of_its_request(number: int, title: str) -> None:
    request = play_pb2.CreateSessionRequest(title=title)
    call = play_pb2.Call(create_session=request)
    frame = play_pb2.ConnectRequest(id=number, call=call).SerializeToString()
    assert framing.call_in(frame) == (number, call.SerializeToString())
    assert block(METHODS["CreateSession"].tag, request.SerializeToString()) == call.SerializeToString()


@given(st.binary(max_size=40) | st.binary(max_size=40).map(lambda data: b"\x08\x01\x12" + data))
def test_the_fields_found_in_a_frame_are_those_that_protobuf_finds(frame: bytes) -> None:
    found = framing.call_in(frame)
    if found is None:
        return
    number, call = found
    read = wire.split(frame)
    assert (read.get(1, 0), read[2], set(read) <= {1, 2}) == (number, call, True)


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"\x08",
        b"\x08\x01",
        b"\x08\x01\x12",
        b"\x08\x01\x12\x02\x0a",
        b"\x08\x01\x12\x00\x12\x00",
        b"\x08\x01\x1a\x00",
        b"\x12\x00\x08\x01",
        b"\x08" + b"\xff" * 20,
    ],
)
def test_other_frames_are_left_to_the_parser(frame: bytes) -> None:
    assert framing.call_in(frame) is None


@given(st.text(max_size=300), numbers)
def test_refusals_and_inner_messages_are_found_without_parsing(text: str, version: int) -> None:
    refusal = errors_pb2.Refusal(message=text)
    response = play_pb2.ActResponse(version=version, notation_played=text)
    answered, refused = play_pb2.Answer(act=response), play_pb2.Answer(refusal=refusal)
    assert framing.is_refusal(refused.SerializeToString())
    assert not framing.is_refusal(answered.SerializeToString())
    assert framing.inner(answered.SerializeToString()) == response.SerializeToString()
    assert framing.inner(b"") == b""


@pytest.mark.parametrize("name", sorted(METHODS))
def test_a_call_finds_its_method(name: str) -> None:
    call = play_pb2.Call()
    getattr(call, METHODS[name].field).SetInParent()
    assert framing.method_first_in(call.SerializeToString()) is METHODS[name]


def test_a_call_of_a_method_that_is_not_known_here_finds_none() -> None:
    assert framing.method_first_in(b"\xfa\x07\x00") is None
    assert framing.method_first_in(b"") is None
