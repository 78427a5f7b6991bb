"""The contents of a cache and its worth, counted by the cache itself: a lookup costs one addition."""

from dataclasses import dataclass


@dataclass(slots=True)
class CacheUse:
    """The figures of a cache. It is written in one thread, and may be read in another."""

    limit_bytes: int
    entries: int = 0
    bytes: int = 0
    """As the cache counts them, against its limit."""
    hits: int = 0
    misses: int = 0
