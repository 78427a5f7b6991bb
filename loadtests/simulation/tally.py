"""What a simulation counts."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

SLICES = 10
"""Into so many equal lots games are divided that come back one after the other."""


@dataclass(slots=True)
class Spread:
    """How long something took, for how many: in steps of a tenth of a second."""

    steps: dict[int, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, least: float, most: float, count: float) -> None:
        """Count so many that took between `least` and `most` seconds, evenly spread."""
        for number in range(SLICES):
            self.steps[round(10 * (least + (most - least) * (number + 0.5) / SLICES))] += count / SLICES

    @property
    def count(self) -> float:
        """How many there are."""
        return sum(self.steps.values())

    @property
    def seconds(self) -> float:
        """What all of them took together."""
        return sum(step * count for step, count in self.steps.items()) / 10

    def within(self, share: float) -> float:
        """Return the seconds within which a share of them was over; 0 if there are none."""
        left = share * self.count
        for step in sorted(self.steps):
            left -= self.steps[step]
            if left <= 1e-9:
                return step / 10
        return self.longest

    @property
    def longest(self) -> float:
        """The longest of all; 0 if there are none."""
        return max(self.steps, default=0) / 10

    def beyond(self, seconds: float) -> float:
        """Return how many took longer."""
        return sum(count for step, count in self.steps.items() if step > 10 * seconds)


@dataclass(frozen=True, slots=True)
class Sample:
    """All deployments at one time."""

    at_s: float
    games: float
    stalled: float
    """Games in shards that nobody serves."""
    cores: Mapping[str, float]
    """Cores in use, by part."""
    pods: Mapping[str, int]
    """Pods that are ready, by part."""
    busiest: float
    """How busy the busiest owner is."""


@dataclass(slots=True)
class Tally:
    """Everything that is counted while a day goes by."""

    game_s: float = 0.0
    """Seconds of all games together."""
    stalled_s: float = 0.0
    """Of these, in shards that nobody serves, as integrated over time."""
    warming_s: float = 0.0
    """And in shards whose new owner has yet to read them."""
    slow_s: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    """And in which an action waits for more than a second, since a part is full."""
    stalls: Spread = field(default_factory=Spread)
    stalls_by_cause: dict[str, Spread] = field(default_factory=lambda: defaultdict(Spread))
    reconnects: Spread = field(default_factory=Spread)
    moves: float = 0.0
    """Of computers."""
    shortened: float = 0.0
    """Moves whose thinking was shortened."""
    least_granted: float = 1.0
    """The least share of its time that a move was granted."""
    unthought: float = 0.0
    """Moves made without thinking, since no worker was alive."""
    actions: float = 0.0
    lost: float = 0.0
    """Acknowledged actions that no server has any more."""
    lost_when_unprotected: float = 0.0
    """Of these, those of masters that had no replica at that moment."""
    begun: float = 0.0
    refused: float = 0.0
    """New games that were refused."""
    gateway_memory: float = 0.0
    """The largest share of its memory that a gateway used."""
    redis_memory: float = 0.0
    faults: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    samples: list[Sample] = field(default_factory=list)

    def stalled(self, cause: str, least: float, most: float, games: float) -> None:
        """Count games that stood still for between `least` and `most` seconds."""
        self.stalls.add(least, most, games)
        self.stalls_by_cause[cause].add(least, most, games)
        self.warming_s += games * (most - least) / 2
