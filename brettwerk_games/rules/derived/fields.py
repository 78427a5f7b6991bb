"""Fields of messages: how a value is put into the bytes, and taken out of a message that was parsed."""

import struct
from collections.abc import Callable
from dataclasses import MISSING
from enum import IntEnum
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message_factory import GetMessageClass

from brettwerk.v1 import limits_pb2
from brettwerk_games.protobuf_wire.fields import block, block_tag, number_tag, packed, varint
from brettwerk_games.rules import bounds
from brettwerk_games.rules.refusals import Malformed

_VARINTS = (FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_UINT64, FieldDescriptor.TYPE_BOOL, FieldDescriptor.TYPE_ENUM)
_TEXTS = (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES)
_MAX_SMALL = 127
_MAX = 2**64 - 1


class Field(NamedTuple):
    """A field: what its value is in the bytes of its message, and its value in a message, which raises Malformed."""

    put: Callable[[Any], bytes]
    take: Callable[[Any], Any]


def most_elements(field: FieldDescriptor) -> int:
    """Return how many elements the contract allows."""
    return _limit(field).items or _MAX


def joined(place: str, field: str) -> str:
    """Return the path of a field of what is at a place."""
    return f"{place}.{field}" if place and field and field[0] != "[" else place + field


def single(hint: Any, field: FieldDescriptor, *, optional: bool, preset: Any, bounded: bool) -> Field:
    """Return the field of a number, switch, text or member of an enum. Raises ValueError where it cannot go with the type.

    `preset` is the value where nothing is said, MISSING for none; `bounded` tells whether numbers are held to the contract.
    """
    zero = MISSING if field.has_presence else None if optional else preset
    put, take = _put(field), _take(hint, field, zero, bounded=bounded)
    if field.has_presence:
        if optional or preset is not MISSING:
            take = _if_said(field.name, None if optional else preset, take)
    elif optional and hint is int:
        return Field(_one_higher(put), _one_lower(take))
    elif optional and not _is_enum(hint):
        raise ValueError(f"{field.full_name} may be None, so it must be optional in the contract")
    return Field(_unless_none(put) if optional else put, take)


def replaced_by(field: FieldDescriptor) -> str:
    """Return the optional field that has the same seat as one that counts them from 1; empty for any other field."""
    name: str = field.GetOptions().Extensions[limits_pb2.plus_one_of]
    return name


def beside(former: Field, old: FieldDescriptor, field: FieldDescriptor) -> Field:
    """Return the optional field of a seat that a former one has too: `put` makes this one alone, `take` reads either.

    It refuses a message with two different seats.
    """
    before, name, (_, most) = old.name, field.name, _bounds_of(field)
    tag, old_tag = number_tag(field.number), number_tag(old.number)
    alone = {b"": b""} | {old_tag + varint(seat + 1): tag + varint(seat) for seat in range(most + 1)}
    put, take = former

    def take_either(message: Any) -> Any:
        if not message.HasField(name):
            return take(message)
        seat, number = bounds.number(getattr(message, name), 0, most, name), getattr(message, before)
        if number and number != seat + 1:
            raise Malformed(f"{name} and {before}, which counts from 1, have different seats", field=name)
        setattr(message, before, seat + 1)
        return take(message)

    return Field(lambda value: alone[put(value)], take_either)


def several(hint: Any, field: FieldDescriptor, *, numbered: bool) -> Field:
    """Return the field of a tuple of numbers, switches, texts or members of an enum; raises ValueError as `single` does."""
    name, most = field.name, most_elements(field)
    if _is_enum(hint) or field.type in _TEXTS:
        check = _text(field, "") if field.type in _TEXTS else lambda value: bounds.one_of(hint, value, "")
        return Field(_put_several(field), each(name, most, check, numbered=numbered))
    if hint not in (int, bool):
        raise ValueError(f"{field.full_name} cannot go with {hint}")
    least, highest = _bounds_of(field)

    def take(message: Any) -> tuple[Any, ...]:
        try:
            return bounds.numbers(getattr(message, name), most, least, highest, name)
        except Malformed as refusal:
            refusal.field = refusal.field if numbered else name
            raise

    return Field(_put_several(field), take)


def each(name: str, most: int, read: Callable[[Any], Any], *, numbered: bool) -> Callable[[Any], tuple[Any, ...]]:
    """Return what takes all elements of a repeated field."""

    def take(message: Any) -> tuple[Any, ...]:
        elements, found = getattr(message, name), list[Any]()
        if len(elements) > most:
            raise Malformed(f"{name} has more than {most} elements", field=name)
        try:
            for element in elements:
                found.append(read(element))
        except Malformed as refusal:
            refusal.field = joined(f"{name}[{len(found)}]" if numbered else name, refusal.field)
            raise
        return tuple(found)

    return take


