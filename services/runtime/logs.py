"""JSON logs on standard output, one line an event, each with the trace id. Tokens, names and positions never go in.

Lines of a busy moment are written together: whoever reads them need not be woken for each. A warning or worse is written at once,
with all that came before it.
"""

import asyncio
import atexit
import contextlib
import json
import logging
import sys
import threading
from collections import deque
from datetime import UTC, datetime
from typing import TextIO

import structlog
from structlog.typing import EventDict, WrappedLogger

from services.runtime import foreign_lines, trace

TOGETHER_S = 0.05
"""How long a line that is no warning may wait for others, in a process with an event loop."""
_LOST = ("ConnectionError", "TimeoutError")
"""The built-in ones, and redis-py's own of these names."""
_TAKES_NO_WRITES = "MISCONF"
"""The answer of Redis while its disk is full."""
_ENCODER = json.JSONEncoder(default=repr)


class _Lines:
    """Writes lines; the methods are those that structlog calls, by level."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._waiting: deque[str] = deque()
        self._is_scheduled = False
        atexit.register(self._write)

    def info(self, line: str) -> None:
        self._waiting.append(line + "\n")
        if self._is_scheduled:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # a thread without a loop
            self._write()
        else:
            self._is_scheduled = True
            loop.call_later(TOGETHER_S, self._write)

    debug = info

    def warning(self, line: str) -> None:
        self._waiting.append(line + "\n")
        self._write()

    error = critical = warning

    def _write(self) -> None:
        self._is_scheduled = False
        together = []
        with contextlib.suppress(IndexError):  # two threads may empty it at once
            while True:
                together.append(self._waiting.popleft())
        # Where nobody reads, or a disk is full, the lines are lost: what a log cannot take must not end what it tells of.
        with contextlib.suppress(OSError):
            if together:
                self._out.write("".join(together))
                self._out.flush()


def _add_trace(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    if trace_id := trace.trace_id():
        event["trace_id"] = trace_id
    return event


def _add_time(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    event["timestamp"] = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    return event


def _render(bound: WrappedLogger, method: str, event: EventDict) -> str:
    """Return the line. structlog's own renderer makes a new encoder for each."""
    if "exc_info" in event:
        event = structlog.processors.format_exc_info(bound, method, event)
    return _ENCODER.encode(event)


def _name_lost_store(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Say in one sentence that a library cannot reach its store, or not write there: where in its code that was helps nobody."""
    found = event.get("exc_info")
    error = found[1] if isinstance(found, tuple) else found
    if isinstance(error, BaseException) and (
        any(kind.__name__ in _LOST for kind in type(error).__mro__) or str(error).startswith(_TAKES_NO_WRITES)
    ):
        del event["exc_info"]
        event["cause"] = f"{type(error).__name__}: {error}"[:500]
    return event


def configure(service: str, level: str = "info") -> None:
    """Set up the logs of this process, those of libraries too, in whatever way they write."""
    number = logging.getLevelNamesMapping()[level.upper()]

    def add_service(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        event.setdefault("service", service)
        return event

    shared: list[structlog.typing.Processor] = [add_service, structlog.stdlib.add_log_level, _add_time, _add_trace]
    lines = _Lines(sys.stdout)
    structlog.configure(
        processors=[*shared, _render],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=lambda *_: lines,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.ExtraAdder()],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _name_lost_store,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=max(number, logging.INFO), force=True)
    # The list of alembic's plugins, said when it is imported, concerns nobody; which migrations it carries out does.
    logging.getLogger("alembic.runtime.plugins").setLevel(max(number, logging.WARNING))
    logging.captureWarnings(capture=True)
    foreign_lines.adopt_stderr(service)
    ended = logger(__name__)
    sys.excepthook = lambda _kind, error, _traceback: ended.critical("ended by an exception", exc_info=error)
    threading.excepthook = lambda what: ended.error("a thread ended by an exception", exc_info=what.exc_value)


def logger(name: str) -> structlog.typing.FilteringBoundLogger:
    """Return the logger of a module."""
    bound: structlog.typing.FilteringBoundLogger = structlog.get_logger(module=name)
    return bound
