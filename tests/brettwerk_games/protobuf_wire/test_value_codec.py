"""Values are stored in messages with the same fields; what a newer release has written in addition stays."""

from dataclasses import dataclass
from typing import NamedTuple

import pytest

from brettwerk.internal.v1 import session_state_pb2
from brettwerk_games.protobuf_wire.fields import number
from brettwerk_games.protobuf_wire.value_codec import ValueCodec, unknown_fields


@dataclass(frozen=True)
class Version:
    version: int
    audiences: int
    position_version: int = 0
    former_ms: int = 0
    unknown: bytes = b""


CODEC = ValueCodec(Version, session_state_pb2.Unperceived)


def test_a_value_comes_back_with_what_is_unknown_here() -> None:
    newer = session_state_pb2.Unperceived(version=7, audiences=3).SerializeToString() + number(b"\xf8\x07", 5)
    value = CODEC.value(session_state_pb2.Unperceived.FromString(newer))
    assert (value.version, value.audiences) == (7, 3)
    assert value.unknown == number(b"\xf8\x07", 5)
    assert unknown_fields(CODEC.message(value)) == value.unknown
    assert CODEC.value(CODEC.message(value)) == value


def test_a_field_that_only_one_side_has_is_an_error_at_startup() -> None:
    @dataclass(frozen=True)
    class More(Version):
        hat: str = ""

    class Less(NamedTuple):
        version: int
        audiences: int

    with pytest.raises(TypeError, match="hat"):
        ValueCodec(More, session_state_pb2.Unperceived)
    with pytest.raises(TypeError, match="position_version"):
        ValueCodec(Less, session_state_pb2.Unperceived)
