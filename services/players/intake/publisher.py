"""Feeds the queue of finished games from the archive: what is not delivered yet is published, and again after a while.

The session service has no part in it: it has done its own when the archive has the game. A broker that is away, or no worker,
costs nothing but time, and a queue that was lost is published anew. While something waits it rings for the worker, which may rest
(services/runtime/bell.py).
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

import redis
from kombu.exceptions import OperationalError
from sqlalchemy.exc import SQLAlchemyError

from services.archive.outbox import Outbox, Waiting
from services.players.intake.app import RESULTS, app
from services.runtime import metrics
from services.runtime.bell import ring
from services.runtime.logs import logger
from services.runtime.redis_url import QUEUE_PREFIX

EVERY_S = 1.0
"""How often to check whether there is something to publish."""
_QUEUE_EVERY = 5
"""Looks after which the queue is asked about while the archive says nothing: workers who look for puzzles answer into it."""
IN_FLIGHT = 500
"""Sessions that are published and not delivered yet, at most."""
IN_A_MESSAGE = 50
AGAIN_S, MAX_AGAIN_S = 60.0, 3600.0
"""When a session is published again that is still not delivered: first, and at most, since the wait doubles with each time."""
_PAUSE_S = 10.0
_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.1}

log = logger(__name__)


class Publisher:
    """Publishes."""

    def __init__(self, outbox: Outbox, publish: Callable[[Sequence[str]], None] | None = None) -> None:
        """`publish` puts session ids into the queue; it may block."""
        self._outbox = outbox
        self._publish = publish or _publish
        self._next: dict[str, tuple[float, float]] = {}
        """Of each session in flight: when it is published again, and how long it waits after that."""

    async def run(self, broker: "redis.Redis", bells: str | Path) -> None:
        """Publish again and again, until cancelled, and ring for the worker, in a folder of bells, while something waits."""
        changes = self._outbox.changes()
        for looks in count():
            try:
                if changes.may_have_come() or self._next or looks % _QUEUE_EVERY == 0:
                    await asyncio.to_thread(self._feed_and_ring, broker, bells)
            except (SQLAlchemyError, OperationalError, redis.RedisError, OSError) as error:
                log.warning("finished games could not be published", error=type(error).__name__)
                await asyncio.sleep(_PAUSE_S)
            await asyncio.sleep(EVERY_S)

    def _feed_and_ring(self, broker: "redis.Redis", bells: str | Path) -> None:
        self.feed(time.monotonic())
        if self._next or broker.llen(QUEUE_PREFIX + RESULTS):
            ring(bells, RESULTS)

    def feed(self, now_s: float) -> int:
        """Publish what is due by a steady clock; return how many sessions. Raises what the database and the broker raise."""
        waiting = self._outbox.undelivered(IN_FLIGHT)
        _measure(waiting)
        self._next = {one.session_id: self._next.get(one.session_id, (now_s, AGAIN_S)) for one in waiting}
        due = [session_id for session_id, (at_s, _) in self._next.items() if at_s <= now_s]
        for first in range(0, len(due), IN_A_MESSAGE):
            lot = due[first : first + IN_A_MESSAGE]
            self._publish(lot)
            for session_id in lot:
                wait_s = self._next[session_id][1]
                self._next[session_id] = (now_s + wait_s, min(MAX_AGAIN_S, wait_s * 2))
        return len(due)


def _measure(waiting: Sequence[Waiting]) -> None:
    metrics.RESULTS_WAITING.set(len(waiting))
    oldest_s = time.time() - waiting[0].finished_at_ms / 1000 if waiting else 0.0
    metrics.RESULTS_OLDEST.set(max(0.0, oldest_s))


def _publish(session_ids: Sequence[str]) -> None:
    app.send_task(RESULTS, args=[list(session_ids)], queue=RESULTS, retry=True, retry_policy=_POLICY, ignore_result=True)
