"""Fields of encoded messages, for codecs that put messages together from parts that are encoded already.

The wire format: https://protobuf.dev/programming-guides/encoding/. Fields in the order of their numbers, each once, make the
bytes that `SerializeToString(deterministic=True)` makes of the whole message.
"""

from collections.abc import Sequence

_NUMBER, _BLOCK = 0, 2
_SMALL = tuple(bytes((number,)) for number in range(128))
_MAX_SMALL = 127


def varint(number: int) -> bytes:
    """Return a whole number as it stands in messages. Raises ValueError for one below 0."""
    if 0 <= number <= _MAX_SMALL:
        return _SMALL[number]
    if number < 0:
        raise ValueError(number)
    encoded = bytearray()
    while number > _MAX_SMALL:
        encoded.append(number & _MAX_SMALL | 128)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def number_tag(field: int) -> bytes:
    """Return what stands before a number, switch or member of an enumeration."""
    return varint(field << 3 | _NUMBER)


def block_tag(field: int) -> bytes:
    """Return what stands before a message, text, bytes or packed numbers, and before their length."""
    return varint(field << 3 | _BLOCK)


def block(tag: bytes, data: bytes) -> bytes:
    """Return the field of a message, text, bytes or packed numbers."""
    return tag + varint(len(data)) + data


def packed(numbers: Sequence[int]) -> bytes:
    """Return the data of a field of repeated numbers. Raises ValueError for one below 0."""
    try:
        data = bytes(numbers)
    except ValueError:
        return b"".join(map(varint, numbers))
    return data if data.isascii() else b"".join(map(varint, numbers))
