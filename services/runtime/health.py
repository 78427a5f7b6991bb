"""The health of a process: how late its event loop is, and who is told what it can do.

The loop's own clock notes its turns, and threads read how long ago the last one was. So a process that is busy with one request
can be told from one that hangs, while it is busy. A thread gets its share of the time also while the loop computes in Python or
waits for something that blocks; only code in C that keeps the interpreter to itself keeps threads from answering, too.

Health is answered at the service's port from the loop (grpc.health.v1); from threads at a port of its own (grpc.health.v1), and
beside the metrics: `/live`, and `/ready` for all of the process. From threads it is answered also while the loop is busy: `live`
is SERVING until the loop has not turned for STUCK_S. Each answer says in LATE_KEY of its trailing metadata, or header fields, how
late the loop is, which lets a supervisor wait longer than somebody who hears only yes or no. All other names are about what the
process can do now, and that is nothing while its loop is late.
"""

import asyncio
import sys
import threading
import time
import traceback
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.probe import LATE_KEY

TURN_S = 0.5
"""How often the loop notes that it turns."""
LATE_S = 2.0
"""A loop that is later than this is logged, with the place in the code where it is."""
_WATCH_S = 1.0
"""How often a thread looks whether it is so late."""
_KEPT_S = 30.0
"""The worst lateness is that of the last one or two of these: longer than from one reading of the metrics to the next."""
_FRAMES = 12

log = logger(__name__)


class LoopClock:
    """The clock of the loop that `start` is called in. Its readings may be taken from any thread."""

    def __init__(self) -> None:
        self._due = time.monotonic() + TURN_S
        self._kept_since, self._worst, self._worst_before = time.monotonic(), 0.0, 0.0
        self._thread_id = threading.get_ident()
        self._turning: asyncio.TimerHandle | None = None
        self._ended = threading.Event()

    def start(self, service: str) -> None:
        """Begin to note turns of the running loop, and show the lateness in the metrics of a service."""
        self._thread_id = threading.get_ident()
        self._due = time.monotonic()
        self._turn(asyncio.get_running_loop())
        metrics.LOOP_LATE.labels(service).set_function(self.worst_s)
        threading.Thread(target=self._watch, name="loop clock", daemon=True).start()

    def stop(self) -> None:
        """Note nothing any more. In the loop's thread."""
        self._ended.set()
        if self._turning is not None:
            self._turning.cancel()

    def late_s(self) -> float:
        """Return for how many seconds the loop has not turned though it should have."""
        return max(0.0, time.monotonic() - self._due)

    def worst_s(self) -> float:
        """Return the longest lateness, in seconds, of the last half to whole minute, and of now."""
        return max(self._worst_before, self._worst, self.late_s())

    def _turn(self, loop: asyncio.AbstractEventLoop) -> None:
        now, late_s = time.monotonic(), self.late_s()
        if now - self._kept_since > _KEPT_S:
            self._kept_since, self._worst_before, self._worst = now, self._worst, 0.0
        self._worst = max(self._worst, late_s)
        self._due = now + TURN_S
        self._turning = loop.call_later(TURN_S, self._turn, loop)

    def _watch(self) -> None:
        """Log each time that the loop is late, once, and when it turns again."""
        since = 0.0
        while not self._ended.wait(_WATCH_S):
            late_s = self.late_s()
            if not since and late_s >= LATE_S:
                since = time.monotonic() - late_s
                log.warning("event loop is late", late_s=round(late_s, 1), at=self._place())
            elif since and late_s < LATE_S:
                log.warning("event loop turns again", after_s=round(time.monotonic() - since, 1))
                since = 0.0

    def _place(self) -> list[str]:
        """Return where the loop's thread is: the innermost functions first."""
        frame = sys._current_frames().get(self._thread_id)
        stack = traceback.extract_stack(frame)[: -_FRAMES - 1 : -1] if frame else []
        return [f"{step.filename}:{step.lineno} {step.name}" for step in stack]


LIVE = "live"
"""The name under which a process says whether it lives, whatever it can do."""
STUCK_S = 10.0
"""A loop that has not turned for so long is not live any more. Kubernetes kills after a minute of that (deploy/chart)."""
_THREADS = 2
_CALLS = 100

_SERVING = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


class Health:
    """The health of a process, by name: "" for all of it, those of its services, and `live`."""

    def __init__(self, clock: LoopClock) -> None:
        self.servicer = health.aio.HealthServicer()
        """Answers from the loop, beside the service."""
        self._states = {LIVE: False, "": False}
        self._clock = clock

    def server(self) -> grpc.Server:
        """Return what answers from threads, at a port of its own; to be bound, started and stopped."""
        made = grpc.server(ThreadPoolExecutor(_THREADS, "health"), maximum_concurrent_rpcs=_CALLS)
        health_pb2_grpc.add_HealthServicer_to_server(_FromThreads(self), made)
        return made

    def found(self, name: str) -> tuple[bool, float]:
        """Return whether what has this name serves, and how many seconds the loop is late. Raises KeyError. From any thread."""
        state, late_s = self._states[name], self._clock.late_s()
        return state and late_s < (STUCK_S if name == LIVE else LATE_S), late_s

    def beside(self, application: WSGIApplication) -> WSGIApplication:
        """Return an application that answers /live and /ready, and leaves all else to this one."""

        def answer(environment: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            name = {"/live": LIVE, "/ready": ""}.get(environment["PATH_INFO"])
            if name is None:
                return application(environment, start_response)
            serves, late_s = self.found(name)
            start_response("200 OK" if serves else "503 Service Unavailable", [(LATE_KEY, str(round(late_s * 1000)))])
            return ()

        return answer

    async def tell(self, names: Iterable[str], *, serving: bool) -> None:
        """Say from now on whether what has these names can be used."""
        for name in names:
            self._states[name] = serving
            await self.servicer.set(name, _SERVING if serving else _NOT_SERVING)


class _FromThreads(health_pb2_grpc.HealthServicer):  # type: ignore[misc] # the package has no types
    def __init__(self, of: Health) -> None:
        self._health = of

    def Check(self, request: health_pb2.HealthCheckRequest, context: grpc.ServicerContext) -> health_pb2.HealthCheckResponse:
        try:
            serves, late_s = self._health.found(request.service)
        except KeyError:
            context.abort(grpc.StatusCode.NOT_FOUND, f"there is no service {request.service[:100]} here")
        context.set_trailing_metadata(((LATE_KEY, str(round(late_s * 1000))),))
        return health_pb2.HealthCheckResponse(status=_SERVING if serves else _NOT_SERVING)

    def Watch(self, _request: health_pb2.HealthCheckRequest, context: grpc.ServicerContext) -> None:
        context.abort(grpc.StatusCode.UNIMPLEMENTED, "ask again and again with Check; the service's own port has Watch")
