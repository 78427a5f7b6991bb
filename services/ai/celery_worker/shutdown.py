"""Bounds a worker's end: who was told to end in peace has a while for it, then is made to, then is ended.

Celery's own bound, worker_soft_shutdown_timeout, always sleeps for all of it, and a signal handler of ours may start no
thread: it may have interrupted one being started. So a thread waits from the beginning and only looks at a flag.
"""

import faulthandler
import os
import signal
import threading
import time
from collections.abc import Callable

import billiard
from celery import signals

from services.runtime.logs import logger

log = logger(__name__)

_LOOK_S = 0.1
COLD_S = 3.0
"""How long a cold shutdown may take before the process is ended from inside."""
ENDED_FROM_INSIDE = os.EX_TEMPFAIL
"""The exit code of a worker that was: what it had in hand is asked for again, and nothing else is amiss."""


def bound(grace_s: float, goodbye: Callable[[], None]) -> None:
    """Watch over the end of this worker: SIGQUIT `grace_s` after it was told to end, and the end `COLD_S` after that.

    With SIGQUIT `goodbye` is called, from the thread that waits: what is in hand goes to others.
    """
    asked_at: list[float] = []

    @signals.worker_shutting_down.connect(weak=False)
    def note(**_: object) -> None:
        asked_at.append(time.monotonic())

    threading.Thread(target=_watch, args=(asked_at, grace_s, goodbye), name="shutdown", daemon=True).start()


def _watch(asked_at: list[float], grace_s: float, goodbye: Callable[[], None]) -> None:
    while not asked_at or time.monotonic() < asked_at[0] + grace_s:
        time.sleep(_LOOK_S)
    os.kill(os.getpid(), signal.SIGQUIT)
    goodbye()
    time.sleep(COLD_S)
    log.warning("ended from inside: the worker did not end when it was made to")
    faulthandler.dump_traceback()
    for child in billiard.active_children():
        if child.pid is not None:
            os.kill(child.pid, signal.SIGKILL)
    os._exit(ENDED_FROM_INSIDE)
