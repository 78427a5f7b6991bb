"""The steps that prepare a checkout, in one line: which are done, run and come. On a terminal the line is written over."""

import contextlib
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TextIO

EVERY_S = 1.0
"""How often a terminal is told how long it has taken."""


class Steps:
    """Says how far the steps are. Steps that nobody expected are said when they begin."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out
        self._then: list[str] = []
        self._now: list[str] = []
        self._done: list[str] = []
        self._began = time.monotonic()
        self._lock = threading.RLock()
        self._is_drawn = False

    def expect(self, names: Sequence[str]) -> None:
        """Say which steps will come."""
        self._then = list(names)

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Say that a step runs as long as the block does."""
        with self._lock:
            self._then = [each for each in self._then if each != name]
            self._now.append(name)
            self._tell()
        over = threading.Event()
        if self._is_terminal():
            threading.Thread(target=self._tick, args=(over,), daemon=True).start()
        try:
            yield
            with self._lock:
                self._done.append(name)
        finally:
            over.set()
            with self._lock:
                self._now.remove(name)
                self._erase()

    @contextlib.contextmanager
    def beside(self, commands: Mapping[str, Sequence[str]]) -> Iterator[None]:
        """Run commands one after another, each a step of that name, beside the block, and wait for them after it.

        Exits with 1 if one has failed, which is told at once with what it said. Where the block fails, they end (SIGTERM).
        """
        running: list[subprocess.Popen[str]] = []
        is_over, failed = threading.Event(), threading.Event()

        def run() -> None:
            for name, command in commands.items():
                with self._lock:
                    if is_over.is_set():
                        return
                    process = subprocess.Popen(
                        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
                    )
                    running[:] = [process]
                with self.step(name):
                    said, _ = process.communicate()
                if process.returncode:
                    if not is_over.is_set():
                        failed.set()
                        self.say(said.strip())
                    return

        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield
        except BaseException:
            with self._lock:
                is_over.set()
                for process in running:
                    process.terminate()
            raise
        finally:
            thread.join()
        if failed.is_set():
            raise SystemExit(1)

    def say(self, text: str) -> None:
        """Write a sentence above the line."""
        with self._lock:
            self._erase()
            print(f"brettwerk: {text}", file=self._out or sys.stderr, flush=True)

    def end(self) -> None:
        """Say how long the steps took, if there were any."""
        if self._done:
            self.say(f"prepared after {time.monotonic() - self._began:.0f} s: {', '.join(self._done)}")

    def _tick(self, over: threading.Event) -> None:
        while not over.wait(EVERY_S):
            with self._lock:
                if not over.is_set():
                    self._tell()

    def _tell(self) -> None:
        shown = {"done": self._done, "now": self._now, "then": self._then}
        parts = [f"{word}: {', '.join(names)}" for word, names in shown.items() if names]
        line = f"brettwerk: {'; '.join(parts)}"
        out = self._out or sys.stderr
        if self._is_terminal():
            line = f"{line} ({time.monotonic() - self._began:.0f} s)"
            out.write(f"\r\x1b[K{line[: shutil.get_terminal_size().columns - 1]}")
            out.flush()
            self._is_drawn = True
        else:
            print(line, file=out, flush=True)

    def _erase(self) -> None:
        if self._is_drawn:
            (self._out or sys.stderr).write("\r\x1b[K")
            self._is_drawn = False

    def _is_terminal(self) -> bool:
        return (self._out or sys.stderr).isatty()
