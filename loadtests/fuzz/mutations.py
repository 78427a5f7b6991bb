"""Changes messages by what the contract says of them: any field of any message, inside of `Any`, too.

A mutant is well-formed: it can be encoded and read again. What it says is at a boundary, too long, of another kind, doubled, left
out, or taken from another message of the same type. The same random numbers make the same mutants.
"""

import importlib
import pkgutil
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError, Message

import brettwerk.v1
from brettwerk.v1 import limits_pb2

for _module in pkgutil.iter_modules(brettwerk.v1.__path__):
    # The content of an Any can be changed, and spelt out in JSON, only where its message is known.
    if _module.name.endswith("_pb2"):
        importlib.import_module(f"brettwerk.v1.{_module.name}")

M = TypeVar("M", bound=Message)
_Field: TypeAlias = Any
"""A FieldDescriptor: there is one class of it for types, and another one at run time."""

MAX_REPEATS = 40
"""Elements that a mutation adds to a list at once."""
_BITS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.CPPTYPE_ENUM: (-(2**31), 2**31 - 1),
}
_TEXTS = ("", " ", "a" * 39, "a" * 40, "a" * 41, "é" * 64, "\u0000", "\u202e<b>\n", "-", "0" * 200, "x" * 5000, "💥" * 50)
_URLS = (
    "",
    "/",
    "brettwerk.v1.EinsteinAction",
    "type.googleapis.com/",
    "type.googleapis.com/google.protobuf.Any",
    "type.googleapis.com/brettwerk.v1.Record",
    "type.googleapis.com/brettwerk.v1.WecOptions",
    "type.googleapis.com/brettwerk.v1.EmperadoAction",
    "type.googleapis.com/no.such.Message",
    "x" * 200,
    "https://example.org/a/b/brettwerk.v1.PlateauAction",
)


def message_of(full_name: str) -> Message | None:
    """Return an empty message of a type, None for one that is not in the contract."""
    try:
        descriptor = descriptor_pool.Default().FindMessageTypeByName(full_name)
    except KeyError:
        return None
    made: Message = message_factory.GetMessageClass(descriptor)()
    return made


def unpacked(value: AnyMessage) -> Message | None:
    """Return the message in an Any; None where it is of no known type or cannot be read."""
    inner = message_of(value.type_url.rpartition("/")[2])
    if inner is None:
        return None
    try:
        inner.ParseFromString(value.value)
    except DecodeError:
        return None
    return inner


