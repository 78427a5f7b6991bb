"""Checks messages against the bounds that stand in the contract (limits.proto), before anything else looks at them."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from brettwerk.v1 import limits_pb2
from services.runtime.refusal import malformed

_TEXTS = (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES)
_Check = Callable[[Any, str], None]

DEPTH = 16
"""Messages inside messages; a record inside a proposal inside a record must end somewhere."""


def check(message: Message, path: str = "") -> None:
    """Return when every field of the message, at any depth, keeps its bounds.

    Raises Refused (MALFORMED) that names the first field that does not.
    """
    _check(message, path, DEPTH)


def _check(message: Message, path: str, depth: int) -> None:
    if depth == 0:
        raise malformed(path, "too many messages inside of one another")
    plan = _plan(message.DESCRIPTOR)
    for field, value in message.ListFields():
        name = f"{path}.{field.name}" if path else field.name
        bound = plan[field.number]
        if bound is not None:
            bound(value, name)
        if field.message_type is not None:
            if field.message_type.GetOptions().map_entry:
                continue
            if field.is_repeated:
                for i, element in enumerate(value):
                    _check(element, f"{name}[{i}]", depth - 1)
            else:
                _check(value, name, depth - 1)


@cache
def _plan(descriptor: Descriptor) -> Mapping[int, _Check | None]:
    return {field.number: _bound(field) for field in descriptor.fields}


def _bound(field: FieldDescriptor) -> _Check | None:
    limit = field.GetOptions().Extensions[limits_pb2.limit]
    is_map = field.message_type is not None and field.message_type.GetOptions().map_entry
    if is_map:
        return lambda value, name: _check_map(value, name, limit)
    check_one: _Check | None = None
    if field.type in _TEXTS and limit.length:
        is_string = field.type == FieldDescriptor.TYPE_STRING
        check_one = lambda value, name: _check_length(value.encode() if is_string else value, name, limit.length)  # noqa: E731
    elif limit.min or limit.max:
        check_one = lambda value, name: _check_range(value, name, limit)  # noqa: E731
    if not field.is_repeated:
        return check_one
    if not limit.items and check_one is None:
        return None
    return lambda value, name: _check_items(value, name, limit.items, check_one)


def _check_length(value: bytes, name: str, most: int) -> None:
    if len(value) > most:
        raise malformed(name, f"{name} has {len(value)} bytes, at most {most} are allowed")


def _check_range(value: int, name: str, limit: limits_pb2.Limit) -> None:
    if value < limit.min or (limit.max and value > limit.max):
        raise malformed(name, f"{name} is {value}; it must be from {limit.min}" + (f" to {limit.max}" if limit.max else " on"))


def _check_items(values: Any, name: str, most: int, check_one: _Check | None) -> None:
    if most and len(values) > most:
        raise malformed(name, f"{name} has {len(values)} elements, at most {most} are allowed")
    if check_one is not None:
        for i, value in enumerate(values):
            check_one(value, f"{name}[{i}]")


def _check_map(values: Mapping[str, str], name: str, limit: limits_pb2.Limit) -> None:
    if limit.items and len(values) > limit.items:
        raise malformed(name, f"{name} has {len(values)} entries, at most {limit.items} are allowed")
    for key, value in values.items():
        _check_length(f"{key}{value}".encode(), name, limit.length + 100)
