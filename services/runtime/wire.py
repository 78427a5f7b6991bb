"""Looks at encoded messages before they are parsed (https://protobuf.dev/programming-guides/encoding/).

Two bytes make an empty message, and a parsed one takes fifty times as much memory and a microsecond of every walk: a request of
six megabytes may hold three million. Too many of them are found here by counting, which ends at the bound.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError

from brettwerk_games.protobuf_wire.fields import varint_at
from services.runtime.limits import DEPTH, max_messages
from services.runtime.refusal import Refused, malformed

FIELDS_A_MESSAGE = 8
"""How many fields the messages of a request may have on an average, the bound of messages given."""

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


@dataclass(frozen=True, slots=True)
class _Known:
    """The fields of a message type that hold messages, by their tags."""

    inner: Mapping[int, tuple[str, Descriptor]]


def check(data: bytes, descriptor: Descriptor) -> None:
    """Return when an encoded message of this type holds no more messages and fields than the contract allows.

    It looks at no value. Raises Refused (MALFORMED) that names the field in which the bound is reached, or for bytes that are
    no message.
    """
    limit = max_messages(descriptor)
    try:
        _count(data, descriptor, limit, FIELDS_A_MESSAGE * limit)
    except IndexError:
        raise _not_a(descriptor) from None


def lacks_memory(error: DecodeError) -> bool:
    """Return whether a message was not parsed since there was no memory for it: nothing is wrong with its bytes then."""
    return "alloc failed" in str(error)


def unparsed(error: DecodeError, name: str) -> Refused:
    """Return the refusal of bytes that are no message of this name. Raises MemoryError where there was no memory for it."""
    if lacks_memory(error):
        raise MemoryError from None
    return malformed("", f"the message is not a {name}")


def _count(data: bytes, descriptor: Descriptor, messages: int, fields: int) -> None:
    """Raises Refused; IndexError where the bytes end too early."""
    limit = messages
    inner = _known(descriptor).inner
    pos, end = 0, len(data)
    outer: list[tuple[Mapping[int, tuple[str, Descriptor]], int, str]] = []
    while True:
        if pos >= end:
            if pos > end:
                raise IndexError
            if not outer:
                return
            inner, end, _ = outer.pop()
            continue
        fields -= 1
        tag = data[pos]
        pos += 1
        if tag > 0x7F:
            tag, pos = varint_at(data, pos - 1)
        kind = tag & 7
        if kind == _BYTES:
            size = data[pos]
            pos += 1
            if size > 0x7F:
                size, pos = varint_at(data, pos - 1)
            found = inner.get(tag)
            if found is None:
                pos += size
                if fields < 0:
                    raise _too_many([name for _, _, name in outer], messages, fields, limit, descriptor)
                continue
            messages -= 1
            if messages < 0 or fields < 0 or len(outer) >= DEPTH or pos + size > end:
                raise _too_many([*(name for _, _, name in outer), found[0]], messages, fields, limit, descriptor)
            outer.append((inner, end, found[0]))
            inner, end = _known(found[1]).inner, pos + size
        elif kind == _VARINT:
            while data[pos] > 0x7F:
                pos += 1
            pos += 1
        elif kind in (_FIXED32, _FIXED64):
            pos += 4 if kind == _FIXED32 else 8
        else:
            raise _not_a(descriptor)
        if fields < 0:
            raise _too_many([name for _, _, name in outer], messages, fields, limit, descriptor)


def split(data: bytes, limit: int = 64) -> dict[int, int | bytes]:
    """Return the values of a message's own fields by number: of numbers the last, of bytes and messages all, joined.

    Joined bytes of a message are that message merged, which is what a parser would make of them. Raises Refused (MALFORMED)
    for bytes that are no message, or have more than `limit` fields.
    """
    found: dict[int, int | bytes] = {}
    pos, end = 0, len(data)
    try:
        for _ in range(limit):
            if pos == end:
                return found
            tag, pos = varint_at(data, pos)
            if tag & 7 == _BYTES:
                size, pos = varint_at(data, pos)
                if pos + size > end:
                    break
                former = found.get(tag >> 3, b"")
                piece = data[pos : pos + size]
                found[tag >> 3] = former + piece if isinstance(former, bytes) and former else piece
                pos += size
            elif tag & 7 == _VARINT:
                found[tag >> 3], pos = varint_at(data, pos)
            else:
                break
    except IndexError:
        pass
    raise malformed("", "the message cannot be read")


@cache
def _known(descriptor: Descriptor) -> _Known:
    return _Known(
        {field.number << 3 | _BYTES: (field.name, field.message_type) for field in descriptor.fields if field.message_type}
    )


def _too_many(path: list[str], messages: int, fields: int, limit: int, descriptor: Descriptor) -> Refused:
    field = ".".join(path)
    if messages >= 0 and fields >= 0:
        return _not_a(descriptor) if len(path) <= DEPTH else malformed(field, f"{field} is nested in too many messages")
    what = f"{limit} messages" if messages < 0 else f"{FIELDS_A_MESSAGE * limit} fields"
    return malformed(field, f"the request contains more than {what}, which is the maximum, reached in {field or 'it'}")


def _not_a(descriptor: Descriptor) -> Refused:
    return malformed("", f"the message is not a {descriptor.name}")
