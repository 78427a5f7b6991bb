"""A bound that is not in the contract cannot be relied on: every field that can grow has one."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor

import brettwerk.internal.v1
import brettwerk.v1
from brettwerk.v1 import limits_pb2
from services.runtime import channel
from services.runtime.link import bounds

GROWING = (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES)
NUMBERS = (
    FieldDescriptor.CPPTYPE_INT32,
    FieldDescriptor.CPPTYPE_INT64,
    FieldDescriptor.CPPTYPE_UINT32,
    FieldDescriptor.CPPTYPE_UINT64,
)


def _fields() -> Iterator[FieldDescriptor]:
    def within(descriptor: Descriptor) -> Iterator[FieldDescriptor]:
        if not descriptor.GetOptions().map_entry:
            yield from descriptor.fields
            for inner in descriptor.nested_types:
                yield from within(inner)

    for package in (brettwerk.v1, brettwerk.internal.v1):
        for module in pkgutil.iter_modules(package.__path__):
            if module.name.endswith("_pb2"):
                file = importlib.import_module(f"{package.__name__}.{module.name}").DESCRIPTOR
                for descriptor in file.message_types_by_name.values():
                    yield from within(descriptor)


FIELDS = {field.full_name: field for field in _fields()}


def limit_of(field: FieldDescriptor) -> limits_pb2.Limit:
    limit: limits_pb2.Limit = field.GetOptions().Extensions[limits_pb2.limit]
    return limit


def is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and bool(field.message_type.GetOptions().map_entry)


def test_every_list_and_map_has_a_bound_of_elements() -> None:
    growing = {name for name, field in FIELDS.items() if field.is_repeated}
    assert len(growing) > 50
    assert {name for name in growing if not limit_of(FIELDS[name]).items} == set()


def test_every_text_has_a_bound_of_bytes() -> None:
    growing = {name for name, field in FIELDS.items() if field.type in GROWING or is_map(field)}
    assert len(growing) > 100
    assert {name for name in growing if not limit_of(FIELDS[name]).length} == set()


def misfits(field: FieldDescriptor, limit: limits_pb2.Limit) -> Iterator[str]:
    """Yield what is wrong with the limit of a field."""
    if limit.items and not field.is_repeated:
        yield "a bound of elements, and no list"
    if limit.length and not (field.type in GROWING or is_map(field)):
        yield "a bound of bytes, and no text"
    if (limit.min or limit.max) and field.cpp_type not in NUMBERS:
        yield "a range, and no number"
    if limit.max and limit.min > limit.max:
        yield "a range that begins beyond its end"


def test_every_bound_fits_its_field() -> None:
    assert len(FIELDS) > 1000
    assert {name: found for name, field in FIELDS.items() if (found := list(misfits(field, limit_of(field))))} == {}


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("EinsteinMoved.seat", limits_pb2.Limit(items=1)),
        ("EinsteinMoved.seat", limits_pb2.Limit(length=1)),
        ("EinsteinMoved.seat", limits_pb2.Limit(min=2, max=1)),
        ("WatchRequest.session_id", limits_pb2.Limit(max=1)),
    ],
)
def test_a_bound_that_does_not_fit_is_found(name: str, limit: limits_pb2.Limit) -> None:
    assert len(list(misfits(FIELDS[f"brettwerk.v1.{name}"], limit))) == 1


def test_a_message_of_bounded_fields_fits_into_a_message_between_services() -> None:
    """The most that one field may take alone has to pass; records are the largest things that there are."""
    own = [
        field
        for name, field in FIELDS.items()
        if not name.startswith(("brettwerk.internal.v1.LinkCall.", "brettwerk.internal.v1.LinkAnswer."))
    ]
    assert max(limit_of(field).length for field in own) <= channel.MESSAGE_BYTES - 64 * 1024
    # A call over a link holds a whole message of another method.
    assert max(limit_of(field).length for field in FIELDS.values()) == bounds.CALL_BYTES
