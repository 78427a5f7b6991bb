"""Runs a worker: `python -m services.ai.worker`. One process for each CPU, unless BRETTWERK_WORKER_CONCURRENCY says otherwise.

SIGTERM ends it in peace: nothing new is fetched, what is being thought about is answered. What takes longer than
BRETTWERK_GRACE_S is given back to the queue for another worker (SIGQUIT does that at once).
"""

import os
import signal
import tempfile
import threading
from pathlib import Path
from typing import Any

from services.ai import exporter


def main() -> None:
    """Run a worker until SIGTERM."""
    with tempfile.TemporaryDirectory(prefix="brettwerk-worker-") as folder:
        os.environ.setdefault(exporter.FOLDER, folder)
        exporter.clear(Path(os.environ[exporter.FOLDER]))
        _run()


def _run() -> None:
    # prometheus_client decides at its import where it keeps its values, so nothing that uses it may be imported earlier.
    from celery import signals
    from prometheus_client import multiprocess

    from services.ai.app import app
    from services.ai.players.registry import players
    from services.ai.tasks import open_answers
    from services.games.registry import games
    from services.runtime import logs
    from services.runtime.settings import settings

    config = settings()

    def _configure_logs(**_: Any) -> None:
        logs.configure("worker", config.log_level)

    def _on_ready(**_: Any) -> None:
        exporter.serve(config.metrics_listen)
        logs.logger(__name__).info("ready", queues=config.worker_queues)

    def _on_process_start(**_: Any) -> None:
        open_answers()

    def _on_process_end(pid: int | None = None, **_: Any) -> None:
        multiprocess.mark_process_dead(pid)  # type: ignore[no-untyped-call]

    def _on_shutdown(**_: Any) -> None:
        bound = threading.Timer(config.grace_s, os.kill, (os.getpid(), signal.SIGQUIT))
        bound.daemon = True
        bound.start()

    signals.setup_logging.connect(_configure_logs, weak=False)
    signals.worker_ready.connect(_on_ready, weak=False)
    signals.worker_process_init.connect(_on_process_start, weak=False)
    signals.worker_process_shutdown.connect(_on_process_end, weak=False)
    signals.worker_shutting_down.connect(_on_shutdown, weak=False)
    games()
    players()
    arguments = [
        "worker",
        "--queues",
        config.worker_queues,
        "--without-gossip",
        "--without-mingle",
        "--without-heartbeat",
        "--quiet",
    ]
    if config.worker_concurrency:
        arguments += ["--concurrency", str(config.worker_concurrency)]
    app.worker_main(arguments)


if __name__ == "__main__":
    main()
