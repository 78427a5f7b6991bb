"""Faults in the logs of a deployment: lines that tell of an error, with the traceback behind them."""

import re
from collections import Counter, deque

TRACEBACK = 60
"""Lines that are kept after the first one of a traceback."""
MAX_LINES = 200
_ERROR = re.compile(r'Traceback \(most recent|"level": ?"(error|critical)"|\[(error|critical) *\]|: (ERROR|CRITICAL)\/')


class LogFaults:
    """Hears the logs of all processes."""

    def __init__(self) -> None:
        self.lines: deque[str] = deque(maxlen=MAX_LINES)
        """The lines that were found, each with its process."""
        self._left: Counter[str] = Counter()
        """By process, how many of the next lines belong to a traceback."""

    def hear(self, process: str, line: str) -> None:
        """Take a line of a process's log: keep those that tell of an error, and what follows a traceback's first line."""
        if _ERROR.search(line):
            self._left[process] = TRACEBACK if line.startswith("Traceback") else 0
        elif self._left[process]:
            self._left[process] -= 1
        else:
            return
        self.lines.append(f"{process}: {line}")

    def __str__(self) -> str:
        return "errors in the logs:\n  " + "\n  ".join(self.lines)
