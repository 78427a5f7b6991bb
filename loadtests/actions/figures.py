"""The counts of a window, and the summary of several: the median, and how far they lie apart."""

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from loadtests.crowd.results import Results


@dataclass(frozen=True, slots=True)
class Window:
    """The measurements of one window. NaN where nothing was measured."""

    seconds: float
    accepted: int
    games: int
    cpu_s: Mapping[str, float]
    """CPU seconds of each process of the system."""
    driver_s: float
    """CPU seconds of the driver, which count nowhere else."""
    launcher_s: float
    """CPU seconds of the launcher, which looks after the processes and takes their logs in the driver's process."""
    p50_ms: float
    p99_ms: float
    missed: int = 0
    """Actions of an open loop that were given up, since no table was free for a second."""

    @classmethod
    def of(
        cls, counted: Results, seconds: float, cpu_s: Mapping[str, float], driver: tuple[float, float], missed: int
    ) -> "Window":
        """Return the window that was counted; `driver` are the CPU seconds of the driver and of the launcher."""
        latencies = sorted(counted.latencies_s) or [math.nan]
        p50, p99 = statistics.median(latencies), latencies[min(len(latencies) - 1, int(len(latencies) * 0.99))]
        return cls(seconds, counted.accepted, counted.games, cpu_s, *driver, 1000 * p50, 1000 * p99, missed)

    @property
    def per_s(self) -> float:
        """Accepted actions a second."""
        return self.accepted / self.seconds

    @property
    def per_cpu_s(self) -> float:
        """Accepted actions per CPU second of all processes together; NaN where none was."""
        return (self.accepted or math.nan) / (sum(self.cpu_s.values()) or math.nan)

    @property
    def action_us(self) -> float:
        """CPU µs of all processes for an accepted action."""
        return 1e6 / self.per_cpu_s if self.accepted else math.nan

    @property
    def cores(self) -> float:
        """Cores that all processes took together."""
        return sum(self.cpu_s.values()) / self.seconds

    @property
    def driver_us(self) -> float:
        """CPU µs of the driver for an accepted action."""
        return 1e6 * self.driver_s / self.accepted if self.accepted else math.nan

    @property
    def launcher_us(self) -> float:
        """CPU µs of the launcher for an accepted action."""
        return 1e6 * self.launcher_s / self.accepted if self.accepted else math.nan

    def process_us(self, process: str) -> float:
        """Return the CPU µs of a process for an accepted action."""
        return 1e6 * self.cpu_s.get(process, 0.0) / self.accepted if self.accepted else math.nan


@dataclass(frozen=True, slots=True)
class Spread:
    """Several values of the same thing."""

    least: float
    median: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """Return the spread of the values that are numbers; NaN where there is none."""
        numbers = [value for value in values if not math.isnan(value)] or [math.nan]
        return cls(min(numbers), statistics.median(numbers), max(numbers))

    def text(self, digits: int = 0) -> str:
        """Return it as text."""
        if math.isnan(self.median):
            return ""
        return f"{self.median:,.{digits}f} ({self.least:,.{digits}f}–{self.most:,.{digits}f})"


@dataclass(frozen=True, slots=True)
class Result:
    """The windows of one measure of one game, those of each yardstick beside them in the order in which they took turns."""

    game: str
    measure: str
    what: str
    """The measure in words."""
    windows: Sequence[Window]
    yardsticks: Mapping[str, Sequence[Window]] = field(default_factory=dict)
    base: Sequence[Window] = ()
    """The same windows without what the measure is about: with fewer watchers, or in an empty deployment."""
    more: int = 0
    """How many watchers a session has more than in `base`."""
    faults: Sequence[str] = ()

    def of(self, value: Callable[[Window], float]) -> Spread:
        """Return the spread of a value over the windows."""
        return Spread.of([value(window) for window in self.windows])

    def ratio(self, yardstick: str) -> Spread:
        """Return accepted actions per CPU second in units of a yardstick's, window by window; NaN where it was not measured."""
        pairs = zip(self.windows, self.yardsticks.get(yardstick, ()), strict=False)
        return Spread.of([own.per_cpu_s / other.per_cpu_s for own, other in pairs])

    def dearer(self, yardstick: str) -> tuple[float, float]:
        """Return by how much more CPU an action takes than the yardstick's, and the standard error of that; both in percent.

        It is the mean of the logarithms over the pairs of windows, of which slow minutes of the machine take the same from both.
        """
        pairs = zip(self.windows, self.yardsticks[yardstick], strict=False)
        logs = [math.log(own.action_us / other.action_us) for own, other in pairs if own.accepted and other.accepted]
        error = statistics.stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else math.nan
        return 100 * math.expm1(statistics.fmean(logs)) if logs else math.nan, 100 * error

    @property
    def watcher_us(self) -> Spread:
        """CPU µs of one watcher more for an action, window by window."""
        pairs = zip(self.windows, self.base, strict=False)
        return Spread.of([(own.action_us - less.action_us) / self.more if self.more else math.nan for own, less in pairs])

    @property
    def processes(self) -> list[str]:
        """The processes that took CPU time, the most expensive first."""
        cost = {name: statistics.median([w.cpu_s.get(name, 0.0) for w in self.windows]) for name in self.windows[0].cpu_s}
        return sorted(cost, key=lambda name: -cost[name])

    def kept(self) -> dict[str, Any]:
        """Return it as JSON keeps it, with the medians that a table would show."""
        spreads = {
            "per_s": self.of(lambda w: w.per_s),
            "per_cpu_s": self.of(lambda w: w.per_cpu_s),
            "action_us": self.of(lambda w: w.action_us),
            "cores": self.of(lambda w: w.cores),
            "p50_ms": self.of(lambda w: w.p50_ms),
            "p99_ms": self.of(lambda w: w.p99_ms),
            "driver_us": self.of(lambda w: w.driver_us),
            "launcher_us": self.of(lambda w: w.launcher_us),
            "watcher_us": self.watcher_us,
        } | {f"ratio to {name}": self.ratio(name) for name in self.yardsticks}
        figures = {name: _finite(asdict(spread)) for name, spread in spreads.items() if not math.isnan(spread.median)}
        kept: dict[str, Any] = {"windows": _kept(self.windows), "base": _kept(self.base)}
        kept["yardsticks"] = {name: _kept(windows) for name, windows in self.yardsticks.items()}
        head = {"game": self.game, "measure": self.measure, "what": self.what, "faults": list(self.faults)}
        return head | {"figures": figures} | kept


def _kept(windows: Sequence[Window]) -> list[dict[str, Any]]:
    return [_finite(asdict(window)) for window in windows]


def _finite(values: Mapping[str, Any]) -> dict[str, Any]:
    """JSON knows no NaN."""
    return {name: None if isinstance(value, float) and math.isnan(value) else value for name, value in values.items()}
