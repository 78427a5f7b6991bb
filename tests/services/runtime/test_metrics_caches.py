"""Operators see what caches hold, and what they are worth."""

from prometheus_client import CollectorRegistry

from services.runtime.bounded_cache import CacheUse
from services.runtime.metrics import CacheSeries


def test_a_cache_shows_what_it_holds_what_it_may_hold_and_how_often_something_was_found() -> None:
    series, registry = CacheSeries(), CollectorRegistry()
    registry.register(series)
    series.show("sessions", CacheUse(1, entries=1))
    use = CacheUse(1000)
    series.show("sessions", use)
    use.bytes, use.entries, use.hits, use.misses = 300, 2, 7, 3
    shown = {
        name: registry.get_sample_value(f"brettwerk_cache_{name}", {"cache": "sessions"})
        for name in ("bytes", "limit_bytes", "entries")
    }
    assert shown == {"bytes": 300, "limit_bytes": 1000, "entries": 2}
    for outcome, count in (("hit", 7), ("miss", 3)):
        assert registry.get_sample_value("brettwerk_cache_lookups_total", {"cache": "sessions", "outcome": outcome}) == count
