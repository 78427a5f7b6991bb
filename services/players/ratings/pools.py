"""The pools that ratings are kept apart by, and how time counts in them. Pure."""

from typing import NamedTuple

DAY_MS = 24 * 3_600_000
PERIOD_MS = 112 * 3_600_000
"""A rating period, in milliseconds: 78 of them (a year) let a deviation of 60 grow to 110 at the usual volatility."""


class Pool(NamedTuple):
    """Ratings that are compared with each other: of a game, with that many seats."""

    game: str
    kind: str


def periods(from_ms: int, to_ms: int) -> float:
    """Return how many rating periods lie between two moments."""
    return max(0, to_ms - from_ms) / PERIOD_MS


def week_of(at_ms: int) -> int:
    """Return the number of a moment's week: it begins on Monday, at midnight in UTC. Week 0 has the first day of 1970."""
    return (at_ms // DAY_MS + 3) // 7
