"""Keeps one process running: a supervisor (services/runtime/supervisor.py) in a thread, with the process's log tail."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from deploy.local.folder import UMASK
from deploy.local.fork_server import Forked, fork_servers
from deploy.local.launcher_error import LauncherError
from deploy.local.log_tail import LogTail
from deploy.local.process_specs import ProcessSpec, working_folder
from services.runtime.bell import Bell, path_of
from services.runtime.supervisor import Child, Schedule, Supervisor

_STOP_S = 10.0
_DIE_WITH_PARENT = Path(__file__).with_name("die_with_parent.py")


class ProcessSupervisor(Supervisor):
    """Looks after one process, in a thread of its own (which must live as long as the process does, see die_with_parent.py)."""

    def __init__(
        self, spec: ProcessSpec, log_tail: LogTail, say: Callable[[str], None], schedule: Schedule | None = None
    ) -> None:
        self.spec = spec
        self.log_tail = log_tail
        self.verdict = ""
        """Why it cannot start, if its files are damaged."""
        self._terminal = say
        self._between: Callable[[], None] | None = None
        self._copying: threading.Thread | None = None
        self._thread = threading.Thread(target=self.run, name=f"supervisor of {spec.name}", daemon=True)
        super().__init__(
            spec.name,
            self._begin,
            spec.live,
            self._tell,
            ready=spec.probe,
            schedule=schedule or Schedule(misses=spec.misses, rest_period_s=spec.rest_period_s),
            rest=self._be_at_rest if spec.bell else None,
        )
        self._bell: Bell | None = None
        self.rests = threading.Event()
        """Set while it does not run since it has nothing to do."""

    def start(self) -> None:
        """Start the process; `ready` or `gave_up` is set when that is settled."""
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Return whether the process is ready or at rest, waiting so long for it unless it is given up before."""
        until = time.monotonic() + seconds
        while not self.ready.wait(0.05) and not self.rests.is_set():
            if self.gave_up.is_set() or time.monotonic() > until:
                return False
        return True

    def run(self) -> int:
        """Keep it running until `stop`; returns its last exit code."""
        if not self.spec.bell:
            return super().run()
        with Bell(path_of(self.spec.environment["BRETTWERK_BELL_FOLDER"], self.spec.bell)) as self._bell:
            if self.spec.rests_at_first:
                self._be_at_rest()
            return super().run()

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Send the process a signal; whatever it does then, it is not started again."""
        super().stop(number)
        if self._bell:
            self._bell.close()

    def end(self, *, at_once: bool = False) -> None:
        """End the process: in order, or at once. Returns when it is gone."""
        self.stop(signal.SIGKILL if at_once else signal.SIGTERM)
        self.join()

    def join(self) -> None:
        """Return when the process is gone, which was told to end; it is killed if it does not within seconds."""
        if not self._thread.ident:
            return
        self._thread.join(_STOP_S)
        if self._thread.is_alive():
            self._tell(f"{self.name} does not end by itself and is killed")
            self.send(signal.SIGKILL)
            self._thread.join(_STOP_S)

    def restart(self, between: Callable[[], None], seconds: float) -> bool:
        """Kill the process and call `between` before it is started again, when nothing of it runs. Returns whether it was.

        `seconds`: how long it may take to end. Raises what `between` raises; the process is started all the same.
        """
        begun, done = threading.Event(), threading.Event()
        failed: list[Exception] = []

        def once() -> None:
            self._between = None
            begun.set()
            try:
                between()
            except Exception as error:  # noqa: BLE001 - raised again below
                failed.append(error)
            done.set()

        self._between = once
        until = time.monotonic() + seconds
        while not begun.is_set() and time.monotonic() < until:  # again: it may just be starting
            self.send(signal.SIGKILL)
            begun.wait(0.05)
        if not begun.is_set():
            return False
        done.wait()  # `between` takes as long as it likes
        if failed:
            raise failed[0]
        return True

    def _be_at_rest(self) -> None:
        assert self._bell
        self.log_tail.note(f"{self.name} rests until there is something to do")
        self.rests.set()
        if not self._stopping.is_set():
            self._bell.wait()
        self.rests.clear()

    def _tell(self, line: str) -> None:
        self.log_tail.note(line)
        self._terminal(line)

    def _begin(self) -> "subprocess.Popen[bytes] | Forked":
        spec = self.spec
        if self._between:
            self._between()
        if spec.fresh:
            shutil.rmtree(spec.fresh, ignore_errors=True)
            spec.fresh.mkdir(parents=True)
        process = fork_servers.fork(spec.module, spec.environment, UMASK) or self._start_alone()
        assert process.stdout
        try:
            self._copying = self.log_tail.follow(process.stdout)
        except RuntimeError:  # no thread is to be had: nobody would read what it says
            process.kill()
            process.wait()
            raise
        return process

    def _start_alone(self) -> "subprocess.Popen[bytes]":
        spec = self.spec
        return subprocess.Popen(  # noqa: S603
            [sys.executable, "-I", "-S", str(_DIE_WITH_PARENT), str(os.getpid()), *spec.command],
            cwd=working_folder(),
            env=dict(spec.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            umask=UMASK,
            start_new_session=True,  # Ctrl-C is for the launcher, which ends the processes in order
            pass_fds=[spec.holds] if spec.holds >= 0 else [],
        )

    def note_end(self, process: Child) -> None:
        """Note why a process has ended, if its files are damaged."""
        if self._copying:
            self._copying.join(2)
        if self.spec.explain and process.returncode not in (0, -signal.SIGKILL, -signal.SIGTERM):
            try:
                explanation, is_mended = self.spec.explain()
            except (OSError, LauncherError) as error:
                explanation, is_mended = f"nobody can say why: {error}", False
            if explanation and explanation != self.verdict:
                self._tell(explanation)
            self.verdict = "" if is_mended else explanation
