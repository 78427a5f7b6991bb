"""What a worker does once its processes have been forked, and before it looks for its broker.

Celery's own signal `worker_ready` comes after the broker was reached. A worker whose broker is away has to answer probes all the
same, or it is taken for one that hangs, and killed again and again.
"""

from collections.abc import Callable
from typing import Any

from celery import Celery, bootsteps


def when_forked(app: Celery, begin: Callable[[], None]) -> None:
    """Have `begin` called by the main process of a worker of `app`: it may start threads, which no fork is to copy."""

    class Begin(bootsteps.StartStopStep):
        requires = ("celery.worker.components:Pool",)

        def start(self, parent: Any) -> None:
            begin()

    app.steps["worker"].add(Begin)
