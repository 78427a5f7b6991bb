"""The system that is hurt: a deployment of its own and, where more are wanted, session processes and gateways beside it."""

import contextlib
import signal
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from deploy.local.claims import Claims
from deploy.local.deployment import Deployment
from deploy.local.ports import Ports
from deploy.local.processes import Processes
from loadtests.chaos.audit import in_file
from loadtests.chaos.beside import Beside, Place
from loadtests.chaos.figures import Figures

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
    """Every process of the system, by name. `own`: settings of single processes. All that they log goes to `log`.

    `sessions` and `gateways` are there at first; callers know `places` for session processes, which can be filled later.
    """

    def __init__(
        self,
        folder: Path,
        figures: Figures,
        own: Mapping[str, Mapping[str, str]],
        ports: Ports,
        log: Path,
        *,
        sessions: int = 1,
        places: int = 1,
        gateways: int = 1,
        settings: Mapping[str, str] = SETTINGS,
    ) -> None:
        self.folder = folder
        self.said: list[str] = []
        """The launcher's words."""
        self._figures, self._log, self._writing = figures, log, threading.Lock()
        self._own = {name: dict(one) for name, one in own.items()}
        self._claims = Claims()
        names = [_name("session", number) for number in range(max(sessions, places))]
        self.places = {name: Place.take(self._claims) for name in names}
        """Where session processes are, or may be."""
        shared = dict(settings)
        first = self.places["session"]
        own_first = {"BRETTWERK_METRICS_LISTEN": first.metrics}
        if len(names) > 1:
            shared["BRETTWERK_SESSION_ADDRESS"] = "ipv4:" + ",".join(place.grpc for place in self.places.values())
            shared["BRETTWERK_SESSION_LINK_ADDRESS"] = ",".join(place.other for place in self.places.values())
            own_first |= first.session()
        self._own["session"] = own_first | self._own.get("session", {})
        self.deployment = Deployment(
            data=folder,
            processes=Processes(
                web=False, own_environment={name: one for name, one in self._own.items() if name not in names[1:]}
            ),
            ports=ports,
            environment=shared,
            say=self.said.append,
            echo=self._hear,
        )
        self._at_first = [*names[1:sessions], *(_name("gateway", number) for number in range(1, gateways))]
        self._beside: dict[str, Beside] = {}
        self._undo = contextlib.ExitStack()

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as undo:
            undo.enter_context(self.deployment)
            undo.callback(self._end_beside)
            for name in self._at_first:
                self.start(name)
            for name in self._at_first:
                self.wait(name)
            self._undo = undo.pop_all()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._undo.close()

    @property
    def endpoints(self) -> list[str]:
        """host:port of the gRPC endpoint of every gateway."""
        return [self.deployment.grpc_address, *(one.place.grpc for name, one in self._beside.items() if name not in self.places)]

    @property
    def web_endpoints(self) -> list[str]:
        """host:port of the web endpoint of every gateway."""
        return [self.deployment.web_address, *(one.place.other for name, one in self._beside.items() if name not in self.places)]

    def archived(self) -> set[str]:
        """Return the sessions that the archive has."""
        return in_file(self.folder / "archive.sqlite3")

    def sessions(self) -> list[str]:
        """Return the names of the session processes that are kept running."""
        return [name for name in self.places if name == "session" or name in self._beside]

    def pids(self) -> dict[str, int]:
        """Return the process id of everything that runs now."""
        return self.deployment.pids() | {name: one.pid for name, one in list(self._beside.items()) if one.pid}

    def start(self, name: str) -> None:
        """Start a process beside the deployment, and keep it running: a session process at one of the places, or a gateway."""
        is_session = name in self.places
        place = self.places[name] if is_session else Place.take(self._claims)
        own = dict(place.session() if is_session else place.gateway()) | self._own.get(name, {})
        module = "services.session" if is_session else "gateway"
        log = self.deployment.data / "logs" / f"{name}.log"
        self._beside[name] = Beside(name, module, self.deployment.environment | own, place, log, self._hear)
        self._beside[name].start()

    def end(self, name: str) -> None:
        """End a session process by SIGTERM; the deployment starts its own again. Raises TimeoutError when it stays."""
        if name in self._beside:
            one = self._beside.pop(name)
            one.end()
            if one.was_killed:
                raise TimeoutError(f"{name} did not end by itself: {one.log_tail.tail()}")
            return
        before = self.deployment.pids().get(name, 0)
        self.deployment.kill(name, signal.SIGTERM)
        until = time.monotonic() + READY_S
        while before and self.deployment.pids().get(name, 0) == before:
            if time.monotonic() > until:
                raise TimeoutError(f"{name} did not end by itself")
            time.sleep(0.02)

    def kill(self, name: str) -> None:
        """Kill a process; it is started again."""
        if name in self._beside:
            one = self._beside[name]
            one.ready.clear()
            one.send(signal.SIGKILL)
        else:
            self.deployment.kill(name)

    def wait(self, name: str) -> None:
        """Return when a process is ready. Raises TimeoutError, LauncherError."""
        if name not in self._beside:
            self.deployment.wait(name)
        elif not self._beside[name].wait(READY_S):
            raise TimeoutError(f"{name} is not ready: {self._beside[name].log_tail.tail()}")

    def wait_for_all(self) -> None:
        """Return when everything is ready."""
        for name in ("redis", "rules", "session", "ai", "worker", "gateway", *list(self._beside)):
            self.wait(name)

    def _end_beside(self) -> None:
        for name in sorted(self._beside):
            self._beside[name].end()

    def _hear(self, name: str, line: str) -> None:
        with self._writing, self._log.open("a") as writer:
            writer.write(f"{name}: {line}\n")
        if is_fault(line):
            self._figures.add("tracebacks", f"{name}: {line[-1500:]}")


def _name(service: str, number: int) -> str:
    return f"{service}{number + 1}" if number else service
