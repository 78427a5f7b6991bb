"""Tickets: the messages that tell workers that somebody should think. They carry nothing, and one too many does no harm."""

import asyncio

import redis
from kombu.exceptions import OperationalError

from services.ai.celery_worker.app import THINK, app
from services.runtime import metrics
from services.runtime.logs import logger

log = logger(__name__)

_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.1}
"""One more try, for a connection that the broker closed meanwhile. The next sweep sees what is missing then."""


class Tickets:
    """Publishes what is owed, all of it at once. Celery blocks, so a thread does it."""

    def __init__(self) -> None:
        """Owe nothing yet."""
        self._owed = 0
        self._bell = asyncio.Event()

    def owe(self, count: int) -> None:
        """Publish so many tickets soon."""
        if count > 0:
            self._owed += count
            self._bell.set()

    async def run(self) -> None:
        """Publish, until cancelled."""
        while True:
            await self._bell.wait()
            self._bell.clear()
            owed, self._owed = self._owed, 0
            try:
                await asyncio.to_thread(publish, owed)
            except (OperationalError, redis.RedisError, OSError) as error:
                log.warning("tickets could not be published", count=owed, error=repr(error))


def publish(count: int) -> None:
    """Put so many tickets into the queue. Raises OperationalError, redis.RedisError or OSError without a broker."""
    with app.producer_or_acquire() as producer:
        for _ in range(count):
            app.send_task(THINK, queue=THINK, producer=producer, retry=True, retry_policy=_POLICY, ignore_result=True)
            metrics.AI_TICKETS.inc()
