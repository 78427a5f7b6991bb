"""Processes beside a deployment: further session processes and gateways, with addresses of their own."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from deploy.local.claims import Claims
from deploy.local.log_tail import LogTail
from deploy.local.ports import free_ports
from deploy.local.process_specs import ProcessSpec
from deploy.local.process_supervisor import ProcessSupervisor
from services.runtime.probe import serves

Hear = Callable[[str, str], None]
"""Takes the name of a process and a line that it has logged."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a session process or a gateway listens: host:port each."""

    grpc: str
    other: str
    """A session process takes links there, a gateway has its web endpoint there."""
    metrics: str

    @classmethod
    def take(cls, claims: Claims) -> "Place":
        """Return one of free ports, which stay claimed as long as the claims live."""
        free = free_ports("127.0.0.1", claims)
        return cls(*(f"127.0.0.1:{next(free)}" for _ in range(3)))

    def session(self) -> Mapping[str, str]:
        """Return the settings of a session process there."""
        return {
            "BRETTWERK_LISTEN": self.grpc,
            "BRETTWERK_LINK_LISTEN": self.other,
            "BRETTWERK_METRICS_LISTEN": self.metrics,
        }

    def gateway(self) -> Mapping[str, str]:
        """Return the settings of a gateway there."""
        return {
            "BRETTWERK_GATEWAY_LISTEN": self.grpc,
            "BRETTWERK_HTTP_LISTEN": self.other,
            "BRETTWERK_METRICS_LISTEN": self.metrics,
        }


class Beside(ProcessSupervisor):
    """One of them. It is started again when it ends, and nobody takes it for one that hangs: the system has to cope by itself."""

    def __init__(self, name: str, module: str, environment: Mapping[str, str], place: Place, log: Path, hear: Hear) -> None:
        """`log` is where its lines are kept, as they are those of a process of a deployment."""
        self.place = place
        self.was_killed = False
        """Whether it did not end on request."""
        spec = ProcessSpec(name, (sys.executable, "-m", module), environment, partial(serves, place.grpc, "", 1.0), lambda: 0.0)
        super().__init__(spec, LogTail(log, lambda line: hear(name, line)), self._note)

    def _note(self, line: str) -> None:
        self.was_killed = self.was_killed or line.endswith("is killed")
