"""Keeps delivering news to players who are not there, beside the players service: nobody waits for it."""

import asyncio
import time
from collections.abc import Callable, Sequence

from services.archive.access import Access
from services.players.news import backlog
from services.players.notifications.delivery import Delivery
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.refusal import Refused
from services.runtime.wall_clock import wall_ms

EVERY_S = 2.0
"""How often to check whether something is due that nobody has called for."""
TOGETHER_S = 0.5
"""The minimum time between two checks: with many players, news comes many times a second, and shares one check."""
_PAUSE_S = 10.0
_OUTCOMES = ("sent", "gone", "failed", "dropped")
log = logger(__name__)


class Delivering:
    """All ways of delivery that the operator has set up. Each goes on while another one is slow."""

    def __init__(self, store: Access, ways: Sequence[Delivery], now_ms: Callable[[], int] = wall_ms) -> None:
        self._store = store
        self._ways = ways
        self._now_ms = now_ms
        self._calls = {way.channel: asyncio.Event() for way in ways}
        for way in ways:
            for outcome in _OUTCOMES:
                metrics.NOTIFICATIONS.labels(way.channel, outcome)

    def call(self) -> None:
        """Note that there may be something to deliver."""
        for event in self._calls.values():
            event.set()

    async def run(self) -> None:
        """Deliver, until cancelled."""
        async with asyncio.TaskGroup() as group:
            for way in self._ways:
                group.create_task(self._run(way))

    async def close(self) -> None:
        """Close the connections."""
        for way in self._ways:
            await way.close()

    async def _run(self, way: Delivery) -> None:
        called, measured_s = self._calls[way.channel], float("-inf")
        while True:
            called.clear()
            try:
                while await way.deliver():
                    pass
                if time.monotonic() - measured_s >= EVERY_S:
                    measured_s = time.monotonic()
                    await self._measure(way)
            except Refused:
                await asyncio.sleep(_PAUSE_S)  # the database is away, and its access has said so
            except Exception as error:
                log.error("news could not be delivered", channel=way.channel, exc_info=error)
                await asyncio.sleep(_PAUSE_S)
            await asyncio.sleep(TOGETHER_S)
            try:
                async with asyncio.timeout(EVERY_S):
                    await called.wait()
            except TimeoutError:
                pass

    async def _measure(self, way: Delivery) -> None:
        now_ms = self._now_ms()
        since_ms = await self._store.run(lambda connection: backlog.oldest_due_ms(connection, way.table, now_ms))
        metrics.NOTIFICATIONS_OLDEST.labels(way.channel).set(0 if since_ms is None else (now_ms - since_ms) / 1000)
