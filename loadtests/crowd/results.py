"""What a run counts, and how it is told."""

import statistics
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


@dataclass(frozen=True)
class Window:
    """One measured window."""

    seconds: float
    accepted: int
    games: int
    cpu_s: dict[str, float]
    p50_ms: float
    p99_ms: float
    refusals: dict[str, int]

    @classmethod
    def of(cls, results: Results, seconds: float, cpu_s: dict[str, float]) -> "Window":
        """Return the window that `results` counted."""
        latencies = sorted(results.latencies_s) or [float("nan")]
        return cls(
            seconds,
            results.accepted,
            results.games,
            cpu_s,
            1000 * statistics.median(latencies),
            1000 * latencies[min(len(latencies) - 1, int(len(latencies) * 0.99))],
            dict(results.refusals),
        )

    @property
    def per_s(self) -> float:
        """Accepted actions a second."""
        return self.accepted / self.seconds

    @property
    def per_cpu_s(self) -> float:
        """Accepted actions per CPU second of all processes together, the driver not counted."""
        return self.accepted / (sum(self.cpu_s.values()) or float("nan"))


def report(windows: list[Window], title: str) -> str:
    """Return the medians of the windows as Markdown."""

    def median(values: list[float]) -> float:
        return statistics.median(values)

    lines = [
        f"### {title}",
        "",
        f"{len(windows)} windows of {windows[0].seconds:.1f} s, medians:",
        "",
        "| accepted actions/s | per CPU second of all processes | p50 action to last watcher | p99 |",
        "| --- | --- | --- | --- |",
        f"| {median([w.per_s for w in windows]):,.0f} | {median([w.per_cpu_s for w in windows]):,.0f} "
        f"| {median([w.p50_ms for w in windows]):.1f} ms | {median([w.p99_ms for w in windows]):.1f} ms |",
        "",
        "| process | CPU µs an action |",
        "| --- | --- |",
    ]
    for process in windows[0].cpu_s:
        cost = median([1e6 * w.cpu_s[process] / max(w.accepted, 1) for w in windows])
        lines.append(f"| {process} | {cost:,.0f} |")
    refusals: Counter[str] = Counter()
    for window in windows:
        refusals.update(window.refusals)
    lines += ["", f"Refused: {dict(refusals) or 'nothing'}. Games finished: {sum(w.games for w in windows)}."]
    return "\n".join(lines)
