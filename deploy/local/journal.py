"""The log of one part: a file that is bounded, and its last lines in memory for the moment something goes wrong."""

import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import IO

FILE_BYTES = 5_000_000
"""A file that has grown so large is put aside; one older file is kept."""
LINE_BYTES = 16_384
TAIL_LINES = 20


class Journal:
    """Writes what a part says to logs/<part>.log."""

    def __init__(self, file: Path, echo: Callable[[str], None] | None = None) -> None:
        self._file, self._echo = file, echo
        self._tail: deque[str] = deque(maxlen=TAIL_LINES)
        self._writing = threading.Lock()

    def tail(self) -> list[str]:
        """Return the last lines."""
        return list(self._tail)

    def follow(self, output: IO[bytes]) -> threading.Thread:
        """Write down everything that comes out of `output` until it is closed, in a thread of its own."""
        thread = threading.Thread(target=self._copy, args=(output,), name=f"journal {self._file.stem}", daemon=True)
        thread.start()
        return thread

    def note(self, line: str) -> None:
        """Write down a line of the launcher's own about the part; it is none of the part's last words."""
        with self._writing:
            self._keep(f"launcher: {line}\n".encode())

    def _copy(self, output: IO[bytes]) -> None:
        with output:
            while line := output.readline(LINE_BYTES):
                with self._writing:
                    self._write(line if line.endswith(b"\n") else line + b"\n")

    def _write(self, line: bytes) -> None:
        text = line.decode(errors="replace").rstrip()
        self._tail.append(text)
        if self._echo:
            self._echo(text)
        self._keep(line)

    def _keep(self, line: bytes) -> None:
        try:
            if self._file.exists() and self._file.stat().st_size + len(line) > FILE_BYTES:
                self._file.replace(self._file.with_suffix(".log.1"))
            with self._file.open("ab") as writer:
                writer.write(line)
        except OSError:
            pass  # a full disk must not stop the part: its output has to be read on