def _limit(field: FieldDescriptor) -> Any:
    return field.GetOptions().Extensions[limits_pb2.limit]


def _bounds_of(field: FieldDescriptor) -> tuple[int, int]:
    return (0, 1) if field.type == FieldDescriptor.TYPE_BOOL else (_limit(field).min, _limit(field).max or _MAX)


def _is_enum(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, IntEnum)


def _take(hint: Any, field: FieldDescriptor, zero: Any, *, bounded: bool) -> Callable[[Any], Any]:
    """Return what takes a value that is there. `zero` is what an enum's 0 means, and a number's that cannot be 0."""
    name = field.name
    if _is_enum(hint):
        return _member(hint, name, zero)
    if hint is bool:
        return attrgetter(name)
    if field.type in _TEXTS:
        check = _text(field, name)
        return lambda message: check(getattr(message, name))
    if hint is not int:
        raise ValueError(f"{field.full_name} cannot go with {hint}")
    if not bounded:
        return attrgetter(name)
    least, most = _bounds_of(field)

    def take(message: Any) -> int:
        value: int = getattr(message, name)
        return value if least <= value <= most else bounds.number(value, least, most, name)

    if zero in (MISSING, None) or least <= 0:
        return take
    return lambda message: take(message) if getattr(message, name) else zero


def _member(hint: Any, name: str, zero: Any) -> Callable[[Any], Any]:
    members = {int(member): member for member in hint}
    if zero is not MISSING:
        members.setdefault(0, zero)

    def take(message: Any) -> Any:
        try:
            return members[getattr(message, name)]
        except KeyError:
            raise Malformed(f"{name} has no value {getattr(message, name)}", field=name) from None

    return take


def _text(field: FieldDescriptor, label: str) -> Callable[[Any], Any]:
    name, most = field.name, _limit(field).length or _MAX

    def check(value: Any) -> Any:
        if (len(value.encode()) if isinstance(value, str) else len(value)) > most:
            raise Malformed(f"{name} has more than {most} bytes", field=label)
        return value

    return check


def _if_said(name: str, absent: Any, take: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda message: take(message) if message.HasField(name) else absent


def _one_lower(take: Callable[[Any], Any]) -> Callable[[Any], int | None]:
    return lambda message: value - 1 if (value := take(message)) else None


def _one_higher(put: Callable[[Any], bytes]) -> Callable[[int | None], bytes]:
    return lambda value: b"" if value is None else put(value + 1)


def _unless_none(put: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    return lambda value: b"" if value is None else put(value)


@cache
def _small(tag: bytes, *, says_zero: bool) -> tuple[bytes, ...]:
    """Return the fields of small numbers; 0 is said only where its absence would mean something else."""
    return (tag + b"\0" if says_zero else b"", *(tag + varint(value) for value in range(1, _MAX_SMALL + 1)))


def _put(field: FieldDescriptor) -> Callable[[Any], bytes]:
    says_zero = field.has_presence
    if field.type in _VARINTS:
        tag = number_tag(field.number)
        small = _small(tag, says_zero=says_zero)
        return lambda value: small[value] if 0 <= value <= _MAX_SMALL else tag + varint(value)
    if field.type == FieldDescriptor.TYPE_STRING:
        tag = block_tag(field.number)
        return lambda value: block(tag, value.encode()) if value or says_zero else b""
    return _put_by_message(field)


def _put_several(field: FieldDescriptor) -> Callable[[Any], bytes]:
    tag = block_tag(field.number)
    if field.type == FieldDescriptor.TYPE_STRING:
        return lambda values: b"".join([block(tag, value.encode()) for value in values])
    if field.type in _VARINTS:
        return lambda values: block(tag, packed(values)) if values else b""
    if field.type == FieldDescriptor.TYPE_FIXED64:
        return lambda values: block(tag, struct.pack(f"<{len(values)}Q", *values)) if values else b""
    return _put_by_message(field)


def _put_by_message(field: FieldDescriptor) -> Callable[[Any], bytes]:
    """Return the way for types that are rare."""
    inside: Any = field.containing_type
    message, name = GetMessageClass(inside), field.name
    return lambda value: message(**{name: value}).SerializeToString(deterministic=True)
