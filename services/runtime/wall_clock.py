"""The wall clock, as logs, tables and the contract state the time."""

import time


def wall_ms() -> int:
    """Return the time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
