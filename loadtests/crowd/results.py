"""The counts of a run."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Results:
    """Counts of one window of time."""

    accepted: int = 0
    games: int = 0
    latencies_s: list[float] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)

    def refused(self, reason: str) -> None:
        """Count a refusal."""
        self.refusals[reason] += 1

    def clear(self) -> None:
        """Begin a new window."""
        self.accepted = self.games = 0
        self.latencies_s.clear()
        self.refusals.clear()
