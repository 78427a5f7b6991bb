"""The one task of workers. The ticket that leads to it carries nothing: what is thought about stands on the board."""

import redis
from kombu.exceptions import OperationalError

from services.ai.board.heartbeat import Closing
from services.ai.board.worker_board import WorkerBoard
from services.ai.celery_worker.app import THINK, app
from services.ai.session_client import SessionClient
from services.ai.thought import alarm
from services.ai.thought.thinker import Thinker
from services.ai.thought.thought_cache import Thoughts
from services.ai.thought.turn import Turns
from services.runtime.logs import logger
from services.runtime.redis_url import open_blocking_redis
from services.runtime.settings import settings

log = logger(__name__)

_turns: list[Turns] = []
_LEAVE_POLICY = {"max_retries": 0}
"""The AI service leaves tickets, too: one that cannot be left is no loss."""


def open_turns(worker: str, closing: Closing) -> None:
    """Open what this process needs to take turns for a worker: once, after the fork."""
    config = settings()
    alarm.install()
    broker = open_blocking_redis(config.broker_url, socket_timeout=5, socket_connect_timeout=2, health_check_interval=10)
    hasty = open_blocking_redis(config.broker_url, socket_timeout=0.2, socket_connect_timeout=0.2)
    thinker = Thinker(Thoughts(hasty))
    board, client = WorkerBoard(broker, worker), SessionClient(config.session_address)
    _turns[:] = [Turns(board, client, thinker, broker, lambda: closing.has_begun)]


@app.task(name=THINK)
def think() -> None:
    """Take a turn at the board; leave a ticket where something waits still."""
    try:
        if _turns[0].take():
            app.send_task(THINK, queue=THINK, ignore_result=True, retry_policy=_LEAVE_POLICY)
    except (redis.RedisError, OperationalError, OSError) as error:
        log.warning("board cannot be reached", error=repr(error))
