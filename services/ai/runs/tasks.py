"""The task of the workers of runs. The ticket that leads to it carries nothing: batches are taken from the store."""

import time
from collections.abc import Callable

import redis
from kombu.exceptions import OperationalError

from services.ai.celery_worker.app import STATISTICS, app
from services.ai.runs.batch import Unwanted, play_batch
from services.ai.runs.queue import HAND_MS, TASK_MAX_S, TURN_S
from services.ai.runs.store import Batch, Hand
from services.ai.runs.wish import check
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.redis_url import open_blocking_redis
from services.runtime.settings import settings

log = logger(__name__)

_ANY = 1_000_000
"""The bounds of the games of a run were checked when it was noted."""
_hands: list[Hand] = []


def open_hand() -> None:
    """Open what this process needs: once, after the fork."""
    broker = open_blocking_redis(settings().broker_url, socket_timeout=5, socket_connect_timeout=2, health_check_interval=10)
    _hands[:] = [Hand(broker)]


@app.task(name=STATISTICS, time_limit=TASK_MAX_S)
def play() -> None:
    """Play batches for a while; leave a ticket where something waits still."""
    hand = _hands[0]
    until = time.monotonic() + TURN_S
    try:
        while time.monotonic() < until:
            batch = hand.take()
            if batch is None:
                return
            carry_out(hand, batch)
        if hand.waits():
            app.send_task(STATISTICS, queue=STATISTICS, ignore_result=True, retry_policy={"max_retries": 0})
    except (redis.RedisError, OperationalError, OSError) as error:
        log.warning("runs cannot be reached", error=repr(error))


def carry_out(hand: Hand, batch: Batch) -> None:
    """Play a batch and have it counted. Raises redis.RedisError or OSError; then it is played again later."""
    game = batch.wish.game
    began = time.monotonic()
    try:
        games, tallies = play_batch(check(batch.wish, _ANY), batch.number, _holding(hand, batch))
    except Unwanted:
        return
    except (redis.RedisError, OSError):
        raise
    except Exception as error:
        log.error("batch cannot be played", game=game, run=batch.run_id[:8], batch=batch.number, exc_info=error)
        metrics.RUN_GAMES.labels(game, "failed").inc()
        hand.fail(batch)
        return
    counted = hand.finish(batch, games, tallies)
    metrics.RUN_SECONDS.labels(game).inc(time.monotonic() - began)
    metrics.RUN_GAMES.labels(game, "counted" if counted else "late").inc(games)


def _holding(hand: Hand, batch: Batch) -> Callable[[], bool]:
    """Return what says now and then that the batch is being played, and tells whether to go on."""
    reported_at = time.monotonic()

    def go_on() -> bool:
        nonlocal reported_at
        if time.monotonic() < reported_at + HAND_MS / 4000:
            return True
        reported_at = time.monotonic()
        return hand.hold(batch)

    return go_on
