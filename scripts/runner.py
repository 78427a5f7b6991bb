"""Runs checks in stages, side by side within a stage, and says how they go.

While they run there is a line for each with what is done and how long the rest will take; a test that fails is named at once,
with the command that runs just that test; at the end comes a table of time and cost. What a check says is kept in a file, and
shown when it fails.
"""

import contextlib
import json
import os
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from scripts.progress import EVENTS
from scripts.unsteady import Unsteady

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".pytest_cache" / "runs"
NO_TESTS = 5
"""With this pytest ends when it found none."""
MAX_ASKED_AGAIN = 3
"""How many failed tests of a check are asked a second time; where more fail, something is wrong."""
EVERY_S = 30.0
"""How often a log says how far each check is; a terminal is told every second, in the same place."""


@dataclass(frozen=True)
class Check:
    name: str
    command: list[str]
    folder: Path = ROOT
    environment: dict[str, str] | None = None
    memory: Path | None = None
    """Where a run of tests keeps which of them failed."""
    may_be_empty: bool = False
    """Whether a run without any test is good."""


Lane = Iterable[Check]
"""Checks that are run one after another."""


@dataclass
class Running:
    """How far a check is."""

    name: str
    began: float = field(default_factory=time.monotonic)
    done: int = 0
    total: int = 0

    def __str__(self) -> str:
        """Return its line, such as `tests: 1,204 of 8,777 (14 %), 35 s, about 220 s left`."""
        took = time.monotonic() - self.began
        if not self.total:
            return f"{self.name}: {took:.0f} s"
        said = f"{self.name}: {self.done:,} of {self.total:,} ({self.done * 100 // self.total} %), {took:.0f} s"
        return f"{said}, about {took / self.done * (self.total - self.done):.0f} s left" if self.done else said


@dataclass(frozen=True)
class Result:
    check: Check
    verdict: str
    """`good`, `FAILED` or `unsteady`."""
    took_s: float
    cpu_s: float
    """The processor time of it and its processes, which says more than time where others keep a machine busy."""


