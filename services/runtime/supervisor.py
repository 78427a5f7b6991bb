"""Keeps one command running: starts it, asks it for signs of life, kills it when it hangs, and starts it again when it has ended.

    python -m services.runtime.supervisor --probe grpc://127.0.0.1:9001/live -- python -m services.session

is the entry point of a container: it forwards the signals that end or wake the command, reaps what is left to process 1, and
ends, with the command's exit code, when it was told to. The launcher (deploy/local) uses the same class for every process.

Three things look alike from outside and are told apart. A process that does nothing at all (it was stopped, its disk is silent)
answers nothing and uses no CPU time: it is killed after three probes. One whose event loop waits for something that blocks says
how late the loop is (health.py), and one that computes uses CPU time: either may be busy with a single client, so it is killed
only after ten and thirty probes in a row between which its loop never turned. SIGKILL also ends everything it has started: a
process that hangs does not hear SIGTERM. Probes are counted, no clock is looked at: a laptop that slept, or a supervisor that was
stopped itself, has missed one at most. A probe must say that the process lives, and nothing of what it depends on: `live` of a
service's health, `/live` of a worker.

The pauses between starts double from a tenth of a second to half a minute, for as long as the process does not live for ten
seconds; it is tried for ever. Only who says at the first start that it cannot run (exit code 2) is given up.
"""

import argparse
import contextlib
import math
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Protocol

from services.runtime.probe import Probe, SignOfLife, sign_of_life

HOPELESS = 2
"""The exit code of a process that cannot start and has said why: a setting is of no use, a port is taken."""
PROBE_TIMEOUT_S = 1.0
"""How long a process may take for a sign of life."""
LATE_S = 1.0
"""A process whose event loop has not turned for longer has done nothing new since the last probe."""
MISSES = 3
"""After how many unanswered probes in a row, with hardly any CPU time used meanwhile, a process counts as hung."""
LATE_MISSES = 10
"""The same if it answers that its event loop does not turn."""
BUSY_MISSES = 30
"""The same for a process that computes, whether it answers or not: an attacker who can keep it busy must not get it killed."""
_BUSY_S = 0.02
"""A process that uses this much CPU time for each missed probe computes."""
_FORWARDED = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class Schedule:
    """How often a process is asked, after how many misses it hangs, and how long it waits to be started again."""

    period_s: float = 1.0
    """From probe to probe."""
    rest_period_s: float = 1.0
    """The same for a process that answers and does hardly anything: to be asked is work, too."""
    misses: int = MISSES
    late_misses: int = LATE_MISSES
    busy_misses: int = BUSY_MISSES
    first_start_misses: int = 120
    """Misses before its first answer of all: it may have to compile, or to wait for a cold disk."""
    start_misses: int = 20
    """The same before its first answer when it has been up before, and hardly any CPU time used during the last so many: to kill
    one that starts slowly on a busy machine would make the machine no less busy."""
    first_pause_s: float = 0.1
    max_pause_s: float = 30.0
    stable_s: float = 10.0
    """A process that has lived so long is started again as if it had never died."""

    def pause_s(self, quick_deaths: int) -> float:
        """Return the pause after so many deaths in a row, each before the process was stable."""
        return min(math.ldexp(self.first_pause_s, min(quick_deaths - 1, 30)), self.max_pause_s)

    def hangs(self, standstill: "Standstill") -> bool:
        """Return whether a process hangs that has answered before and stands still."""
        if standstill.silent >= self.misses and standstill.silent_cpu_s < _BUSY_S * standstill.silent:
            return True
        computes = standstill.cpu_s >= _BUSY_S * standstill.missed
        return standstill.missed >= (self.busy_misses if computes else self.late_misses)

    def never_starts(self, missed: int, cpu_s: float, *, was_up: bool) -> bool:
        """Return whether a process hangs that has not answered yet, and used `cpu_s` during the last `start_misses` probes."""
        is_busy = cpu_s >= _BUSY_S * min(missed, self.start_misses)
        return missed >= (self.start_misses if was_up and not is_busy else self.first_start_misses)


class Child(Protocol):
    """A process as `subprocess.Popen` has it."""

    pid: int
    returncode: int | None

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal; None while it runs."""

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code as soon as there is one. Raises subprocess.TimeoutExpired."""

    def send_signal(self, number: int, /) -> None:
        """Send it a signal, if it runs."""


