"""The worker of finished games: `python -m services.players.intake.worker`.

SIGTERM ends it in peace: nothing new is taken, the task in hand is carried out. So do BRETTWERK_WORKER_IDLE_S seconds with
nothing to do.
"""

import os
import sys
import threading
import time

import redis
from celery.worker import state

from services.players.intake.app import RESULTS, app
from services.runtime import logs
from services.runtime.idle_end import IdleEnd, end_in_peace
from services.runtime.redis_url import QUEUE_PREFIX, open_blocking_redis
from services.runtime.settings import settings

ENDING_WITH_INPUT = "--ending-with-input"
"""The argument that has it end with its standard input, which its starter holds."""
_LOOK_S = 2.0


def main() -> None:
    """Work until SIGTERM, or until there has been nothing to do for a while."""
    config = settings()
    logs.configure("players-worker", config.log_level)
    if ENDING_WITH_INPUT in sys.argv:
        threading.Thread(target=_end_with_input, daemon=True).start()
    if config.worker_idle_s:
        threading.Thread(target=_end_when_idle, args=(config.broker_url, IdleEnd(config.worker_idle_s)), daemon=True).start()
    app.worker_main(["worker", "--queues", RESULTS, "--loglevel", "WARNING", "--without-gossip", "--without-mingle"])


def _end_with_input() -> None:
    while os.read(0, 4096):  # a stream's lock would be held when the process ends
        pass
    end_in_peace()


def _end_when_idle(broker_url: str, idle: IdleEnd) -> None:
    broker = open_blocking_redis(broker_url, socket_timeout=2, socket_connect_timeout=2)
    while True:
        try:
            idle.note(is_needed=bool(state.active_requests) or bool(broker.llen(QUEUE_PREFIX + RESULTS)))
        except (redis.RedisError, OSError):
            idle.note(is_needed=True)  # whatever waits cannot be seen
        time.sleep(_LOOK_S)


if __name__ == "__main__":
    main()
