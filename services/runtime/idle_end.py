"""Ends a worker that has nothing to do: its starter starts it again when there is something (bell.py)."""

import os
import signal
import time
from collections.abc import Callable


def end_in_peace() -> None:
    """Have this process end as at SIGTERM."""
    os.kill(os.getpid(), signal.SIGTERM)


class IdleEnd:
    """Knows when this process was last of use."""

    def __init__(self, idle_s: float, now: Callable[[], float] = time.monotonic, end: Callable[[], None] = end_in_peace) -> None:
        """`end` is called once the process has not been needed for `idle_s`; 0: never."""
        self._idle_s, self._now, self._end = idle_s, now, end
        self._needed_at = now()

    def note(self, *, is_needed: bool) -> None:
        """Note whether it is of use at this moment. To be called every few seconds."""
        if is_needed:
            self._needed_at = self._now()
        elif self._idle_s and self._now() - self._needed_at >= self._idle_s:
            self._end()
