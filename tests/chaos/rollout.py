"""A cluster's work with the chart's Deployments, done with processes: pods with addresses of their own, and rolling updates.

The chart says how long a pod is held back before SIGTERM (preStop), how long it may take then, with which settings it drains,
and how many pods may be there beyond those that are wanted. Headless names lead to the pods that are ready.
"""

import contextlib
import itertools
import os
import re
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import grpc
import httpx
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.ai.celery_worker.shutdown import ENDED_FROM_INSIDE
from tests.chaos.names import Names
from tests.chaos.releases import THIS, Release
from tests.deploy.chart.rendering import EXAMPLES, of, rendered, things
from tests.redis_server import running_redis

MODULES = {"rules": "services.rules", "session": "services.session", "ai": "services.ai", "players": "services.players", "worker-think": "services.ai.worker", "gateway": "gateway"}  # fmt: skip # noqa: E501
PORTS = {"rules": 7801, "session": 7802, "ai": 7803, "players": 7804, "gateway": 7800}
LINK_PORTS = {"rules": 7811, "session": 7812}
WORKERS = ("worker-think",)
START_S = 120.0


@dataclass(frozen=True)
class Terms:
    """The chart's settings for a service's pods."""

    ready_for_s: float
    """How long a new pod must have been ready before an old one is ended (minReadySeconds)."""
    held_back_s: float
    """Between the decision to end a pod and its SIGTERM (preStop)."""
    termination_s: float
    """After which it is killed, counted from that decision."""
    environment: dict[str, str]
    """Its settings that are plain numbers: how it drains."""


def terms(service: str) -> Terms:
    """Return the terms of a service in the chart's example for a crowd."""
    (example,) = (one for one in EXAMPLES if one.stem == "production")
    (made,) = (one for one in of("Deployment", things(rendered(example))) if one["metadata"]["name"] == f"brettwerk-{service}")
    strategy: dict[str, Any] = made["spec"]["strategy"]["rollingUpdate"]
    assert strategy["maxUnavailable"] == 0
    spec = made["spec"]["template"]["spec"]
    (container,) = spec["containers"]
    given = {one["name"]: one["value"] for one in container["env"] if re.fullmatch(r"[\d.]+", str(one.get("value", "")))}
    sleep = container.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
    ready_for_s = float(made["spec"].get("minReadySeconds", 0))
    return Terms(ready_for_s, float(sleep), float(spec["terminationGracePeriodSeconds"]), given)


class Pod:
    """One process of a service, at an address of its own with the ports of the chart."""

    def __init__(self, service: str, address: str, environment: dict[str, str], log: Path, release: Release = THIS) -> None:
        self.service, self.address, self.release, self._log = service, address, release, log
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                release.command(MODULES[service]),
                cwd=release.folder,
                env=environment | release.environment,
                stdout=output,
                stderr=output,
            )

    def is_ready(self) -> bool:
        """Return what the chart's readiness probe finds."""
        assert self.process.poll() is None, self.last_words()
        if self.service.startswith("worker"):
            with contextlib.suppress(httpx.HTTPError):
                return httpx.get(f"http://{self.address}:9000/ready", timeout=2).status_code == 200
            return False
        with grpc.insecure_channel(f"{self.address}:9001") as channel, contextlib.suppress(grpc.RpcError):
            status = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=2).status
            return bool(status == health_pb2.HealthCheckResponse.SERVING)
        return False

    def log(self) -> str:
        """Return its log."""
        return self._log.read_text(errors="replace")

    def last_words(self) -> str:
        """Return the end of its log."""
        return f"{self.service} {self.address} of {self.release.name}: " + self.log()[-2000:]


