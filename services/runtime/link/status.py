"""How a gRPC call says what became of it: the headers of its end (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md)."""

import base64
import binascii
from urllib.parse import quote, unquote_to_bytes

import grpc

from grpc_http2.stream import Headers
from services.runtime.refusal import Refused, cut, of_status, status_details

ACCEPTED: Headers = [(b":status", b"200"), (b"content-type", b"application/grpc")]
"""What a server says first."""
_CODES = {code.value[0]: code for code in grpc.StatusCode}
_DETAILS = b"grpc-status-details-bin"
_BY_HTTP = {
    401: grpc.StatusCode.UNAUTHENTICATED,
    403: grpc.StatusCode.PERMISSION_DENIED,
    404: grpc.StatusCode.UNIMPLEMENTED,
    **dict.fromkeys((429, 502, 503, 504), grpc.StatusCode.UNAVAILABLE),
}
"""What the answer of somebody means who speaks HTTP, but no gRPC."""


def trailers(refused: Refused | None) -> Headers:
    """Return the trailers of a call that went well, or was refused."""
    if refused is None:
        return [(b"grpc-status", b"0")]
    return [
        (b"grpc-status", str(refused.code.value[0]).encode()),
        (b"grpc-message", quote(cut(refused.refusal.message, 300), safe=" !#$&'()*+,/:;=?@[]").encode()),
        (_DETAILS, base64.b64encode(status_details(refused.refusal)).rstrip(b"=")),
    ]


def refusal_in(headers: Headers | None, service: str) -> Refused | None:
    """Return what the headers with which a service has ended a call say; None when it went well."""
    received = dict(headers or ())
    given = received.get(b"grpc-status", b"").decode("ascii", "replace")
    if given == "0":
        return None
    if given:
        code = _CODES.get(int(given) if given.isdecimal() else -1, grpc.StatusCode.UNKNOWN)
    else:
        http = received.get(b":status", b"").decode("ascii", "replace")
        code = _BY_HTTP.get(int(http) if http.isdecimal() else 0, grpc.StatusCode.UNKNOWN)
    return of_status(code, _binary(received.get(_DETAILS, b"")), service)


def message_in(headers: Headers | None) -> str:
    """Return the sentence with which a call was ended, for logs."""
    return unquote_to_bytes(dict(headers or ()).get(b"grpc-message", b"")).decode("utf-8", "replace")


def seconds(timeout: bytes) -> float | None:
    """Return the time that a `grpc-timeout` header gives; None when it cannot be read."""
    unit = {b"H": 3600.0, b"M": 60.0, b"S": 1.0, b"m": 1e-3, b"u": 1e-6, b"n": 1e-9}.get(timeout[-1:])
    number = timeout[:-1]
    return int(number) * unit if unit is not None and number.isdigit() and len(number) <= 8 else None


def timeout_header(timeout: float) -> bytes:
    """Return the `grpc-timeout` header of some seconds."""
    return b"%dm" % max(1, min(99_999_999, round(timeout * 1000)))


def _binary(value: bytes) -> bytes:
    try:
        return base64.b64decode(value + b"=" * (-len(value) % 4))
    except (binascii.Error, ValueError):
        return b""
