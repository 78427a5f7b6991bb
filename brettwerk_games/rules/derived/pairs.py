"""Values paired with the messages that carry them: messages put together of their fields, and taken apart."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING
from enum import IntEnum
from functools import lru_cache
from operator import attrgetter
from types import MappingProxyType, NoneType, UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass

from brettwerk_games.protobuf_wire.fields import block, block_tag
from brettwerk_games.rules.derived.differences import NONE, As, Differences, Fault
from brettwerk_games.rules.derived.fields import Field, beside, each, joined, most_elements, replaced_by, several, single
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.messages import Form
from brettwerk_games.rules.options import presets_of
from brettwerk_games.rules.refusals import Malformed


class Pair(NamedTuple):
    """How a value is written as the bytes of a message, and read from a message, which raises Malformed."""

    write: Callable[[Any], bytes]
    read: Callable[[Any], Any]


class Pairs:
    """The values and messages of a game. Its methods raise ValueError where the two do not fit together."""

    def __init__(
        self,
        game: str,
        messages: Mapping[str, Descriptor],
        differences: Differences = NONE,
        known: Mapping[Any, Any] = MappingProxyType({}),
    ) -> None:
        """Take the beginning of the messages' names, the messages by name, and what stands for type variables."""
        self._game, self._messages, self._differences, self._known = game, messages, differences, known
        self._made: dict[tuple[Any, str, bool], Pair] = {}
        there = {each.name for each in messages.values()}
        there |= {f"{each.name}.{field.name}" for each in messages.values() for field in each.fields}
        if unknown := set(differences.names()) - there:
            raise ValueError(f"the contract has no {sorted(unknown)}")

    def forms(self, options: Any, position: Any, view: Any, action: Any, event: Any) -> Mapping[Kind, Form]:
        """Return how values of each kind are carried."""
        return {kind: self._form(kind, hint) for kind, hint in zip(Kind, (options, position, view, action, event), strict=True)}

    def pair(self, cls: type) -> Pair:
        """Return the pair of a type and the message that is named as it."""
        return self._of(cls, self._messages[self._game + cls.__name__])

    def _form(self, kind: Kind, hint: Any) -> Form:
        descriptor = self._messages[f"{self._game}{kind.value.capitalize()}"]
        return Form(GetMessageClass(descriptor), *self._of(hint, descriptor, shown=kind is not Kind.POSITION))

    def _of(self, hint: Any, descriptor: Descriptor, *, shown: bool = True) -> Pair:
        """Return a pair; `shown`: whether it writes the fields that replaced others."""
        key = (hint, descriptor.full_name, shown)
        if key not in self._made:
            self._made[key] = self._make(self._known.get(hint, hint), descriptor, shown=shown)
        return self._made[key]

    def _make(self, hint: Any, descriptor: Descriptor, *, shown: bool) -> Pair:
        way = self._differences.ways.get(descriptor.name)
        if way is not None and hint != way.hint:
            pair = _in_other_terms(way, self._of(way.hint, descriptor, shown=shown))
        elif get_origin(hint) in (UnionType, Union):
            pair = self._alternative(get_args(hint), descriptor)
        elif get_origin(hint) is tuple:
            pair = self._row(get_args(hint), descriptor)
        else:
            pair = self._whole(get_origin(hint) or hint, descriptor, shown=shown)
        if check := self._differences.checks.get(get_origin(hint) or hint):
            pair = pair._replace(read=_checked(check, pair.read))
        kept = self._differences.kept.get(descriptor.name)
        if kept and (way is None or hint != way.hint):
            pair = pair._replace(write=lru_cache(maxsize=kept, typed=True)(pair.write))
        return pair

    def _whole(self, cls: Any, descriptor: Descriptor, *, shown: bool) -> Pair:
        """Return the pair of a NamedTuple or dataclass."""
        presets = _presets(cls, descriptor.full_name)
        hints = get_type_hints(cls)
        puts: list[tuple[str, Callable[[Any], bytes]]] = []
        former = {replaced_by(field): field for field in descriptor.fields if replaced_by(field)}
        said: dict[str, tuple[str, Field]] = {}
        takes: dict[str, list[Callable[[Any], Any]]] = {name: [] for name in presets}
        unknown = set[str]()
        for field in _in_order(descriptor):
            key = f"{descriptor.name}.{field.name}"
            if field.name in former and former[field.name].name in said:
                # It follows the former one, which has the lower number, and has the same value.
                name, before = said[former[field.name].name]
                made = beside(before, former[field.name], field)
                puts += [(name, made.put)] if shown else []
                takes[name] = [made.take]
                continue
            way = self._differences.ways.get(key)
            name = way.of if way and way.of else field.name
            split = next((name for name in presets if field.name.startswith(f"{name}_") and _is_row(hints[name])), None)
            if name in presets:
                made = self._other(way, field) if way else self._field(hints[name], field, presets[name])
                puts.append((name, made.put))
                takes[name].append(made.take)
                said[field.name] = name, made
            elif split:
                number = len(takes[split])
                made = self._field(get_args(hints[split])[number], field, MISSING)
                puts.append((split, _nth(number, made.put)))
                takes[split].append(made.take)
            elif key in self._differences.written:
                puts.append((field.name, self._field(int, field, MISSING).put))
            elif key not in self._differences.unread:
                unknown.add(field.name)
        if differ := unknown | {name for name, found in takes.items() if not found}:
            raise ValueError(f"{cls.__name__} and {descriptor.full_name} have not both of them {sorted(differ)}")
        reads = [found[0] if len(found) == 1 else _all(tuple(found)) for found in takes.values()]
        write = _writer(tuple(name for name, _ in puts), tuple(put for _, put in puts))
        names = tuple(presets)
        if any(each.kw_only for each in getattr(cls, "__dataclass_fields__", {}).values()):
            return Pair(write, lambda message: cls(**{name: read(message) for name, read in zip(names, reads, strict=True)}))
        return Pair(write, lambda message: cls(*[read(message) for read in reads]))

    def _row(self, hints: tuple[Any, ...], descriptor: Descriptor) -> Pair:
        """Return the pair of a tuple: one of many elements with a message that has but one field, or element by field."""
        if Ellipsis in hints:
            (only,) = descriptor.fields
            return Pair(*self._field(tuple[hints], only, MISSING))  # type: ignore[valid-type]
        made = [self._field(hint, field, MISSING) for hint, field in zip(hints, _in_order(descriptor), strict=True)]
        puts, takes = tuple(field.put for field in made), tuple(field.take for field in made)
        return Pair(lambda value: b"".join([put(part) for put, part in zip(puts, value, strict=True)]), _all(takes))

    def _alternative(self, types: tuple[Any, ...], descriptor: Descriptor) -> Pair:
        """Return the pair of one of several types, each of which has a field."""
        classes = {get_origin(each) or each: each for each in types}
        puts, takes = {}, {}
        for field in descriptor.fields:
            cls = next((cls for cls in classes if self._is_named(field, cls)), None)
            if cls is None or cls in puts:
                raise ValueError(f"{field.full_name} is none of {[each.__name__ for each in classes]}")
            puts[cls], takes[field.name] = self._one_of_them(cls, classes[cls], field)
        if len(puts) != len(classes) or len(descriptor.oneofs) != 1:
            raise ValueError(f"{descriptor.full_name} has one of {[each.__name__ for each in classes]}, and nothing else")
        choice, rule = descriptor.oneofs[0].name, self._differences.rules.get(descriptor.name, "")

        def read(message: Any) -> Any:
            said = message.WhichOneof(choice)
            if said is None:
                raise Malformed(f"{choice} says nothing", rule=rule, field=choice)
            return takes[said](message)

        return Pair(lambda value: puts[type(value)](value), read)

    def _one_of_them(self, cls: type, hint: Any, field: FieldDescriptor) -> Field:
        if field.message_type is not None and cls.__name__ in self._names(field.message_type):
            return self._field(hint, field, MISSING)
        (name,) = _presets(cls, field.full_name)
        put, take = self._field(get_type_hints(cls)[name], field, MISSING)
        get = attrgetter(name)
        return Field(lambda value: put(get(value)), lambda message: cls(take(message)))

    def _names(self, descriptor: Descriptor) -> tuple[str, str]:
        return descriptor.name, descriptor.name.removeprefix(self._game)

    def _is_named(self, field: FieldDescriptor, cls: type) -> bool:
        inner = field.message_type
        return (inner is not None and cls.__name__ in self._names(inner)) or cls.__name__.lower() == field.name.replace("_", "")

    def _other(self, way: As, field: FieldDescriptor) -> Field:
        return Field(*_in_other_terms(way, Pair(*self._field(way.hint, field, MISSING)), field.name))

    def _field(self, hint: Any, field: FieldDescriptor, preset: Any) -> Field:
        """Return one field of a value."""
        hint, differences = self._known.get(hint, hint), self._differences
        if field.is_repeated or (get_origin(hint) is tuple and field.message_type is None):
            return self._several(hint, field)
        optional = get_origin(hint) in (UnionType, Union) and NoneType in get_args(hint)
        if optional:
            (hint,) = (each for each in get_args(hint) if each is not NoneType)
        if field.message_type is not None:
            inner = self._of(hint, field.message_type)
            return _inner(inner, field, optional=optional, may_lack=field.message_type.name in differences.left_out)
        bounded = _message_of(field) not in differences.judged
        return single(hint, field, optional=optional, preset=preset, bounded=bounded)

    def _several(self, hint: Any, field: FieldDescriptor) -> Field:
        """Return a repeated field."""
        if not field.is_repeated or get_origin(hint) not in (tuple, Sequence):
            raise ValueError(f"{field.full_name} goes with a tuple, so it must be repeated")
        of = self._known.get(get_args(hint)[0], get_args(hint)[0])
        numbered = f"{_message_of(field)}.{field.name}" not in self._differences.unnumbered
        if field.message_type is None:
            return several(of, field, numbered=numbered)
        inner, tag = self._of(of, field.message_type), block_tag(field.number)
        return Field(
            lambda values: b"".join([block(tag, inner.write(value)) for value in values]),
            each(field.name, most_elements(field), inner.read, numbered=numbered),
        )


