"""Series that count for themselves, in Prometheus' form: calls by their outcome, and what caches hold.

The series of prometheus_client take a lock for every number and try one bucket after the other. Every call is counted in every
process on its way, so those of calls only add. Beside each bucket stands the last call in it that is traced, as an exemplar, for
readers who ask for OpenMetrics (Prometheus does).
https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md#exemplars
"""

import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from prometheus_client.samples import Exemplar
from prometheus_client.utils import floatToGoString

from services.runtime.bounded_cache import CacheUse


class Durations:
    """The durations of a method's calls: how many fall into each bucket, and their sum in seconds."""

    __slots__ = ("buckets", "seconds", "traced")

    def __init__(self, buckets: int) -> None:
        self.buckets = [0] * buckets
        self.seconds = 0.0
        self.traced: dict[int, Exemplar] = {}
        """By the bucket."""


class Answered:
    """The calls of a method that were answered with one code."""

    __slots__ = ("_bounds", "_durations", "count")

    def __init__(self, bounds: Sequence[float], durations: Durations) -> None:
        self.count = 0
        self._bounds = bounds
        self._durations = durations

    def add(self, seconds: float, trace_id: str = "") -> None:
        """Count a call that took that long, of a trace that is sent if there is an id."""
        self.count += 1
        durations = self._durations
        durations.seconds += seconds
        bucket = bisect_left(self._bounds, seconds)
        durations.buckets[bucket] += 1
        if trace_id:
            durations.traced[bucket] = Exemplar({"trace_id": trace_id}, seconds, time.time())

    def add_stream(self) -> None:
        """Count a stream: the time that it was open is not a response time."""
        self.count += 1


class CallSeries(Collector):
    """Counts the calls of a process. Its methods are called in one thread; it may be read in another."""

    labelnames = ("service", "method", "code")

    def __init__(self, bounds: Sequence[float]) -> None:
        """Take the upper bounds of the buckets, in seconds."""
        self._bounds = tuple(bounds)
        self._answered: dict[tuple[str, str, str], Answered] = {}
        self._durations: dict[tuple[str, str], Durations] = {}

    def of(self, service: str, method: str, code: str) -> Answered:
        """Return what counts the calls of a service's method (Act) that are answered with a gRPC code (OK)."""
        found = self._answered.get((service, method, code))
        if found is None:
            durations = self._durations.setdefault((service, method), Durations(len(self._bounds) + 1))
            found = self._answered[service, method, code] = Answered(self._bounds, durations)
        return found

    def collect(self) -> Iterator[Metric]:
        """Yield what was counted."""
        calls = CounterMetricFamily("brettwerk_calls", "Calls answered.", labels=self.labelnames)
        for labels, answered in list(self._answered.items()):
            calls.add_metric(labels, answered.count)
        yield calls
        took = HistogramMetricFamily("brettwerk_call_duration_seconds", "Time to answer a call.", labels=self.labelnames[:2])
        bounds = [*map(floatToGoString, self._bounds), "+Inf"]
        for method, durations in list(self._durations.items()):
            if any(durations.buckets):
                counts = accumulate(durations.buckets)
                traced = map(durations.traced.get, range(len(bounds)))
                buckets = [
                    (bound, count, last) if last else (bound, count)
                    for bound, count, last in zip(bounds, counts, traced, strict=True)
                ]
                took.add_metric(method, buckets, durations.seconds)
        yield took


class CacheSeries(Collector):
    """Shows the caches that a process has named. They count for themselves; it only reads them."""

    def __init__(self) -> None:
        self._uses: dict[str, CacheUse] = {}

    def show(self, cache: str, use: CacheUse) -> None:
        """Show the figures of a cache under a name (sessions) from now on, instead of an earlier one's."""
        self._uses[cache] = use

    def collect(self) -> Iterator[Metric]:
        """Yield what caches hold now, and how often something was found in them."""
        entries = GaugeMetricFamily("brettwerk_cache_entries", "What a cache holds.", labels=["cache"])
        held = GaugeMetricFamily("brettwerk_cache_bytes", "Bytes that it holds, as it counts them.", labels=["cache"])
        limit = GaugeMetricFamily("brettwerk_cache_limit_bytes", "Bytes that it holds at most.", labels=["cache"])
        lookups = CounterMetricFamily("brettwerk_cache_lookups", "Lookups in a cache, by outcome.", labels=["cache", "outcome"])
        for cache, use in list(self._uses.items()):
            entries.add_metric([cache], use.entries)
            held.add_metric([cache], use.bytes)
            limit.add_metric([cache], use.limit_bytes)
            lookups.add_metric([cache, "hit"], use.hits)
            lookups.add_metric([cache, "miss"], use.misses)
        yield from (entries, held, limit, lookups)
