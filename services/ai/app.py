"""The Celery app: how requests wait for workers, and what happens when a worker dies.

A queue is a Redis list on the broker: `bw:queue:move` (somebody waits for it) and `bw:queue:review` (nobody does). Workers
fetch nothing ahead, so the length of the list is the load, for autoscalers too.

A request is acknowledged when it is done. It comes back when its process dies (at once) or its worker does (after
`VISIBILITY_S`); what is too old by then is thrown away unread. That may repeat a request, never lose an answer: answers
name the version they were asked for, and the session takes the first one.
"""

from math import ceil

from celery import Celery
from kombu import Queue

from services.runtime.redis_url import for_celery
from services.runtime.settings import settings

MOVE = "move"
REVIEW = "review"
QUEUES = (MOVE, REVIEW)
THINK = "think"
"""The one task of workers, and its queue: a message there, a ticket, carries nothing but that somebody should think."""
TURN_S = 10.0
"""After so many seconds a process that still finds orders at the board ends its task, and leaves a ticket for the next."""
KEY_PREFIX = "bw:queue:"
"""Stands before the names of all keys of the queues."""

THINK_MOST_S = 9.0
"""The longest a player may think, whatever its level says."""
SUBMIT_S = 4.0
"""The longest that handing over an answer may take."""
SOFT_SPARE_S = 1.0
"""How much later than its own deadline a search is interrupted: players look at the clock themselves, a game's step does not."""
HARD_SPARE_S = 1.0
"""How much later than that and handing over the process is killed."""
VISIBILITY_S = 30
"""When a request of a lost worker is handed out again: twice the longest that one can take, so never while it is worked on."""


def soft_limit_s(think_s: float) -> int:
    """Return after how many seconds a search is interrupted."""
    return ceil(think_s + SOFT_SPARE_S)


def hard_limit_s(think_s: float) -> int:
    """Return after how many seconds the process is killed."""
    return ceil(soft_limit_s(think_s) + SUBMIT_S + HARD_SPARE_S)


def queue_key(queue: str) -> str:
    """Return the Redis key of a queue."""
    return KEY_PREFIX + queue


_broker, _transport = for_celery(settings().broker_url)
app = Celery("brettwerk", broker=_broker, include=["services.ai.tasks"])
app.conf.update(
    accept_content=["json"],
    task_serializer="json",
    result_backend=None,
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_queues=[Queue(name) for name in (*QUEUES, THINK)],
    task_default_queue=MOVE,
    task_create_missing_queues=False,
    task_soft_time_limit=soft_limit_s(THINK_MOST_S),
    task_time_limit=hard_limit_s(THINK_MOST_S),
    worker_pool="prefork",
    worker_prefetch_multiplier=1,
    worker_disable_prefetch=True,
    worker_cancel_long_running_tasks_on_connection_loss=True,
    worker_enable_remote_control=False,
    worker_send_task_events=False,
    worker_hijack_root_logger=False,
    worker_redirect_stdouts=False,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_channel_error_retry=True,  # a Redis that takes no writes for a while (its disk is full) ends no worker
    visibility_timeout=VISIBILITY_S,
    broker_transport_options={
        "visibility_timeout": VISIBILITY_S,
        "unacked_restore_interval": 1,
        "unacked_restore_throttle": 1,
        "socket_timeout": 5,
        "socket_connect_timeout": 2,
        "socket_keepalive": True,
        "health_check_interval": 10,
        "global_keyprefix": KEY_PREFIX,
        **_transport,
    },
)
