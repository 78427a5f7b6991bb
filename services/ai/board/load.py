"""How much is wanted of all workers together, as this process last heard of it."""

import asyncio
import time
from collections.abc import Callable

from services.ai.board.order import Urgency
from services.ai.board.want import Demand, Swept
from services.runtime.refusal import unavailable

STALE_S = 15.0
"""An older look is not trusted: KEDA is refused then, and leaves the workers as they are. A board at rest is swept every 5 s."""


class Load:
    """Kept up to date by sweeps of the board, and by what this process itself puts there."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        """`now_s` is a clock that nobody sets."""
        self._now_s = now_s
        self._demand: Demand | None = None
        self._person_wait_s = 0.0
        self._heard_s = 0.0
        self.change = asyncio.Event()
        """Set when `is_active` may be another than now; each change has an event of its own."""
        self._watchers = 0
        self.watched = asyncio.Event()
        """Set while anybody waits for one: the board is swept then as often as with workers."""

    def watch(self) -> None:
        """Somebody waits for changes from now on."""
        self._watchers += 1
        self.watched.set()

    def unwatch(self) -> None:
        """They do no longer."""
        self._watchers -= 1
        if not self._watchers:
            self.watched.clear()

    def sweep(self, swept: Swept) -> None:
        """Take in what a sweep has found."""
        persons = swept.classes[Urgency.PERSON]
        ahead_ms = persons.backlog_ms * (persons.waiting - 1) / persons.waiting if persons.waiting else 0.0
        self._person_wait_s = max(0.0, persons.oldest_ms, ahead_ms / max(1, swept.demand.slots)) / 1000
        self.hear(swept.demand)

    def hear(self, demand: Demand) -> None:
        """Take in how the board stands."""
        was_active = self._demand is not None and self._demand.is_active
        is_first = self._demand is None
        self._demand, self._heard_s = demand, self._now_s()
        if is_first or demand.is_active is not was_active:
            self.wake()

    def wake(self) -> None:
        """Let all who wait for a change look again."""
        self.change.set()
        self.change = asyncio.Event()

    def is_active(self) -> bool:
        """Return whether a worker is needed: something waits, or was wanted within a minute. Raises Refused (UNAVAILABLE)."""
        return self._fresh().is_active

    def ratio(self, clear_within_s: float) -> float:
        """Return the demand over the capacity of all workers: what waits is to be done within so many seconds.

        Without any worker it is that over a single thought at a time. Raises Refused (UNAVAILABLE).
        """
        demand = self._fresh()
        return (demand.wanted_ms / 1000 + demand.backlog_ms / 1000 / clear_within_s) / max(1, demand.slots)

    def person_wait_s(self) -> float:
        """Return how long a person has been waiting for a computer to begin, or the last of those who wait is going to.

        Raises Refused (UNAVAILABLE).
        """
        return self._person_wait_s if self._fresh().waiting else 0.0

    def _fresh(self) -> Demand:
        if self._demand is None or self._now_s() - self._heard_s > STALE_S:
            raise unavailable("board of the computer players")
        return self._demand
