"""The exception of the platform for a refusal, and its form on the wire.

There is one class; its reason, from the published catalogue (errors.proto), has the gRPC code as an option. Handlers raise it,
one interceptor (endpoint.py) and the links turn it into status, details or frames; nobody else sets codes.
"""

from collections.abc import Iterable, Mapping, Sequence

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2

from brettwerk.v1 import errors_pb2
from services.runtime import trace

DOMAIN = "brettwerk"
"""The domain of ErrorInfo."""
DETAILS_BYTES = 4000
"""The most that the details may take: gRPC clients refuse metadata of more than 8 KB, and they travel as base64."""

UNREACHED = (errors_pb2.REASON_UNAVAILABLE, errors_pb2.REASON_DEADLINE)
"""The reasons of calls without an answer, of which nobody knows whether they were carried out."""
_LISTED_BYTES = 190
"""How much of what there is is listed: a detail takes 200 bytes."""
_LEAVING_MS = 50
_LEFT_OUT_MS = 30_000
"""Somebody has to mend a package first."""

_CODES: Mapping[int, grpc.StatusCode] = {
    value.number: grpc.StatusCode[value.GetOptions().Extensions[errors_pb2.grpc_code]]
    for value in errors_pb2.Reason.DESCRIPTOR.values
    if value.number
}
"""The code of each reason, as the contract states it."""


class Refused(Exception):
    """Something is refused, for a reason of the catalogue."""

    def __init__(
        self,
        reason: errors_pb2.Reason.ValueType,
        message: str,
        *,
        rule: str = "",
        details: Mapping[str, str] | None = None,
        field: str = "",
        retry_after_ms: int = 0,
        head_version: int = 0,
    ) -> None:
        super().__init__(message)
        self.refusal = errors_pb2.Refusal(
            code=_CODES[reason].value[0],
            reason=reason,
            message=cut(message, 1000),
            rule=cut(rule, 64),
            details={cut(name, 100): cut(value, 200) for name, value in list((details or {}).items())[:16]},
            field=cut(field, 200),
            retry_after_ms=retry_after_ms,
            head_version=head_version,
            trace_id=trace.trace_id(),
        )
        self.spent_s = 0.0
        """The CPU time that was spent on what is refused, where that was measured: it goes to the caller over a link."""

    @classmethod
    def of(cls, refusal: errors_pb2.Refusal) -> "Refused":
        """Return the exception for a refusal that another process has sent.

        A reason that is not in our catalogue (the other process is newer) becomes INTERNAL.
        """
        known = refusal.reason in _CODES
        refused = cls(refusal.reason if known else errors_pb2.REASON_INTERNAL, refusal.message)
        if known:
            refused.refusal.CopyFrom(refusal)
        return refused

    def alone(self) -> "Refused":
        """Return this without the frames that it came through.

        They hold the request, maybe megabytes, and one that has this in a variable makes a ring: all that would stay until the
        garbage collector comes by, which it seldom does.
        """
        return self.with_traceback(None)

    @property
    def reason(self) -> errors_pb2.Reason.ValueType:
        """The reason."""
        return self.refusal.reason

    @property
    def code(self) -> grpc.StatusCode:
        """The gRPC code that goes with the reason."""
        return _CODES[self.refusal.reason]


def cut(text: str, limit: int) -> str:
    """Return the text, cut to so many UTF-8 bytes: a refusal quotes what strangers sent, and stays within its bounds."""
    data = text.encode("utf-8", "replace")
    return data.decode() if len(data) <= limit else data[:limit].decode("utf-8", "ignore")


def malformed(field: str, message: str) -> Refused:
    """Return the refusal of a field that cannot be read or is out of bounds."""
    return Refused(errors_pb2.REASON_MALFORMED, message, field=field)


def wrong_seats(game: str, fewest: int, most: int, given: int, field: str = "seats") -> Refused:
    """Return the refusal of a number of seats that a game cannot have."""
    possible = str(most) if fewest == most else f"{fewest} to {most}"
    return malformed(field, f"{game} is played with {possible} seats, not {given}")


