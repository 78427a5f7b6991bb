"""The contents of a process's caches and their worth, in Prometheus' form."""

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from services.runtime.bounded_cache import CacheUse


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
