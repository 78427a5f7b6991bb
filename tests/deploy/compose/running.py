"""The compose file, running: its containers, and whether they are well."""

import secrets
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.deploy import containers
from tests.deploy.containers import Podman
from tests.deploy.tools import ROOT
from tests.e2e.stranger import eventually
from tests.ports import free_port

FILE = ROOT / "deploy" / "compose" / "compose.yaml"
SERVICES = ("redis", *containers.SERVICES)


class Composed:
    """All services of the compose file in a project of its own; nothing is left of it in the end."""

    def __init__(self, podman: Podman, folder: Path) -> None:
        self.podman = podman
        self.project = f"test{secrets.token_hex(4)}"
        page, grpc = free_port(), free_port()
        self.page, self.grpc_address = f"http://127.0.0.1:{page}", f"127.0.0.1:{grpc}"
        self._folder = folder
        self._environment = {
            **podman.environment,
            "BRETTWERK_SECRETS": str(folder),
            "BRETTWERK_STORE_IMAGE": podman.store_image,
            "BRETTWERK_PAGE_PORT": str(page),
            "BRETTWERK_GRPC_PORT": str(grpc),
        }

    def __enter__(self) -> "Composed":
        subprocess.run(["sh", str(FILE.parent / "secrets.sh"), str(self._folder)], check=True, capture_output=True, timeout=30)
        try:
            self._compose("up", "--detach", "--no-build")
            eventually(self.is_well, within_s=180, every_s=1)
        except BaseException:
            print(self.state())
            self._end()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is not None:
            print(self.state())
        self._end()

    def container(self, service: str) -> str:
        """Return the id of a service's container; empty when there is none."""
        labels = {"com.docker.compose.project": self.project, "com.docker.compose.service": service}
        filters = [word for name, value in labels.items() for word in ("--filter", f"label={name}={value}")]
        return self.podman("ps", "--all", "--quiet", *filters).stdout.strip()

    def inspect(self, service: str) -> dict[str, Any]:
        return self.podman.inspect(self.container(service))

    def is_healthy(self, service: str) -> bool:
        """Ask a container's own health check. Podman alone does that only where there is systemd."""
        return self.podman("healthcheck", "run", self.container(service), check=False).returncode == 0

    def is_well(self) -> bool:
        return all(self.container(service) and self.is_healthy(service) for service in SERVICES)

    def thoughts(self) -> float:
        """Return for how many moves the worker has thought."""
        ask = "import urllib.request as r; print(r.urlopen('http://127.0.0.1:9000/metrics', timeout=20).read().decode())"
        metrics = self.podman("exec", self.container("worker"), "python", "-c", ask).stdout
        return sum(
            float(line.split()[-1]) for line in metrics.splitlines() if line.startswith("brettwerk_ai_think_seconds_count")
        )

    def state(self) -> str:
        """Return what one wants to read when something went wrong."""
        said = [self.podman("ps", "--all", "--filter", f"label=com.docker.compose.project={self.project}").stdout]
        for service in SERVICES:
            if container := self.container(service):
                done = self.podman("logs", "--tail", "15", container, check=False)
                said.append(f"--- {service}\n{done.stdout}{done.stderr}")
        return "\n".join(said)

    def _compose(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "podman_compose", "--project-name", self.project, "--file", str(FILE), *arguments]
        done = subprocess.run(
            command, env=self._environment, cwd=self._folder, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def _end(self) -> None:
        self._compose("down", "--volumes", "--timeout", "0")
