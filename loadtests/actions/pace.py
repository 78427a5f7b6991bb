"""When tables act: at once, after thinking, at a fixed rate whatever answers take, or never, each game being left for the next.

A pace can be paused between windows.
"""

import asyncio
import random
import time
from collections import deque
from typing import Protocol

MAX_BACKLOG_S = 1.0
"""Arrivals that found no table wait at most as many as come in this time; more are counted as missed."""
_TICK_S = 0.001


class Ready(Protocol):
    """A table at which somebody is to act."""

    def act(self, at: float) -> None:
        """Play an action; its latency is counted from `at` (of time.perf_counter)."""
        ...

    def begin_another(self) -> None:
        """Count the game as created, leave it as it is, and begin the next."""
        ...


class Pace:
    """Without thinking: whoever is to act does so at once."""

    def __init__(self) -> None:
        self.open = False
        self.missed = 0
        self._held: list[Ready] = []

    def ready(self, table: Ready) -> None:
        """Take a table at which somebody is to act."""
        if self.open:
            self._go(table)
        else:
            self._held.append(table)

    def resume(self) -> None:
        """Go on with those that were held."""
        self.open, self.missed = True, 0
        held, self._held = self._held, []
        for table in held:
            self._go(table)

    def pause(self) -> None:
        """Hold everybody from now on; what was sent is not called back."""
        self.open = False

    def _go(self, table: Ready) -> None:
        table.act(time.perf_counter())


class Creating(Pace):
    """Nobody acts: as soon as everybody has seen that a game has begun, they leave it and begin the next."""

    def _go(self, table: Ready) -> None:
        table.begin_another()


class Thinking(Pace):
    """Each thinks for half to one and a half times of `mean_s`."""

    def __init__(self, mean_s: float, dice: random.Random) -> None:
        super().__init__()
        self._mean_s, self._dice = mean_s, dice

    def _go(self, table: Ready) -> None:
        asyncio.get_running_loop().call_later(self._mean_s * self._dice.uniform(0.5, 1.5), self._thought, table)

    def _thought(self, table: Ready) -> None:
        if self.open:
            table.act(time.perf_counter())
        else:
            self._held.append(table)


class Rate(Pace):
    """An open loop: actions arrive at random with a mean rate, however long the ones before take.

    One that finds no table where somebody is to act waits for one, and its waiting counts. When the driver itself was late, an
    action counts from when it woke: that is not the system's doing.
    """

    def __init__(self, per_s: float, dice: random.Random) -> None:
        super().__init__()
        self._per_s, self._dice = per_s, dice
        self._next = 0.0
        self._free: deque[Ready] = deque()
        self._waiting: deque[float] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def resume(self) -> None:
        """Let actions arrive."""
        self._next = time.perf_counter()
        super().resume()
        self._tick()

    def pause(self) -> None:
        """Let none arrive any more; those that wait for a table are forgotten."""
        super().pause()
        if self._timer is not None:
            self._timer.cancel()
        self._waiting.clear()
        self._held.extend(self._free)
        self._free.clear()

    def _go(self, table: Ready) -> None:
        if self._waiting:
            table.act(self._waiting.popleft())
        else:
            self._free.append(table)

    def _tick(self) -> None:
        now = time.perf_counter()
        while self._next <= now:
            self._next += self._dice.expovariate(self._per_s)
            if self._free:
                self._free.popleft().act(now)
            elif len(self._waiting) < self._per_s * MAX_BACKLOG_S:
                self._waiting.append(now)
            else:
                self.missed += 1
        self._timer = asyncio.get_running_loop().call_later(max(_TICK_S, self._next - now), self._tick)
