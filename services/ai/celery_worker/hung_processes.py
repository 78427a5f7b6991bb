"""Kills processes of the pool that hang. The board bounds the time of an order from the moment that a process has taken it.

So nobody notices one that takes nothing: a process that is stopped, or deadlocked between two tickets, keeps the next ticket and
its place in the pool for ever. Here each process is looked at once a second. A process that has been sent a ticket and has not
taken it, or is stopped, at several looks in a row, is killed; Celery starts a new one.
"""

import contextlib
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from services.ai.celery_worker.processes import is_stopped
from services.runtime.logs import logger

log = logger(__name__)

LOOK_S = 1.0
LOOKS = 4
"""A process hangs when it does so often in a row. A ticket is taken within milliseconds."""


def suspects(pool: Any) -> set[int]:
    """Return the ids of the processes of a pool that have not taken what they were sent, or are stopped.

    The pool is a celery.concurrency.asynpool.AsynPool. Raises RuntimeError when it changes meanwhile.
    """
    sent = (job._write_to for job in pool._cache.values() if job._write_to is not None and not job._accepted and not job.ready())
    return {process.pid for process in sent} | {process.pid for process in pool._pool if is_stopped(process.pid)}


class Watch:
    """Counts looks at which a process was suspected, and kills it when there were enough in a row."""

    def __init__(self, suspected: Callable[[], Iterable[int]], kill: Callable[[int, int], None] = os.kill) -> None:
        self._suspected, self._kill = suspected, kill
        self._looks: Counter[int] = Counter()

    def look(self) -> None:
        """Look at all processes once."""
        try:
            pids = set(self._suspected())
        except RuntimeError:  # it changed while it was looked at: something goes on there
            return
        self._looks = Counter({pid: self._looks[pid] + 1 for pid in pids})
        for pid, looks in self._looks.items():
            if looks % LOOKS == 0:  # and no sooner again: it takes a moment until the pool knows
                log.warning("process hangs and is killed", pid=pid)
                with contextlib.suppress(ProcessLookupError):
                    self._kill(pid, signal.SIGKILL)


def watch(pool: Any) -> None:
    """Look again and again, in a thread."""
    watching = Watch(lambda: suspects(pool))

    def run() -> None:
        while True:
            time.sleep(LOOK_S)
            watching.look()

    threading.Thread(target=run, name="stuck", daemon=True).start()
