"""Messages are made of classes: fields, their numbers and bounds, enums and alternatives."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any

import pytest
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto

from brettwerk.v1 import limits_pb2
from brettwerk_games.rules.bounds import Bound, BySeat
from brettwerk_games.rules.derived.contract import ContractFile
from brettwerk_games.rules.options import Option


class Side(IntEnum):
    LEFT = 1
    RIGHT = 2


@dataclass(frozen=True, slots=True)
class Options:
    size: Annotated[int, Option("X-1", min=2, max=9)] = 3
    spread: Annotated[int, Option("X-2", min=-5, max=5)] = 0
    quick: Annotated[bool, Option("X-3", explicit=True)] = False
    name: Annotated[str, Option("X-4", max=20)] = ""
    side: Annotated[Side, Option("X-5")] = Side.LEFT


@dataclass(frozen=True, slots=True)
class Put:
    square: Annotated[int, Bound(max=8)]


@dataclass(frozen=True, slots=True)
class Pass:
    pass


@dataclass(frozen=True, slots=True)
class Position:
    to_move: Annotated[int, Bound(max=1, number=15)]
    squares: Annotated[tuple[int, ...], Bound(items=9, max=2)]
    points: Annotated[tuple[int, ...], BySeat(max=5)]
    out: Annotated[tuple[int, ...], Bound(is_seat=True, items=4)]
    last: Annotated[int | None, Bound(max=8)]
    said: Put | None


def made(cls: Any, name: str) -> FileDescriptor:
    """Return a file with the message of a class, as protobuf takes it."""
    file = FileDescriptorProto(name=f"test/{name}.proto", package=f"test_{name.lower()}.v1", syntax="proto3")
    file.dependency.append(limits_pb2.DESCRIPTOR.name)
    contract = ContractFile(file, "Game", {}, {}, seats=4)
    contract.named[cls] = name
    contract.add(cls)
    pool = descriptor_pool.DescriptorPool()
    for known in (*limits_pb2.DESCRIPTOR.dependencies, limits_pb2.DESCRIPTOR):
        pool.AddSerializedFile(known.serialized_pb)
    pool.AddSerializedFile(file.SerializeToString())
    return pool.FindFileByName(file.name)


def fields_in(file: FileDescriptor, message: str) -> list[str]:
    """Return the fields of a message, one line each."""
    found = FileDescriptorProto()
    file.CopyToProto(found)
    (fields,) = (each.field for each in found.message_type if each.name == message)
    lines = []
    for field in fields:
        kind = field.type_name.rpartition(".")[2] or field.Type.Name(field.type).removeprefix("TYPE_").lower()
        limit = field.options.Extensions[limits_pb2.limit]
        bounds = [f"{bound.name} {value}" for bound, value in limit.ListFields()]
        label = "repeated " if field.label == field.LABEL_REPEATED else "optional " if field.proto3_optional else ""
        lines.append(" ".join([f"{label}{kind} {field.name} {field.number}", *bounds]))
    return lines


def test_options_are_optional_where_nothing_would_be_read_as_another_value() -> None:
    assert fields_in(made(Options, "GameOptions"), "GameOptions") == [
        "optional uint32 size 1 min 2 max 9",
        "sint32 spread 2 min -5 max 5",
        "optional bool quick 3",
        "string name 4 length 20",
        "GameSide side 5",
    ]


def test_an_enum_without_zero_begins_with_unspecified() -> None:
    values = made(Options, "GameOptions").enum_types_by_name["GameSide"].values
    assert [(value.number, value.name) for value in values] == [
        (0, "GAME_SIDE_UNSPECIFIED"),
        (1, "GAME_SIDE_LEFT"),
        (2, "GAME_SIDE_RIGHT"),
    ]


def test_fields_are_numbered_by_place_unless_they_say_their_number() -> None:
    assert fields_in(made(Position, "GamePosition"), "GamePosition") == [
        "repeated uint32 squares 1 items 9 max 2",
        "repeated uint32 points 2 items 4 max 5",
        "repeated uint32 out 3 items 4 max 3",
        "optional uint32 last 4 max 8",
        "GamePut said 5",
        "uint32 to_move 15 max 1",
    ]


def test_an_alternative_has_a_field_for_each_of_its_classes() -> None:
    file = made(Put | Pass, "GameAction")
    assert fields_in(file, "GameAction") == ["GamePut put 1", "GamePass pass 2"]
    assert [oneof.name for oneof in file.message_types_by_name["GameAction"].oneofs] == ["kind"]


def test_a_field_of_a_type_that_no_message_has_is_refused() -> None:
    @dataclass
    class Odd:
        real: float

    with pytest.raises(ValueError, match="neither a NamedTuple nor a dataclass"):
        made(Odd, "GameOdd")
