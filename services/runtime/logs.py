"""JSON logs on standard output, one line an event, each with the trace id. Tokens, names and positions never go in."""

import logging
import sys

import structlog
from structlog.typing import EventDict, WrappedLogger

from services.runtime import trace


def _add_trace(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    if trace_id := trace.trace_id():
        event["trace_id"] = trace_id
    return event


def configure(service: str, level: str = "info") -> None:
    """Set up the logs of this process, those of libraries too."""
    number = logging.getLevelNamesMapping()[level.upper()]

    def add_service(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        event.setdefault("service", service)
        return event

    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        add_service,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _add_trace,
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.format_exc_info, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stdout),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.ExtraAdder()],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=max(number, logging.INFO), force=True)


def logger(room: str) -> structlog.typing.FilteringBoundLogger:
    """Return the logger of a module."""
    bound: structlog.typing.FilteringBoundLogger = structlog.get_logger(room=room)
    return bound
