"""The Celery app: how workers learn that something is to be thought about.

The order stands on the board (services/ai/board). A message in the queue, the Redis list `bw:queue:think` on the broker, is a
ticket: it carries nothing, and a process of a worker that gets one looks at the board. There are about as many tickets as places
that are idle while something waits, so workers fetch nothing ahead, and a ticket is acknowledged when it is taken: one that is
lost is left again by the AI service, which compares tickets and board all the time.
"""

from collections.abc import Callable
from typing import Any

from celery import Celery, bootsteps
from kombu import Queue

from services.runtime.redis_url import CELERY_SETTINGS, QUEUE_PREFIX, broker_settings
from services.runtime.settings import settings

THINK = "think"
"""The one task of workers that think, and its queue."""
STATISTICS = "statistics"
"""The one task of workers of runs, and its queue (services/ai/runs). They take no moves, so no move waits for a run."""
PUZZLES = "puzzles"
"""The queue of puzzles, and its one task (services/ai/puzzles). Its workers are those of runs, who take from it last of all."""
RESULTS = "results"
"""The queue of the players service, where puzzles go that were made."""
TURN_S = 10.0
"""After how many seconds a process that still finds orders at the board ends its task, and leaves a ticket for the next."""
THINK_MAX_S = 9.0
"""The longest a player may think, whatever its level says."""
TASK_MAX_S = 60
"""After so many seconds a task's process is killed, whatever the board says; a turn with the longest thought takes half of it."""
VISIBILITY_S = 30
"""When a ticket is left again that a worker fetched and no process took."""


def queue_key(queue: str) -> str:
    """Return the Redis key of a queue."""
    return QUEUE_PREFIX + queue


app = Celery("brettwerk", include=["services.ai.thought.tasks", "services.ai.runs.tasks", "services.ai.puzzles.tasks"])
app.conf.update(
    CELERY_SETTINGS,
    task_queues=[Queue(THINK), Queue(STATISTICS), Queue(PUZZLES), Queue(RESULTS)],
    task_default_queue=THINK,
    task_time_limit=TASK_MAX_S,
    worker_pool="prefork",
    worker_disable_prefetch=True,
    worker_cancel_long_running_tasks_on_connection_loss=True,
    visibility_timeout=VISIBILITY_S,
)
app.add_defaults(
    lambda: broker_settings(
        settings().broker_url, visibility_timeout=VISIBILITY_S, unacked_restore_interval=1, unacked_restore_throttle=1
    )
)


def work_off(queues: str, concurrency: int, pool: str = "prefork") -> None:
    """Run a Celery worker for queues (by commas) until told to end, with so many processes of a pool; "solo": none but this."""
    arguments = ["--quiet", "worker", "--pool", pool, "--queues", queues, "--concurrency", str(concurrency)]
    app.worker_main([*arguments, "--without-gossip", "--without-mingle", "--without-heartbeat"])


def when_forked(begin: Callable[[], None]) -> None:
    """Have `begin` called by a worker's main process once its processes have been forked, and before it looks for its broker.

    It may start threads, which no fork is to copy. Celery's own signal `worker_ready` comes after the broker was reached: without
    its broker, too, a worker has to answer probes, or it is taken for one that hangs, and killed again and again.
    """

    class Begin(bootsteps.StartStopStep):
        requires = ("celery.worker.components:Pool",)

        def start(self, parent: Any) -> None:
            begin()

    app.steps["worker"].add(Begin)
