"""Looks after the board twice a second, less often at rest, and shows how it stands.

Each process of the AI service does; one of them acts.
"""

import asyncio

import redis
import redis.asyncio

from services.ai.board.board import Board
from services.ai.board.load import Load
from services.ai.board.want import Demand, Swept
from services.ai.celery_worker.app import THINK, queue_key
from services.ai.celery_worker.tickets import Tickets
from services.runtime import bell, metrics
from services.runtime.logs import logger
from services.runtime.tasks import ends_within

log = logger(__name__)

EVERY_S = 0.5
REST_S = 5.0
"""How often where nothing waits and no worker lives: what is wanted then is seen to at once, by whoever takes it."""
_TIMEOUT_S = 5.0


async def sweep(board: Board, client: "redis.asyncio.Redis", tickets: Tickets, bells: str, load: Load) -> None:
    """Sweep again and again, until cancelled. While Redis cannot be reached nothing happens, and that is said once.

    `bells`: the folder of those that wake workers. `load` is told what each sweep has found.
    """
    is_away, is_resting = False, False
    while True:
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                swept = await board_swept(board, client)
                wake(swept.demand, bells)
        except (redis.RedisError, OSError, TimeoutError) as error:
            if not is_away:
                log.warning("board cannot be reached", error=repr(error))
            is_away = True
        else:
            is_away = False
            tickets.owe(swept.tickets)
            show(swept)
            load.sweep(swept)
            is_resting = not (swept.demand.waiting or swept.demand.workers or load.watched.is_set())
        if is_resting:
            await ends_within(REST_S, load.watched.wait())
        else:
            await asyncio.sleep(EVERY_S)


def wake(demand: Demand, bells: str) -> None:
    """Ring for workers if something waits and there is none."""
    if demand.waiting and not demand.workers:
        bell.ring(bells, THINK)


async def board_swept(board: Board, client: "redis.asyncio.Redis") -> Swept:
    """Sweep once, and return what that found. Raises redis.RedisError or OSError while Redis cannot be reached."""
    server, queued = await asyncio.gather(client.info("server"), client.llen(queue_key(THINK)))
    return await board.sweep(int(queued), str(server["run_id"]))


def show(swept: Swept) -> None:
    """Set the gauges, and count what the board was told by workers."""
    for waits, demand in swept.classes.items():
        metrics.AI_WANTED.labels(waits.label).set(demand.waiting)
        metrics.AI_OLDEST.labels(waits.label).set(max(0, demand.oldest_ms) / 1000)
    metrics.AI_BACKLOG.set(swept.demand.backlog_ms / 1000)
    metrics.AI_BOARD_ENTRIES.set(swept.demand.noted)
    metrics.AI_SLOTS.set(swept.demand.slots)
    metrics.AI_WORKERS.set(swept.demand.workers)
    for outcome, count in swept.outcomes.items():
        metrics.AI_ATTEMPTS.labels(outcome).inc(count)
