"""How many sessions there are in the shards of this process, and whether the archive keeps up with those that end, as metrics.

Counts are looked up rather than kept, so nothing drifts when a process dies or a shard changes owners.
"""

import asyncio
import time
from collections.abc import Callable, Sequence

from services.archive.archive import Archive
from services.runtime import metrics
from services.runtime.refusal import Refused
from services.session.store.store import Store

EVERY_S = 15.0
"""How often they are looked up: as often as Prometheus scrapes by default."""


class SessionGauges:
    """Keeps the gauges up to date."""

    def __init__(self, store: Store, archive: Archive, shards: Callable[[], Sequence[int]]) -> None:
        """`shards` returns those of this process."""
        self._store = store
        self._archive = archive
        self._shards = shards

    async def run(self) -> None:
        """Keep counting, until cancelled."""
        while True:
            await asyncio.gather(self.look_at_sessions(), self.look_at_archive())
            await asyncio.sleep(EVERY_S)

    async def look_at_sessions(self) -> None:
        """Count once. While the store is down, the series keep their values."""
        try:
            counted = await asyncio.gather(*map(self._store.count_shard, self._shards()))
        except Refused:
            return
        metrics.SESSIONS_UNFINISHED.set(sum(shard.unfinished for shard in counted))
        metrics.ARCHIVE_WAITING.set(sum(shard.unarchived for shard in counted))
        ends = [shard.oldest_end_s for shard in counted if shard.oldest_end_s is not None]
        metrics.ARCHIVE_OLDEST.set(max(0.0, time.time() - min(ends)) if ends else 0.0)

    async def look_at_archive(self) -> None:
        """Query the archive's database once. If it takes too long, it is not up."""
        try:
            async with asyncio.timeout(EVERY_S):
                metrics.ARCHIVE_UP.set(await self._archive.is_ready())
        except TimeoutError:
            metrics.ARCHIVE_UP.set(0)
