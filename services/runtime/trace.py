"""One trace id for everything that one action sets going, carried as W3C traceparent (https://www.w3.org/TR/trace-context/)."""

import random
import re
from contextvars import ContextVar

HEADER = "traceparent"
_SHAPE = re.compile(r"00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}", re.ASCII)
_current: ContextVar[str] = ContextVar("traceparent", default="")


def begin(traceparent: str = "") -> str:
    """Go on with a caller's trace, or begin one when it has none that can be read. Returns the traceparent."""
    if not (traceparent and _SHAPE.fullmatch(traceparent)):
        made = f"{random.getrandbits(192):048x}"
        traceparent = f"00-{made[:32]}-{made[32:]}-01"
    _current.set(traceparent)
    return traceparent


def follow(traceparent: str) -> None:
    """Be in the trace and span of this traceparent from now on."""
    _current.set(traceparent)


def fits(traceparent: str) -> bool:
    """Return whether this is a traceparent that can be read."""
    return _SHAPE.fullmatch(traceparent) is not None


def traceparent() -> str:
    """Return the traceparent to send along; empty outside of a trace."""
    return _current.get()


def metadata() -> tuple[tuple[str, str], ...]:
    """Return what a gRPC call to another service carries of it; nothing outside of a trace."""
    current = _current.get()
    return ((HEADER, current),) if current else ()


def trace_id() -> str:
    """Return the id to show and to log; empty outside of a trace."""
    return _current.get()[3:35]
