"""A crowd of tables of one system that can be held between windows, so that systems take turns on one machine."""

import asyncio
import time
from collections.abc import Callable, Mapping

from loadtests.actions.figures import Window
from loadtests.actions.pace import Pace
from loadtests.actions.table import Score, Table
from loadtests.processes import cpu_seconds

AT_ONCE = 16
"""Tables that are created at the same time."""
IDLE_WITHIN_S = 30.0
_LOOK_S = 0.01


class Crowd:
    """Tables that share a pace and a score. `pids` says whose CPU time is theirs."""

    def __init__(self, tables: list[Table], score: Score, pace: Pace, pids: Callable[[], Mapping[str, int]]) -> None:
        self.tables, self.score, self.pace, self._pids = tables, score, pace, pids

    async def begin(self) -> None:
        """Create all tables and return when every watcher has its first picture. Raises RuntimeError when that takes too long."""
        for first in range(0, len(self.tables), AT_ONCE):
            for table in self.tables[first : first + AT_ONCE]:
                table.begin()
            try:
                await self._all_idle(first, first + AT_ONCE)
            except TimeoutError as late:
                raise RuntimeError(f"tables could not begin: {self.score.faults}") from late

    async def window(self, seconds: float, warm_up: float) -> Window:
        """Let everybody play, and return what happened within `seconds` of it; afterwards nothing is under way."""
        self.pace.resume()
        await asyncio.sleep(warm_up)
        made = await self.rest(seconds)
        self.pace.pause()
        await self.until_idle()
        return made

    async def rest(self, seconds: float) -> Window:
        """Return what happens within `seconds`, without letting anybody play."""
        self.score.clear()
        self.pace.missed = 0
        before, whole, own, began = cpu_seconds(self._pids()), time.process_time(), time.thread_time(), time.perf_counter()
        await asyncio.sleep(seconds)
        own, whole, took = time.thread_time() - own, time.process_time() - whole, time.perf_counter() - began
        after = cpu_seconds(self._pids())
        cpu = {process: after[process] - before.get(process, 0.0) for process in after}
        return Window.of(self.score, took, cpu, (own, whole - own), self.pace.missed)

    async def until_idle(self) -> None:
        """Return when nothing is under way; what is after half a minute is a fault."""
        try:
            await self._all_idle(0, len(self.tables))
        except TimeoutError:
            stuck = [table for table in self.tables if not table.is_idle]
            self.score.fault(f"{len(stuck)} tables are stuck")
            for table in stuck:
                table.check()

    async def _all_idle(self, first: int, last: int) -> None:
        async with asyncio.timeout(IDLE_WITHIN_S):
            while not all(table.is_idle for table in self.tables[first:last]):  # noqa: ASYNC110 - between windows only
                await asyncio.sleep(_LOOK_S)

    def end(self) -> None:
        """Let nothing begin any more."""
        self.pace.pause()
        for table in self.tables:
            if table.creation is not None:
                table.creation.cancel()

    def check(self) -> list[str]:
        """Return what was not as it must be, once nothing is under way."""
        for table in self.tables:
            table.check()
        return self.score.faults
