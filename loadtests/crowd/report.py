"""The results of a crowd: the events second by second, and their medians."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Second:
    """The events of about one second. Times in milliseconds; NaN where nothing happened."""

    at_s: float
    playing: int
    actions_per_s: float
    p50_ms: float
    p99_ms: float
    refused: int
    updates_per_s: float
    cpu: Mapping[str, float]
    """Cores that each part used."""


def figures(seconds: Sequence[Second], recovered_s: Sequence[float]) -> dict[str, str]:
    """Return the medians over time, and what reconnecting took."""
    busy = [one for one in seconds if one.actions_per_s > 0]
    if not busy:
        return {"accepted actions": "none"}
    total = [sum(one.cpu.values()) for one in busy]
    made = {
        "accepted actions/s, median": f"{statistics.median(one.actions_per_s for one in busy):,.0f}",
        "accepted actions/s, best second": f"{max(one.actions_per_s for one in busy):,.0f}",
        "p50, median": f"{statistics.median(one.p50_ms for one in busy):.1f} ms",
        "p99, median": f"{statistics.median(one.p99_ms for one in busy):.1f} ms",
        "p99, worst second": f"{max(one.p99_ms for one in busy):.1f} ms",
        "refused": f"{sum(one.refused for one in seconds):,}",
    }
    if any(total):
        made["actions per CPU second of all processes"] = f"{sum(one.actions_per_s for one in busy) / sum(total):,.0f}"
    if recovered_s:
        ordered = sorted(recovered_s)
        made["watchers connected, times"] = f"{len(ordered):,}"
        made["until the game shows, p50"] = f"{1000 * statistics.median(ordered):.0f} ms"
        made["until the game shows, p99"] = f"{1000 * ordered[int(len(ordered) * 0.99)]:.0f} ms"
    return made


def kept(seconds: Sequence[Second], under: Mapping[str, str], recovered_s: Sequence[float]) -> dict[str, Any]:
    """Return everything as JSON keeps it, to be compared later."""
    return {
        "conditions": dict(under),
        "figures": figures(seconds, recovered_s),
        "seconds": [asdict(one) | {"cpu": dict(one.cpu)} for one in seconds],
    }
