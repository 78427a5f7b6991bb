"""Spans: how long each step of a trace took, sent by OpenTelemetry when BRETTWERK_TRACE_ENDPOINT says where to.

It is an option: without an endpoint nothing of it is imported, and what `begin` costs is that of trace.begin. Spans hold the
name of a call and its code, never ids, tokens or anything of a position.
"""

from typing import TYPE_CHECKING, Protocol

from services.runtime import trace
from services.runtime.cannot_start import cannot_start
from services.runtime.settings import Settings
from services.runtime.version import VERSION

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span as OpenTelemetrySpan

_FLUSH_MS = 2000


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


NONE: Span = _NoSpan()
_provider: "TracerProvider | None" = None


def configure(service: str, config: Settings) -> None:
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


def begin(name: str, parent: str = "") -> Span:
    """Return a step of this name, with which a caller's trace goes on; one begins when there is none that can be read."""
    if _provider is None:
        trace.begin(parent)
        return NONE
    from opentelemetry.context import Context
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

    context = Context()
    if trace.fits(parent):
        above = SpanContext(int(parent[3:35], 16), int(parent[36:52], 16), is_remote=True, trace_flags=TraceFlags(1))
        context = set_span_in_context(NonRecordingSpan(above), context)
    span = _provider.get_tracer("brettwerk").start_span(name, context)
    own = span.get_span_context()
    trace.follow(f"00-{own.trace_id:032x}-{own.span_id:016x}-01")
    return _Sent(span)