def require_room(count: int, most: int, bound: str) -> None:
    """Return where there is room for one more. Raises Refused (FULL), which names the bound."""
    if count >= most:
        raise Refused(errors_pb2.REASON_FULL, f"there is room for only {most}", details={"bound": bound})


def damaged(message: str, field: str = "") -> Refused:
    """Return the refusal of a record that cannot be of a game, or does not say what was played."""
    return Refused(errors_pb2.REASON_RECORD_DAMAGED, message, field=field)


def unknown(what: str, field: str = "", value: object = None, known: Iterable[object] = ()) -> Refused:
    """Return the refusal of something that is not there: in which field it was named, how, and what there is.

    A proof of identity (a phrase, a link) is not repeated, and the values of one player are not listed.
    """
    message, details = f"there is no such {what.replace('_', ' ')}", {"what": what}
    if value is not None:
        details["value"] = str(value)
        message = f'{message} as "{cut(str(value), 100)}"'
    if there := listed(known):
        details["known"] = there
        message = f"{message}; there are: {there}"
    return Refused(errors_pb2.REASON_UNKNOWN, message, details=details, field=field)


def listed(known: Iterable[object]) -> str:
    """Return what there is, to be chosen from: as much of it as details take, by commas; empty for nothing."""
    names, said = [str(name) for name in known], ""
    for name in names:
        longer = f"{said}, {name}" if said else name
        if len(longer.encode()) > _LISTED_BYTES:
            return f"{said}, ..."
        said = longer
    return said


def unavailable(service: str) -> Refused:
    """Return the refusal while a service cannot be reached."""
    return Refused(
        errors_pb2.REASON_UNAVAILABLE, f"the {service} cannot be reached now", details={"service": service}, retry_after_ms=1000
    )


def leaving(service: str) -> Refused:
    """Return the refusal of a process that is about to end, while others answer at the same address. Nothing was done.

    Clients that heed it come again at once: the wait only keeps them from coming all together.
    """
    message = f"this {service} is about to end; another one answers at the same address"
    details = {"service": service, "leaving": "1"}
    return Refused(errors_pb2.REASON_UNAVAILABLE, message, details=details, retry_after_ms=_LEAVING_MS)


def internal() -> Refused:
    """Return the refusal that stands for a fault of ours: it tells nothing but the trace id."""
    return Refused(errors_pb2.REASON_INTERNAL, "something went wrong here; the trace id finds it in the logs")


def newer(what: str, known: str = "") -> Refused:
    """Return the refusal of what a newer release has written. Nothing was done; a process of that release can do it.

    `known`: what is known here instead, if that can be listed.
    """
    message = f"a newer release has written this, and its {what} is not known here; a process of that release knows it"
    details = {"newer": what, "known": known} if known else {"newer": what}
    return Refused(errors_pb2.REASON_UNAVAILABLE, message, details=details, retry_after_ms=1000)


def left_out(game: str) -> Refused:
    """Return the refusal of what is about a game whose package is broken here. Nothing was done; another process may have it."""
    message = f"the game {game} is left out here, since its package is broken; its sessions are kept until it is mended"
    return Refused(
        errors_pb2.REASON_UNAVAILABLE, message, details={"newer": "game", "left_out": game}, retry_after_ms=_LEFT_OUT_MS
    )


def is_newer(refusal: errors_pb2.Refusal) -> bool:
    """Return whether another process, which knows more than ours (mostly of a newer release), may do what was refused."""
    if refusal.reason == errors_pb2.REASON_NEWER:
        return True
    return refusal.reason == errors_pb2.REASON_UNAVAILABLE and "newer" in refusal.details


def moved(shard: int) -> Refused:
    """Return the refusal of what is for the owner of a shard, which this process is not. Nothing was done."""
    message = f"shard {shard} has another owner now"
    return Refused(errors_pb2.REASON_UNAVAILABLE, message, details={"moved": str(shard)}, retry_after_ms=1000)


def moved_shard(refusal: errors_pb2.Refusal) -> int | None:
    """Return the shard whose owner is to be asked instead; None when something else was refused."""
    if refusal.reason != errors_pb2.REASON_UNAVAILABLE:
        return None
    shard = refusal.details.get("moved", "")
    return int(shard) if shard.isdecimal() and len(shard) <= 3 else None