def _message_of(field: FieldDescriptor) -> str:
    inside: Any = field.containing_type
    name: str = inside.name
    return name


def _presets(cls: Any, goes_with: str) -> Mapping[str, Any]:
    """Return the names of a type's fields, and what a new value has there, if that is said: of numbers only in options."""
    found = presets_of(cls)
    if goes_with.endswith(Kind.OPTIONS.value.capitalize()):
        return found
    return {name: preset if isinstance(preset, IntEnum) else MISSING for name, preset in found.items()}


def _is_row(hint: Any) -> bool:
    return get_origin(hint) is tuple and Ellipsis not in get_args(hint)


def _in_order(descriptor: Descriptor) -> list[FieldDescriptor]:
    """Return the fields by their numbers: the order in which they stand in the bytes."""
    return sorted(descriptor.fields, key=lambda field: field.number)


def _writer(names: tuple[str, ...], puts: tuple[Callable[[Any], bytes], ...]) -> Callable[[Any], bytes]:
    """Return what writes a value attribute by attribute."""
    if not puts:
        return lambda value: b""
    get = attrgetter(*names)
    if len(puts) == 1:
        (only,) = puts
        return lambda value: only(get(value))
    return lambda value: b"".join([put(part) for put, part in zip(puts, get(value), strict=True)])


