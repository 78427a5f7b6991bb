"""The responses of HTTP: their headers, a refusal, and a file.

The headers say what a page from here may do, and that no page may frame it but boards where that is allowed. A refusal is a
suitable status and `{"refusal": ...}` in proto3 JSON. A file is compressed if the client accepts that, and not sent again if it
has it (RFC 9110, 12.5.3 and 13).
"""

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from google.protobuf import json_format
from starlette.requests import Request
from starlette.responses import Response

from brettwerk.v1 import errors_pb2
from gateway.messages.compression import accepts
from services.runtime.refusal import Refused
from services.runtime.settings import Settings

STATUSES: Mapping[int, int] = {
    3: 400,  # INVALID_ARGUMENT
    4: 504,  # DEADLINE_EXCEEDED
    5: 404,  # NOT_FOUND
    7: 403,  # PERMISSION_DENIED
    8: 429,  # RESOURCE_EXHAUSTED
    9: 409,  # FAILED_PRECONDITION
    10: 409,  # ABORTED
    12: 404,  # UNIMPLEMENTED
    13: 500,  # INTERNAL
    14: 503,  # UNAVAILABLE
    16: 401,  # UNAUTHENTICATED
}
"""HTTP statuses by canonical gRPC code."""


class Misfit(Refused):
    """A request that is malformed in a way for which HTTP has its own status."""

    def __init__(self, status: int, message: str, field: str = "") -> None:
        super().__init__(errors_pb2.REASON_MALFORMED, message, field=field)
        self.status = status


def status_of(refusal: errors_pb2.Refusal) -> int:
    """Return the HTTP status that fits a refusal."""
    return STATUSES.get(refusal.code, 500)


def body_of(refusal: errors_pb2.Refusal) -> bytes:
    """Return the JSON text of a refusal."""
    return json.dumps({"refusal": json_format.MessageToDict(refusal)}).encode()


def headers_of(refusal: errors_pb2.Refusal) -> dict[str, str]:
    """Return the headers that go with a refusal."""
    found = dict(NEVER_STORED)
    if refusal.retry_after_ms:
        found["retry-after"] = str(math.ceil(refusal.retry_after_ms / 1000))
    if status_of(refusal) == 401:
        found["www-authenticate"] = "Bearer"
    return found


def web_refusal(refusal: errors_pb2.Refusal, status: int = 0, headers: Mapping[str, str] | None = None) -> Response:
    """Return the response; `status` is given if HTTP has a better one than that of the refusal's code."""
    extra = {**headers_of(refusal), **(headers or {})}
    return Response(body_of(refusal), status or status_of(refusal), extra, media_type="application/json")


POLICY = "content-security-policy"
"""The name of the header with what a page may do."""
_ANCESTOR = re.compile(r"https?://(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*(:[0-9]{1,5})?")


def policy(ancestors: str = "'none'") -> str:
    """Return the content security policy of what these origins may frame.

    `'self'` covers the WebSocket of the same host, too (CSP level 3).
    """
    return "; ".join(
        (
            "default-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "connect-src 'self'",
            f"frame-ancestors {ancestors}",
            "base-uri 'none'",
            "form-action 'self'",
        )
    )


def ancestors(listed: str) -> str:
    """Return the origins of a setting, separated by commas, as a policy names them: `'none'` where none is listed.

    Raises ValueError for anything that is neither an origin (`https://club.example`, `https://*.club.example`) nor `*`.
    """
    given = [origin for origin in (each.strip().lower().rstrip("/") for each in listed.split(",")) if origin]
    for origin in given:
        if origin != "*" and not _ANCESTOR.fullmatch(origin):
            raise ValueError(f"BRETTWERK_EMBED_ANCESTORS: {origin!r} is no origin (http or https, host and port only)")
    return " ".join(given) or "'none'"


SECURITY: Mapping[str, str] = {
    POLICY: policy(),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}
"""Of every response: name to value."""

OF_PAGES: Mapping[str, str] = {
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
}
"""Additional ones for pages: they matter only to documents, and the client's many files are lighter without them."""

NEVER_STORED: Mapping[str, str] = {"cache-control": "no-store"}
"""For answers, which are meant for one caller at one moment."""


def of_every_response(config: Settings) -> Mapping[str, str]:
    """Return the headers of every response: where the endpoint has TLS, also that browsers always come with it (RFC 6797)."""
    if not (config.gateway_tls and config.hsts_days):
        return SECURITY
    return {**SECURITY, "strict-transport-security": f"max-age={config.hsts_days * 86_400}"}


FOR_EVER = "public, max-age=31536000, immutable"
"""How long clients keep a file whose name changes with its content."""
ASK_EACH_TIME = "no-cache"


@dataclass(frozen=True, slots=True)
class File:
    """A file that is kept in memory."""

    body: bytes
    media_type: str
    etag: str
    encoded: Mapping[str, bytes]
    """The file as it is compressed, by encoding."""

    @classmethod
    def of(cls, body: bytes, media_type: str, encoded: Mapping[str, bytes]) -> Self:
        """Return the file, with a name made from its content."""
        return cls(body, media_type, hashlib.sha256(body).hexdigest()[:32], encoded)

    def response(self, request: Request, cache_control: str) -> Response:
        """Return the response to a request for it by GET or HEAD."""
        accepted = request.headers.get("accept-encoding", "")
        encoding = next((encoding for encoding in self.encoded if accepts(accepted, encoding)), "")
        body = self.encoded[encoding] if encoding else self.body
        etag = f'"{self.etag}{"-" if encoding else ""}{encoding}"'
        headers = {"cache-control": cache_control, "etag": etag, "vary": "accept-encoding"}
        if etag in {tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")}:
            return Response(status_code=304, headers=headers)
        if encoding:
            headers["content-encoding"] = encoding
        return Response(body, headers=headers, media_type=self.media_type)
