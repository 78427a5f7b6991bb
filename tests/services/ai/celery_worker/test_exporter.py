"""A worker's series can be read while its processes come and go."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from prometheus_client.metrics_core import CounterMetricFamily, Metric

from services.ai.celery_worker.exporter import WorkerSeries


class Files:
    """Files of which the first readings meet one that is just being made."""

    def __init__(self, failures: int) -> None:
        self.failures = failures

    def collect(self) -> Iterable[Metric]:
        if self.failures:
            self.failures -= 1
            raise ValueError("half a file")
        family = CounterMetricFamily("moves", "Moves.")
        family.add_metric([], 3)
        return [family]


def series(folder: Path, failures: int) -> WorkerSeries:
    made = WorkerSeries(folder, lambda: 2, lambda: 1)
    made._files = Files(failures)  # type: ignore[assignment]
    return made


def test_a_file_that_is_just_being_made_is_read_a_moment_later(tmp_path: Path) -> None:
    names = [metric.name for metric in series(tmp_path, failures=2).collect()]
    assert names == ["brettwerk_build_info", "brettwerk_ai_worker_slots", "brettwerk_ai_worker_busy", "moves"]


def test_a_file_that_stays_broken_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="half a file"):
        list(series(tmp_path, failures=1000).collect())
