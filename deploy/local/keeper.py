"""Keeps one part running: starts it, waits until it is ready, starts it again when it dies, gives up when that is too often."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from deploy.local.journal import Journal
from deploy.local.parts import Part, working_folder

QUICK_S = 10.0
"""A part that dies sooner has died quickly."""
MOST_QUICK_DEATHS = 5
HOPELESS = 2
"""The exit code of a part that cannot start and has said why: a setting is of no use, a port is taken."""
_LONGEST_PAUSE_S = 5.0
_STOP_S = 10.0
_TETHER = Path(__file__).with_name("tether.py")


class Keeper:
    """Looks after one part, in a thread of its own (which must live as long as the process does, see tether.py)."""

    def __init__(self, part: Part, journal: Journal, say: Callable[[str], None]) -> None:
        self.part = part
        self.journal = journal
        self.pid = 0
        """The process id; 0 when it does not run."""
        self.gave_up = threading.Event()
        self.ready = threading.Event()
        self._say = say
        self._stopping = threading.Event()
        self._between: Callable[[], None] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name=f"keeper {part.name}", daemon=True)

    def start(self) -> None:
        """Start the part; `ready` or `gave_up` is set when that is settled."""
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Return whether the part is ready, waiting so long for it unless it is given up before."""
        until = time.monotonic() + seconds
        while not self.ready.wait(0.05):
            if self.gave_up.is_set() or time.monotonic() > until:
                return False
        return True

    def stop(self, *, at_once: bool = False) -> None:
        """End the part: in order, or at once. Returns when it is gone."""
        self._stopping.set()
        if not self._thread.ident:
            return
        self._signal(signal.SIGKILL if at_once else signal.SIGTERM)
        self._thread.join(_STOP_S)
        if self._thread.is_alive():
            self._say(f"{self.part.name} does not end by itself and is killed")
            self._signal(signal.SIGKILL)
            self._thread.join(_STOP_S)

    def restart(self, between: Callable[[], None], seconds: float) -> bool:
        """Kill the part and call `between` before it is started again, when nothing of it runs. Returns whether that came about.

        Raises what `between` raises; the part is started all the same.
        """
        done = threading.Event()
        failed: list[Exception] = []

        def once() -> None:
            self._between = None
            try:
                between()
            except Exception as error:  # noqa: BLE001 - raised again below
                failed.append(error)
            done.set()

        self._between = once
        until = time.monotonic() + seconds
        while not done.is_set() and time.monotonic() < until:  # again: it may just be starting
            self._signal(signal.SIGKILL)
            done.wait(0.05)
        if failed:
            raise failed[0]
        return done.is_set()

    def _run(self) -> None:
        deaths, was_ready = 0, False
        while not self._stopping.is_set():
            began = time.monotonic()
            process, copying = self._begin()
            was_ready |= self._await_ready(process, began, again=was_ready)
            code = process.wait()
            lived = time.monotonic() - began
            self._clean_up(process, copying)
            if self._stopping.is_set():
                return
            deaths = deaths + 1 if lived < QUICK_S else 1
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            times = "once" if deaths == 1 else f"{deaths} times in a row"
            if deaths >= MOST_QUICK_DEATHS or (code == HOPELESS and not was_ready):
                self._say(f"{self.part.name} has stopped {times} ({how}); it is given up")
                self.gave_up.set()
                return
            self._say(f"{self.part.name} has stopped ({how}); it is started again")
            self._stopping.wait(min(0.1 * 4 ** (deaths - 1), _LONGEST_PAUSE_S))

    def _begin(self) -> tuple["subprocess.Popen[bytes]", threading.Thread]:
        part = self.part
        if self._between:
            self._between()
        if part.fresh:
            shutil.rmtree(part.fresh, ignore_errors=True)
            part.fresh.mkdir(parents=True)
        process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-I", "-S", str(_TETHER), str(os.getpid()), *part.command],
            cwd=working_folder(),
            env=dict(part.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is for the launcher, which ends the parts in order
            pass_fds=[part.holds] if part.holds >= 0 else [],
        )
        self._process, self.pid = process, process.pid
        if self._stopping.is_set():  # stop() came before there was anything to signal
            self._signal(signal.SIGTERM)
        assert process.stdout
        return process, self.journal.follow(process.stdout)

    def _await_ready(self, process: "subprocess.Popen[bytes]", began: float, *, again: bool) -> bool:
        while process.poll() is None and not self._stopping.is_set():
            if self.part.probe():
                self._say(f"{self.part.name} is {'back' if again else 'ready'} after {time.monotonic() - began:.1f} s")
                self.ready.set()
                return True
            self._stopping.wait(0.05)
        return False

    def _clean_up(self, process: "subprocess.Popen[bytes]", copying: threading.Thread) -> None:
        self.ready.clear()
        self.pid, self._process = 0, None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # what it has started must not outlive it
        copying.join(2)

    def _signal(self, number: int) -> None:
        process = self._process
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if number == signal.SIGKILL:
                os.killpg(process.pid, number)
            else:
                process.send_signal(number)
