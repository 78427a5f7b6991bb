"""The worker of finished games: `python -m services.players.intake.worker`, and what keeps it running beside the service.

SIGTERM ends it in peace: nothing new is taken, the task in hand is carried out. So do BRETTWERK_WORKER_IDLE_S seconds with
nothing to do. A worker that dies is started again, and none outlives the service that has started it.
"""

import asyncio
import contextlib
import os
import sys
import threading
import time

import redis

from services.players.intake.app import RESULTS, app
from services.runtime import logs
from services.runtime.bell import IdleEnd, end_in_peace
from services.runtime.logs import logger
from services.runtime.redis_url import QUEUE_PREFIX, open_blocking_redis
from services.runtime.settings import settings
from services.runtime.tasks import ended

log = logger(__name__)

ENDING_WITH_INPUT = "--ending-with-input"
"""The argument that has it end with its standard input, which its starter holds."""
_LOOK_S = 2.0
_FIRST_PAUSE_S, _MAX_PAUSE_S = 0.5, 30.0


class WorkerChild:
    """The worker's process."""

    def __init__(self, end_s: float) -> None:
        """`end_s`: how long it may take to end what it has begun."""
        self._end_s = end_s
        self._keeping: asyncio.Task[None] | None = None
        self._process: asyncio.subprocess.Process | None = None

    def start(self) -> None:
        """Begin to keep it running."""
        self._keeping = asyncio.create_task(self._keep())

    async def stop(self) -> None:
        """Let it end what it has begun, or kill it after `end_s`: the queue gives again whatever it has not done."""
        if self._keeping is not None:
            await ended(self._keeping)
        process = self._process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            async with asyncio.timeout(self._end_s):
                await process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _keep(self) -> None:
        pause = _FIRST_PAUSE_S
        while True:
            began = asyncio.get_running_loop().time()
            # Its standard input ends when this process does, however that happens.
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "services.players.intake.worker", ENDING_WITH_INPUT, stdin=asyncio.subprocess.PIPE
            )
            code = await self._process.wait()
            lived = asyncio.get_running_loop().time() - began
            pause = _FIRST_PAUSE_S if lived > _MAX_PAUSE_S else min(_MAX_PAUSE_S, pause * 2)
            log.warning("the worker of finished games ended", code=code)
            await asyncio.sleep(pause)


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
    from celery.worker import state  # the service that keeps a worker needs none of it

    broker = open_blocking_redis(broker_url, socket_timeout=2, socket_connect_timeout=2)
    while True:
        try:
            idle.note(is_needed=bool(state.active_requests) or bool(broker.llen(QUEUE_PREFIX + RESULTS)))
        except (redis.RedisError, OSError):
            idle.note(is_needed=True)  # whatever waits cannot be seen
        time.sleep(_LOOK_S)


if __name__ == "__main__":
    main()
