"""Calls are counted as prometheus_client's own series would count them."""

from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.openmetrics.exposition import generate_latest as openmetrics
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from services.runtime.metrics import CallSeries

BOUNDS = (0.001, 0.01, 0.5)
CALLS = st.lists(
    st.tuples(
        st.sampled_from(["gateway", "rules"]),
        st.sampled_from(["Act", "Find"]),
        st.sampled_from(["OK", "INTERNAL"]),
        st.one_of(st.none(), st.sampled_from([0.0, 0.001, 0.0011, 0.01, 0.5, 0.6]), st.floats(0, 100)),
    )
)


def lines(registry: CollectorRegistry) -> set[str]:
    """Return the samples, without when each series was made."""
    text = generate_latest(registry).decode()
    return {line for line in text.splitlines() if "_created" not in line}


@given(CALLS)
def test_series_read_like_those_of_the_library(calls: list[tuple[str, str, str, float | None]]) -> None:
    own, library = CollectorRegistry(), CollectorRegistry()
    series = CallSeries(BOUNDS)
    own.register(series)
    count = Counter("brettwerk_calls_total", "Calls answered.", ["service", "method", "code"], registry=library)
    took = Histogram(
        "brettwerk_call_duration_seconds", "Time to answer a call.", ["service", "method"], buckets=BOUNDS, registry=library
    )
    for service, method, code, seconds in calls:
        count.labels(service, method, code).inc()
        if seconds is None:
            series.of(service, method, code).add_stream()
        else:
            series.of(service, method, code).add(seconds)
            took.labels(service, method).observe(seconds)
    assert lines(own) == lines(library)


def test_beside_a_bucket_stands_the_last_traced_call_in_it() -> None:
    registry, series = CollectorRegistry(), CallSeries(BOUNDS)
    registry.register(series)
    act = series.of("gateway", "Act", "OK")
    for seconds, trace_id in ((0.3, "a" * 32), (0.2, "b" * 32), (0.4, ""), (0.005, "c" * 32), (7, "d" * 32)):
        act.add(seconds, trace_id)
    shown = openmetrics(registry).decode()  # type: ignore[no-untyped-call]
    families = text_string_to_metric_families(shown)  # type: ignore[no-untyped-call]
    (took,) = (family for family in families if family.name == "brettwerk_call_duration_seconds")
    found = {
        sample.labels["le"]: (sample.exemplar.labels["trace_id"], sample.exemplar.value)
        for sample in took.samples
        if sample.exemplar
    }
    assert found == {"0.01": ("c" * 32, 0.005), "0.5": ("b" * 32, 0.2), "+Inf": ("d" * 32, 7)}
