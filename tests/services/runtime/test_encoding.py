import pytest

from brettwerk.v1 import sessions_pb2
from services.runtime.encoding import block, number, tag, varint

Update = sessions_pb2.Update


@pytest.mark.parametrize("value", [1, 127, 128, 16383, 16384, 2**32, 2**63 - 1])
def test_numbers_are_written_as_protobuf_does(value: int) -> None:
    assert number(tag(Update, "at_ms"), value) == Update(at_ms=value).SerializeToString()


def test_what_is_0_is_left_out() -> None:
    assert number(tag(Update, "version"), 0) == b"" == Update(version=0).SerializeToString()
    assert varint(0) == b"\0"


def test_numbers_below_0_are_not_written() -> None:
    with pytest.raises(ValueError, match="-1"):
        varint(-1)


@pytest.mark.parametrize("size", [1, 127, 128, 40_000])
def test_text_messages_and_packed_numbers_are_written_as_protobuf_does(size: int) -> None:
    assert block(tag(Update, "session_id"), b"x" * size) == Update(session_id="x" * size).SerializeToString()
    session = sessions_pb2.Session(title="x" * size)
    assert block(tag(Update, "session"), session.SerializeToString()) == Update(session=session).SerializeToString()
    assert block(tag(Update, "to_act"), bytes([5]) * size) == Update(to_act=[5] * size).SerializeToString()


def test_fields_in_order_are_a_whole_message() -> None:
    parts = [number(tag(Update, "version"), 3), block(tag(Update, "view"), b""), number(tag(Update, "more_actions"), 1)]
    update = Update(version=3, more_actions=True)
    update.view.SetInParent()
    assert b"".join(parts) == update.SerializeToString(deterministic=True)
