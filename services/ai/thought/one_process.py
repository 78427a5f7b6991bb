"""A worker inside the process of the services, for debuggers: no process is forked, and what is thought happens in its thread.

It is the main thread, since that is where a search can be interrupted (alarm.py).
"""

import os
import secrets
import warnings
from typing import Any

from celery import signals
from celery.exceptions import SecurityWarning

from brettwerk_games.players.registry import endgame_tables, players, provide, warm_up
from brettwerk_games.rules.registry import games
from services.ai.board.heartbeat import Beat, Closing
from services.ai.board.worker_board import WorkerBoard
from services.ai.celery_worker import acknowledgements
from services.ai.celery_worker.app import THINK, work_off
from services.ai.endgame_tables.agent import TablesAgent
from services.ai.endgame_tables.board import WorkerTablesBoard
from services.ai.thought.tasks import open_turns
from services.runtime.redis_url import open_blocking_redis
from services.runtime.settings import settings


def _nobody(_pid: int, _signal: int) -> None:
    """Kill nobody: who thinks for too long is somebody at a breakpoint."""


def work() -> None:
    """Work until SIGINT or SIGTERM. To be called in the main thread."""
    config = settings()
    worker, closing = secrets.token_hex(8), Closing()
    board = open_blocking_redis(config.broker_url, socket_timeout=2, socket_connect_timeout=2)
    beat = Beat(WorkerBoard(board, worker), 1, lambda: [os.getpid()], closing, _nobody)
    tables = TablesAgent(WorkerTablesBoard(board, worker), endgame_tables())

    @signals.setup_logging.connect(weak=False)
    def leave_logs(**_: Any) -> None:
        """Leave logs as they are configured for all."""

    @signals.worker_ready.connect(weak=False)
    def begin(**_: Any) -> None:
        beat.start()
        tables.start()

    @signals.worker_shutting_down.connect(weak=False)
    def close(**_: Any) -> None:
        beat.close()

    acknowledgements.install()
    games()
    players()
    provide()
    open_turns(worker, closing)
    warm_up()
    warnings.simplefilter("ignore", SecurityWarning)  # who debugs as root knows
    try:
        work_off(THINK, 1, "solo")
    finally:
        beat.goodbye()
        tables.goodbye()
