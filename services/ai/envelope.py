"""A request as it lies in a queue: the contract's message, the trace it belongs to, and when it was put there. Plain JSON."""

import base64
import time
from dataclasses import asdict, dataclass

from google.protobuf.message import Message

from services.runtime import trace


@dataclass(frozen=True, slots=True)
class Envelope:
    """The request's bytes (base64), its W3C traceparent, when it was asked and when the answer is too late (ms since 1970).

    `reply_to` names the Redis list that a review's answer goes to.
    """

    request: str
    traceparent: str
    asked_ms: int
    deadline_ms: int
    reply_to: str = ""

    @classmethod
    def seal(cls, request: Message, deadline_ms: int, reply_to: str = "") -> "Envelope":
        """Return the envelope of a request of the present trace."""
        data = base64.b64encode(request.SerializeToString()).decode()
        return cls(data, trace.traceparent(), now_ms(), deadline_ms, reply_to)

    def request_bytes(self) -> bytes:
        """Return the request's bytes."""
        return base64.b64decode(self.request, validate=True)

    def fields(self) -> dict[str, str | int]:
        """Return the envelope as keyword arguments of a task."""
        return asdict(self)


def now_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
