"""Calls are counted as prometheus_client's own series would count them."""

from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from services.runtime.call_series import CallSeries

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
def test_what_is_read_is_what_the_library_would_have_counted(calls: list[tuple[str, str, str, float | None]]) -> None:
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
