"""Writes encoded messages whose fields are already encoded (https://protobuf.dev/programming-guides/encoding/).

Fields that are written in the order of their numbers, each once, make the same bytes as `SerializeToString(deterministic=True)`
of the whole message: readers need not merge anything.
"""

from functools import lru_cache

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

_VARINT, _BYTES = 0, 2
_BLOCKS = (FieldDescriptor.CPPTYPE_STRING, FieldDescriptor.CPPTYPE_MESSAGE)


@lru_cache(maxsize=8192)
def varint(number: int) -> bytes:
    """Return a number as encoded in messages. Raises ValueError if it is below 0."""
    if number < 0:
        raise ValueError(number)
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def tag(message: type[Message], name: str) -> bytes:
    """Return the bytes that a field begins with: one of whole numbers, of text, of bytes or of messages."""
    field = message.DESCRIPTOR.fields_by_name[name]
    is_block = field.is_repeated or field.cpp_type in _BLOCKS  # repeated numbers are packed
    return varint(field.number << 3 | (_BYTES if is_block else _VARINT))


def block(begin: bytes, data: bytes) -> bytes:
    """Return a field of text, bytes, a message or packed numbers; `begin` is its tag."""
    return begin + varint(len(data)) + data


def number(begin: bytes, value: int) -> bytes:
    """Return a field of a non-negative whole number; nothing for 0, which is what an absent field means."""
    return begin + varint(value) if value else b""
