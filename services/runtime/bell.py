"""Processes that rest: they end when they have nothing to do, and their starter (deploy/local) starts them when a bell is rung.

Workers end by themselves when nothing has come for a while (BRETTWERK_WORKER_IDLE_S). A service that finds work and no worker
rings, as often as it finds that; so a ring that is lost does no harm. Starter and services are on one host: a bell is a Unix
datagram socket in BRETTWERK_BELL_FOLDER. Where workers never rest there is no such folder, and rings are heard by nobody.
"""

import contextlib
import os
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self


def path_of(folder: str | Path, name: str) -> str:
    """Return where a bell is."""
    return str(Path(folder, f"bell.{name}"))


def ring(folder: str | Path, name: str) -> None:
    """Ring; nobody hears it in no folder (""). It takes microseconds and waits for nothing."""
    if folder:
        _send(path_of(folder, name))


class Bell:
    """The end at which one waits for rings."""

    def __init__(self, path: str) -> None:
        """Raises OSError where no socket can be."""
        Path(path).unlink(missing_ok=True)  # of a starter that was killed
        self._path = path
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(path)
        self._is_closed = False

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_exception: object) -> None:
        """Free its socket; nobody may wait any more."""
        self._socket.close()
        Path(self._path).unlink(missing_ok=True)

    def wait(self) -> None:
        """Return when it is rung from now on, or closed."""
        with contextlib.suppress(BlockingIOError):
            while not self._is_closed:  # those that are being heard already have rung it
                self._socket.recv(1, socket.MSG_DONTWAIT)
        if not self._is_closed:
            self._socket.recv(1)

    def close(self) -> None:
        """Let `wait` return, now and later, from any thread."""
        self._is_closed = True
        _send(self._path)


def _send(path: str) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.setblocking(False)
        with contextlib.suppress(OSError):  # nobody listens, or it has been rung often enough
            sender.sendto(b"", path)


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
