"""The Celery app of finished games: the queue `results`, the Redis list `bw:queue:results` on the broker.

A message names sessions, and is acknowledged when its task has ended: one whose worker dies comes again after VISIBILITY_S.
The archive knows what is not taken, however that goes (publisher.py).
So whatever takes a session has to be idempotent by its id.
"""

from celery import Celery
from kombu import Queue

from services.runtime.redis_url import broker_settings
from services.runtime.settings import settings

RESULTS = "results"
"""The queue, and the task in it."""
PUZZLES = "puzzles"
"""The queue of workers who look for puzzles in finished games, and the task in it; they answer into `results`."""
TASK_MAX_S = 60
"""After how many seconds a task is given up."""
VISIBILITY_S = 120
"""When a message comes again whose worker has not ended its task."""

app = Celery("brettwerk-players", include=["services.players.results.tasks", "services.players.puzzles.intake"])
app.conf.update(
    accept_content=["json"],
    task_serializer="json",
    result_backend=None,
    task_ignore_result=True,
    task_queues=[Queue(RESULTS), Queue(PUZZLES)],
    task_default_queue=RESULTS,
    task_create_missing_queues=False,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_pool="solo",
    worker_prefetch_multiplier=1,
    worker_enable_remote_control=False,
    worker_send_task_events=False,
    worker_hijack_root_logger=False,
    worker_redirect_stdouts=False,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_channel_error_retry=True,
    visibility_timeout=VISIBILITY_S,
)
app.add_defaults(lambda: broker_settings(settings().broker_url, visibility_timeout=VISIBILITY_S))
