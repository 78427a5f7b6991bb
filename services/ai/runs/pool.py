"""The pool of processes that play runs, and look for puzzles when no run waits: a worker of both queues.

Its processes let all others on their machine go first.
"""

import contextlib
import logging
import os
import secrets
import signal
import threading
import time
from pathlib import Path
from typing import Any

import redis
from celery import signals
from celery.worker import state
from prometheus_client import multiprocess

from brettwerk_games.players.registry import players
from brettwerk_games.rules.registry import games
from services.ai.celery_worker import acknowledgements, exporter, hung_processes, shutdown
from services.ai.celery_worker.app import PUZZLES, STATISTICS, queue_key, when_forked, work_off
from services.ai.celery_worker.liveness import liveness_of
from services.ai.runs.queue import ALIVE_MS
from services.ai.runs.store import Hand
from services.ai.runs.tasks import open_hand
from services.runtime import logs
from services.runtime.identity import identity, when_renewed
from services.runtime.redis_url import open_blocking_redis
from services.runtime.settings import settings


def run(series: Path) -> None:
    """Run the pool until SIGTERM; `series` is the folder in which its processes count."""
    config = settings()
    slots = config.worker_concurrency or 1
    broker = open_blocking_redis(config.broker_url, socket_timeout=2, socket_connect_timeout=2)
    beat = _Beat(Hand(broker), secrets.token_hex(8))

    @signals.setup_logging.connect(weak=False)
    def configure_logs(**_: Any) -> None:
        logs.configure("statistics", config.log_level)
        logging.getLogger("celery.worker.strategy").setLevel(logging.WARNING)
        logging.getLogger("celery.app.trace").setLevel(logging.WARNING)

    def answer_probes() -> None:
        liveness = liveness_of(config, lambda: int(broker.llen(queue_key(STATISTICS))))
        signals.task_received.connect(lambda **_: liveness.took(), weak=False)
        liveness.watch()
        shown = exporter.WorkerSeries(series, lambda: slots, lambda: len(state.active_requests), "statistics")
        exporter.serve(config.metrics_listen, shown, liveness)

    @signals.worker_ready.connect(weak=False)
    def begin(sender: Any, **_: Any) -> None:
        hung_processes.watch(sender.pool._pool)
        shutdown.bound(config.grace_s, beat.goodbye)
        when_renewed(identity(config), lambda: os.kill(os.getpid(), signal.SIGTERM))
        beat.start()
        logs.logger(__name__).info("ready", slots=slots)

    @signals.worker_process_init.connect(weak=False)
    def begin_process(**_: Any) -> None:
        os.nice(config.runs_nice)
        open_hand()

    @signals.worker_process_shutdown.connect(weak=False)
    def end_process(pid: int, **_: Any) -> None:
        multiprocess.mark_process_dead(pid)  # type: ignore[no-untyped-call]

    when_forked(answer_probes)
    acknowledgements.install()
    games()
    players()
    try:
        work_off(f"{STATISTICS},{PUZZLES}", slots)
    finally:
        beat.goodbye()


class _Beat:
    """Says every now and then that the worker lives."""

    def __init__(self, hand: Hand, worker: str) -> None:
        self._hand, self._worker = hand, worker
        self._ended = threading.Event()

    def start(self) -> None:
        """Beat in a thread, from now on."""
        threading.Thread(target=self._run, name="beat", daemon=True).start()

    def goodbye(self) -> None:
        """Say that the worker ends."""
        self._ended.set()
        with contextlib.suppress(redis.RedisError, OSError):
            self._hand.goodbye(self._worker)

    def _run(self) -> None:
        while not self._ended.is_set():
            with contextlib.suppress(redis.RedisError, OSError):
                self._hand.beat(self._worker)
            time.sleep(ALIVE_MS / 3000)
