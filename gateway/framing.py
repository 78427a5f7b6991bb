"""Writes ConnectResponse frames around bytes that are encoded already, so that nothing is parsed or copied on its way through.

A frame is the fields `id` (a varint) and one message (a length and its bytes), as protobuf would write them; see
https://protobuf.dev/programming-guides/encoding/.
"""

from functools import cache

from brettwerk.v1 import errors_pb2, play_pb2

_FIELDS = play_pb2.ConnectResponse.DESCRIPTOR.fields_by_name
_VARINT, _LENGTH = 0, 2


def varint(number: int) -> bytes:
    """Return a number from 0 on as a varint."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


@cache
def _tag(field: str, wire_type: int) -> bytes:
    return varint(_FIELDS[field].number << 3 | wire_type)


def head(number: int, field: str) -> bytes:
    """Return what stands before the length in every frame that answers request `number` by `field`."""
    return (_tag("id", _VARINT) + varint(number) if number else b"") + _tag(field, _LENGTH)


def frame(head_bytes: bytes, message: bytes) -> bytes:
    """Return the frame of an encoded message."""
    return b"".join((head_bytes, varint(len(message)), message))


def answer_frame(number: int, answer: play_pb2.Answer) -> bytes:
    """Return the frame of an answer."""
    return frame(head(number, "answer"), answer.SerializeToString())


def refusal_frame(number: int, refusal: errors_pb2.Refusal) -> bytes:
    """Return the frame of a refusal of the request itself, or of what ended its watch."""
    return frame(head(number, "refusal"), refusal.SerializeToString())