class Screen:
    """Where lines go; on a terminal the last ones say how far everything is, and are written over."""

    def __init__(self, out: TextIO = sys.stdout) -> None:
        self._out = out
        self._is_live = out.isatty()
        self._running: list[Running] = []
        self._drawn = 0
        self._lock = threading.RLock()

    def say(self, line: str) -> None:
        """Write a line above those that say how far everything is."""
        self.show(f"brettwerk: {line}")

    def show(self, text: str) -> None:
        """Write a text of several lines as it is."""
        with self._lock:
            self._erase()
            print(text, file=self._out)
            self._draw()

    @contextlib.contextmanager
    def running(self, name: str) -> Iterator[Running]:
        """Yield what counts within the block how far a check is, which is shown meanwhile."""
        one = Running(name)
        with self._lock:
            self._running.append(one)
        try:
            yield one
        finally:
            with self._lock:
                self._running.remove(one)

    @contextlib.contextmanager
    def ticking(self) -> Iterator[None]:
        """Say now and then how far everything is."""
        over = threading.Event()

        def tick() -> None:
            while not over.wait(1 if self._is_live else EVERY_S):
                self.tick()

        thread = threading.Thread(target=tick, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            with self._lock:
                self._erase()

    def tick(self) -> None:
        """Say how far everything is."""
        with self._lock:
            if self._is_live:
                self._erase()
                self._draw()
            else:
                for one in self._running:
                    print(f"brettwerk: {one}", file=self._out, flush=True)

    def _erase(self) -> None:
        if self._drawn:
            self._out.write(f"\x1b[{self._drawn}F\x1b[J")
            self._drawn = 0

    def _draw(self) -> None:
        if self._is_live:
            for one in self._running:
                print(f"  {one}", file=self._out)
            self._drawn = len(self._running)
        self._out.flush()


class Runner:
    """Runs checks and remembers how they ended."""

    def __init__(self, unsteady: Unsteady, screen: Screen | None = None) -> None:
        self.screen = screen or Screen()
        self.results: list[Result] = []
        self._unsteady = unsteady
        self._left_out: dict[str, list[str]] = {}

    def run(self, stages: Iterable[Sequence[Lane]]) -> list[str]:
        """Run stages in their order, the lanes of each side by side; return the names of the checks that failed.

        A few failed tests are asked once more at the end of their stage, with nothing beside them, and noted as unsteady where
        they pass: tests of running systems share a machine with others, and a stall of seconds fails what is right.
        """
        with self.screen.ticking():
            for lanes in stages:
                with ThreadPoolExecutor(len(lanes)) as pool:
                    ended = [result for of_lane in pool.map(self._in_turn, lanes) for result in of_lane]
                self.results += [self._asked_again(result) for result in ended]
        return [result.check.name for result in self.results if result.verdict == "FAILED"]

    def leave_out(self, test: str, reason: str) -> None:
        """Note a test, or tests, that cannot run here, for the table."""
        self._left_out.setdefault(reason, []).append(test)

    def table(self) -> str:
        """Return what each check took and how it ended, and which tests were left out, and why."""
        width = max((len(result.check.name) for result in self.results), default=0)
        lines = [f"{'':{width}}  {'time':>7}  {'processor':>9}"]
        lines += [f"{r.check.name:{width}}  {r.took_s:5.0f} s  {r.cpu_s:7.0f} s  {r.verdict}" for r in self.results]
        lines.append(f"{'of a processor in all':{width}}  {'':7}  {sum(result.cpu_s for result in self.results):7.0f} s")
        for reason, tests in sorted(self._left_out.items()):
            lines.append(f"left out: {tests[0]}{f' and {len(tests) - 1} more' if len(tests) > 1 else ''}: {reason}")
        return "\n".join(lines)

    def _in_turn(self, lane: Lane) -> list[Result]:
        return [self._ended(check) for check in lane]

    def _ended(self, check: Check) -> Result:
        began = time.monotonic()
        CACHE.mkdir(parents=True, exist_ok=True)
        said = CACHE / f"{check.name.replace(' ', '_').replace(':', '_')}.log"
        reader, writer = os.pipe()
        environment = (check.environment or dict(os.environ)) | {EVENTS: str(writer)}
        with self.screen.running(check.name) as running, said.open("wb") as log, os.fdopen(reader) as events:
            process = subprocess.Popen(
                check.command,
                cwd=check.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=(writer,),
            )
            os.close(writer)
            listener = threading.Thread(target=self._listen, args=(events, running), daemon=True)
            listener.start()
            _, status, used = os.wait4(process.pid, 0)  # what it had of the processors is known only now, and only once
            code = process.returncode = os.waitstatus_to_exitcode(status)
            listener.join(1)  # a process that it left behind may hold the other end for ever
        good = code == 0 or (check.may_be_empty and code == NO_TESTS)
        result = Result(check, "good" if good else "FAILED", time.monotonic() - began, used.ru_utime + used.ru_stime)
        if not good:
            self.screen.show(said.read_text("utf-8", errors="replace"))
        self.screen.say(f"{check.name}: {result.verdict} ({result.took_s:.0f} s, {result.cpu_s:.0f} s of a processor)")
        return result

    def _listen(self, events: TextIO, running: Running) -> None:
        with contextlib.suppress(ValueError):  # closed meanwhile
            for line in events:
                event: dict[str, Any] = json.loads(line)
                running.total = event.get("total", running.total)
                running.done += event.get("done", 0)
                if test := event.get("failed"):
                    self.screen.say(f"{running.name}: FAILED {test}\n{event['said']}\n  alone: scripts/test {shlex.quote(test)}")
                if test := event.get("left_out"):
                    self.leave_out(test, event["reason"])

    def _asked_again(self, result: Result) -> Result:
        failed = remembered(result.check.memory)
        if result.verdict == "good" or not 0 < len(failed) <= MAX_ASKED_AGAIN:
            return result
        self.screen.say(f"{result.check.name}: asking again, alone: {', '.join(failed)}")
        command = [*result.check.command, "-n", "0", "--last-failed", "--last-failed-no-failures", "none"]
        again = self._ended(Check(f"{result.check.name}, again", command, result.check.folder, result.check.environment))
        if again.verdict == "FAILED":
            return result
        self.screen.say(f"{result.check.name}: UNSTEADY, to be mended: {', '.join(failed)}")
        self._unsteady.note(result.check.name, failed)
        return Result(result.check, "unsteady", result.took_s + again.took_s, result.cpu_s + again.cpu_s)


def remembered(memory: Path | None) -> list[str]:
    """Return the tests that failed in the last run."""
    file = memory / "v" / "cache" / "lastfailed" if memory is not None else None
    return list(json.loads(file.read_text())) if file is not None and file.exists() else []
