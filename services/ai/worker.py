"""Runs a worker: `python -m services.ai.worker`. One thought for each CPU, unless BRETTWERK_WORKER_CONCURRENCY says otherwise.

With BRETTWERK_WORKER_QUEUE=statistics it plays runs of games for statistics instead (services/ai/runs), one at a time.

SIGTERM ends it in peace: nothing new is taken, what is being thought about is answered. A thought that takes longer than
BRETTWERK_GRACE_S is given back to the board for another worker; SIGQUIT gives everything back at once.
"""

import asyncio
import contextlib
import os
from pathlib import Path

from services.ai.celery_worker import series_folder

SERIES_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable by which prometheus_client finds out, when it is imported, that many processes count together."""


def main() -> None:
    """Run a worker until SIGTERM. Exits with 2 and a sentence when the broker does not let it in."""
    with contextlib.ExitStack() as stack:
        if SERIES_FOLDER not in os.environ:
            os.environ[SERIES_FOLDER] = str(stack.enter_context(series_folder.own_folder()))
        series = Path(os.environ[SERIES_FOLDER])
        # Of a worker that was killed: its processes would be counted for ever.
        for left_over in series.glob("*.db"):
            left_over.unlink()

        # not earlier: they import prometheus_client
        from services.ai.runs import pool as runs_pool
        from services.ai.thought import pool
        from services.runtime.identity import identity
        from services.runtime.redis_fault import require_no_fault
        from services.runtime.server_socket import bind_or_exit
        from services.runtime.settings import settings

        config = settings()
        asyncio.run(require_no_fault("BRETTWERK_BROKER_URL", config.broker_url))
        identity(config)  # Celery goes on where one of its signals exits
        if config.metrics_listen:
            bind_or_exit(config.metrics_listen).close()  # it is bound after the fork
        work = runs_pool.run if config.worker_queue == "statistics" else pool.run
        work(series)


if __name__ == "__main__":
    main()
