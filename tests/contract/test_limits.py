"""A bound that is not in the contract cannot be relied on: every field that can grow has one."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor

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

    for module in pkgutil.iter_modules(brettwerk.v1.__path__):
        if module.name.endswith("_pb2"):
            file = importlib.import_module(f"brettwerk.v1.{module.name}").DESCRIPTOR
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


@pytest.mark.parametrize("name", FIELDS)
def test_a_bound_fits_its_field(name: str) -> None:
    field, limit = FIELDS[name], limit_of(FIELDS[name])
    assert not limit.items or field.is_repeated
    assert not limit.length or field.type in GROWING or is_map(field)
    assert not (limit.min or limit.max) or field.cpp_type in NUMBERS
    assert limit.min <= limit.max or not limit.max


def test_a_message_of_bounded_fields_fits_into_a_message_between_services() -> None:
    """What one field may take alone has to pass; records are the largest things that there are."""
    own = [field for name, field in FIELDS.items() if not name.startswith(("brettwerk.v1.LinkCall.", "brettwerk.v1.LinkAnswer."))]
    assert max(limit_of(field).length for field in own) <= channel.MESSAGE_BYTES - 64 * 1024
    # A call over a link holds a whole message of another method.
    assert max(limit_of(field).length for field in FIELDS.values()) == bounds.CALL_BYTES
