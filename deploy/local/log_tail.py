"""The log of one process: a file that is bounded, and its last lines in memory for the moment something goes wrong."""

import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import IO

from services.runtime.foreign_lines import as_json

FILE_BYTES = 5_000_000
"""A file that has grown so large is put aside; one older file is kept."""
LINE_BYTES = 16_384
TAIL_LINES = 20


class LogTail:
    """Writes what a process says to logs/<process>.log, each line as JSON."""

    def __init__(self, file: Path, echo: Callable[[str], None] | None = None) -> None:
        self._file, self._echo = file, echo
        self._process = file.stem
        self._writer: IO[bytes] | None = None
        """Open while something is followed."""
        self._followed = 0
        self._size = 0
        self._tail: deque[str] = deque(maxlen=TAIL_LINES)
        self._writing = threading.Lock()

    def tail(self) -> list[str]:
        """Return the last lines."""
        return list(self._tail)

    def follow(self, output: IO[bytes]) -> threading.Thread:
        """Write down everything that comes out of `output` until it is closed; return the thread that does."""
        with self._writing:
            self._followed += 1
        thread = threading.Thread(target=self._copy, args=(output,), name=f"log tail {self._file.stem}", daemon=True)
        thread.start()
        return thread

    def note(self, line: str) -> None:
        """Write down a line of the launcher's own about the process; it is none of the process's last words."""
        with self._writing:
            self._keep(line, "launcher")
            if not self._followed:
                self._close()

    def _copy(self, output: IO[bytes]) -> None:
        with output:
            while line := output.readline(LINE_BYTES):
                with self._writing:
                    self._write(line)
        with self._writing:
            self._followed -= 1
            if not self._followed:
                self._close()

    def _write(self, line: bytes) -> None:
        text = line.decode(errors="replace").rstrip()
        self._tail.append(text)
        if self._echo:
            self._echo(text)
        if text:
            self._keep(text, self._process)

    def _keep(self, text: str, by: str) -> None:
        line = f"{as_json(text, by)}\n".encode(errors="replace")
        try:
            if self._writer is None or self._size + len(line) > FILE_BYTES:
                self._open(len(line))
            if self._writer is not None:
                self._size += self._writer.write(line)
        except OSError:  # a full disk must not stop the process: its output has to be read on
            self._close()

    def _open(self, more: int) -> None:
        """Open the file to write on, and put it aside before where there is no room for that many bytes more."""
        self._close()
        if self._file.exists() and self._file.stat().st_size + more > FILE_BYTES:
            self._file.replace(self._file.with_suffix(".log.1"))
        self._writer = self._file.open("ab", buffering=0)
        self._size = self._file.stat().st_size

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None
