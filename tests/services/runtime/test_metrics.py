import socket

import httpx
import pytest
from prometheus_client import Counter, Gauge, Histogram

from services.runtime import metrics

SERIES = [value for value in vars(metrics).values() if isinstance(value, Counter | Gauge | Histogram)]
SUBJECTS = {"service", "version", "game", "level", "class", "endpoint", "store", "pool", "disk", "channel", "marker", "cache"}
RESULTS = {"method", "code", "outcome", "reason", "rule", "kind", "seat_kind"}


def test_labels_are_of_few_values_and_never_name_a_session_or_a_player() -> None:
    assert len(SERIES) > 15
    for series in SERIES:
        assert set(series._labelnames) <= SUBJECTS | RESULTS, series._name


def test_calls_are_counted_under_labels_of_few_values() -> None:
    assert set(metrics.CALLS.labelnames) <= SUBJECTS | RESULTS


def test_every_series_is_explained_and_named_after_the_deployment() -> None:
    for series in SERIES:
        assert series._name.startswith("brettwerk_")
        assert series._documentation.endswith(".")


def test_metrics_are_shown_where_the_settings_say() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    metrics.serve(f"127.0.0.1:{port}", "test", "1.2.3")
    text = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=10).text
    assert 'brettwerk_build_info{service="test",version="1.2.3"} 1.0' in text
    with pytest.raises(OSError, match="in use"):
        metrics.serve(f"127.0.0.1:{port}", "test", "1.2.3")
    with pytest.raises(ValueError):
        metrics.serve("nowhere", "test", "1.2.3")
