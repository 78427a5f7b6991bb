"""The pool of processes that think. Everything that talks to the world is opened in a process of the pool, after the fork."""

import logging
import os
import secrets
import signal
from pathlib import Path
from typing import Any

from celery import signals
from celery.worker import state
from prometheus_client import multiprocess

from brettwerk_games.players.registry import endgame_tables, players, provide, warm_up
from brettwerk_games.rules.registry import games
from services.ai.board.heartbeat import Beat, Closing
from services.ai.board.worker_board import WorkerBoard
from services.ai.celery_worker import acknowledgements, exporter, hung_processes, shutdown
from services.ai.celery_worker.app import THINK, queue_key, when_forked, work_off
from services.ai.celery_worker.liveness import liveness_of
from services.ai.endgame_tables.agent import TablesAgent
from services.ai.endgame_tables.board import WorkerTablesBoard
from services.ai.thought.tasks import open_turns
from services.runtime import logs, trace
from services.runtime.identity import identity, when_renewed
from services.runtime.inner_calls import needed_inner_keys
from services.runtime.redis_url import open_blocking_redis
from services.runtime.settings import settings


def run(series: Path) -> None:
    """Run the pool until SIGTERM; `series` is the folder in which its processes count.

    Exits with 0 when all was done, with 2 and a plain sentence when it lacks the key of calls between services.
    """
    config = settings()
    needed_inner_keys(config)
    slots = config.worker_concurrency or os.cpu_count() or 1
    worker, closing = secrets.token_hex(8), Closing()
    pools: list[Any] = []
    board = open_blocking_redis(config.broker_url, socket_timeout=2, socket_connect_timeout=2)
    beat = Beat(WorkerBoard(board, worker), slots, lambda: [process.pid for process in pools[0]._pool], closing)
    tables = TablesAgent(WorkerTablesBoard(board, worker), endgame_tables())

    # Not weak, here and below: Celery would forget functions that only this one refers to.
    @signals.setup_logging.connect(weak=False)
    def configure_logs(**_: Any) -> None:
        logs.configure("worker", config.log_level)
        # Celery tells of every task twice; the turn says what is worth saying.
        logging.getLogger("celery.worker.strategy").setLevel(logging.WARNING)
        logging.getLogger("celery.app.trace").setLevel(logging.WARNING)

    def answer_probes() -> None:
        broker = open_blocking_redis(config.broker_url, socket_timeout=2, socket_connect_timeout=2)
        liveness = liveness_of(config, lambda: int(broker.llen(queue_key(THINK))), tables.is_building)
        signals.task_received.connect(lambda **_: liveness.took(), weak=False)
        liveness.watch()
        shown = exporter.WorkerSeries(series, lambda: slots, lambda: len(state.active_requests))
        exporter.serve(config.metrics_listen, shown, liveness)

    @signals.worker_ready.connect(weak=False)
    def begin(sender: Any, **_: Any) -> None:
        hung_processes.watch(sender.pool._pool)
        pools.append(sender.pool._pool)
        shutdown.bound(config.grace_s, beat.goodbye)
        when_renewed(identity(config), lambda: os.kill(os.getpid(), signal.SIGTERM))
        provide()
        beat.start()
        tables.start()
        logs.logger(__name__).info("ready", slots=slots)

    @signals.worker_process_init.connect(weak=False)
    def begin_process(**_: Any) -> None:
        trace.configure("worker", config)  # not before the fork: it has a thread
        open_turns(worker, closing)
        warm_up()

    @signals.worker_shutting_down.connect(weak=False)
    def close(**_: Any) -> None:
        beat.close()

    @signals.worker_process_shutdown.connect(weak=False)
    def end_process(pid: int, **_: Any) -> None:
        trace.flush()
        multiprocess.mark_process_dead(pid)  # type: ignore[no-untyped-call]

    when_forked(answer_probes)
    acknowledgements.install()
    games()
    players()
    # One process more than slots: a hint does not wait for long thoughts.
    try:
        work_off(THINK, slots + 1)
    finally:
        beat.goodbye()
        tables.goodbye()
