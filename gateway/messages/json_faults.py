"""Finds what is wrong with a request in JSON: the path of the field, as the contract names it, and a sentence.

protobuf's own parser says where it stopped in terms for Python developers, and mostly not where in a list. So once it has refused
a request, the parts are read again one by one, descending into the first that cannot be read, down to the field.
"""

import contextlib
import json
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from google.protobuf import descriptor_pool, json_format
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from services.runtime.refusal import listed

LOOKING_S = 0.5
"""How much CPU time may be spent on looking for the field; after that, the path ends where the search has got to."""
DEPTH = 32
"""How deep to look for it."""
_TYPE = "@type"
_ANY = AnyMessage.DESCRIPTOR.full_name
_WANTED = {
    FieldDescriptor.CPPTYPE_BOOL: "true or false",
    FieldDescriptor.CPPTYPE_INT32: "a whole number of 32 bits",
    FieldDescriptor.CPPTYPE_INT64: "a whole number of 64 bits",
    FieldDescriptor.CPPTYPE_UINT32: "a whole number of 32 bits that is not negative",
    FieldDescriptor.CPPTYPE_UINT64: "a whole number of 64 bits that is not negative",
    FieldDescriptor.CPPTYPE_DOUBLE: "a number",
    FieldDescriptor.CPPTYPE_FLOAT: "a number",
}


class Fault(NamedTuple):
    """A fault of a text."""

    field: str
    """The path of the field (seats[1].me); empty for the whole of it."""
    problem: str
    """The fault itself, to be read after the path."""


def found(message: Message, value: Any) -> Fault:
    """Return what is wrong with a JSON value that is not such a message."""
    return _Search(time.process_time() + LOOKING_S).within(_descriptor(message), value, "", DEPTH)


class _Search:
    def __init__(self, until: float) -> None:
        self._until = until

    def within(self, descriptor: Descriptor, value: Any, path: str, depth: int) -> Fault:
        """Return what is wrong within a message."""
        if not isinstance(value, dict):
            return Fault(path, f"is no object, as {descriptor.name} is in JSON")
        if depth:
            for fault in self._faults(descriptor, value, f"{path}." if path else "", depth):
                return fault
        return Fault(path, f"is no {descriptor.name}")

    def _faults(self, descriptor: Descriptor, value: dict[str, Any], before: str, depth: int) -> Iterator[Fault]:
        names = {name: field for field in descriptor.fields for name in (field.json_name, field.name)}
        given: dict[str, str] = {}
        for key, part in value.items():
            field = names.get(key)
            if field is None:
                there = listed(field.json_name for field in descriptor.fields)
                yield Fault(f"{before}{key}"[:200], f"is no field of {descriptor.name}; there are: {there}")
                return
            path = f"{before}{field.name}"
            if field.containing_oneof and part is not None:
                other = given.setdefault(field.containing_oneof.name, field.name)
                if other != field.name:
                    yield Fault(path, f"cannot be given together with {other}")
                    return
            if time.process_time() > self._until:
                return
            if part is not None and not _reads(field, part):
                yield self._in_field(field, part, path, depth)
                return

    def _in_field(self, field: FieldDescriptor, value: Any, path: str, depth: int) -> Fault:
        """Return what is wrong with the value of a field that cannot be read."""
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            return self._in_map(field, value, path, depth)
        if not field.is_repeated:
            return self._in_one(field, value, path, depth)
        if not isinstance(value, list):
            return Fault(path, "is no list")
        for index, part in enumerate(value):
            if not _reads(field, [part]):
                return self._in_one(field, part, f"{path}[{index}]", depth)
            if time.process_time() > self._until:
                break
        return Fault(path, "cannot be read")

    def _in_map(self, field: FieldDescriptor, value: Any, path: str, depth: int) -> Fault:
        if not isinstance(value, dict):
            return Fault(path, "is no object")
        assert field.message_type is not None
        element = field.message_type.fields_by_name["value"]
        for key, part in value.items():
            if not _reads(field, {key: part}):
                return self._in_one(element, part, f"{path}[{key}]"[:200], depth)
        return Fault(path, "cannot be read")

    def _in_one(self, field: FieldDescriptor, value: Any, path: str, depth: int) -> Fault:
        if field.message_type is None:
            return Fault(path, _not_wanted(field, value))
        if field.message_type.full_name == _ANY:
            return self._in_any(value, path, depth)
        return self.within(field.message_type, value, path, depth - 1)

    def _in_any(self, value: Any, path: str, depth: int) -> Fault:
        if not isinstance(value, dict):
            return Fault(path, f'is no object with "{_TYPE}"')
        name = value.get(_TYPE)
        if not isinstance(name, str):
            return Fault(path, f'has no "{_TYPE}" that names its message')
        _, slash, full_name = name.rpartition("/")
        with contextlib.suppress(KeyError):
            inner = descriptor_pool.Default().FindMessageTypeByName(full_name if slash else "")
            return self.within(inner, {key: part for key, part in value.items() if key != _TYPE}, path, depth - 1)
        return Fault(f"{path}.{_TYPE}", "ends in no slash and the name of a message that is known here")


def _descriptor(message: Message) -> Descriptor:
    return message.DESCRIPTOR  # type: ignore[return-value] # typeshed has two classes there


def _reads(field: FieldDescriptor, value: Any) -> bool:
    """Return whether the value of one field can be read."""
    assert field.containing_type is not None
    message = GetMessageClass(field.containing_type)()
    try:
        json_format.ParseDict({field.json_name: value}, message)
    except Exception:  # noqa: BLE001 - values of wrong types end in errors of all kinds
        return False
    return True


def _not_wanted(field: FieldDescriptor, value: Any) -> str:
    if field.enum_type is not None:
        there = listed(one.name for one in field.enum_type.values)
        return f"is {str(value)[:100]}, which is no value of {field.enum_type.name}; there are: {there}"
    if field.type == FieldDescriptor.TYPE_BYTES:
        return "is no base64"
    if field.cpp_type not in _WANTED:
        return "is not a text"  # where one is wanted it may be a secret, and is not repeated
    return f"is {_shown(value)}, not {_WANTED[field.cpp_type]}"


def _shown(value: Any) -> str:
    """Return a value as it was sent, unless it may be long."""
    if isinstance(value, dict | list):
        return "a list" if isinstance(value, list) else "an object"
    return json.dumps(value[:100] if isinstance(value, str) else value, ensure_ascii=False)
