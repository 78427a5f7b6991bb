"""A file as HTTP serves it: compressed if the client accepts that, and not sent again if it has it (RFC 9110, 12.5.3 and 13)."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from starlette.requests import Request
from starlette.responses import Response

from gateway.messages.compression import accepts

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
