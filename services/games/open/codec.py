"""The bytes of a game, derived from its frozen values and its contract: no field is named twice.

A dataclass goes with a message that has a field of the same name for each of its own: numbers, switches and texts with their
like, an IntEnum with an enum, a tuple with a repeated field, `| None` with an optional field. An alternative of dataclasses goes
with a message whose only oneof has a message for each of them, named as the class, with or without the game's name before it
(ConnectFourPlayed and Played). Bounds are those of the contract (limits.proto). What is left out in bytes has the value that it
has in a new object, if that has one.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import IntEnum
from functools import partial
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, ClassVar, TypeVar, Union, get_args, get_origin, get_type_hints

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from brettwerk.v1 import limits_pb2
from services.game_packages.contract import add_contract
from services.games import bounds, interface
from services.games.interface import Kind
from services.games.messages import Form, MessageCodec
from services.games.open.values import OpenEnding, Played, View
from services.games.refusals import Malformed

_TEXTS = (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES)
_MAX = 2**63 - 1


def derived_codec(folder: Path, options: type, position: type, action: Any, require_sound: Callable[[Any], None]) -> MessageCodec:
    """Return the codec of a game in a folder with its contract. `require_sound` raises Malformed for a position that cannot be.

    Raises ValueError where values and contract do not fit together, and what `add_contract` raises.
    """
    messages = add_contract(folder).message_types_by_name
    own = {name.removesuffix("Options"): name for name in messages if name.endswith("Options")}
    if len(own) != 1:
        raise ValueError(f"the contract in {folder} has one message <Game>Options, not {len(own)}")
    (game,) = own
    known = {interface.P: position, interface.A: action}
    hints = {
        Kind.OPTIONS: options,
        Kind.POSITION: position,
        Kind.VIEW: View,
        Kind.ACTION: action,
        Kind.EVENT: Played | OpenEnding,
    }

    def form(kind: Kind, hint: Any) -> Form:
        descriptor = messages[f"{game}{kind.value.capitalize()}"]
        pair = _Pair(game, known, {position: require_sound})
        conversion = pair.of(hint, descriptor)
        message = GetMessageClass(descriptor)
        return Form(message, partial(_written, message, conversion.write), lambda found: conversion.read(found, ""))

    class DerivedCodec(MessageCodec):
        """Carries the values of this game."""

        forms: ClassVar[Mapping[Kind, Form]] = {kind: form(kind, hint) for kind, hint in hints.items()}

    return DerivedCodec()


def _written(message: type[Message], write: Callable[[Any, Any], None], value: Any) -> Message:
    made = message()
    write(value, made)
    return made


@dataclass(frozen=True, slots=True)
class _Conversion:
    """How a value goes into a message, and comes out of one whose path in the whole is given."""

    write: Callable[[Any, Any], None]
    read: Callable[[Any, str], Any]


@dataclass(frozen=True, slots=True)
class _Pair:
    """Pairs values with messages: in the game of this name, with what stands for type variables, and with checks of values."""

    game: str
    known: Mapping[Any, Any]
    checks: Mapping[Any, Callable[[Any], None]]

    def of(self, hint: Any, descriptor: Descriptor) -> _Conversion:
        """Return the conversion of a dataclass, or of an alternative of dataclasses."""
        hint = self.resolved(hint)
        if get_origin(hint) in (UnionType, Union):
            return self._alternative(get_args(hint), descriptor)
        cls: Any = get_origin(hint) or hint
        known = is_dataclass(cls)  # asked of a name, or mypy takes the class for one of its objects
        if not known:
            raise ValueError(f"{descriptor.full_name} goes with a dataclass, not with {hint}")
        own, contract = {each.name for each in fields(cls)}, set(descriptor.fields_by_name)
        if own != contract:
            raise ValueError(f"{cls.__name__} and {descriptor.full_name} have not both of them {sorted(own ^ contract)}")
        return self._whole(cls, descriptor)

    def resolved(self, hint: Any) -> Any:
        return self.known[hint] if isinstance(hint, TypeVar) else hint

    def _whole(self, cls: Any, descriptor: Descriptor) -> _Conversion:
        hints = get_type_hints(cls)
        each = {
            name: _field(self, hints[name], descriptor.fields_by_name[name], field.default)
            for name, field in cls.__dataclass_fields__.items()
        }
        check = self.checks.get(cls)

        def write(value: Any, message: Any) -> None:
            message.SetInParent()
            for name, conversion in each.items():
                conversion.write(getattr(value, name), message)

        def read(message: Any, path: str) -> Any:
            value = cls(**{name: conversion.read(message, f"{path}{name}") for name, conversion in each.items()})
            if check:
                check(value)
            return value

        return _Conversion(write, read)

    def _alternative(self, classes: tuple[Any, ...], descriptor: Descriptor) -> _Conversion:
        by_name = {get_origin(each) or each: None for each in classes}
        found: dict[str, tuple[type, _Conversion]] = {}
        for field in descriptor.fields:
            inner = field.message_type
            names = () if inner is None else (inner.name, inner.name.removeprefix(self.game))
            cls = next((each for each in by_name if each.__name__ in names), None)
            if cls is None or inner is None:
                raise ValueError(f"{field.full_name} is none of {[each.__name__ for each in by_name]}")
            found[field.name] = (cls, self.of(cls, inner))
        if len(found) != len(by_name) or len(descriptor.oneofs) != 1:
            raise ValueError(f"{descriptor.full_name} has one of {[each.__name__ for each in by_name]}, and nothing else")
        (choice,) = descriptor.oneofs
        names_of = {cls: (name, conversion) for name, (cls, conversion) in found.items()}

        def write(value: Any, message: Any) -> None:
            name, conversion = names_of[type(value)]
            conversion.write(value, getattr(message, name))

        def read(message: Any, path: str) -> Any:
            name = message.WhichOneof(choice.name)
            if name is None:
                raise Malformed("nothing is said", field=f"{path}{choice.name}")
            return found[name][1].read(getattr(message, name), f"{path}{name}.")

        return _Conversion(write, read)


def _field(pair: _Pair, hint: Any, field: FieldDescriptor, preset: Any) -> _Conversion:
    """Return the conversion of one field of a dataclass."""
    hint, name = pair.resolved(hint), field.name
    if get_origin(hint) is tuple:
        return _several(pair, get_args(hint)[0], field)
    optional = get_origin(hint) in (UnionType, Union) and NoneType in get_args(hint)
    if optional:
        (hint,) = (each for each in get_args(hint) if each is not NoneType)
    if optional and not field.has_presence:
        raise ValueError(f"{field.full_name} may be None, so it must be optional in the contract")
    if field.message_type is not None:
        inner = pair.of(hint, field.message_type)

        def write_inner(value: Any, message: Any) -> None:
            if value is not None:
                inner.write(value, getattr(message, name))

        def read_inner(message: Any, path: str) -> Any:
            if message.HasField(name):
                return inner.read(getattr(message, name), f"{path}.")
            if optional:
                return None
            raise Malformed(f"{path} is missing", field=path)

        return _Conversion(write_inner, read_inner)
    one = _scalar(hint, field)

    def write(value: Any, message: Any) -> None:
        if value is not None:
            setattr(message, name, value)

    def read(message: Any, path: str) -> Any:
        if optional and not message.HasField(name):
            return None
        value = getattr(message, name)
        if not value and preset is not MISSING and not isinstance(preset, bool) and not optional and not field.has_presence:
            return one(value, path) if _allows_nothing(field) else preset
        return one(value, path)

    return _Conversion(write, read)


def _several(pair: _Pair, hint: Any, field: FieldDescriptor) -> _Conversion:
    """Return the conversion of a repeated field."""
    hint, name = pair.resolved(hint), field.name
    if not field.is_repeated:
        raise ValueError(f"{field.full_name} goes with a tuple, so it must be repeated")
    most = field.GetOptions().Extensions[limits_pb2.limit].items
    if field.message_type is not None:
        inner = pair.of(hint, field.message_type)

        def write_each(values: Any, message: Any) -> None:
            listed = getattr(message, name)
            for value in values:
                inner.write(value, listed.add())

        def one_of_them(value: Any, path: str) -> Any:
            return inner.read(value, f"{path}.")

        return _Conversion(write_each, partial(_read_several, name, most, one_of_them))

    def write(values: Any, message: Any) -> None:
        getattr(message, name).extend(values)

    return _Conversion(write, partial(_read_several, name, most, _scalar(hint, field)))


def _read_several(name: str, most: int, one: Callable[[Any, str], Any], message: Any, path: str) -> tuple[Any, ...]:
    values = getattr(message, name)
    if len(values) > most:
        raise Malformed(f"{path} has more than {most} elements", field=path)
    return tuple([one(value, f"{path}[{number}]") for number, value in enumerate(values)])


def _allows_nothing(field: FieldDescriptor) -> bool:
    """Tell whether 0, or nothing, is a value that the contract allows; of an enum it is not."""
    return field.enum_type is None and field.GetOptions().Extensions[limits_pb2.limit].min <= 0


def _scalar(hint: Any, field: FieldDescriptor) -> Callable[[Any, str], Any]:
    """Return what checks a number, switch, text or member of an enum, and makes the value of it."""
    limit = field.GetOptions().Extensions[limits_pb2.limit]
    if isinstance(hint, type) and issubclass(hint, IntEnum):
        return partial(bounds.one_of, hint)
    if hint is bool:
        return lambda value, path: value
    if field.type in _TEXTS:
        return partial(_text, limit.length)
    if hint is not int:
        raise ValueError(f"{field.full_name} cannot go with {hint}")
    least, most = limit.min, limit.max or _MAX
    return lambda value, path: bounds.number(value, least, most, path)


def _text(most: int, value: Any, path: str) -> Any:
    length = len(value.encode()) if isinstance(value, str) else len(value)
    if most and length > most:
        raise Malformed(f"{path} has more than {most} bytes", field=path)
    return value
