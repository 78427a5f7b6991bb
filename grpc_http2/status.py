"""How a gRPC call says what became of it: the headers of its end (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md)."""

import base64
import binascii
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import quote, unquote_to_bytes

import grpc

Headers: TypeAlias = list[tuple[bytes, bytes]]
Metadata: TypeAlias = Sequence[tuple[str, str | bytes]]

ACCEPTED: Headers = [(b":status", b"200"), (b"content-type", b"application/grpc")]
"""The first headers of a server."""
DETAILS = "grpc-status-details-bin"
"""The metadata with what a status says beside its code and message (AIP-193)."""
_CODES = {code.value[0]: code for code in grpc.StatusCode}
_BY_HTTP = {
    401: grpc.StatusCode.UNAUTHENTICATED,
    403: grpc.StatusCode.PERMISSION_DENIED,
    404: grpc.StatusCode.UNIMPLEMENTED,
    **dict.fromkeys((429, 502, 503, 504), grpc.StatusCode.UNAVAILABLE),
}
"""The meaning of an answer by somebody who speaks HTTP, but no gRPC."""
_OF_THE_CALL = frozenset((b"grpc-encoding", b"grpc-timeout", b"grpc-accept-encoding", b"content-type", b"te"))
"""Headers that are about the call, and no metadata."""
_UNITS_S = {b"H": 3600.0, b"M": 60.0, b"S": 1.0, b"m": 1e-3, b"u": 1e-6, b"n": 1e-9}


@dataclass(frozen=True, slots=True)
class Status:
    """How a call ended."""

    code: grpc.StatusCode = grpc.StatusCode.OK
    message: str = ""
    metadata: Metadata = ()

    @property
    def details(self) -> bytes:
        """The bytes of google.rpc.Status that came along, if any."""
        found = next((value for name, value in self.metadata if name == DETAILS), b"")
        return found if isinstance(found, bytes) else found.encode()

    def trailers(self) -> Headers:
        """Return the headers that say so, after the last message."""
        said: Headers = [(b"grpc-status", str(self.code.value[0]).encode())]
        if self.message:
            said.append((b"grpc-message", quote(self.message, safe=" !#$&'()*+,/:;=?@[]").encode()))
        return said + [_header(name, value) for name, value in self.metadata]


class CallError(Exception):
    """A call ends with a status other than OK."""

    def __init__(self, code: grpc.StatusCode, message: str) -> None:
        super().__init__(message)
        self.status = Status(code, message)


def status_in(headers: Headers | None) -> Status:
    """Return what the headers say with which a server has ended a call; UNKNOWN if they say nothing that is known."""
    received = dict(headers or ())
    given = received.get(b"grpc-status", b"").decode("ascii", "replace")
    if given:
        code = _CODES.get(int(given) if given.isdecimal() else -1, grpc.StatusCode.UNKNOWN)
    else:
        http = received.get(b":status", b"").decode("ascii", "replace")
        code = _BY_HTTP.get(int(http) if http.isdecimal() else 0, grpc.StatusCode.UNKNOWN)
    message = unquote_to_bytes(received.pop(b"grpc-message", b"")).decode("utf-8", "replace")
    received.pop(b"grpc-status", None)
    return Status(code, message, metadata_in(received.items()))


def metadata_in(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[str, str | bytes]]:
    """Return what headers say beside the call itself, in order; `-bin` values that cannot be decoded are empty."""
    return [_metadatum(name, value) for name, value in headers if name not in _OF_THE_CALL and name[:1] != b":"]


def seconds(timeout: bytes) -> float | None:
    """Return the time that a `grpc-timeout` header gives; None when it cannot be read."""
    unit, number = _UNITS_S.get(timeout[-1:]), timeout[:-1]
    return int(number) * unit if unit is not None and number.isdigit() and len(number) <= 8 else None


def timeout_header(timeout: float) -> bytes:
    """Return the `grpc-timeout` header of some seconds."""
    return b"%dm" % max(1, min(99_999_999, round(timeout * 1000)))


def _metadatum(name: bytes, value: bytes) -> tuple[str, str | bytes]:
    if not name.endswith(b"-bin"):
        return name.decode("ascii", "replace"), value.decode("ascii", "replace")
    try:
        return name.decode("ascii", "replace"), base64.b64decode(value + b"=" * (-len(value) % 4))
    except (binascii.Error, ValueError):
        return name.decode("ascii", "replace"), b""


def _header(name: str, value: str | bytes) -> tuple[bytes, bytes]:
    if isinstance(value, str):
        return name.encode(), value.encode()
    return name.encode(), base64.b64encode(value).rstrip(b"=")
