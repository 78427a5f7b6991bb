"""A whole deployment as a context manager: `with Deployment(data=folder) as deployment:` starts and ends all its processes.

Tests, load tests and the launcher itself use it. Nothing of it outlives the process that made it.
"""

import contextlib
import functools
import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Self

from deploy.local import probes, process_specs
from deploy.local.folder import DataFolder
from deploy.local.launcher_error import LauncherError
from deploy.local.log_tail import LogTail
from deploy.local.ports import Ports, choose
from deploy.local.process_supervisor import ProcessSupervisor
from deploy.local.processes import Processes, Store
from deploy.local.startable import require_startable

START_S = 120.0
"""How long a process may take to be ready; a cold disk and a busy machine count."""
MAX_QUICK_DEATHS = 5
"""A process that dies so often in a row before everything has started ends the start; later it is tried for ever."""


_ENDING = {signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGABRT}


def _silent(_line: str) -> None:
    """Say nothing."""


class Deployment:
    """Every process of Brettwerk, started on free ports unless some are given. All its processes die with this one.

    `environment`: settings that come before all others, but for those of single processes. `say` gets what happens, `echo` every
    line that a process logs, with the name of the process.
    """

    def __init__(
        self,
        *,
        data: Path,
        processes: Processes | None = None,
        store: Store | None = None,
        ports: Ports | None = None,
        environment: Mapping[str, str] | None = None,
        say: Callable[[str], None] = _silent,
        echo: Callable[[str, str], None] | None = None,
    ) -> None:
        self._folder = DataFolder(data)
        self._say, self._echo = say, echo
        self._supervisors: dict[str, ProcessSupervisor] = {}
        self._stopping = threading.Lock()
        self.plan = process_specs.Plan(
            self._folder, ports or choose(), processes or Processes(), store or Store(), environment or {}
        )

    def __enter__(self) -> Self:
        """Start everything; return when all is ready. Raises LauncherError, with the last words of one that does not start."""
        with contextlib.ExitStack() as undo:
            undo.enter_context(self._folder)
            for warning in self._folder.warnings:
                self._say(warning)
            undo.callback(self.stop)
            require_startable(self.data, has_store=not self.plan.store.redis_url)
            if self.plan.store.redis_url and not probes.redis_ping(self.plan.store.redis_url)():
                raise LauncherError("the Redis of BRETTWERK_REDIS_URL does not answer")
            for spec in process_specs.specs(self.plan):
                heard = functools.partial(self._echo, spec.name) if self._echo else None
                self._supervisors[spec.name] = ProcessSupervisor(
                    spec, LogTail(self._folder.logs / f"{spec.name}.log", heard), self._say
                )
            if "redis" in self._supervisors:
                self._start("redis")
            self._start(*(name for name in self._supervisors if name != "redis"))
            undo.pop_all()
        return self

    def __exit__(self, *_exception: object) -> None:
        """Stop everything."""
        self.stop()
        self._folder.close()

    def stop(self, *, at_once: bool = False) -> None:
        """End every process: in order, or all at once."""
        if at_once:
            for supervisor in self._supervisors.values():
                supervisor.end(at_once=True)
            return
        with self._stopping:
            for names in process_specs.STOP_ORDER:
                ending = [self._supervisors[name] for name in names if name in self._supervisors]
                for supervisor in ending:
                    supervisor.stop()
                for supervisor in ending:
                    supervisor.join()

    @property
    def grpc_address(self) -> str:
        """host:port of the gateway's gRPC endpoint."""
        return self.plan.grpc_address

    @property
    def web_address(self) -> str:
        """host:port of the gateway's web endpoint."""
        return self.plan.web_address

    @property
    def prometheus_address(self) -> str:
        """host:port of its Prometheus, if it has one."""
        return self.plan.inner_address("prometheus")

    @property
    def processes(self) -> tuple[str, ...]:
        """The names of its processes."""
        return tuple(self._supervisors)

    @property
    def environment(self) -> dict[str, str]:
        """The environment of its processes: one more with it belongs to the deployment, too."""
        return process_specs.environment(self.plan)

    @property
    def data(self) -> Path:
        """The data folder."""
        return self._folder.path

    def metrics_address(self, process: str) -> str:
        """Return host:port of a process's /metrics (Redis has none)."""
        return self.plan.metrics_address(process)

    def pids(self) -> dict[str, int]:
        """Return the process id of every process that runs now."""
        return {name: supervisor.pid for name, supervisor in tuple(self._supervisors.items()) if supervisor.pid}

    def kill(self, process: str, number: int = signal.SIGKILL) -> None:
        """Send a signal to a process. When it dies of it, it is started again; `wait` waits for that."""
        supervisor = self._supervisors[process]
        pid = supervisor.pid
        if number in _ENDING:
            supervisor.ready.clear()
        if pid:
            os.kill(pid, number)

    def wait(self, process: str, seconds: float = START_S) -> None:
        """Return when a process is ready. Raises LauncherError when it is not by then."""
        if not self._supervisors[process].wait(seconds):
            raise LauncherError(self._last_words(process))

    def restart(self, process: str, between: Callable[[], None]) -> None:
        """Kill a process and call `between` before it is started again: what happens to its files there, a power cut does.

        Returns when `between` has, in another thread; `wait` waits for the process. Raises LauncherError when it does not end.
        """
        supervisor = self._supervisors[process]
        supervisor.ready.clear()
        if not supervisor.restart(between, START_S):
            raise LauncherError(self._last_words(process))

    def _start(self, *names: str) -> None:
        for name in names:
            self._supervisors[name].start()
        until = time.monotonic() + START_S
        for name in names:
            while not self._supervisors[name].wait(0.2):
                for other in names:
                    supervisor = self._supervisors[other]
                    if supervisor.verdict:
                        raise LauncherError(supervisor.verdict)
                    if supervisor.gave_up.is_set() or (
                        supervisor.quick_deaths >= MAX_QUICK_DEATHS and not supervisor.ready.is_set()
                    ):
                        raise LauncherError(self._last_words(other))
                if time.monotonic() > until:
                    raise LauncherError(self._last_words(name))

    def _last_words(self, name: str) -> str:
        words = "\n".join(f"  {line}" for line in self._supervisors[name].log_tail.tail()) or "  (nothing)"
        return f"{name} does not run. Its last words (all of them are in {self._folder.logs / f'{name}.log'}):\n{words}"
