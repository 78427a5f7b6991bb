"""The health of a process: at its service's port from the event loop (grpc.health.v1), elsewhere from threads.

Threads answer at a port of its own (grpc.health.v1), and beside the metrics: `/live`, and `/ready` for all of the process.

From threads it is answered also while the loop is busy: `live` is SERVING until the loop has not turned for STUCK_S. Each
answer says in LATE_KEY of its trailing metadata, or header fields, how late the loop is, which lets a supervisor wait longer
than somebody who hears only yes or no. All other names are about what the process can do now, and that is nothing while its
loop is late.
"""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from services.runtime.loop_clock import LATE_S, LoopClock
from services.runtime.probe import LATE_KEY

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
