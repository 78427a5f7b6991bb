"""One /metrics for a worker and all processes of its pool, which write their series into files (PROMETHEUS_MULTIPROC_DIR)."""

import os
from collections.abc import Iterable
from pathlib import Path

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from services.runtime.version import VERSION

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that prometheus_client looks for when it is imported."""


class WorkerSeries(Collector):
    """The sums of the counters and histograms of all processes, dead ones too. Gauges of single processes mean nothing here."""

    def __init__(self, folder: Path) -> None:
        """Read the files of `folder`."""
        self._files = MultiProcessCollector(CollectorRegistry(), str(folder))  # type: ignore[no-untyped-call]

    def collect(self) -> Iterable[Metric]:
        """Return the series."""
        build = GaugeMetricFamily(
            "brettwerk_build_info", "Which part of which version this is; always 1.", labels=["service", "version"]
        )
        build.add_metric(["worker", VERSION], 1)
        yield build
        yield from (metric for metric in self._files.collect() if metric.type != "gauge")  # type: ignore[no-untyped-call]


def clear(folder: Path) -> None:
    """Delete what an earlier worker left."""
    for file in folder.glob("*.db"):
        file.unlink()


def serve(listen: str) -> None:
    """Show /metrics at `listen` (host:port; empty for nowhere) from a thread of its own."""
    if listen:
        registry = CollectorRegistry()
        registry.register(WorkerSeries(Path(os.environ[FOLDER])))
        host, _, port = listen.rpartition(":")
        start_http_server(int(port), host, registry)
