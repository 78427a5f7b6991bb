"""The output of the launcher, written by a thread of its own: a pipe that nobody reads must not keep it from anything."""

import contextlib
import queue
import sys
import threading

LINES = 10_000
"""The most lines that wait to be written; what comes then is not said."""


class Terminal:
    """Writes lines to standard output and standard error, in the order in which they come."""

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[tuple[str, bool] | threading.Event] = queue.SimpleQueue()
        threading.Thread(target=self._write, name="terminal", daemon=True).start()

    def say(self, line: str, *, to_errors: bool = False) -> None:
        """Print a line, soon."""
        if self._lines.qsize() < LINES:
            self._lines.put((line, to_errors))

    def is_written(self, within_s: float) -> bool:
        """Return whether everything is written, at the latest after so many seconds and as soon as it is."""
        reached = threading.Event()
        self._lines.put(reached)
        return reached.wait(within_s)

    def _write(self) -> None:
        while True:
            next_one = self._lines.get()
            if isinstance(next_one, threading.Event):
                next_one.set()
                continue
            line, to_errors = next_one
            # A terminal that has gone away is no reason to stop.
            with contextlib.suppress(OSError, ValueError):
                print(line, file=sys.stderr if to_errors else sys.stdout, flush=True)
