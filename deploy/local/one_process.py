"""All services in one process, for debuggers: `scripts/play --one-process`.

The main thread is the worker, the services share an event loop in another thread; only Redis and what they start themselves
(checks of whole records, the worker of finished games) stay processes of their own. They talk over the same sockets as always,
so a breakpoint anywhere stops everything that an action passes through. Nobody looks whether the process hangs, calls may take
as long as settings allow, and computer players are not interrupted by how long somebody looks at them.
"""

import asyncio
import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping

from deploy.local import probes, process_specs
from deploy.local.launcher_error import LauncherError
from deploy.local.process_specs import Plan
from services.runtime.probe import Probe

NAME = "one"
"""Its short name, for logs."""
START_S = 60.0
"""How long the services may take to be ready."""
END_S = 20.0
PATIENT = {
    "BRETTWERK_CALL_TIMEOUT_S": "120",
    "BRETTWERK_AI_GRACE_S": "600",
    "BRETTWERK_AI_SILENCE_S": "600",
}
"""Timeouts for somebody who reads a stack: the longest that there may be."""


def environment(plan: Plan, log_level: str) -> dict[str, str]:
    """Return the settings of the process: those of all services together."""
    preferred = PATIENT | {"BRETTWERK_LOG_LEVEL": log_level}
    return {**preferred, **process_specs.environment(plan), "BRETTWERK_METRICS_LISTEN": plan.metrics_address("gateway")}


def ready(plan: Plan) -> Probe:
    """Return what tells whether all services are ready."""
    return probes.both(probes.http_ok(plan.metrics_address("gateway"), "/ready"), probes.http_ok(plan.web_address, "/v1/health"))


@contextlib.contextmanager
def serving(settings: Mapping[str, str], is_ready: Probe) -> Iterator[Callable[[], None]]:
    """Run the services in a thread; yields what does the worker's work until SIGINT or SIGTERM, in the main thread.

    `settings` are set in this process's environment. Raises LauncherError when they are not ready in time.
    """
    os.environ.update(settings)
    # Not earlier: what they import reads the settings.
    from services.ai.thought import one_process as worker
    from services.runtime import logs, trace
    from services.runtime.settings import settings as read

    config = read()
    logs.configure(NAME, config.log_level)
    trace.configure(NAME, config)
    thread = _Services()
    thread.start()
    try:
        until = time.monotonic() + START_S
        while not is_ready():
            if not thread.is_alive() or time.monotonic() > until:
                raise LauncherError("the services are not ready; what they say stands above")
            time.sleep(0.05)
        yield worker.work
    finally:
        thread.end()


class _Services(threading.Thread):
    """The thread of the services and their event loop."""

    def __init__(self) -> None:
        super().__init__(name="services", daemon=True)
        self._loop = asyncio.new_event_loop()
        self._stopping = asyncio.Event()

    def run(self) -> None:
        """Serve until `end`."""
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        from deploy.local.all_services import serve_all
        from services.runtime.settings import settings

        try:
            await serve_all(settings(), self._stopping)
        except BaseExceptionGroup as failed:
            for error in failed.exceptions:
                print(f"a service ended: {error!r}", file=sys.stderr, flush=True)
            signal.raise_signal(signal.SIGINT)

    def end(self) -> None:
        """Let the services end in order, and wait for that."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: it has ended by itself
            self._loop.call_soon_threadsafe(self._stopping.set)
        self.join(END_S)
