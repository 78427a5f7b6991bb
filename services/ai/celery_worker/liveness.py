"""Whether a worker still takes tickets: `/live` and `/ready` beside its `/metrics`.

A worker that has lost its way back to the broker looks well from outside: its processes run and nothing is logged. It shows in
the queue: while tickets wait there, a worker takes one at the latest when a process of its pool has ended its turn, and that
time is bounded. So a worker is dead when for longer than that tickets waited at every look and it took none.
"""

import threading
import time
from collections.abc import Callable
from typing import Protocol

from celery.worker import state

from services.ai.celery_worker.app import TASK_MAX_S
from services.runtime.bell import IdleEnd
from services.runtime.settings import Settings

LOOK_S = 2.0
"""How often the queue is looked at."""
STALLED_S = TASK_MAX_S + 2 * LOOK_S
"""A little more than the longest that a turn can keep a process."""


class Tickets(Protocol):
    """Tells how much waits in the queue."""

    def __call__(self) -> int:
        """Return the number of tickets. Raises OSError or redis.RedisError when the broker cannot be reached."""
        ...


class Liveness:
    """Looks at the queue. `took` is to be called for each ticket that the worker takes."""

    def __init__(
        self,
        waiting: Tickets,
        now: Callable[[], float] = time.monotonic,
        *,
        idle: IdleEnd | None = None,
        is_busy: Callable[[], bool] = lambda: False,
    ) -> None:
        """`idle` hears whether something waits or is worked at."""
        self._waiting = waiting
        self._now = now
        self._idle, self._is_busy = idle or IdleEnd(0, now), is_busy
        self._well_at = now()
        """When it last took something, or there was nothing to take."""
        self.is_ready = False
        """Whether the broker could be reached at the last look."""

    def took(self) -> None:
        """Note that a ticket was taken."""
        self._well_at = self._now()
        self._idle.note(is_needed=True)

    @property
    def is_live(self) -> bool:
        """Whether it takes what waits. A broker that is away is no reason to be dead."""
        return self._now() - self._well_at < STALLED_S

    def look(self) -> None:
        """Look at the queue once."""
        try:
            waiting = self._waiting()
        except Exception:  # noqa: BLE001 - whatever it is, the broker cannot be asked
            self.is_ready = False
            self._well_at = self._now()
            return
        self.is_ready = True
        if waiting == 0:
            self._well_at = self._now()
        self._idle.note(is_needed=bool(waiting) or self._is_busy())

    def watch(self) -> None:
        """Look again and again, in a thread."""

        def run() -> None:
            while True:
                self.look()
                time.sleep(LOOK_S)

        self.look()
        threading.Thread(target=run, name="liveness", daemon=True).start()


def liveness_of(config: Settings, waiting: Tickets, has_more: Callable[[], bool] = lambda: False) -> Liveness:
    """Return the liveness of this worker, which ends in peace when it is to rest: without tasks, and without `has_more` to do."""
    return Liveness(waiting, idle=IdleEnd(config.worker_idle_s), is_busy=lambda: bool(state.active_requests) or has_more())
