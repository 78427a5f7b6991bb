"""Values of classes, stored as messages with the same fields, and what a newer release has written in addition."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, Generic, TypeVar, get_args, get_type_hints

from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

V = TypeVar("V")
M = TypeVar("M", bound=Message)
_UNKNOWN = "unknown"
_Read = Callable[[Any], Any]


class ValueCodec(Generic[V, M]):
    """How the values of a class, a dataclass or a named tuple, are stored as messages of a type.

    A field of a value is the field of the same name in its message, so that fields appear in the class and in the contract, and
    nowhere else. A field that a newer release has added is kept in the value's field `unknown`, if it has one. Only fields that
    have something are written and read: that a number or a text is absent means the same as that it is empty.
    """

    def __init__(self, kind: type[V], message: type[M], **inner: "ValueCodec[Any, Any]") -> None:
        """`inner` names repeated fields with values that are themselves stored in this way.

        Raises TypeError if the class and the message do not have the same fields.
        """
        known = message.DESCRIPTOR.fields_by_name
        names = [field.name for field in fields(kind)] if is_dataclass(kind) else list(get_type_hints(kind))
        self._names = [name for name in names if name != _UNKNOWN]
        if set(self._names) != set(known):
            raise TypeError(f"{kind.__name__} and {message.__name__} differ in {sorted({*self._names} ^ {*known})}")
        self._keeps_unknown = _UNKNOWN in names
        self._kind, self._message, self._inner = kind, message, inner
        hints, empty = get_type_hints(kind), message()
        self._empty: dict[str, Any] = {
            name: () if known[name].is_repeated else None if type(None) in get_args(hints[name]) else getattr(empty, name)
            for name in self._names
        }
        self._reads = {name: _reading(inner.get(name), is_repeated=known[name].is_repeated) for name in self._names}

    def message(self, value: V) -> M:
        """Return the message in which a value is stored."""
        values = {name: found for name in self._names if (found := getattr(value, name))}
        for name, inner in self._inner.items():
            if name in values:
                values[name] = [inner.message(one) for one in values[name]]
        message = self._message(**values)
        if self._keeps_unknown:
            message.MergeFromString(getattr(value, _UNKNOWN))
        return message

    def value(self, message: M) -> V:
        """Return the value that a message stores."""
        reads = self._reads
        values: dict[str, Any] = self._empty | {field.name: reads[field.name](found) for field, found in message.ListFields()}
        if self._keeps_unknown:
            values[_UNKNOWN] = unknown_fields(message)
        return self._kind(**values)


def _reading(inner: ValueCodec[Any, Any] | None, *, is_repeated: bool) -> _Read:
    """Return what reads the content of a field: repeated ones as tuples. A walk over the field itself ends in an exception."""
    if inner is not None:
        return lambda found: tuple(map(inner.value, found[:]))
    if is_repeated:
        return lambda found: tuple(found[:])
    return lambda found: found


def unknown_fields(message: Message) -> bytes:
    """Return the unknown fields of a message, encoded; those of nested messages stay with them."""
    if not UnknownFieldSet(message):
        return b""
    rest = type(message)()
    rest.CopyFrom(message)
    for known, _ in message.ListFields():
        rest.ClearField(known.name)
    return rest.SerializeToString(deterministic=True)