@dataclass(slots=True)
class Standstill:
    """How long a process has done nothing new, in probes, and the CPU time that it used meanwhile."""

    missed: int = 0
    """Probes in a row with no turn of its event loop between them."""
    silent: int = 0
    """How many of the last of them had no answer at all."""
    cpu_s: float = 0.0
    silent_cpu_s: float = 0.0
    _used_s: float = 0.0
    _used_when_heard_s: float = 0.0

    def note(self, late_s: float | None, used_s: float) -> None:
        """Note what a probe found (SignOfLife), and how much CPU time the process has used in all."""
        if late_s is not None and late_s < LATE_S:
            self.missed, self._used_s = 0, used_s
        else:
            self.missed += 1
        if late_s is not None:
            self.silent, self._used_when_heard_s = 0, used_s
        else:
            self.silent += 1
        self.cpu_s, self.silent_cpu_s = used_s - self._used_s, used_s - self._used_when_heard_s


class Supervisor:
    """Keeps one process running, in the thread that calls `run`; the other methods can be called from any thread."""

    def __init__(
        self,
        name: str,
        launch: Callable[[], Child],
        live: SignOfLife,
        say: Callable[[str], None],
        *,
        ready: Probe | None = None,
        schedule: Schedule | None = None,
        rest: Callable[[], None] | None = None,
    ) -> None:
        """`launch` starts the process as the leader of a session of its own.

        `rest` is for a process that ends by itself, with 0, when it has nothing to do: it returns when the process is needed.

        `ready` tells whether it can do its work; if that is None, an answer of `live` does.
        """
        self.name = name
        self.pid = 0
        """The process id; 0 when it does not run."""
        self.quick_deaths = 0
        """How often in a row it has ended before it was stable."""
        self.gave_up = threading.Event()
        """Set when it could not start even once, and said that it never will (HOPELESS)."""
        self.ready = threading.Event()
        """Set while it was ready since its last start."""
        self._launch = launch
        self._live, self._is_ready = live, ready or (lambda: live() is not None)
        self._say = say
        self._schedule = schedule or Schedule()
        self._rest = rest
        self._stopping = threading.Event()
        self._process: Child | None = None
        self._was_up = False

    def run(self) -> int:
        """Keep it running until `stop`, or for ever; returns its last exit code, HOPELESS when it was given up."""
        code = 0
        while not self._stopping.is_set():
            began = time.monotonic()
            try:
                code = self._live_through(self._launch())
                how = f"has stopped ({f'signal {-code}' if code < 0 else f'exit code {code}'})"
            except (OSError, RuntimeError) as error:  # no process, thread or file is to be had, or there is no such program
                how, code = f"cannot run ({error})", 127
            if self._stopping.is_set():
                break
            if code == 0 and self._rest is not None:
                self.quick_deaths = 0
                self._rest()
                continue
            self.quick_deaths = self.quick_deaths + 1 if time.monotonic() - began < self._schedule.stable_s else 1
            if code == HOPELESS and not self._was_up:
                self._say(f"{self.name} {how}; it is given up")
                self.gave_up.set()
                break
            self._wait_to_start(how)
        return code

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Send the process a signal; whatever it does then, it is not started again."""
        self._stopping.set()
        self.send(number)

    def send(self, number: int) -> None:
        """Send the process a signal, if it runs; SIGKILL goes to everything that it has started, too."""
        process = self._process
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if number == signal.SIGKILL:
                os.killpg(process.pid, number)
            else:
                process.send_signal(number)

    def note_end(self, process: Child) -> None:
        """Do what is to be done when a process has ended, and before another one is started; here nothing is."""

    def _wait_to_start(self, how: str) -> None:
        pause_s = self._schedule.pause_s(self.quick_deaths)
        often = f", {self.quick_deaths} times in a row within seconds" if self.quick_deaths > 1 else ""
        self._say(f"{self.name} {how}{often}; it is started again in {pause_s:.1f} s")
        self._stopping.wait(pause_s)

    def _live_through(self, process: Child) -> int:
        """Look after the process until it has ended; returns its exit code."""
        self._process, self.pid = process, process.pid
        if self._stopping.is_set():  # stop() came before there was anything to signal
            self.send(signal.SIGTERM)
        try:
            self._watch(process)
        finally:
            self.ready.clear()
            self.pid, self._process = 0, None
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)  # what it has started must not outlive it
            code = process.wait()
            self.note_end(process)
        return code

    def _watch(self, process: Child) -> None:
        """Return when the process has ended, or was killed since it hangs."""
        schedule = self._schedule
        began = next_probe = time.monotonic()
        has_answered, missed, pause_s = False, 0, 0.05
        probed_s, used_before_s = began, 0.0
        standstill = Standstill()
        starting = deque([0.0], maxlen=schedule.start_misses)
        while not ended_within(process, pause_s):
            if self._stopping.is_set():
                pause_s = schedule.period_s
                continue
            if not self.ready.is_set() and self._is_ready():
                self._say(f"{self.name} is {'back' if self._was_up else 'ready'} after {time.monotonic() - began:.1f} s")
                self.ready.set()
                self._was_up = has_answered = True
                standstill.note(0.0, cpu_time_s(process.pid))
            now = time.monotonic()
            if now >= next_probe:
                late_s, used_s = self._live(), cpu_time_s(process.pid)
                is_at_rest = late_s is not None and late_s < LATE_S and used_s - used_before_s < _BUSY_S * (now - probed_s)
                next_probe = now + (schedule.rest_period_s if is_at_rest and has_answered else schedule.period_s)
                probed_s, used_before_s = now, used_s
                has_answered = has_answered or late_s is not None
                if has_answered:
                    hangs = self._stands_still(standstill, late_s, used_s)
                else:
                    missed += 1
                    hangs = schedule.never_starts(missed, used_s - starting[0], was_up=self._was_up)
                    starting.append(used_s)
                    if hangs:
                        self._say(f"{self.name} hangs: {missed} probes in a row had no answer; it is killed")
                if hangs:
                    self.send(signal.SIGKILL)
                    return
            now = time.monotonic()
            left_s = max(0.01, next_probe - now)
            pause_s = left_s if self.ready.is_set() else min(left_s, 0.05 + (now - began) / 10)

    def _stands_still(self, standstill: Standstill, late_s: float | None, used_s: float) -> bool:
        """Note what a probe found, and say what is new in it; returns whether the process is to be killed."""
        was_busy = standstill.missed >= self._schedule.misses
        standstill.note(late_s, used_s)
        what = (
            f"{standstill.silent} probes in a row had no answer"
            if standstill.silent
            else f"its event loop has not turned for {late_s:.0f} s"
        )
        if self._schedule.hangs(standstill):
            self._say(f"{self.name} hangs: {what}; it is killed")
            return True
        if not was_busy and standstill.missed >= self._schedule.misses:
            self._say(f"{self.name} is busy with one thing: {what}")
        elif was_busy and not standstill.missed:
            self._say(f"{self.name} is no longer busy with one thing")
        return False


def ended_within(process: Child, seconds: float) -> bool:
    """Return whether the process has ended, at the latest after that many seconds and as soon as it has."""
    if sys.platform != "linux" or process.poll() is not None:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True
    if not gone_within(process.pid, seconds):
        return False
    process.wait()
    return True


def gone_within(pid: int, seconds: float | None) -> bool:
    """Return whether a process, whoever's child it is, has ended after so many seconds (None: as soon as it has). Linux only."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        return bool(poll.poll(None if seconds is None else seconds * 1000))
    finally:
        os.close(descriptor)


