"""Seats are counted in one way: from 0, in fields that are absent where there is none. Others are deprecated."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.descriptor import FieldDescriptor

from brettwerk.v1 import limits_pb2
from tests.contract.test_limits import FIELDS

PUBLISHED = Path(__file__).resolve().parents[2] / "generated" / "python" / "brettwerk" / "published" / "contract.binpb"
PACKED = {"EmperadoPosition.owners"}
"""Lists that a board is packed into; docs/contract.md names them."""
_MESSAGES, _FIELDS, _NESTED = 4, 2, 3


def _comments() -> Iterator[tuple[str, str]]:
    """Yield the public fields, each with its comment in one line."""
    for file in descriptor_pb2.FileDescriptorSet.FromString(PUBLISHED.read_bytes()).file:
        for place in file.source_code_info.location:
            path = list(place.path)
            # Each step is a kind and a number: a message, messages that are nested in it, and the field.
            kinds, numbers = path[::2], path[1::2]
            if not path or len(path) % 2 or kinds[0] != _MESSAGES or kinds[-1] != _FIELDS or set(kinds[1:-1]) - {_NESTED}:
                continue
            message = file.message_type[numbers[0]]
            for number in numbers[1:-1]:
                message = message.nested_type[number]
            yield f"{message.name}.{message.field[numbers[-1]].name}", " ".join(place.leading_comments.split())


COMMENTS = dict(_comments())


def counts_from_one(comment: str) -> bool:
    """Return whether a comment says of a field that it counts seats from 1."""
    return bool(re.search(r"\bseat\b.{0,60}\bplus one\b|\bplus one\b.{0,60}\bseat\b", comment))


def replaced_by(field: FieldDescriptor) -> str:
    name: str = field.GetOptions().Extensions[limits_pb2.plus_one_of]
    return name


FORMER = {name.removeprefix("brettwerk.v1."): field for name, field in FIELDS.items() if replaced_by(field)}


def test_comments_of_fields_are_found() -> None:
    assert len(COMMENTS) > 700
    assert COMMENTS["Thing.owner_seat"] == "The owner's seat; absent for nobody."


def test_a_public_field_that_counts_seats_from_one_is_a_former_one() -> None:
    found = {name for name, comment in COMMENTS.items() if counts_from_one(comment)}
    assert found - PACKED == set(FORMER)
    assert found >= PACKED


@pytest.mark.parametrize("name", FORMER)
def test_a_former_field_is_deprecated_and_names_an_optional_one_with_the_same_seats(name: str) -> None:
    former = FORMER[name]
    assert former.GetOptions().deprecated
    assert f"Use {replaced_by(former)}; this stays filled and read until 2.0." in COMMENTS[name]
    message = descriptor_pool.Default().FindMessageTypeByName(f"brettwerk.v1.{name.rpartition('.')[0]}")
    field = message.fields_by_name[replaced_by(former)]
    assert field.name.endswith("_seat")
    assert field.has_presence
    assert field.type == former.type
    assert field.number > former.number, "codecs write it behind"
    highest = former.GetOptions().Extensions[limits_pb2.limit].max
    assert field.GetOptions().Extensions[limits_pb2.limit].max == highest - 1
    assert not counts_from_one(COMMENTS[f"{name.rpartition('.')[0]}.{field.name}"])


@pytest.mark.parametrize(
    ("comment", "counts"),
    [
        ("The winner's seat, plus one; 0 for nobody.", True),
        ("The seat plus one; 0 for no wish.", True),
        ("The winner's seat; absent for nobody.", False),
        ("How many rounds there were, plus one.", False),
    ],
)
def test_a_comment_says_how_seats_are_counted(comment: str, counts: bool) -> None:
    assert counts_from_one(comment) == counts
