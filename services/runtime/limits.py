"""Checks messages against the bounds in the contract (limits.proto), before anything else uses them.

The bounds of each message type in the contract are worked out once. A field that must be at least 1 is checked even if it is left
out, because an absent field is 0. `Any` has no bounds in the contract: its name and its bytes are bounded here, and the content
of the bytes by the codec that reads them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from brettwerk.v1 import limits_pb2
from services.runtime.refusal import malformed
from services.runtime.seats import former_names

_TEXTS = (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES)

DEPTH = 16
"""How deep messages may be nested; a record inside a proposal inside a record must end somewhere."""
MESSAGES = 10_000
"""Messages in one, at any depth, unless a message type that can be in it says otherwise (`messages` in limits.proto)."""
ANY_BYTES = 1024 * 1024
"""The value of an Any."""
NAME_BYTES = 200
"""The type URL of an Any, and the key of a map."""
LARGE_BYTES = 256 * 1024
"""A larger request is checked outside the event loop: the largest records take a quarter of a second."""
_BATCHES = frozenset({"FindPositions", "SubmitActions"})
"""Methods that answer each item of a request separately: they check the items, so that a bad one does not spoil the others."""


def check(message: Message, path: str = "") -> None:
    """Return if every field of the message, at any depth, is within its bounds.

    Raises Refused (MALFORMED) that names the first field that is not; its path begins with `path`.
    """
    try:
        _check(message, DEPTH, [max_messages(message.DESCRIPTOR)], _plan)
    except _Broken as broken:
        field = (f"{path}." if path else "") + "".join(reversed(broken.path)).lstrip(".")
        raise malformed(field, f"{field} {broken.problem}") from None


def check_request(message: Message) -> None:
    """Return if a request from outside is within its bounds (`check`), and every type URL in it can be unpacked.

    An `Any` may be stored and sent to others, whose libraries reject a URL without a slash before the name. Requests between
    services are not checked like that, because what was stored earlier must stay readable. Raises Refused (MALFORMED) that names
    the field.
    """
    try:
        _check(message, DEPTH, [max_messages(message.DESCRIPTOR)], _strict_plan)
    except _Broken as broken:
        field = "".join(reversed(broken.path)).lstrip(".")
        raise malformed(field, f"{field} {broken.problem}") from None


def check_own(message: Message) -> None:
    """Return if the message's own repeated fields are within their bounds; nested messages are not checked.

    Raises Refused (MALFORMED) that names the first field that is not.
    """
    for name, maximum in _max_items(message.DESCRIPTOR):
        count = len(getattr(message, name))
        if count > maximum:
            raise malformed(name, f"{name} has {count} elements, at most {maximum} are allowed")


def check_call(method: str, request: Message) -> None:
    """Return if the request of a method between services is within its bounds: of a batch, only its own (`check_own`).

    Raises Refused (MALFORMED) that names the first field that is not.
    """
    if method in _BATCHES:
        check_own(request)
    else:
        check(request)


@cache
def _max_items(descriptor: Descriptor) -> tuple[tuple[str, int], ...]:
    """Return the bounded repeated fields of a message type, and their bounds."""
    found = ((field.name, field.GetOptions().Extensions[limits_pb2.limit].items) for field in descriptor.fields)
    return tuple((name, maximum) for name, maximum in found if maximum)


@cache
def max_messages(descriptor: Descriptor) -> int:
    """Return how many messages one of this type may contain, at any depth: as many as the largest thing that can be in it."""
    known, new = {descriptor}, [descriptor]
    while new:
        for field in new.pop().fields:
            if field.message_type is not None and field.message_type not in known:
                known.add(field.message_type)
                new.append(field.message_type)
    return max(MESSAGES, *(one.GetOptions().Extensions[limits_pb2.messages] for one in known))


class _Broken(Exception):
    """A bound is exceeded. The path is assembled, from its end, while this propagates, so checking costs nothing for it."""

    def __init__(self, problem: str, *path: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.path = list(path)


_Check = Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class _Field:
    """How one field is checked: its own bounds, and whether there is a message in it, or many, or some behind keys."""

    bound: _Check | None
    one: bool = False
    many: bool = False
    by_key: bool = False


@dataclass(frozen=True, slots=True)
class _Plan:
    """How a message type is checked: its fields, those that are required, and those that have the same seat as a former one."""

    fields: Mapping[FieldDescriptor, _Field]
    needed: tuple[tuple[str, _Check], ...]
    seats: tuple[tuple[str, str], ...]


def _check(message: Message, depth: int, left: list[int], plan_of: Callable[[Any], _Plan]) -> None:
    """Check a message; `left[0]` is how many more it may contain, which ends the walk before it costs much."""
    if depth == 0:
        raise _Broken("is nested in too many messages")
    plan = plan_of(message.DESCRIPTOR)
    for name, bound in plan.needed:
        _check_needed(message, name, bound)
    for name, former in plan.seats:
        number = getattr(message, former)
        if number and message.HasField(name) and number != getattr(message, name) + 1:
            raise _Broken(f"and {former}, which counts from 1, have different seats", f".{name}")
    for descriptor, value in message.ListFields():
        field = plan.fields[descriptor]
        at: Any = None
        try:
            if field.bound is not None:
                field.bound(value)
            if field.one:
                _take(left, 1)
                _check(value, depth - 1, left, plan_of)
            elif field.many:
                _take(left, len(value))
                for at, element in enumerate(value):  # noqa: B007 - where it was, should it be refused
                    _check(element, depth - 1, left, plan_of)
            elif field.by_key:
                _take(left, len(value))
                for at in value:
                    _check(value[at], depth - 1, left, plan_of)
        except _Broken as broken:
            broken.path.append(f".{descriptor.name}" if at is None else f".{descriptor.name}[{at}]")
            raise


def _take(left: list[int], count: int) -> None:
    left[0] -= count
    if left[0] < 0:
        raise _Broken(f"holds {-left[0]} more messages than may be in the whole of it")


def _check_needed(message: Message, name: str, bound: _Check) -> None:
    try:
        bound(getattr(message, name))
    except _Broken as broken:
        broken.path.append(f".{name}")
        raise


@cache
def _plan(descriptor: Descriptor) -> _Plan:
    return _make_plan(descriptor, _check_any)


@cache
def _strict_plan(descriptor: Descriptor) -> _Plan:
    return _make_plan(descriptor, _check_named_any)


def _make_plan(descriptor: Descriptor, check_any: "Callable[[AnyMessage], None]") -> _Plan:
    needed = []
    for field in descriptor.fields:
        limit = field.GetOptions().Extensions[limits_pb2.limit]
        if limit.min > 0 and not field.is_repeated and not field.has_presence:
            needed.append((field.name, _range(limit.min, limit.max)))
    fields = {field: _field(field, check_any) for field in descriptor.fields}
    return _Plan(fields, tuple(needed), tuple(former_names(descriptor).items()))


def _field(field: FieldDescriptor, check_any: "Callable[[AnyMessage], None]") -> _Field:
    limit = field.GetOptions().Extensions[limits_pb2.limit]
    inner = field.message_type
    if inner is None:
        one = _text(field, limit) or _number(limit)
        return _Field(_items(limit.items, one) if field.is_repeated else one)
    if inner.GetOptions().map_entry:
        element = inner.fields_by_name["value"]
        value = _text(element, limit) or _number(limit)
        return _Field(_entries(limit.items, value), by_key=element.message_type is not None)
    if inner.full_name == AnyMessage.DESCRIPTOR.full_name:
        return _Field(_items(limit.items, check_any) if field.is_repeated else check_any)
    if field.is_repeated:
        return _Field(_items(limit.items, None), many=True)
    return _Field(None, one=True)


def _text(field: FieldDescriptor, limit: limits_pb2.Limit) -> _Check | None:
    return _length(limit.length) if field.type in _TEXTS and limit.length else None


def _number(limit: limits_pb2.Limit) -> _Check | None:
    return _range(limit.min, limit.max) if limit.min or limit.max else None


def _check_any(value: AnyMessage) -> None:
    if len(value.type_url) > NAME_BYTES:
        raise _Broken(f"has {len(value.type_url)} characters, at most {NAME_BYTES} are allowed", ".type_url")
    if len(value.value) > ANY_BYTES:
        raise _Broken(f"has {len(value.value)} bytes, at most {ANY_BYTES} are allowed", ".value")


def _check_named_any(value: AnyMessage) -> None:
    _check_any(value)
    _, slash, name = value.type_url.rpartition("/")
    if (value.type_url or value.value) and not (slash and name):
        raise _Broken("must be a URL that ends in a slash and the name of a message: nobody could unpack it", ".type_url")


def _length(maximum: int) -> _Check:
    def check_length(value: str | bytes) -> None:
        # A character has one to four bytes, so a short text need not be encoded to bound its size.
        if 4 * len(value) > maximum:
            length = len(value.encode()) if isinstance(value, str) else len(value)
            if length > maximum:
                raise _Broken(f"has {length} bytes, at most {maximum} are allowed")

    return check_length


def _range(minimum: int, maximum: int) -> _Check:
    def check_range(value: int) -> None:
        if value < minimum or (maximum and value > maximum):
            raise _Broken(f"is {value}; it must be from {minimum}" + (f" to {maximum}" if maximum else " on"))

    return check_range


def _items(maximum: int, one: _Check | None) -> _Check | None:
    if not maximum and one is None:
        return None

    def check_items(values: Any) -> None:
        if maximum and len(values) > maximum:
            raise _Broken(f"has {len(values)} elements, at most {maximum} are allowed")
        if one is not None:
            for i, value in enumerate(values):
                _at(one, value, i)

    return check_items


def _entries(maximum: int, one: _Check | None) -> _Check:
    check_name = _length(NAME_BYTES)

    def check_entries(values: Mapping[Any, Any]) -> None:
        if maximum and len(values) > maximum:
            raise _Broken(f"has {len(values)} entries, at most {maximum} are allowed")
        for key in values:
            if isinstance(key, str):
                check_name(key)
            if one is not None:
                _at(one, values[key], key)

    return check_entries


def _at(check_one: _Check, value: Any, key: object) -> None:
    try:
        check_one(value)
    except _Broken as broken:
        broken.path.append(f"[{key}]")
        raise
