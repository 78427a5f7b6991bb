"""The system that is hurt: a house of its own and, where two session processes are wanted, a second one beside it."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Self

import grpc
import psutil
from grpc_health.v1 import health_pb2, health_pb2_grpc

from deploy.local.house import House
from deploy.local.ports import Ports
from loadtests.chaos.figures import Figures

ROOT = Path(__file__).resolve().parents[2]
READY_S = 120.0
SECOND = "session2"
"""The name of the second session process."""

_KILLED = "WorkerLostError"
"""So Celery tells that a process of its pool was killed while it had a ticket; it is no fault of anybody's."""

SETTINGS: Mapping[str, str] = {
    # All players come from one address here.
    "BRETTWERK_RATE_PER_S": "500",
    "BRETTWERK_RATE_BURST": "2000",
    "BRETTWERK_ADDRESS_RATE_PER_S": "2000",
    "BRETTWERK_ADDRESS_RATE_BURST": "8000",
    "BRETTWERK_STREAMS_PER_PLAYER": "1000",
    "BRETTWERK_STREAMS_PER_ADDRESS": "10000",
    "BRETTWERK_TABLES_STONES": "0",
}


def is_fault(line: str) -> bool:
    """Return whether a line of a log tells of a fault."""
    return "Traceback (most recent call last)" in line and _KILLED not in line


class System:
    """Every process of the system, by name. `own`: settings of single processes. All that they log goes to `log`."""

    def __init__(
        self, folder: Path, figures: Figures, own: Mapping[str, Mapping[str, str]], ports: Ports, log: Path, *, two_sessions: bool
    ) -> None:
        self.folder = folder
        self.said: list[str] = []
        """What the launcher said."""
        self._figures, self._log = figures, log
        settings = dict(SETTINGS)
        own_settings = {name: dict(one) for name, one in own.items()}
        self._second: Second | None = None
        if two_sessions:
            first, self._second_listen = f"127.0.0.1:{ports.session}", f"127.0.0.1:{free_port()}"
            first_links, self._second_links = f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}"
            settings["BRETTWERK_SESSION_ADDRESS"] = f"ipv4:{first},{self._second_listen}"
            settings["BRETTWERK_SESSION_LINK_ADDRESS"] = f"{first_links},{self._second_links}"
            own_settings.setdefault("session", {}).update(BRETTWERK_LISTEN=first, BRETTWERK_LINK_LISTEN=first_links)
        self._second_own = own_settings.pop(SECOND, {})
        self.house = House(
            data=folder,
            web=False,
            ports=ports,
            environment=settings,
            own_environment=own_settings,
            say=self.said.append,
            echo=self._hear,
        )
        self._two = two_sessions
        self._undo = contextlib.ExitStack()

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as undo:
            undo.enter_context(self.house)
            if self._two:
                listens = {"BRETTWERK_LISTEN": self._second_listen, "BRETTWERK_LINK_LISTEN": self._second_links}
                environment = self.house.environment | listens | dict(self._second_own)
                self._second = undo.enter_context(Second(environment, self._second_listen, self._hear))
            self._undo = undo.pop_all()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._undo.close()

    def pids(self) -> dict[str, int]:
        """Return the process id of everything that runs now."""
        found = self.house.pids()
        if self._second is not None and self._second.pid:
            found[SECOND] = self._second.pid
        return found

    def kill(self, name: str) -> None:
        """Kill a process; it is started again."""
        if name == SECOND:
            assert self._second
            self._second.kill()
        else:
            self.house.kill(name)

    def wait(self, name: str) -> None:
        """Return when a process is ready."""
        if name == SECOND:
            assert self._second
            self._second.wait()
        else:
            self.house.wait(name)

    def wait_for_all(self) -> None:
        """Return when everything is ready."""
        for name in ("redis", "rules", "session", "ai", "worker", "gateway"):
            self.house.wait(name)
        if self._second:
            self._second.wait()

    def _hear(self, name: str, line: str) -> None:
        with self._log.open("a") as writer:
            writer.write(f"{name}: {line}\n")
        if is_fault(line):
            self._figures.add("tracebacks", f"{name}: {line[-1500:]}")


class Second:
    """A second session process, kept running."""

    def __init__(self, environment: Mapping[str, str], listen: str, hear: Callable[[str, str], None]) -> None:
        self.pid = 0
        self._environment, self._listen, self._hear = dict(environment), listen, hear
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=SECOND, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self.wait()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._stopping.set()
        self.kill()
        self._thread.join(20)

    def kill(self) -> None:
        """Kill it; it is started again."""
        if pid := self.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def wait(self) -> None:
        """Return when it is ready. Raises TimeoutError."""
        until = time.monotonic() + READY_S
        while time.monotonic() < until:
            with grpc.insecure_channel(self._listen) as channel, contextlib.suppress(grpc.RpcError):
                status = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=2).status
                if status == health_pb2.HealthCheckResponse.SERVING:
                    return
            time.sleep(0.2)
        raise TimeoutError("the second session process is not ready")

    def _run(self) -> None:
        while not self._stopping.is_set():
            command = [sys.executable, "-m", "services.session"]
            with subprocess.Popen(  # noqa: S603
                command, cwd=ROOT, env=self._environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            ) as process:
                self.pid = process.pid
                if self._stopping.is_set():
                    process.kill()
                assert process.stdout
                for line in _lines(process.stdout):
                    self._hear(SECOND, line)
            self.pid = 0
            self._stopping.wait(0.2)


def _lines(output: IO[bytes]) -> Iterator[str]:
    return (line.decode(errors="replace").rstrip() for line in output)


def free_port() -> int:
    """Return a port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def group(pid: int) -> list[psutil.Process]:
    """Return a process and all that it has started; nothing of what has ended."""
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    return []
