"""One way of delivery, whatever it is: what is due is taken and delivered, each item on its own."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from sqlalchemy import Row, Table

from brettwerk.v1 import errors_pb2
from services.archive.access import Access
from services.players.news import backlog
from services.runtime.logs import logger
from services.runtime.refusal import Refused

log = logger(__name__)


class Delivery(ABC):
    """A way of delivery. What reads the database raises Refused (UNAVAILABLE)."""

    channel: str
    """What metrics call it."""
    table: Table
    """The table that says to whom news is delivered."""
    at_once: int
    """How many are taken in one go."""

    def __init__(self, store: Access, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._now_ms = now_ms

    async def deliver(self) -> int:
        """Deliver what is due; return how many recipients were checked.

        What fails for one recipient is logged and comes again. Raises Refused while the database is away.
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


def not_set_up(what: str) -> Refused:
    """Return the refusal for what the operator has not set up."""
    message = f"this server sends no {what}"
    return Refused(errors_pb2.REASON_UNKNOWN, message, details={"what": f"no_{what}"})
