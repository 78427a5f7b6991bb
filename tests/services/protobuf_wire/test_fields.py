import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.v1 import emperado_pb2 as pb
from services.protobuf_wire.fields import block, block_tag, number_tag, packed, varint

EDGES = (0, 1, 127, 128, 255, 256, 16_383, 16_384, 2**32 - 1)


@given(st.integers(0, 2**32 - 1) | st.sampled_from(EDGES))
def test_numbers_are_written_as_protobuf_writes_them(number: int) -> None:
    whole = pb.EmperadoPosition(to_move=number, played=number).SerializeToString()
    tags = (number_tag(pb.EmperadoPosition.TO_MOVE_FIELD_NUMBER), number_tag(pb.EmperadoPosition.PLAYED_FIELD_NUMBER))
    assert b"".join(tag + varint(number) for tag in tags if number) == whole


@given(st.lists(st.integers(0, 2**32 - 1) | st.integers(0, 300) | st.integers(0, 127), min_size=1, max_size=200))
def test_repeated_numbers_are_written_as_protobuf_writes_them(numbers: list[int]) -> None:
    whole = pb.EmperadoPosition(armies=numbers).SerializeToString()
    assert block(block_tag(pb.EmperadoPosition.ARMIES_FIELD_NUMBER), packed(numbers)) == whole


@given(st.binary(min_size=1, max_size=300) | st.integers(127, 17_000).map(bytes))
def test_blocks_are_written_as_protobuf_writes_them(data: bytes) -> None:
    assert block(block_tag(AnyMessage.VALUE_FIELD_NUMBER), data) == AnyMessage(value=data).SerializeToString()


def test_numbers_below_nothing_are_none() -> None:
    for write in (varint, lambda number: packed([number])):
        with pytest.raises(ValueError, match="-1"):
            write(-1)
