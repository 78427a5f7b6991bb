"""Reads and writes what surrounds bytes that are already encoded, so that nothing is parsed or copied on its way through.

A ConnectRequest or ConnectResponse is its `id` (a varint) and one message (a length and its bytes), an Answer one message, as
protobuf writes them; see https://protobuf.dev/programming-guides/encoding/.
"""

from brettwerk.v1 import errors_pb2, play_pb2
from brettwerk_games.protobuf_wire.fields import block, number, tag, varint, varint_at
from gateway.messages.contract import METHODS, Method

_ID = tag(play_pb2.ConnectResponse, "id")
_TAGS = {name: tag(play_pb2.ConnectResponse, name) for name in ("answer", "watch", "refusal", "player")}
_FIELDS = {begin[0]: name for name, begin in _TAGS.items()}
_CALL_ID = tag(play_pb2.ConnectRequest, "id")[0]
_CALL = tag(play_pb2.ConnectRequest, "call")[0]
_REFUSED = tag(play_pb2.Answer, "refusal")
_METHODS = {method.tag: method for method in METHODS.values()}
assert max(map(len, _METHODS)) == 2, "a tag has one byte or two"


def head(request: int, field: str) -> bytes:
    """Return what precedes the length in every frame that answers a request by `field`."""
    return number(_ID, request) + _TAGS[field]


def headed(frame: bytes) -> tuple[int, str]:
    """Return the id and the field with which an encoded ConnectResponse begins, as `head` wrote them."""
    request, pos = varint_at(frame, 1) if frame[0] == _ID[0] else (0, 0)
    return request, _FIELDS[frame[pos]]


def answer_head(request: int, answer: bytes) -> bytes:
    """Return what precedes an encoded Answer in the frame that answers a request."""
    return head(request, "answer") + varint(len(answer))


def refusal_frame(request: int, refusal: errors_pb2.Refusal) -> bytes:
    """Return the frame of a refusal of the request itself, or of what ended its watch."""
    return block(head(request, "refusal"), refusal.SerializeToString())


def call_in(frame: bytes) -> tuple[int, bytes] | None:
    """Return the id and the encoded Call of an encoded ConnectRequest that consists of just these two, in this order.

    None for all others, which must be parsed.
    """
    request = pos = 0
    try:
        if frame[0] == _CALL_ID:
            request, pos = varint_at(frame, 1)
        if frame[pos] != _CALL:
            return None
        length, pos = varint_at(frame, pos + 1)
    except IndexError:
        return None
    return (request, frame[pos:]) if pos + length == len(frame) else None


def method_first_in(packed_call: bytes) -> Method | None:
    """Return the method that an encoded Call is for, by its first field; None if there is no such method here.

    Code that parses the call must verify that: a Call may have more fields.
    """
    return _METHODS.get(packed_call[: 1 if packed_call[:1] < b"\x80" else 2])


def is_refusal(answer: bytes) -> bool:
    """Return whether an encoded Answer is a refusal."""
    return answer.startswith(_REFUSED)


def inner(answer: bytes) -> bytes:
    """Return the encoded message in an encoded Answer; an empty one if there is none."""
    if not answer:
        return answer
    _, pos = varint_at(answer, 0)
    _, pos = varint_at(answer, pos)
    return answer[pos:]