class Rollout:
    """A cluster with so many pods of each service, and what `helm upgrade` does to it."""

    def __init__(
        self,
        folder: Path,
        replicas: int,
        database_url: str,
        settings: dict[str, str],
        release: Release = THIS,
        without: tuple[str, ...] = (),
    ) -> None:
        """`release` is what it begins with; of the services in `without` there is no pod until one is added."""
        self._without = without
        self._folder, self._replicas, self._release = folder, replicas, release
        self._database_url, self._settings = database_url, settings
        # As in the chart: one PostgreSQL for both, and a file for each.
        own_file = f"sqlite:///{folder}/players.sqlite3"
        self._players_url = own_file if database_url.startswith("sqlite") else database_url
        self._addresses = (f"127.{1 + os.getpid() % 200}.{n // 250}.{n % 250 + 1}" for n in itertools.count())
        self._names = Names()
        self.pods: dict[str, list[Pod]] = {service: [] for service in MODULES}
        self._undo = contextlib.ExitStack()

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as undo:
            undo.enter_context(self._names)
            self._redis = undo.enter_context(running_redis())
            undo.callback(self._end_all)
            self._start_all(self._release)
            self._undo = undo.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._undo.close()

    @property
    def endpoint(self) -> str:
        """The gRPC target under which players find the gateways."""
        return self._names.target("gateway", PORTS["gateway"])

    def roll(self, service: str, release: Release = THIS, most: int | None = None) -> None:
        """Replace a service's pods by those of a release one after the other, a new one first; at most so many, the oldest first.

        Raises AssertionError when a pod does not end by itself, in order and within its time.
        """
        for old in tuple(self.pods[service])[:most]:
            new = self._start(service, release)
            self.pods[service].append(new)
            self._wait(service, [new])
            time.sleep(terms(service).ready_for_s)  # as Kubernetes does before it takes a pod for available (minReadySeconds)
            self.pods[service].remove(old)
            self._list(service)  # who is told to end is no longer among those that a name leads to
            self._end(old)

    def replace_all(self, release: Release = THIS) -> None:
        """End all pods, and start as many of a release when all have ended: for releases that cannot stand side by side.

        Raises AssertionError when a pod does not end by itself, in order and within its time.
        """
        ending = [pod for pods in self.pods.values() for pod in pods]
        with ThreadPoolExecutor(len(ending)) as at_once:
            list(at_once.map(self._end, ending))
        self._start_all(release)

    def _start_all(self, release: Release) -> None:
        services = [name for name, module in MODULES.items() if release.has(module) and name not in self._without]
        for service in services:
            self.pods[service] = [self._start(service, release) for _ in range(self._replicas)]
        for service in services:
            self._wait(service, self.pods[service])

    def add(self, service: str, release: Release = THIS) -> Pod:
        """Start one more pod of a service."""
        pod = self._start(service, release)
        self.pods[service].append(pod)
        self._wait(service, [pod])
        return pod

    def remove(self, pod: Pod) -> None:
        """End a pod. Raises AssertionError when it does not end by itself, in order and within its time."""
        self.pods[pod.service].remove(pod)
        self._list(pod.service)
        self._end(pod)

    def kill(self, pod: Pod) -> None:
        """Lose a pod, as with its node."""
        self.pods[pod.service].remove(pod)
        pod.process.kill()
        pod.process.wait()
        self._list(pod.service)

    def _end(self, pod: Pod) -> None:
        agreed = terms(pod.service)
        time.sleep(agreed.held_back_s)  # as the chart lets a pod do before SIGTERM (preStop)
        pod.process.send_signal(signal.SIGTERM)
        try:
            code = pod.process.wait(agreed.termination_s - agreed.held_back_s)
        except subprocess.TimeoutExpired:
            pod.process.kill()
            pod.process.wait()
            raise AssertionError(f"it would have been killed: {pod.last_words()}") from None
        # A worker may be ended from inside when its time is over: its request is asked for again, and no move is lost.
        assert code == 0 or (pod.service in WORKERS and code == ENDED_FROM_INSIDE), pod.last_words()

    def _start(self, service: str, release: Release) -> Pod:
        address = next(self._addresses)
        store = self._redis.removesuffix("0")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("BRETTWERK_")} | {
            "BRETTWERK_SECRET_KEY": "k" * 40,
            "BRETTWERK_REDIS_URL": store + "0",
            "BRETTWERK_BROKER_URL": store + "1",
            "BRETTWERK_DATABASE_URL": self._database_url,
            "BRETTWERK_PLAYERS_DATABASE_URL": self._players_url,
            "BRETTWERK_RULES_ADDRESS": self._names.target("rules", PORTS["rules"]),
            "BRETTWERK_SESSION_ADDRESS": self._names.target("session", PORTS["session"]),
            "BRETTWERK_RULES_LINK_ADDRESS": f"rules:{LINK_PORTS['rules']}",
            "BRETTWERK_SESSION_LINK_ADDRESS": f"session:{LINK_PORTS['session']}",
            "BRETTWERK_AI_ADDRESS": self._names.target("ai", PORTS["ai"]),
            "BRETTWERK_PLAYERS_ADDRESS": self._names.target("players", PORTS["players"]),
            "BRETTWERK_GATEWAY_LISTEN": f"{address}:{PORTS['gateway']}",
            "BRETTWERK_HTTP_LISTEN": f"{address}:8000",
            "BRETTWERK_METRICS_LISTEN": f"{address}:9000",
            "BRETTWERK_HEALTH_LISTEN": f"{address}:9001",
            "BRETTWERK_WEB_FOLDER": "",
            "BRETTWERK_TABLES_STONES": "0",
        }
        environment |= self._names.environment
        if service in LINK_PORTS:
            environment["BRETTWERK_LINK_LISTEN"] = f"{address}:{LINK_PORTS[service]}"
        if service in PORTS:
            environment["BRETTWERK_LISTEN"] = f"{address}:{PORTS[service]}"
        environment |= terms(service).environment | self._settings
        return Pod(service, address, environment, self._folder / f"{service}-{address}.log", release)

    def _wait(self, service: str, pods: list[Pod]) -> None:
        until = time.monotonic() + START_S
        for pod in pods:
            while not pod.is_ready():
                assert time.monotonic() < until, f"not ready: {pod.last_words()}"
                # Parts wait for each other: who is alive has to be found by those that follow.
                self._list(service)
                time.sleep(0.2)
        self._list(service)

    def _list(self, service: str) -> None:
        self._names.addresses[service] = tuple(pod.address for pod in self.pods[service])

    def _end_all(self) -> None:
        for pods in self.pods.values():
            for pod in pods:
                pod.process.kill()
                pod.process.wait()
