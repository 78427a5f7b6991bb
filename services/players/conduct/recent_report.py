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
        self._making: asyncio.Task[Dated] | None = None
        self._newest: Dated | None = None

    async def get(self) -> Dated:
        """Return the newest report, making one if it is too old. Raises Refused (UNAVAILABLE)."""
        if self._newest is not None and self._now_ms() - self._newest.made_at_ms < KEPT_MS:
            return self._newest
        if self._making is None or self._making.done():
            self._making = asyncio.create_task(self._make())
            self._making.add_done_callback(_look_at)  # a failure that nobody waits for any more is not worth a warning
        # A call that is cancelled ends no thread: others go on waiting for the same report.
        return await asyncio.shield(self._making)

    async def _make(self) -> Dated:
        now_ms = self._now_ms()
        self._newest = Dated(await self._store.run(lambda connection: report(connection, now_ms)), now_ms)
        return self._newest


def _look_at(making: asyncio.Task[Dated]) -> None:
    if not making.cancelled():
        making.exception()
