"""One /metrics for a worker and all processes of its pool, which write their series into the files of a folder.

Beside it are /live and /ready (200 or 503), for probes.
"""

import struct
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from prometheus_client import CollectorRegistry, make_wsgi_app
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from services.ai.celery_worker.liveness import Liveness
from services.runtime import small_http
from services.runtime.version import VERSION

_MAX_ATTEMPTS = 5
_PAUSE_S = 0.02


class WorkerSeries(Collector):
    """The sums of the counters and histograms of all processes, dead ones too, and how many of them there are and work.

    Other gauges of single processes mean nothing here.
    """

    def __init__(self, folder: Path, slots: Callable[[], int], busy: Callable[[], int], service: str = "worker") -> None:
        """Read the files of `folder`; `slots` and `busy` tell how many thoughts the worker can have, and has.

        `service`: what it is called in series. A worker of runs has no thoughts that moves could wait for, and so no slots.
        """
        self._files = MultiProcessCollector(CollectorRegistry(), str(folder))  # type: ignore[no-untyped-call]
        self._slots, self._busy, self._service = slots, busy, service

    def collect(self) -> Iterable[Metric]:
        """Return the series."""
        what = "Which part of which version this is; always 1."
        build = GaugeMetricFamily("brettwerk_build_info", what, labels=["service", "version"])
        build.add_metric([self._service, VERSION], 1)
        yield build
        for name, about, count in (
            ("slots", "Thoughts that a worker can have at once.", self._slots()),
            ("busy", "Thoughts that a worker has now.", self._busy()),
        ):
            if self._service != "worker":
                break
            family = GaugeMetricFamily(f"brettwerk_ai_worker_{name}", about, value=count)
            yield family
        yield from (metric for metric in self._read() if metric.type != "gauge")

    def _read(self) -> list[Metric]:
        """Return what the files hold. A process that has just been started may be making one while it is read: then once more."""
        for _ in range(_MAX_ATTEMPTS - 1):
            try:
                return list(self._files.collect())  # type: ignore[no-untyped-call]
            except (OSError, ValueError, RuntimeError, struct.error):
                time.sleep(_PAUSE_S)
        return list(self._files.collect())  # type: ignore[no-untyped-call]


def serve(listen: str, series: WorkerSeries, liveness: Liveness) -> None:
    """Show /metrics, /live and /ready at `listen` (host:port; empty for nowhere) from a thread of its own."""
    if not listen:
        return
    registry = CollectorRegistry()
    registry.register(series)
    shown: WSGIApplication = make_wsgi_app(registry)

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        states = {"/live": liveness.is_live, "/ready": liveness.is_ready}
        good = states.get(environ["PATH_INFO"])
        if good is None:
            return shown(environ, start_response)
        start_response("200 OK" if good else "503 Service Unavailable", [("Content-Type", "text/plain")])
        return [b"yes\n" if good else b"no\n"]

    small_http.serve(listen, answer)
