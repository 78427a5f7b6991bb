"""One /metrics for a worker and all processes of its pool, which write their series into the files of a folder."""

from collections.abc import Iterable
from pathlib import Path

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from services.runtime.version import VERSION


class WorkerSeries(Collector):
    """The sums of the counters and histograms of all processes, dead ones too. Gauges of single processes mean nothing here."""

    def __init__(self, folder: Path) -> None:
        """Read the files of `folder`."""
        self._files = MultiProcessCollector(CollectorRegistry(), str(folder))  # type: ignore[no-untyped-call]

    def collect(self) -> Iterable[Metric]:
        """Return the series."""
        what = "Which part of which version this is; always 1."
        build = GaugeMetricFamily("brettwerk_build_info", what, labels=["service", "version"])
        build.add_metric(["worker", VERSION], 1)
        yield build
        yield from (metric for metric in self._files.collect() if metric.type != "gauge")  # type: ignore[no-untyped-call]


def serve(listen: str, folder: Path) -> None:
    """Show /metrics at `listen` (host:port; empty for nowhere) from a thread of its own."""
    if listen:
        registry = CollectorRegistry()
        registry.register(WorkerSeries(folder))
        host, _, port = listen.rpartition(":")
        start_http_server(int(port), host, registry)
