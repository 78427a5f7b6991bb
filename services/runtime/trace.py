"""One trace id for everything that one action sets going, carried as W3C traceparent (https://www.w3.org/TR/trace-context/).

How long each step of a trace took is a span, sent by OpenTelemetry when BRETTWERK_TRACE_ENDPOINT says where to. That is an
option: without an endpoint nothing of it is imported, and what `begin_span` costs is that of `begin`. Spans hold the name of a
call and its code, never ids, tokens or anything of a position.
"""

import random
import re
from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol

from services.runtime.cannot_start import cannot_start
from services.runtime.version import VERSION

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span as OpenTelemetrySpan

    from services.runtime.settings import Settings

HEADER = "traceparent"
_FLUSH_MS = 2000
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


class Span(Protocol):
    """A step that has begun."""

    trace_id: str
    """The trace that it is sent with; empty for one that is not sent."""

    def end(self, code: str = "") -> None:
        """End it, with a gRPC code if it has one."""
        ...


class _NoSpan:
    trace_id = ""

    def end(self, code: str = "") -> None:
        """Do nothing."""


class _Sent:
    def __init__(self, span: "OpenTelemetrySpan") -> None:
        self._span = span
        self.trace_id = f"{span.get_span_context().trace_id:032x}" if span.is_recording() else ""

    def end(self, code: str = "") -> None:
        """Let it be sent."""
        if code:
            self._span.set_attribute("rpc.grpc.status", code)
        self._span.end()


NO_SPAN: Span = _NoSpan()
_provider: "TracerProvider | None" = None


def configure(service: str, config: "Settings") -> None:
    """Send this process's spans from now on, if an endpoint is set.

    Exits with 2 and a plain sentence when what sends them is not installed. It starts a thread: call it after a fork.
    """
    global _provider
    if not config.trace_endpoint:
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.sdk.trace.sampling import TraceIdRatioBased
    except ImportError:
        raise cannot_start("BRETTWERK_TRACE_ENDPOINT needs the packages of requirements/trace.txt") from None
    resource = Resource.create({"service.name": f"brettwerk-{service}", "service.version": VERSION})
    # By the trace id alone, so that all processes decide alike and no caller can have everything sent.
    _provider = TracerProvider(TraceIdRatioBased(config.trace_share), resource=resource, shutdown_on_exit=False)
    _provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=config.trace_endpoint)))


def flush() -> None:
    """Send what has not been sent, for two seconds at most."""
    if _provider is not None:
        _provider.force_flush(_FLUSH_MS)


def begin_span(name: str, parent: str = "") -> Span:
    """Return a step of this name, with which a caller's trace goes on; one begins when there is none that can be read."""
    if _provider is None:
        begin(parent)
        return NO_SPAN
    from opentelemetry.context import Context
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

    context = Context()
    if fits(parent):
        above = SpanContext(int(parent[3:35], 16), int(parent[36:52], 16), is_remote=True, trace_flags=TraceFlags(1))
        context = set_span_in_context(NonRecordingSpan(above), context)
    span = _provider.get_tracer("brettwerk").start_span(name, context)
    own = span.get_span_context()
    follow(f"00-{own.trace_id:032x}-{own.span_id:016x}-01")
    return _Sent(span)
