"""Reads and writes what surrounds bytes that are already encoded, so that nothing is parsed or copied on its way through.

A ConnectRequest or ConnectResponse is its `id` (a varint) and one message (a length and its bytes), an Answer one message, as
protobuf writes them; see https://protobuf.dev/programming-guides/encoding/.
"""

from functools import lru_cache

from brettwerk.v1 import errors_pb2, play_pb2

_VARINT, _BYTES = 0, 2


def varint(number: int) -> bytes:
    """Return a number from 0 on as a varint."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _field(message: str, field: str) -> int:
    return int(play_pb2.DESCRIPTOR.message_types_by_name[message].fields_by_name[field].number)


_ID = varint(_field("ConnectResponse", "id") << 3 | _VARINT)
_TAGS = {name: varint(_field("ConnectResponse", name) << 3 | _BYTES) for name in ("answer", "watch", "refusal", "player")}
_BY_TAG = {tag[0]: name for name, tag in _TAGS.items()}
_CALL_ID = _field("ConnectRequest", "id") << 3 | _VARINT
_CALL = _field("ConnectRequest", "call") << 3 | _BYTES
_REFUSED = varint(_field("Answer", "refusal") << 3 | _BYTES)

size = lru_cache(16 * 1024)(varint)
"""The length of a message as a varint, cached: the same ones keep coming."""


def head(number: int, field: str) -> bytes:
    """Return what precedes the length in every frame that answers request `number` by `field`."""
    return (_ID + varint(number) if number else b"") + _TAGS[field]


def headed(frame: bytes) -> tuple[int, str]:
    """Return the id and the field with which an encoded ConnectResponse begins, as `head` wrote them."""
    number, pos = _varint_at(frame, 1, 70) if frame[0] == _ID[0] else (0, 0)
    return number, _BY_TAG[frame[pos]]


def answer_head(number: int, answer: bytes) -> bytes:
    """Return what precedes an encoded Answer in the frame that answers request `number`."""
    return head(number, "answer") + size(len(answer))


def refusal_frame(number: int, refusal: errors_pb2.Refusal) -> bytes:
    """Return the frame of a refusal of the request itself, or of what ended its watch."""
    data = refusal.SerializeToString()
    return head(number, "refusal") + varint(len(data)) + data


def call_in(frame: bytes) -> tuple[int, bytes] | None:
    """Return the id and the encoded Call of an encoded ConnectRequest that consists of just these two, in this order.

    None for all others, which must be parsed.
    """
    number = pos = 0
    try:
        if frame[0] == _CALL_ID:
            number, pos = _varint_at(frame, 1)
        if frame[pos] != _CALL:
            return None
        length, pos = _varint_at(frame, pos + 1)
    except IndexError:
        return None
    return (number, frame[pos:]) if pos + length == len(frame) else None


def is_refusal(answer: bytes) -> bool:
    """Return whether an encoded Answer is a refusal."""
    return answer.startswith(_REFUSED)


def wrapped(number: int, request: bytes) -> bytes:
    """Return the encoded message that contains just this encoded one in the field of this number."""
    return b"".join((varint(number << 3 | _BYTES), varint(len(request)), request))


def inner(answer: bytes) -> bytes:
    """Return the encoded message in an encoded Answer; an empty one if there is none."""
    if not answer:
        return answer
    _, pos = _varint_at(answer, 0)
    _, pos = _varint_at(answer, pos)
    return answer[pos:]


def _varint_at(data: bytes, pos: int, bits: int = 63) -> tuple[int, int]:
    """Return the number at an offset, and the offset after it. Raises IndexError if there is none of up to so many bits."""
    byte = data[pos]
    if byte < 0x80:
        return byte, pos + 1
    number, shift = byte & 0x7F, 7
    while shift < bits:
        pos += 1
        byte = data[pos]
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, pos + 1
        shift += 7
    raise IndexError
