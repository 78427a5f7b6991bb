"""Looks twice a second whether something waits, less often without runs, and leaves tickets for it. One too many does no harm."""

import asyncio

import redis
import redis.asyncio
from kombu.exceptions import OperationalError

from services.ai.celery_worker.app import STATISTICS, app, queue_key
from services.ai.runs.queue import EVERY_S, REST_S, TICKETS
from services.ai.runs.store import Runs, RunsStatus
from services.runtime import bell, metrics
from services.runtime.logs import logger

log = logger(__name__)

_TIMEOUT_S = 5.0
_POLICY = {"max_retries": 0}


async def sweep(runs: Runs, client: "redis.asyncio.Redis", bells: str = "") -> None:
    """Sweep again and again, until cancelled. While Redis cannot be reached nothing happens, and that is said once.

    `bells`: the folder of those that wake workers.
    """
    is_away, pause_s = False, EVERY_S
    while True:
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                status = await runs.status()
                queued = int(await client.llen(queue_key(STATISTICS)))
                if status.waits and not status.workers:
                    bell.ring(bells, STATISTICS)
            show(status)
            await asyncio.to_thread(publish, owed(status, queued))
        except (redis.RedisError, OperationalError, OSError, TimeoutError) as error:
            if not is_away:
                log.warning("runs cannot be reached", error=repr(error))
            is_away = True
        else:
            is_away = False
            pause_s = EVERY_S if status.open else REST_S
        await asyncio.sleep(pause_s)


def owed(status: RunsStatus, queued: int) -> int:
    """Return how many tickets are missing, when so many wait in the queue: a few, as long as anything waits."""
    return max(0, TICKETS - queued) if status.waits else 0


def publish(count: int) -> None:
    """Put so many tickets into the queue. Raises OperationalError, redis.RedisError or OSError without a broker."""
    if not count:
        return
    with app.producer_or_acquire() as producer:
        for _ in range(count):
            app.send_task(STATISTICS, queue=STATISTICS, producer=producer, retry=True, retry_policy=_POLICY, ignore_result=True)


def show(status: RunsStatus) -> None:
    """Set the gauges."""
    metrics.RUNS_OPEN.set(status.open)
    metrics.RUNS_WORKERS.set(status.workers)
    metrics.RUNS_IN_HAND.set(status.in_hand)
