"""Ctrl-C, SIGTERM and SIGHUP: the first one ends the launcher in order, the second one at once, and so does time.

The first one raises KeyboardInterrupt in the main thread. Python drops that where it comes in a finalizer, and never raises it
while the main thread waits in foreign code; so a thread is told as well, by the handler in C (`signal.set_wakeup_fd`), and sees
to it that there is an end.
"""

import contextlib
import os
import select
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterable
from types import FrameType
from typing import NoReturn

END_S = 60.0
"""How long an end in order may take. Tasks that are left then are killed."""
_NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_LOOK_S = 1.0


class Interrupts:
    """Hears the signals from now on; there is one of these in a process, made by its main thread."""

    def __init__(self, end_s: float = END_S) -> None:
        self.pids: Callable[[], Iterable[int]] = tuple
        """Returns the leaders of the process groups that are to be killed when the end is not in order."""
        self._end_s = end_s
        self._has_come = False
        self._received, self._written = socket.socketpair()
        self._written.setblocking(False)
        signal.set_wakeup_fd(self._written.fileno(), warn_on_full_buffer=False)
        threading.Thread(target=self._watch, name="interrupts", daemon=True).start()
        for number in _NUMBERS:
            if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:  # nohup
                signal.signal(number, self._receive)

    def wait(self) -> NoReturn:
        """Wait for the first one. Raises KeyboardInterrupt, also if that was dropped before."""
        while not self._has_come:
            time.sleep(_LOOK_S)
        raise KeyboardInterrupt

    def _receive(self, _number: int, _frame: FrameType | None) -> None:
        if not self._has_come:
            self._has_come = True
            raise KeyboardInterrupt

    def _watch(self) -> None:
        """End the process at the second signal, or when the end has lasted too long."""
        until: float | None = None
        while True:
            left_s = None if until is None else max(0.0, until - time.monotonic())
            if not select.select([self._received], [], [], left_s)[0]:
                break
            for number in self._received.recv(64):
                if number in _NUMBERS:
                    if until is not None:
                        self._end_at_once()
                    until = time.monotonic() + self._end_s
        self._end_at_once()

    def _end_at_once(self) -> NoReturn:
        try:
            for pid in self.pids():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(pid, signal.SIGKILL)
        finally:
            os._exit(130)
