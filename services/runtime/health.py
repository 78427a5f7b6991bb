"""What a process says of its health (grpc.health.v1): at its service's port from the event loop, at one of its own from threads.

From threads it is answered also while the loop is busy: `live` is SERVING until the loop has not turned for STUCK_S. Each answer
says in LATE_KEY of its trailing metadata how late the loop is, which lets a supervisor wait longer than somebody who hears only
yes or no. All other names are about what the process can do now, and that is nothing while its loop is late.
"""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

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
        self._states: dict[str, bool] = {}
        self.server = grpc.server(ThreadPoolExecutor(_THREADS, "health"), maximum_concurrent_rpcs=_CALLS)
        """Answers from threads, at a port of its own; to be bound, started and stopped."""
        health_pb2_grpc.add_HealthServicer_to_server(_FromThreads(self._states, clock), self.server)

    async def tell(self, names: Iterable[str], *, serving: bool) -> None:
        """Say from now on whether what has these names can be used."""
        for name in names:
            self._states[name] = serving
            await self.servicer.set(name, _SERVING if serving else _NOT_SERVING)


class _FromThreads(health_pb2_grpc.HealthServicer):  # type: ignore[misc] # the package has no types
    def __init__(self, states: dict[str, bool], clock: LoopClock) -> None:
        self._states, self._clock = states, clock

    def Check(self, request: health_pb2.HealthCheckRequest, context: grpc.ServicerContext) -> health_pb2.HealthCheckResponse:
        state = self._states.get(request.service)
        if state is None:
            context.abort(grpc.StatusCode.NOT_FOUND, "there is no service of this name")
        late_s = self._clock.late_s()
        context.set_trailing_metadata(((LATE_KEY, str(round(late_s * 1000))),))
        serving = state and late_s < (STUCK_S if request.service == LIVE else LATE_S)
        return health_pb2.HealthCheckResponse(status=_SERVING if serving else _NOT_SERVING)

    def Watch(self, _request: health_pb2.HealthCheckRequest, context: grpc.ServicerContext) -> None:
        context.abort(grpc.StatusCode.UNIMPLEMENTED, "ask again and again with Check; the service's own port has Watch")
