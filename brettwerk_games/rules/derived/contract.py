"""The contract of values: messages and enums made of their classes, the other way round than codecs, which ask what fits.

A field's number is its place in its class, unless its `Bound` says another one. Classes that others are made of (OpenPosition)
number their fields, so that those of the game count from 1.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, replace
from enum import IntEnum
from itertools import count
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto

from brettwerk.v1 import limits_pb2
from brettwerk_games.rules.bounds import Bound, BySeat
from brettwerk_games.rules.options import Option, presets_of

_SCALARS = {bool: FieldDescriptorProto.TYPE_BOOL, str: FieldDescriptorProto.TYPE_STRING, bytes: FieldDescriptorProto.TYPE_BYTES}


class _Stated(NamedTuple):
    """The declaration of a field in a class."""

    name: str
    hint: Any
    bound: Bound
    number: int
    preset: Any


class ContractFile:
    """A file of the contract that is being made, of the game whose name stands before that of each message and enum."""

    def __init__(
        self, file: FileDescriptorProto, game: str, known: Mapping[Any, Any], elsewhere: Mapping[type, str], seats: int = 2
    ) -> None:
        """Take the file, of a game for so many seats.

        `known` are the types of type variables, `elsewhere` the names of messages that are there already.
        """
        self.file = file
        self.named: dict[Any, str] = {}
        """The messages of classes that are not named after them."""
        self._game, self._known, self._elsewhere, self._seats = game, known, elsewhere, seats

    def add(self, cls: Any) -> str:
        """Return the full name of the message or enum of a class, or of an alternative of classes, which is added if it is new.

        Raises ValueError where a field is of a type that no message has.
        """
        cls = self._known.get(cls, cls)
        if cls in self._elsewhere:
            return f".{self._elsewhere[cls]}"
        name = self.named.get(cls) or self._game + cls.__name__
        full = f".{self.file.package}.{name}"
        if isinstance(cls, type) and issubclass(cls, IntEnum):
            if all(enum.name != name for enum in self.file.enum_type):
                self.file.enum_type.append(_enum(cls, name))
        elif all(message.name != name for message in self.file.message_type):
            message = self.file.message_type.add(name=name)
            if get_origin(cls) in (Union, UnionType):
                self._fill_alternative(message, get_args(cls))
            else:
                self._fill(message, cls)
        return full

    def _fill_alternative(self, message: DescriptorProto, kinds: tuple[Any, ...]) -> None:
        message.oneof_decl.add(name="kind")
        for number, kind in enumerate(kinds, 1):
            name = snake_case((get_origin(kind) or kind).__name__).removeprefix("open_")
            field = message.field.add(name=name, number=number, label=FieldDescriptorProto.LABEL_OPTIONAL, oneof_index=0)
            field.type, field.type_name = FieldDescriptorProto.TYPE_MESSAGE, self.add(kind)

    def _fill(self, message: DescriptorProto, cls: Any) -> None:
        for stated in sorted(_stated(get_origin(cls) or cls), key=lambda stated: stated.number):
            field = message.field.add(name=stated.name, number=stated.number, label=FieldDescriptorProto.LABEL_OPTIONAL)
            hint = stated.hint
            bound = self._with_seats(stated.bound)
            kinds = [kind for kind in get_args(hint) if kind is not NoneType]
            if get_origin(hint) is tuple:
                field.label, hint = FieldDescriptorProto.LABEL_REPEATED, kinds[0]
            is_optional = get_origin(hint) in (Union, UnionType) and NoneType in get_args(hint)
            self._set_type(field, kinds[0] if is_optional else hint, bound)
            if field.type not in (FieldDescriptorProto.TYPE_MESSAGE, FieldDescriptorProto.TYPE_ENUM):
                _set_bounds(field, bound)
                if is_optional or _tells_nothing(stated):
                    field.proto3_optional, field.oneof_index = True, len(message.oneof_decl)
                    message.oneof_decl.add(name=f"_{field.name}")

    def _with_seats(self, bound: Bound) -> Bound:
        """Return a bound with what follows from how many can play."""
        bound = replace(bound, max=self._seats - 1) if bound.is_seat else bound
        return replace(bound, items=self._seats) if isinstance(bound, BySeat) else bound

    def _set_type(self, field: FieldDescriptorProto, hint: Any, bound: Bound) -> None:
        if hint is int or (hint is bool and field.label == FieldDescriptorProto.LABEL_REPEATED):
            field.type = FieldDescriptorProto.TYPE_SINT32 if bound.min < 0 else FieldDescriptorProto.TYPE_UINT32
        elif hint in _SCALARS:
            field.type = _SCALARS[hint]
        else:
            field.type_name = self.add(hint)
            is_enum = isinstance(hint, type) and issubclass(hint, IntEnum)
            field.type = FieldDescriptorProto.TYPE_ENUM if is_enum else FieldDescriptorProto.TYPE_MESSAGE


def snake_case(name: str) -> str:
    """Return a class's name as that of a field: open_ending of OpenEnding."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def bounds_of(cls: type[Any]) -> dict[str, Bound]:
    """Return what the fields of a class state about themselves, by name."""
    hints = get_type_hints(cls, include_extras=True)
    stated = {name: [said for said in get_args(hints[name])[1:] if isinstance(said, Bound)] for name in presets_of(cls)}
    return {name: said[0] if said else Bound() for name, said in stated.items()}


def _stated(cls: type[Any]) -> Iterator[_Stated]:
    """Yield the fields of a class; those that are not numbered get the other numbers from 1, in order."""
    presets, hints, bounds = presets_of(cls), get_type_hints(cls, include_extras=True), bounds_of(cls)
    taken = {bound.number for bound in bounds.values()}
    free = (number for number in count(1) if number not in taken)
    for name, bound in bounds.items():
        hint = get_args(hints[name])[0] if get_origin(hints[name]) is Annotated else hints[name]
        yield _Stated(name, hint, bound, bound.number or next(free), presets[name])


def _tells_nothing(stated: _Stated) -> bool:
    """Tell whether a field of options says nothing where it is left out: its preset is not what it would be read as then."""
    if not isinstance(stated.bound, Option):
        return False
    return stated.bound.explicit or stated.preset not in (MISSING, 0, False, "")


def _set_bounds(field: FieldDescriptorProto, bound: Bound) -> None:
    limit = field.options.Extensions[limits_pb2.limit]
    limit.items, limit.min = bound.items, bound.min
    if field.type in (FieldDescriptorProto.TYPE_STRING, FieldDescriptorProto.TYPE_BYTES):
        limit.length = bound.max
    else:
        limit.max = bound.max
    if not limit.ByteSize():
        field.ClearField("options")


def _enum(cls: type[IntEnum], name: str) -> EnumDescriptorProto:
    found = EnumDescriptorProto(name=name)
    prefix = snake_case(name).upper()
    if 0 not in list(cls):
        found.value.add(name=f"{prefix}_UNSPECIFIED", number=0)
    for member in cls:
        found.value.add(name=f"{prefix}_{member.name}", number=member)
    return found
