"""Seats in messages of the contract: the optional fields that count from 0, and the deprecated ones that count from 1.

Each deprecated field names the one that took its place (`plus_one_of` in limits.proto). Messages to clients have both, and they
may send either. Logs are stored with the former only, as every release since 1.0.0 has written them and reads them.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from brettwerk.v1 import limits_pb2


@cache
def former_names(descriptor: Descriptor) -> Mapping[str, str]:
    """Return the optional fields for seats of a message type, each with the deprecated field in whose place it is."""
    found = ((field.GetOptions().Extensions[limits_pb2.plus_one_of], field.name) for field in descriptor.fields)
    return MappingProxyType({new: old for new, old in found if new})


def seat_in(message: Message, field: str) -> int | None:
    """Return the seat in an optional field of a message, or in the one that it replaced; None for nobody."""
    if message.HasField(field):
        seat: int = getattr(message, field)
        return seat
    number: int = getattr(message, former_names(message.DESCRIPTOR)[field])
    return number - 1 if number else None


def put_seat(message: Message, field: str, seat: int | None) -> None:
    """Write a seat into an optional field of a message and into the one that it replaced; None for nobody."""
    if seat is None:
        message.ClearField(field)
    else:
        setattr(message, field, seat)
    setattr(message, former_names(message.DESCRIPTOR)[field], 0 if seat is None else seat + 1)


def complete(message: Message) -> None:
    """Let a message, and all that are in it, have both fields of each seat of which they have one: as clients receive them."""
    for name in former_names(message.DESCRIPTOR):
        put_seat(message, name, seat_in(message, name))
    for inner in _inner(message):
        complete(inner)


def make_former(message: Message) -> None:
    """Let a message, and all that are in it, have seats only in the former fields: as they are stored."""
    for name in former_names(message.DESCRIPTOR):
        put_seat(message, name, seat_in(message, name))
        message.ClearField(name)
    for inner in _inner(message):
        make_former(inner)


def _inner(message: Message) -> Iterator[Message]:
    """Yield the messages in a message that can have seats."""
    for name, is_repeated in _fields(message.DESCRIPTOR):
        if is_repeated:
            yield from getattr(message, name)
        elif message.HasField(name):
            yield getattr(message, name)


@cache
def _fields(descriptor: Descriptor) -> tuple[tuple[str, bool], ...]:
    """Return the fields that hold messages which can have seats, and whether many."""
    found = []
    for field in descriptor.fields:
        inner = field.message_type
        if inner is not None and not inner.GetOptions().map_entry and _may_name(inner, frozenset()):
            found.append((field.name, field.is_repeated))
    return tuple(found)


@cache
def _may_name(descriptor: Descriptor, around: frozenset[str]) -> bool:
    """Return whether messages of a type can name a seat, at any depth."""
    if former_names(descriptor):
        return True
    within = around | {descriptor.full_name}
    inner = (field.message_type for field in descriptor.fields if field.message_type is not None)
    return any(_may_name(each, within) for each in inner if each.full_name not in within)
