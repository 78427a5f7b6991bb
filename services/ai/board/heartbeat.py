"""The beat of a worker: its main process tells the board every second that it lives, and kills processes that hang.

So what a dead process or a dead worker had in hand is wanted again at once, and nobody has to wait for a timeout.
"""

import contextlib
import mmap
import os
import queue
import signal
import threading
from collections.abc import Callable, Sequence

import redis

from services.ai.board.worker_board import WorkerBoard
from services.ai.celery_worker.processes import is_dead
from services.runtime.logs import logger

log = logger(__name__)

BEAT_S = 1.0
"""The board takes a worker for dead that was silent for three of these."""


class Closing:
    """Whether the worker is to end soon, as its processes know it: one byte that they share, so made before any is forked."""

    def __init__(self) -> None:
        self._byte = mmap.mmap(-1, 1)

    @property
    def has_begun(self) -> bool:
        """Whether it is."""
        return self._byte[0] != 0

    def begin(self) -> None:
        """Say that it is."""
        self._byte[0] = 1


class Beat:
    """Beats in a thread, from `start` on."""

    def __init__(
        self,
        board: WorkerBoard,
        slots: int,
        pids: Callable[[], Sequence[int]],
        closing: Closing,
        kill: Callable[[int, int], None] = os.kill,
    ) -> None:
        """`pids` tells the processes of the pool; dead ones that it still names are left out."""
        self._board = board
        self._slots = slots
        self._pids = pids
        self._closing = closing
        self._kill = kill
        self._now: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._said_goodbye = threading.Event()

    def start(self) -> None:
        """Beat once, and then again and again."""
        self.beat()
        threading.Thread(target=self._run, name="beat", daemon=True).start()

    def close(self) -> None:
        """Tell the board soon that this worker takes nothing more. It may be called by a signal's handler."""
        self._closing.begin()
        self._now.put(None)

    def goodbye(self) -> None:
        """Give back what is still in hand. A board that cannot be reached finds out by itself."""
        self._said_goodbye.set()
        with contextlib.suppress(redis.RedisError, OSError):
            self._board.goodbye()

    def beat(self) -> None:
        """Beat once. While the board cannot be reached nothing happens."""
        own = {pid for pid in self._pids() if not is_dead(pid)}
        try:
            overdue = self._board.beat(self._slots, sorted(own), closing=self._closing.has_begun)
        except (redis.RedisError, OSError) as error:
            log.warning("board cannot be reached", error=repr(error))
            return
        for pid in own.intersection(overdue):
            log.warning("process thinks for too long and is killed", pid=pid)
            with contextlib.suppress(ProcessLookupError):
                self._kill(pid, signal.SIGKILL)

    def _run(self) -> None:
        while not self._said_goodbye.is_set():
            with contextlib.suppress(queue.Empty):
                self._now.get(timeout=BEAT_S)
            if not self._said_goodbye.is_set():
                self.beat()