def _nth(number: int, put: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    return lambda value: put(value[number])


def _all(takes: tuple[Callable[[Any], Any], ...]) -> Callable[[Any], tuple[Any, ...]]:
    return lambda message: tuple([take(message) for take in takes])


def _inner(pair: Pair, field: FieldDescriptor, *, optional: bool, may_lack: bool) -> Field:
    """Return the field of a message."""
    name, tag, (write, read) = field.name, block_tag(field.number), pair

    def put(value: Any) -> bytes:
        return b"" if value is None else block(tag, write(value))

    def take(message: Any) -> Any:
        if not may_lack and not message.HasField(name):
            if optional:
                return None
            raise Malformed(f"{name} is missing", field=name)
        try:
            return read(getattr(message, name))
        except Malformed as refusal:
            refusal.field = joined(name, refusal.field)
            raise

    return Field(put, take)


def _in_other_terms(way: As, pair: Pair, place: str = "") -> Pair:
    write_terms, read_terms = pair

    def read(message: Any) -> Any:
        terms = read_terms(message)
        try:
            return way.read(terms)
        except Malformed as refusal:
            refusal.field = joined(place, refusal.field)
            raise

    return Pair(lambda value: write_terms(way.write(value)), read)


def _checked(check: Callable[[Any], Fault | None], read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def checked(message: Any) -> Any:
        value = read(message)
        if wrong := check(value):
            raise Malformed(wrong[1], field=wrong[0])
        return value

    return checked