class Mutator:
    """Makes mutants. `spare` are messages and values from elsewhere that may take the place of others."""

    def __init__(self, rng: random.Random) -> None:
        """Take the random numbers that decide everything."""
        self.rng = rng
        self.texts: list[str] = []
        """Texts that a player has: ids, tokens, notations."""
        self.named: Mapping[str, Sequence[str]] = {}
        """Texts that a player has, by the names of the fields that they stood in."""
        self.any_values: list[AnyMessage] = []
        """Values of games that a player has: actions, views, options, positions."""
        self.messages: list[Message] = []
        """Other messages that a player has."""

    def mutant(self, message: M, changes: int = 1) -> M:
        """Return a copy with so many changes, each anywhere in it."""
        copy = type(message)()
        copy.CopyFrom(message)
        for _ in range(changes):
            self._change(copy)
        return copy

    def _change(self, message: Message) -> None:
        """Change one field, of this message or of one inside of it."""
        if isinstance(message, AnyMessage):
            self._change_any(message)
            return
        inside = [value for value in _inner(message) if value.ByteSize() or self.rng.random() < 0.2]
        if inside and self.rng.random() < 0.75:
            # The more there is in a message, the likelier it is the one: or the depths were never reached.
            weights = [1 + value.ByteSize() ** 0.5 for value in inside]
            self._change(self.rng.choices(inside, weights)[0])
            return
        fields = message.DESCRIPTOR.fields
        if not fields:
            return
        present: list[_Field] = [field for field, _ in message.ListFields()]
        field: _Field = self.rng.choice(present if present and self.rng.random() < 0.7 else list(fields))
        self._change_field(message, field)

    def _change_any(self, value: AnyMessage) -> None:
        draw = self.rng.random()
        if draw < 0.70:
            inner = unpacked(value)
            if inner is not None:
                for _ in range(self.rng.choice((1, 1, 1, 2, 4))):
                    self._change(inner)
                value.value = inner.SerializePartialToString(deterministic=True)
                return
        if draw < 0.85 and self.any_values:
            value.CopyFrom(self.rng.choice(self.any_values))
        elif draw < 0.90:
            value.type_url = self.rng.choice(_URLS)
        elif draw < 0.94:
            value.value += self.rng.choice((b"\x00", b"\xff" * 5, b"\xfa\x3e\x03abc", self.rng.randbytes(20)))
        elif draw < 0.97:
            value.value = value.value[: self.rng.randrange(len(value.value) + 1)]
        else:
            data = bytearray(value.value or b"\x00")
            data[self.rng.randrange(len(data))] ^= 1 << self.rng.randrange(8)
            value.value = bytes(data)

    def _change_field(self, message: Message, field: _Field) -> None:
        if field.is_repeated:
            self._change_list(message, field)
            return
        if field.has_presence and message.HasField(field.name) and self.rng.random() < 0.15:
            message.ClearField(field.name)
            return
        if field.message_type is None:
            self._set(message, field)
            return
        inner = getattr(message, field.name)
        if self.rng.random() < 0.3 and (other := self._other(field.message_type)) is not None:
            inner.CopyFrom(other)
        elif inner.ByteSize():
            self._change(inner)
        else:
            self._fill(inner, 2)

    def _set(self, message: Message, field: _Field) -> None:
        value = self.value(field)
        try:
            setattr(message, field.name, value)
        except (ValueError, TypeError):
            message.ClearField(field.name)  # a text that protobuf cannot hold, an enum that is closed

    def _change_list(self, message: Message, field: _Field) -> None:
        values = getattr(message, field.name)
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            values.clear()
            return
        draw = self.rng.random()
        if values and draw < 0.15:
            del values[self.rng.randrange(len(values)) :]
        elif values and draw < 0.35:
            del values[self.rng.randrange(len(values))]
        elif values and draw < 0.50:
            values.extend(list(values)[: self.rng.randrange(1, MAX_REPEATS)])
        elif len(values) > 1 and draw < 0.65:
            at, to = self.rng.randrange(len(values)), self.rng.randrange(len(values))
            kept = list(values)
            kept[at], kept[to] = kept[to], kept[at]
            copies = [_copy(value) if isinstance(value, Message) else value for value in kept]
            del values[:]
            values.extend(copies)
        elif field.message_type is not None:
            if values and draw < 0.9:
                self._change(self.rng.choice(values))
            else:
                self._fill(values.add(), 2)
        elif values and draw < 0.9:
            values[self.rng.randrange(len(values))] = self.value(field)
        else:
            values.append(self.value(field))

    def generate(self, descriptor: Any, depth: int = 3) -> Message:
        """Return a message of a type with fields drawn by lot."""
        made: Message = message_factory.GetMessageClass(descriptor)()
        self._fill(made, depth)
        return made

    def _fill(self, message: Message, depth: int) -> None:
        if isinstance(message, AnyMessage):
            if self.any_values:
                message.CopyFrom(self.rng.choice(self.any_values))
            return
        for field in message.DESCRIPTOR.fields:
            if self.rng.random() < 0.4:
                continue
            if field.message_type is None:
                if field.is_repeated:
                    getattr(message, field.name).extend(self.value(field) for _ in range(self.rng.randrange(4)))
                else:
                    self._set(message, field)
            elif depth and not field.message_type.GetOptions().map_entry:
                if field.is_repeated:
                    for _ in range(self.rng.randrange(3)):
                        self._fill(getattr(message, field.name).add(), depth - 1)
                else:
                    inner = getattr(message, field.name)
                    inner.SetInParent()
                    self._fill(inner, depth - 1)

    def value(self, field: _Field) -> Any:
        """Return a value for a field that holds no message."""
        rng = self.rng
        limit = field.GetOptions().Extensions[limits_pb2.limit]
        match field.cpp_type:
            case FieldDescriptor.CPPTYPE_STRING if field.type == FieldDescriptor.TYPE_BYTES:
                length = rng.choice((0, 1, 31, 32, 33, limit.length, limit.length + 1))
                return rng.randbytes(min(length, 100_000))
            case FieldDescriptor.CPPTYPE_STRING:
                named = self.named.get(field.name) or self.named.get("id" if field.name.endswith("_id") else "")
                if named and rng.random() < 0.6:
                    return rng.choice(named)
                if self.texts and rng.random() < 0.7:
                    return rng.choice(self.texts)
                if rng.random() < 0.3:
                    return "m" * min(limit.length + rng.choice((-1, 0, 1)), 5000)
                return rng.choice(_TEXTS)
            case FieldDescriptor.CPPTYPE_BOOL:
                return rng.random() < 0.5
            case FieldDescriptor.CPPTYPE_DOUBLE | FieldDescriptor.CPPTYPE_FLOAT:
                return rng.choice((0.0, -1.0, 1e300, float("nan"), float("inf"), 0.5))
            case FieldDescriptor.CPPTYPE_ENUM if rng.random() < 0.8:
                return rng.choice(field.enum_type.values).number
        least, most = _BITS[field.cpp_type]
        small = (0, 1, 2, 3, 4, 5, 6, 7, 8, 35, 36, 63, 64, 65, 191, 192, 255, 256, -1)
        edges = (least, most, limit.min, limit.max, limit.max + 1, 2**31, 2**32, 10**9)
        return max(least, min(most, rng.choice(small if rng.random() < 0.8 else edges)))

    def _other(self, descriptor: Any) -> Message | None:
        others: Sequence[Message] = self.any_values if descriptor.full_name == AnyMessage.DESCRIPTOR.full_name else self.messages
        others = [other for other in others if other.DESCRIPTOR.full_name == descriptor.full_name]
        return self.rng.choice(others) if others else None


def _inner(message: Message) -> Iterator[Message]:
    """Yield the messages in the fields of a message."""
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        if field.is_repeated:
            yield from value
        else:
            yield value


def _copy(message: M) -> M:
    copy = type(message)()
    copy.CopyFrom(message)
    return copy
