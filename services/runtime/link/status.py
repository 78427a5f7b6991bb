"""A refusal as the end of a gRPC call, and the end of a call as a refusal."""

import grpc

from grpc_http2.status import DETAILS, Headers, Status, status_in
from services.runtime.call_scope import explained
from services.runtime.refusal import Refused, cut, of_status, status_details

_MESSAGE_BYTES = 300
"""More of a sentence is not sent beside the refusal itself: it is sent percent-encoded."""


def status_of(refused: Refused | None) -> Status:
    """Return the status of a call that went well, or was refused."""
    if refused is None:
        return Status()
    message = cut(refused.refusal.message, _MESSAGE_BYTES)
    return Status(refused.code, message, ((DETAILS, status_details(refused.refusal)),))


def status_of_error(error: Exception, path: str) -> Status:
    """Return the status of a call of this path that has failed (`call_scope.explained`)."""
    return status_of(explained(error, path))


def refusal_in(headers: Headers | None, service: str) -> Refused | None:
    """Return what the headers with which a service has ended a call say; None when it went well."""
    status = status_in(headers)
    return None if status.code is grpc.StatusCode.OK else of_status(status.code, status.details, service)
