"""Fields made by hand are the bytes that protobuf writes, and numbers are read as protobuf reads them."""

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.v1 import emperado_pb2 as pb
from brettwerk.v1 import play_pb2, sessions_pb2
from brettwerk_games.protobuf_wire.fields import block, block_tag, number, number_tag, packed, tag, varint, varint_at

Update = sessions_pb2.Update
EDGES = (0, 1, 127, 128, 255, 256, 16_383, 16_384, 2**32 - 1)
numbers = st.integers(0, 2**64 - 1) | st.integers(0, 300) | st.sampled_from([*EDGES, 2**32, 2**63 - 1, 2**63, 2**64 - 1])
blocks = st.binary(max_size=300) | st.integers(127, 17_000).map(bytes)


@given(numbers)
def test_numbers_are_written_as_protobuf_writes_them(value: int) -> None:
    assert number(tag(Update, "version"), value) == Update(version=value).SerializeToString()
    assert number(number_tag(Update.VERSION_FIELD_NUMBER), value) == Update(version=value).SerializeToString()


@given(st.lists(st.integers(0, 2**32 - 1) | st.integers(0, 300) | st.integers(0, 127), min_size=1, max_size=200))
def test_repeated_numbers_are_written_as_protobuf_writes_them(values: list[int]) -> None:
    whole = pb.EmperadoPosition(armies=values).SerializeToString()
    assert block(tag(pb.EmperadoPosition, "armies"), packed(values)) == whole


@given(blocks.filter(bool))
def test_blocks_are_written_as_protobuf_writes_them(data: bytes) -> None:
    assert block(block_tag(AnyMessage.VALUE_FIELD_NUMBER), data) == AnyMessage(value=data).SerializeToString()


@given(numbers, blocks, st.lists(st.integers(0, 5), max_size=6), st.text(max_size=200))
def test_fields_in_order_are_the_message_that_protobuf_writes(version: int, view: bytes, to_act: list[int], title: str) -> None:
    whole = Update(version=version, to_act=to_act, more_actions=True, session=sessions_pb2.Session(title=title))
    whole.view.value = view
    parts = {
        "version": number(tag(Update, "version"), version),
        "session": block(tag(Update, "session"), sessions_pb2.Session(title=title).SerializeToString()),
        "view": block(tag(Update, "view"), AnyMessage(value=view).SerializeToString()),
        "to_act": block(tag(Update, "to_act"), packed(to_act)) if to_act else b"",
        "more_actions": number(tag(Update, "more_actions"), 1),
    }
    in_order = sorted(parts, key=lambda name: Update.DESCRIPTOR.fields_by_name[name].number)
    assert b"".join(parts[name] for name in in_order) == whole.SerializeToString(deterministic=True)


def test_a_message_has_no_fields_but_its_own() -> None:
    with pytest.raises(KeyError):
        tag(Update, "no_such_field")


def test_numbers_below_nothing_are_none() -> None:
    for write in (varint, lambda value: packed([value])):
        with pytest.raises(ValueError, match="-1"):
            write(-1)


@given(numbers, st.binary(max_size=5), st.binary(max_size=5))
def test_a_number_is_read_where_it_stands(value: int, before: bytes, after: bytes) -> None:
    end = len(before) + len(varint(value))
    assert varint_at(before + varint(value) + after, len(before)) == (value, end)


@given(
    st.binary(max_size=12) | st.integers(0, 12).flatmap(lambda size: st.binary(max_size=3).map(lambda end: b"\xff" * size + end))
)
def test_numbers_are_read_as_protobuf_reads_them(data: bytes) -> None:
    begin = tag(play_pb2.ConnectRequest, "id")
    try:
        value, end = varint_at(begin + data, 1)
    except IndexError:
        with pytest.raises(DecodeError):
            play_pb2.ConnectRequest.FromString(begin + data)
    else:
        assert value == play_pb2.ConnectRequest.FromString((begin + data)[:end]).id
