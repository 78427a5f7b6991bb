"""How late an event loop is, told by its own clock: it notes its turns, and threads read how long ago the last one was.

So a process that is busy with one request can be told from one that hangs, while it is busy. A thread gets its share of the time
also while the loop computes in Python or waits for something that blocks; only code in C that keeps the interpreter to itself
keeps threads from answering, too.
"""

import asyncio
import sys
import threading
import time
import traceback

from services.runtime import metrics
from services.runtime.logs import logger

TURN_S = 0.5
"""How often the loop notes that it turns."""
LATE_S = 2.0
"""A loop that is later than this is logged, with the place in the code where it is."""
_WATCH_S = 1.0
"""How often a thread looks whether it is so late."""
_KEPT_S = 30.0
"""The worst lateness is that of the last one or two of these: longer than from one reading of the metrics to the next."""
_FRAMES = 12

log = logger(__name__)


class LoopClock:
    """The clock of the loop that `start` is called in. Its readings may be taken from any thread."""

    def __init__(self) -> None:
        self._due = time.monotonic() + TURN_S
        self._kept_since, self._worst, self._worst_before = time.monotonic(), 0.0, 0.0
        self._thread_id = threading.get_ident()
        self._turning: asyncio.TimerHandle | None = None
        self._ended = threading.Event()

    def start(self, service: str) -> None:
        """Begin to note turns of the running loop, and show the lateness in the metrics of a service."""
        self._thread_id = threading.get_ident()
        self._due = time.monotonic()
        self._turn(asyncio.get_running_loop())
        metrics.LOOP_LATE.labels(service).set_function(self.worst_s)
        threading.Thread(target=self._watch, name="loop clock", daemon=True).start()

    def stop(self) -> None:
        """Note nothing any more. In the loop's thread."""
        self._ended.set()
        if self._turning is not None:
            self._turning.cancel()

    def late_s(self) -> float:
        """Return for how many seconds the loop has not turned though it should have."""
        return max(0.0, time.monotonic() - self._due)

    def worst_s(self) -> float:
        """Return the longest lateness, in seconds, of the last half to whole minute, and of now."""
        return max(self._worst_before, self._worst, self.late_s())

    def _turn(self, loop: asyncio.AbstractEventLoop) -> None:
        now, late_s = time.monotonic(), self.late_s()
        if now - self._kept_since > _KEPT_S:
            self._kept_since, self._worst_before, self._worst = now, self._worst, 0.0
        self._worst = max(self._worst, late_s)
        self._due = now + TURN_S
        self._turning = loop.call_later(TURN_S, self._turn, loop)

    def _watch(self) -> None:
        """Log each time that the loop is late, once, and when it turns again."""
        since = 0.0
        while not self._ended.wait(_WATCH_S):
            late_s = self.late_s()
            if not since and late_s >= LATE_S:
                since = time.monotonic() - late_s
                log.warning("event loop is late", late_s=round(late_s, 1), at=self._place())
            elif since and late_s < LATE_S:
                log.warning("event loop turns again", after_s=round(time.monotonic() - since, 1))
                since = 0.0

    def _place(self) -> list[str]:
        """Return where the loop's thread is: the innermost functions first."""
        frame = sys._current_frames().get(self._thread_id)
        stack = traceback.extract_stack(frame)[: -_FRAMES - 1 : -1] if frame else []
        return [f"{step.filename}:{step.lineno} {step.name}" for step in stack]