def cpu_time_s(pid: int) -> float:
    """Return how much CPU time a process has used, to a hundredth of a second; of the clock where that cannot be read.

    So everybody seems to compute on systems without /proc, and what hangs there is killed later.
    """
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            user, system = file.read().rpartition(b")")[2].split()[11:13]
    except OSError:
        return time.monotonic()
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def reap_orphans(own: int) -> None:
    """Reap the children of this process that have ended, but for `own`: process 1 inherits those of others."""
    while True:
        try:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        if ended is None or ended.si_pid == own:
            return
        os.waitpid(ended.si_pid, 0)


def main(arguments: Sequence[str]) -> int:
    """Supervise the command after `--`; returns its exit code once a signal has ended it."""
    parser = argparse.ArgumentParser(
        prog="python -m services.runtime.supervisor", description="Keep a command running; kill it if it hangs."
    )
    parser.add_argument(
        "--probe", required=True, metavar="URL", help="grpc://host:port/live, http://host:port/live, redis://host:port"
    )
    parser.add_argument(
        "--misses", type=int, default=MISSES, help="how many probes in a row must fail before the process counts as hung (3)"
    )
    parser.add_argument("command", nargs="+", metavar="COMMAND", help="after --")
    options = parser.parse_args(arguments)
    try:
        live = sign_of_life(options.probe, PROBE_TIMEOUT_S)
    except ValueError as error:
        parser.error(str(error))
    from services.runtime import logs  # not for the launcher, which has no use for it

    logs.configure("supervisor")
    log = logs.logger(__name__)

    def launch() -> Child:
        # Files that it writes (databases in a volume) are for its own user only.
        return subprocess.Popen(options.command, stdin=subprocess.DEVNULL, start_new_session=True, umask=0o077)  # noqa: S603

    def look() -> float | None:
        reap_orphans(supervisor.pid)
        return live()

    name = " ".join(options.command)[:100]
    supervisor = Supervisor(name, launch, look, log.warning, schedule=Schedule(misses=options.misses))

    def forward(number: int, _frame: FrameType | None) -> None:
        supervisor.stop(number)

    for number in _FORWARDED:
        signal.signal(number, forward)
    code = supervisor.run()
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
