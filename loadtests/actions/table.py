"""A table as the driver has it: one game after the other, driven by what its watchers are told, and a check of all of that."""

import abc
import asyncio
import random
import time
from dataclasses import dataclass, field

from loadtests.actions.pace import Pace
from loadtests.crowd.results import Results

_UNKNOWN = -1
MAX_FAULTS = 20


@dataclass
class Score(Results):
    """The counts of a crowd's tables since they were cleared; faults are kept for good."""

    faults: list[str] = field(default_factory=list)

    def fault(self, what: str) -> None:
        """Remember that something was not as it must be."""
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(what)


class Table(abc.ABC):
    """One table with some watchers, of whom the first ones are players.

    Versions that watchers see have no gap, and when a game is over, or the crowd has been held, every watcher has exactly the
    versions that were acknowledged: whatever else is seen is a fault.
    """

    def __init__(self, watchers: int, score: Score, pace: Pace, dice: random.Random) -> None:
        self.watchers, self.score, self.pace, self.dice = watchers, score, pace, dice
        self.creation: asyncio.Task[None] | None = None
        self.left = 0
        """How many games its people have left unfinished."""
        self._began_s = 0.0
        self._clear()

    def _clear(self) -> None:
        self._last = [_UNKNOWN] * self.watchers
        self._pictures = 0
        self._over = 0
        self._actor, self._version = 0, _UNKNOWN
        self._choices: object = None
        """Of the newest version in which somebody may act: who, and what."""
        self._first_acted = _UNKNOWN
        self._acknowledged = 0
        self._flying: set[int] = set()
        self._sent: dict[int, list[float]] = {}

    @abc.abstractmethod
    async def create(self) -> None:
        """Found a game with its players, and begin all watches."""

    @abc.abstractmethod
    def send(self, watcher: int, version: int, choices: object) -> None:
        """Send an action of a player for a version, chosen of `choices`."""

    def begin(self) -> None:
        """Begin the next game; `creation` is done when its watches were asked for."""
        self._clear()
        self._began_s = time.perf_counter()
        self.creation = asyncio.get_running_loop().create_task(self._create())

    def begin_another(self) -> None:
        """Count the game as created, leave it as it is, and begin the next."""
        self.score.accepted += 1
        self.score.latencies_s.append(time.perf_counter() - self._began_s)
        self.left += 1
        self.begin()

    async def _create(self) -> None:
        try:
            await self.create()
        except Exception as error:  # noqa: BLE001 - whatever keeps a table from beginning is told at the end
            self.score.fault(f"a table could not begin: {error!r}")

    def act(self, at: float) -> None:
        """Play an action; its latency is counted from `at`."""
        if self._first_acted == _UNKNOWN:
            self._first_acted = self._version
        self._sent[self._version + 1] = [at, 0]
        self._flying.add(self._version + 1)
        self.send(self._actor, self._version, self._choices)

    def saw(self, watcher: int, version: int, choices: object, *, over: bool) -> None:
        """Take a version that a watcher was told, with what they may do there (false for nothing)."""
        last = self._last[watcher]
        self._last[watcher] = version
        if last == _UNKNOWN:
            self._pictures += 1
        elif version != last + 1:
            self.score.fault(f"a watcher saw version {version} after {last}")
        if (sent := self._sent.get(version)) is not None:
            sent[1] += 1
            if sent[1] == self.watchers:
                self.score.latencies_s.append(time.perf_counter() - sent[0])
                del self._sent[version]
        if over:
            self._over += 1
            self._end()
            return
        if choices and version > self._version:
            self._actor, self._choices, self._version = watcher, choices, version
            if self._pictures == self.watchers:
                self.pace.ready(self)
                return
        # Nobody acts before everybody has seen the beginning.
        if last == _UNKNOWN and self._pictures == self.watchers and self._choices:
            self.pace.ready(self)

    def answered(self, version: int) -> None:
        """Count an acknowledged action and the version that it made."""
        self._acknowledged += 1
        self.score.accepted += 1
        if version in self._flying:
            self._flying.remove(version)
        else:
            self.score.fault(f"version {version} was acknowledged, and asked for were {sorted(self._flying)}")
        if self._over:
            self._end()

    def refused(self, why: str) -> None:
        """Count a refused action: a driver that plays legal actions is never refused."""
        self.score.refused(why)
        self.score.fault(f"refused: {why}")

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way: no action, no version, no beginning."""
        return not self._flying and self._pictures == self.watchers and not self._missing() and not self._over

    def check(self) -> None:
        """Compare what watchers saw with what was acknowledged."""
        if self._first_acted != _UNKNOWN and (missing := self._missing()):
            self.score.fault(f"{self._acknowledged} actions acknowledged from version {self._first_acted}: {missing}")

    def _missing(self) -> str:
        if self._first_acted == _UNKNOWN:
            return ""
        want = self._first_acted + self._acknowledged
        return ", ".join(f"watcher {number} is at {last}" for number, last in enumerate(self._last) if last != want)

    def _end(self) -> None:
        if self._over == self.watchers and not self._flying:
            self.check()
            self.score.games += 1
            self.begin()
