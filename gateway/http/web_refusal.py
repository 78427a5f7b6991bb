"""The form of a refusal in HTTP: a suitable status and `{"refusal": ...}` in proto3 JSON."""

import json
import math
from collections.abc import Mapping

from google.protobuf import json_format
from starlette.responses import Response

from brettwerk.v1 import errors_pb2
from gateway.http.headers import NEVER_STORED
from services.runtime.refusal import Refused

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
