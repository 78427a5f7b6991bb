"""The system that is measured: a deployment, a broker of its own where that is asked for, and workers that come and go."""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import psutil

from deploy.local import probes, redis
from deploy.local.deployment import START_S, Deployment
from deploy.local.log_tail import LogTail
from deploy.local.options import MEMORY_MB
from deploy.local.process_specs import ProcessSpec
from deploy.local.process_supervisor import ProcessSupervisor
from deploy.local.processes import Processes, Store
from loadtests.chaos.system import is_fault
from loadtests.limits import UNLIMITED
from loadtests.metrics import Series, read_all
from loadtests.processes import cpu_seconds, family, free_port
from services.runtime.probe import sign_of_life
from services.runtime.supervisor import PROBE_TIMEOUT_S

THINKING, SLEEPING = "services.ai.worker", "loadtests.computers.sleeping_worker"
SETTINGS: Mapping[str, str] = UNLIMITED | {
    "BRETTWERK_TRUSTED_PROXIES": "127.0.0.0/8",  # everybody has an address of their own
    "BRETTWERK_STREAMS_PER_PLAYER": "100000",
    "BRETTWERK_TABLES_STONES": "0",
    "BRETTWERK_SESSIONS_TOTAL": "1000000",
}
BROKER = "broker"
_PASSWORD = "brokers-password-of-a-load-test"  # noqa: S105 - of a Redis that lives for a measurement and listens to this machine only


class System:
    """A deployment with workers. `slots`: processes of each worker. `log` gets what everything logs."""

    def __init__(
        self,
        folder: Path,
        slots: int,
        *,
        sleeping: bool,
        own_broker: bool = False,
        memory_mb: int = MEMORY_MB,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self.slots = slots
        self.faults: list[str] = []
        """Tracebacks that were logged, and by whom."""
        self._folder, self._program = folder, SLEEPING if sleeping else THINKING
        self._log, self._writing = folder / "log", threading.Lock()
        self._kept: dict[str, ProcessSupervisor] = {}
        self._metrics: dict[str, str] = {}
        self._broker_url, own = "", dict(SETTINGS) | dict(settings or {})
        if own_broker:
            port = free_port()
            self._kept[BROKER] = self._broker(port)
            own["BRETTWERK_BROKER_URL"] = self._broker_url
        self.deployment = Deployment(
            data=folder / "data",
            processes=Processes(web=False, workers=slots, worker_program=self._program),
            environment=own,
            store=Store(memory_mb=memory_mb),
            echo=self._hear,
        )
        self._undo = contextlib.ExitStack()

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as undo:
            for supervisor in self._kept.values():
                supervisor.start()
                undo.callback(supervisor.end)
                self._await(supervisor)
            undo.enter_context(self.deployment)
            self._undo = undo.pop_all()
        return self

    def __exit__(self, *_exception: object) -> None:
        for name in self._metrics:
            self._kept[name].end()
        self._undo.close()

    def add_worker(self) -> str:
        """Start one more worker and return its name; `wait` waits until it is ready."""
        name, listen = f"worker {len(self._metrics) + 2}", f"127.0.0.1:{free_port()}"
        environment = {key: value for key, value in self.deployment.environment.items() if key != "BRETTWERK_SECRET_KEY"}
        environment["BRETTWERK_METRICS_LISTEN"] = listen
        command = (sys.executable, "-m", self._program)
        live = sign_of_life(f"http://{listen}/live", PROBE_TIMEOUT_S)
        spec = ProcessSpec(name, command, environment, probes.http_ok(listen, "/metrics"), live)
        supervisor = ProcessSupervisor(
            spec, LogTail(self._folder / f"{name}.log", lambda line: self._hear(name, line)), lambda _line: None
        )
        self._kept[name], self._metrics[name] = supervisor, listen
        supervisor.start()
        return name

    def pids(self) -> dict[str, int]:
        """Return the process id of everything that runs now."""
        return self.deployment.pids() | {name: supervisor.pid for name, supervisor in self._kept.items() if supervisor.pid}

    def workers(self) -> list[str]:
        """Return the names of all workers."""
        return ["worker", *self._metrics]

    def metrics(self) -> dict[str, str]:
        """Return host:port of /metrics of what counts computers' moves, by the name of the process."""
        own = {name: self.deployment.metrics_address(name) for name in ("session", "ai", "worker")}
        return own | self._metrics

    async def series(self, *names: str) -> Series:
        """Return what these processes count of computers' moves, or all of them."""
        metrics = self.metrics()
        return await read_all([metrics[name] for name in names or metrics], "brettwerk_ai_")

    def kill(self, name: str) -> None:
        """Kill (-9) a process; it is started again."""
        if name not in self._kept:
            self.deployment.kill(name)
        elif pid := self._kept[name].pid:
            self._kept[name].ready.clear()
            os.kill(pid, signal.SIGKILL)

    def end(self, name: str) -> None:
        """Have a process end in order (SIGTERM); it is started again."""
        if pid := self.pids().get(name):
            if name in self._kept:
                self._kept[name].ready.clear()
            os.kill(pid, signal.SIGTERM)

    def kill_a_process_of(self, worker: str, choice: float) -> bool:
        """Kill (-9) a process that thinks for a worker; `choice` from 0 to 1 says which. Returns whether there was one."""
        pid = self.pids().get(worker)
        children = [one for one in family(pid)[1:] if one.ppid() == pid] if pid else []
        if not children:
            return False
        with contextlib.suppress(psutil.NoSuchProcess):
            children[int(choice * len(children)) % len(children)].kill()
        return True

    def wait(self, name: str) -> None:
        """Return when a process is ready. Raises Errors, TimeoutError."""
        if name in self._kept:
            self._await(self._kept[name])
        else:
            self.deployment.wait(name)

    def wait_for_all(self) -> None:
        """Return when everything is ready."""
        for name in (*self._kept, *self.deployment.pids()):
            self.wait(name)

    def cpu_s(self) -> dict[str, float]:
        """Return the CPU seconds that each process has taken, its children included."""
        return cpu_seconds(self.pids())

    @property
    def redis_url(self) -> str:
        """Where the sessions are."""
        return self.deployment.environment["BRETTWERK_REDIS_URL"]

    def _broker(self, port: int) -> ProcessSupervisor:
        folder = self._folder / BROKER
        folder.mkdir()
        self._broker_url = redis.url(port, _PASSWORD, 1)
        command = (str(redis.find_server()), str(redis.write_configuration(folder, port, _PASSWORD)))
        ready, live = probes.redis_ping(self._broker_url), sign_of_life(f"redis://127.0.0.1:{port}", PROBE_TIMEOUT_S)
        return ProcessSupervisor(
            ProcessSpec(BROKER, command, dict(os.environ), ready, live), LogTail(folder / "log"), lambda _line: None
        )

    def _await(self, supervisor: ProcessSupervisor) -> None:
        if not supervisor.wait(START_S):
            raise TimeoutError(f"{supervisor.name} is not ready: {supervisor.log_tail.tail()}")

    def _hear(self, name: str, line: str) -> None:
        with self._writing, self._log.open("a") as writer:
            writer.write(f"{name}: {line}\n")
        if is_fault(line):
            self.faults.append(f"{name}: {line[-1500:]}")
