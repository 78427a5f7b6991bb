"""Deliveries of news to players who are not there, beside the players service: nobody waits for them.

In each way of delivery, what is due is taken and delivered, each item on its own, and a slow way keeps no other waiting.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, Table

from brettwerk.v1 import errors_pb2
from services.archive.access import Access
from services.players.news import backlog
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


class Outcome(StrEnum):
    """The outcome of handing a message to a push service or a mail server."""

    SENT = "sent"
    GONE = "gone"
    """Nobody is there any more: a subscription that has ended, an address that is refused for good."""
    FAILED = "failed"
    """It may succeed later."""


@dataclass(frozen=True, slots=True)
class Sent:
    """The result of a message."""

    outcome: Outcome
    why: str = ""
    """For logs and refusals: a status, or the name of an error. It holds no address and no text of others."""
    wait_s: float = 0.0
    """For how long the other side does not want to be asked again."""


class Delivery(ABC):
    """A way of delivery. Methods that read the database raise Refused (UNAVAILABLE)."""

    channel: str
    """The name in metrics."""
    table: Table
    """The table that says to whom news is delivered."""
    at_once: int
    """How many are taken in one go."""

    def __init__(self, store: Access, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._now_ms = now_ms

    async def deliver(self) -> int:
        """Deliver what is due; return how many recipients were checked.

        A failure for one recipient is logged, and the item comes again. Raises Refused while the database is away.
        """
        now_ms = self._now_ms()
        rows = await self._store.run(lambda connection: backlog.claim(connection, self.table, now_ms, self.at_once))
        for error in await asyncio.gather(*(self._deliver(row) for row in rows), return_exceptions=True):
            if isinstance(error, Refused) or (isinstance(error, BaseException) and not isinstance(error, Exception)):
                raise error
            if error is not None:
                # It comes again when its claim is over, and does not keep the others from theirs.
                log.error("news could not be delivered", channel=self.channel, exc_info=error)
        return len(rows)

    async def close(self) -> None:
        """Close what is open; by default there is nothing."""
        return

    @abstractmethod
    async def _deliver(self, row: Row[Any]) -> None:
        """Deliver to one of those that were taken."""


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
        changes, is_any_waiting = self._store.changes(), True
        while True:
            may_be_due = changes.may_have_come() or called.is_set() or is_any_waiting
            called.clear()
            try:
                if may_be_due:
                    is_any_waiting = True
                    while await way.deliver():
                        pass
                    if time.monotonic() - measured_s >= EVERY_S:
                        measured_s = time.monotonic()
                        is_any_waiting = await self._measure(way)
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

    async def _measure(self, way: Delivery) -> bool:
        """Say since when the first of what is due waits. Returns whether anything is due, now or later."""
        now_ms = self._now_ms()
        since_ms, is_any_waiting = await self._store.run(
            lambda connection: (
                backlog.oldest_due_ms(connection, way.table, now_ms),
                backlog.is_any_waiting(connection, way.table),
            )
        )
        metrics.NOTIFICATIONS_OLDEST.labels(way.channel).set(0 if since_ms is None else (now_ms - since_ms) / 1000)
        return is_any_waiting


def not_set_up(what: str) -> Refused:
    """Return the refusal for what the operator has not set up."""
    message = f"this server sends no {what}"
    return Refused(errors_pb2.REASON_UNKNOWN, message, details={"what": f"no_{what}"})
