"""Time zones by their IANA names, from the system or, where it has none, from the package tzdata."""

from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


@lru_cache(maxsize=1024)
def zone_of(name: str) -> ZoneInfo | None:
    """Return a time zone by its IANA name; None for one that there is not."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
