"""Frames made by hand are the bytes that protobuf would have written."""

from hypothesis import given
from hypothesis import strategies as st

from brettwerk.v1 import errors_pb2, play_pb2, sessions_pb2
from gateway import framing

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
    framed = framing.frame(framing.head(number, "watch"), message.SerializeToString())
    assert framed == play_pb2.ConnectResponse(id=number, watch=message).SerializeToString()


@given(numbers, st.text(max_size=300), st.integers(0, 2**32 - 1))
def test_answers_and_refusals_are_framed_as_protobuf_would(number: int, text: str, wait: int) -> None:
    refusal = errors_pb2.Refusal(code=9, message=text, retry_after_ms=wait)
    assert framing.refusal_frame(number, refusal) == play_pb2.ConnectResponse(id=number, refusal=refusal).SerializeToString()
    answer = play_pb2.Answer(refusal=refusal)
    assert framing.answer_frame(number, answer) == play_pb2.ConnectResponse(id=number, answer=answer).SerializeToString()
    empty = play_pb2.Answer()
    assert framing.answer_frame(number, empty) == play_pb2.ConnectResponse(id=number, answer=empty).SerializeToString()
