"""The Celery app of finished games: the queue `results`, the Redis list `bw:queue:results` on the broker.

A message names sessions, and is acknowledged when its task has ended: one whose worker dies comes again after VISIBILITY_S.
The archive knows what is not taken, however that goes (publisher.py).
So whatever takes a session has to be idempotent by its id.
"""

from celery import Celery
from kombu import Queue

from services.runtime.redis_url import CELERY_SETTINGS, broker_settings
from services.runtime.settings import settings

RESULTS = "results"
"""The queue, and the task in it."""
PUZZLES = "puzzles"
"""The queue of workers who look for puzzles in finished games, and the task in it; they answer into `results`."""
VISIBILITY_S = 120
"""When a message comes again whose worker has not ended its task."""

app = Celery("brettwerk-players", include=["services.players.intake.intake", "services.players.puzzles.intake"])
app.conf.update(
    CELERY_SETTINGS,
    task_queues=[Queue(RESULTS), Queue(PUZZLES)],
    task_default_queue=RESULTS,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_pool="solo",
    visibility_timeout=VISIBILITY_S,
)
app.add_defaults(lambda: broker_settings(settings().broker_url, visibility_timeout=VISIBILITY_S))
