"""The formats of the Connect protocol (https://connectrpc.com/docs/protocol): envelopes, errors, the end of a stream."""

import base64
import json
import struct
from collections.abc import Mapping
from typing import Any

from google.protobuf import json_format
from google.rpc import status_pb2

from brettwerk.v1 import errors_pb2
from services.runtime.refusal import malformed, status_details

UNARY: Mapping[str, bool] = {"application/proto": False, "application/json": True}
"""Content types of calls with one response, and whether they are JSON."""
STREAMS: Mapping[str, bool] = {"application/connect+proto": False, "application/connect+json": True}
"""Content types of calls with many."""

_HEAD = struct.Struct(">BI")
_COMPRESSED, _END = 1, 2

_CODES = (
    "",
    "canceled",
    "unknown",
    "invalid_argument",
    "deadline_exceeded",
    "not_found",
    "already_exists",
    "permission_denied",
    "resource_exhausted",
    "failed_precondition",
    "aborted",
    "out_of_range",
    "unimplemented",
    "internal",
    "unavailable",
    "data_loss",
    "unauthenticated",
)
"""Names of the canonical codes, by number."""
_STATUSES = (200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401)
"""HTTP statuses of refused calls with one response, by number of the code."""


def head(size: int, *, is_compressed: bool = False) -> bytes:
    """Return what precedes a message of that many bytes in a stream."""
    return _HEAD.pack(_COMPRESSED if is_compressed else 0, size)


def end(refusal: errors_pb2.Refusal | None) -> bytes:
    """Return the end of a stream, with a reason or without."""
    body = json.dumps({} if refusal is None else {"error": error(refusal)}, ensure_ascii=False).encode()
    return _HEAD.pack(_END, len(body)) + body


def only_message(body: bytes) -> bytes:
    """Return the message in the body of a request that is a stream of one message. Raises Refused (MALFORMED)."""
    if len(body) < _HEAD.size:
        raise malformed("", "the body is not a message in its envelope: one byte of flags, four bytes of length, and the message")
    flags, size = _HEAD.unpack_from(body)
    if flags & _COMPRESSED:
        raise malformed("", "the message is compressed, which this server does not accept")
    if flags or size != len(body) - _HEAD.size:
        raise malformed("", f"the body is not a single message of {size} bytes, as its envelope says")
    return body[_HEAD.size :]


def message_in(query: Mapping[str, str]) -> tuple[bytes, bool]:
    """Return the message in the query of a call by GET, and whether it is JSON. Raises Refused (MALFORMED)."""
    encoding = f"application/{query.get('encoding', '')}"
    if encoding not in UNARY:
        raise malformed("encoding", "encoding must be proto or json")
    if query.get("compression", "identity") != "identity":
        raise malformed("compression", "compressed requests are not accepted here")
    text = query.get("message", "")
    if query.get("base64") != "1":
        return text.encode(), UNARY[encoding]
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True), UNARY[encoding]
    except ValueError:
        raise malformed("message", "the message is not in base64") from None


def error(refusal: errors_pb2.Refusal) -> dict[str, Any]:
    """Return a refusal as a Connect error, with the same details as in a gRPC status."""
    status = status_pb2.Status.FromString(status_details(refusal))
    details = []
    for detail in status.details:
        value = base64.b64encode(detail.value).decode().rstrip("=")
        details.append({"type": detail.type_url.rpartition("/")[2], "value": value})
    details[-1]["debug"] = json_format.MessageToDict(refusal)
    return {"code": code_of(refusal), "message": refusal.message, "details": details}


def code_of(refusal: errors_pb2.Refusal) -> str:
    """Return the name of a refusal's code."""
    return _CODES[refusal.code] if 0 < refusal.code < len(_CODES) else "unknown"


def status_of(refusal: errors_pb2.Refusal) -> int:
    """Return the HTTP status of a refused call with one response."""
    return _STATUSES[refusal.code] if 0 < refusal.code < len(_STATUSES) else 500


def seconds(timeout: str) -> float | None:
    """Return the time that a Connect-Timeout-Ms header leaves, in seconds; None without one. Raises Refused (MALFORMED)."""
    if not timeout:
        return None
    if not (timeout.isascii() and timeout.isdecimal() and len(timeout) <= 10):
        raise malformed("connect-timeout-ms", "connect-timeout-ms is not a whole number of at most ten digits")
    return int(timeout) / 1000
