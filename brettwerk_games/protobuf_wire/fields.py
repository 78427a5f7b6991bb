"""Fields of encoded messages, for messages that are put together from parts that are encoded already.

The wire format: https://protobuf.dev/programming-guides/encoding/. Fields in the order of their numbers, each once, make the
bytes that `SerializeToString(deterministic=True)` makes of the whole message: readers need not merge anything.
"""

from collections.abc import Sequence
from functools import lru_cache

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

_NUMBER, _BLOCK = 0, 2
_BLOCKS = (FieldDescriptor.CPPTYPE_STRING, FieldDescriptor.CPPTYPE_MESSAGE)
_MAX = 2**64 - 1


@lru_cache(maxsize=16 * 1024)
def varint(number: int) -> bytes:
    """Return a whole number as it stands in messages. Raises ValueError for one below 0."""
    if number < 0:
        raise ValueError(number)
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def varint_at(data: bytes, pos: int) -> tuple[int, int]:
    """Return the number at an offset, and the offset after it. Raises IndexError if there is none of up to ten bytes.

    Of more than 64 bits it is the lower ones, as for protobuf's parsers.
    """
    byte = data[pos]
    if byte < 0x80:
        return byte, pos + 1
    number, shift = byte & 0x7F, 7
    while shift < 64:
        pos += 1
        byte = data[pos]
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number & _MAX, pos + 1
        shift += 7
    raise IndexError(pos)


def number_tag(field: int) -> bytes:
    """Return what stands before a number, switch or member of an enumeration."""
    return varint(field << 3 | _NUMBER)


def block_tag(field: int) -> bytes:
    """Return what stands before a message, text, bytes or packed numbers, and before their length."""
    return varint(field << 3 | _BLOCK)


def tag(message: type[Message], name: str) -> bytes:
    """Return what stands before a field of whole numbers, text, bytes or messages. Raises KeyError if there is no such field."""
    field = message.DESCRIPTOR.fields_by_name[name]
    is_block = field.is_repeated or field.cpp_type in _BLOCKS  # repeated numbers are packed
    return block_tag(field.number) if is_block else number_tag(field.number)


def number(begin: bytes, value: int) -> bytes:
    """Return the field of a whole number from 0 on, after its tag; nothing for 0, which is what an absent field means."""
    return begin + varint(value) if value else b""


def block(begin: bytes, data: bytes) -> bytes:
    """Return the field of a message, text, bytes or packed numbers, after its tag."""
    return begin + varint(len(data)) + data


def packed(numbers: Sequence[int]) -> bytes:
    """Return the data of a field of repeated numbers. Raises ValueError for one below 0."""
    try:
        data = bytes(numbers)
    except ValueError:
        return b"".join(map(varint, numbers))
    return data if data.isascii() else b"".join(map(varint, numbers))