def status_details(refusal: errors_pb2.Refusal) -> bytes:
    """Return google.rpc.Status bytes for the trailer `grpc-status-details-bin` (AIP-193), at most DETAILS_BYTES of them.

    Its details are an ErrorInfo and, where they fit, BadRequest, PreconditionFailure, RetryInfo; our own Refusal is last.
    Sentences are cut, and what repeats the Refusal is left out, rather than sending a trailer that clients would not take.
    """
    details = _details(refusal)
    data = _status(refusal, [*details, refusal])
    if len(data) > DETAILS_BYTES:
        short = errors_pb2.Refusal()
        short.CopyFrom(refusal)
        short.message = cut(refusal.message, 300)
        data = _status(short, [details[0], short])
    if len(data) > DETAILS_BYTES:
        short.details.clear()
        data = _status(short, [error_details_pb2.ErrorInfo(reason=_name(short), domain=DOMAIN), short])
    return data


def _name(refusal: errors_pb2.Refusal) -> str:
    return errors_pb2.Reason.Name(refusal.reason).removeprefix("REASON_")


def _status(refusal: errors_pb2.Refusal, details: Sequence[Message]) -> bytes:
    status = status_pb2.Status(code=refusal.code, message=refusal.message)
    for detail in details:
        packed = AnyMessage()
        packed.Pack(detail)
        status.details.append(packed)
    data: bytes = status.SerializeToString()
    return data


def _details(refusal: errors_pb2.Refusal) -> list[Message]:
    metadata = dict(refusal.details)
    if refusal.rule:
        metadata["rule"] = refusal.rule
    if refusal.trace_id:
        metadata["trace_id"] = refusal.trace_id
    details: list[Message] = [error_details_pb2.ErrorInfo(reason=_name(refusal), domain=DOMAIN, metadata=metadata)]
    if refusal.field:
        violation = error_details_pb2.BadRequest.FieldViolation(field=refusal.field, description=refusal.message)
        details.append(error_details_pb2.BadRequest(field_violations=[violation]))
    if refusal.rule:
        broken = error_details_pb2.PreconditionFailure.Violation(type="RULE", subject=refusal.rule, description=refusal.message)
        details.append(error_details_pb2.PreconditionFailure(violations=[broken]))
    if refusal.retry_after_ms:
        delay = Duration()
        delay.FromMilliseconds(refusal.retry_after_ms)
        details.append(error_details_pb2.RetryInfo(retry_delay=delay))
    return details


def of_rpc_error(error: grpc.RpcError, service: str) -> Refused:
    """Return the refusal that a failed gRPC call carried; UNAVAILABLE or DEADLINE when the service itself did not answer.

    UNAVAILABLE, too, when it did not know this process: that is no fault of whoever asked us.
    """
    call = error if isinstance(error, grpc.aio.AioRpcError | grpc.Call) else None
    trailers = call.trailing_metadata() if call is not None else ()
    details = next((value for key, value in trailers or () if key == "grpc-status-details-bin"), b"")
    code = call.code() if call is not None else grpc.StatusCode.UNKNOWN
    return of_status(code, details if isinstance(details, bytes) else details.encode(), service)


def of_status(code: grpc.StatusCode, details: bytes, service: str) -> Refused:
    """Return the refusal that a call's status and `grpc-status-details-bin` carry, by the same rules as `of_rpc_error`."""
    if details and (refusal := _refusal_in(details)) is not None:
        return unavailable(service) if refusal.reason == errors_pb2.REASON_UNKNOWN_CALLER else Refused.of(refusal)
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return Refused(errors_pb2.REASON_DEADLINE, f"the {service} did not answer in time")
    if code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED):
        return unavailable(service)
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return Refused(errors_pb2.REASON_NO_SUCH_METHOD, f"the {service} has no such method: its release is older")
    return Refused(errors_pb2.REASON_INTERNAL, f"the {service} failed")


def _refusal_in(details: bytes) -> errors_pb2.Refusal | None:
    refusal = errors_pb2.Refusal()
    try:
        status = status_pb2.Status.FromString(details)
        return refusal if any(detail.Unpack(refusal) for detail in status.details) else None
    except DecodeError:
        return None
