"""The lists of `report`, made at most once in ten minutes however many moderators ask: they cost seconds of CPU time."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from services.archive.access import Access
from services.players.conduct.report import Report, report
from services.runtime.wall_clock import wall_ms

KEPT_MS = 600_000
"""How long a report is shown before another one is made."""


class Dated(NamedTuple):
    """A report with the time when it was made, in ms since 1970."""

    report: Report
    made_at_ms: int


class RecentReport:
    """The newest report, in memory. Ask for it only for callers whose role has been checked."""

    def __init__(self, store: Access, now_ms: Callable[[], int] = wall_ms) -> None:
        """`store`: that of the players service; the report is made in one of its threads."""
        self._store = store
        self._now_ms = now_ms
        self._making = asyncio.Lock()
        self._newest: Dated | None = None

    async def get(self) -> Dated:
        """Return the newest report, making one if it is too old. Raises Refused (UNAVAILABLE)."""
        # Those who ask meanwhile wait for the same one.
        async with self._making:
            now_ms = self._now_ms()
            if self._newest is None or now_ms - self._newest.made_at_ms >= KEPT_MS:
                self._newest = Dated(await self._store.run(lambda connection: report(connection, now_ms)), now_ms)
            return self._newest
