"""Brettwerk on several hosts: how many pods of each service, on which hosts, and what leads to them."""

import contextlib
import itertools
import secrets
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

import redis
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from deploy.local.redis import find_server
from loadtests.chaos.figures import Figures
from loadtests.chaos.system import is_fault
from loadtests.machines import database
from loadtests.machines.line import Line
from loadtests.machines.names import NameServer
from loadtests.machines.namespaces import Namespace, resolve_by
from loadtests.machines.pods import MODULES, PORTS, Pod, name_of
from loadtests.machines.wires import Wire, address
from loadtests.run import Say

LAYOUT: Mapping[str, Sequence[int]] = {
    "rules": (2, 3),
    "ai": (1,),
    "players": (1,),
    "session": (1, 2, 3),
    "worker": (2, 3),
    "gateway": (1, 2),
}
"""On which hosts there is a pod of a service at first. Host 0 has the clients and the name server, host 1 the store, too."""
HOSTS = 4
START_S = 180.0
LOOK_S = 0.2
_STORE, _DATABASE, _NAMES = 2, 3, 53
"""The numbers of the store, the database and the name server at their hosts; pods have others."""

SETTINGS: Mapping[str, str] = {
    # All players come from one address here.
    "BRETTWERK_RATE_PER_S": "500",
    "BRETTWERK_RATE_BURST": "2000",
    "BRETTWERK_ADDRESS_RATE_PER_S": "5000",
    "BRETTWERK_ADDRESS_RATE_BURST": "20000",
    "BRETTWERK_STREAMS_PER_PLAYER": "1000",
    "BRETTWERK_STREAMS_PER_ADDRESS": "10000",
}


class Cluster:
    """The hosts, the wire between them, and all pods. Data and logs are in `folder`."""

    def __init__(self, folder: Path, say: Say, layout: Mapping[str, Sequence[int]] | None = None, replicas: int = 0) -> None:
        """`layout` is LAYOUT unless another one is given; `replicas` of the store are at the hosts 2 and 3."""
        self.folder, self._say, self._layout = folder, say, LAYOUT if layout is None else layout
        self._replicas = replicas
        self.pods: dict[str, list[Pod]] = {service: [] for service in MODULES}
        self.ended: list[Pod] = []
        self.password = secrets.token_hex(16)
        self._key, self._inner_key = secrets.token_hex(20), secrets.token_hex(20)
        self._numbers = itertools.count(10)
        self._undo = contextlib.ExitStack()

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as undo:
            self.hosts = [
                undo.enter_context(contextlib.closing(Namespace(f"host {number}", is_here=not number))) for number in range(HOSTS)
            ]
            self.wire: Wire = undo.enter_context(contextlib.closing(Wire(self.hosts, Line())))
            self._names = undo.enter_context(self._name_server())
            undo.callback(self._kill_all)
            undo.enter_context(self._running_store())
            self._database = undo.enter_context(database.running(self.hosts[1], self._place(1, _DATABASE), self.folder))
            for service, hosts in self._layout.items():
                for host in hosts:
                    self._start(service, host)
            for pods in self.pods.values():
                for pod in pods:
                    self.wait(pod)
            self._undo = undo.pop_all()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._undo.close()

    @property
    def store_url(self) -> str:
        """The URL of the Redis that holds running games."""
        return f"redis://:{self.password}@{address(1, _STORE)}:6379/0"

    @property
    def endpoints(self) -> list[str]:
        """GRPC targets of the gateways. Each begins with another one, and goes on to the next where that is gone."""
        places = [f"{pod.address}:{PORTS['gateway']}" for pod in self.pods["gateway"]]
        return [f"ipv4:{','.join(places[n:] + places[:n])}" for n in range(len(places))]

    def archived(self) -> set[str]:
        """Return the sessions that the archive has."""
        engine = create_engine(self._archive_url)
        try:
            with engine.connect() as connection:
                return set(connection.execute(text("SELECT session_id FROM archived_sessions")).scalars())
        except OperationalError:
            return set()
        finally:
            engine.dispose()

    def add(self, service: str, host: int, settings: Mapping[str, str] | None = None) -> Pod:
        """Start one more pod, and return it when it is ready and its name leads there."""
        pod = self._start(service, host, settings)
        self.wait(pod)
        return pod

    def drain(self, pod: Pod) -> float:
        """End a pod as a cluster does: its name no longer leads there, and it is told. Returns how many seconds it took."""
        self.pods[pod.service].remove(pod)
        self.ended.append(pod)
        self.list(pod.service)
        return pod.end()

    def list(self, service: str) -> None:
        """Have a service's name lead to all of its pods."""
        self._names.addresses[name_of(service)] = tuple(pod.address for pod in self.pods[service])

    def wait(self, pod: Pod) -> None:
        """Return when a pod is ready, and its name leads there. Raises RuntimeError when it has ended, or takes too long."""
        until = time.monotonic() + START_S
        while True:
            # Pods wait for each other: who is alive has to be found by those that follow.
            self.list(pod.service)
            if pod.is_ready():
                return
            if time.monotonic() > until:
                raise RuntimeError(f"{pod.name} is not ready: {pod.last_words()}")
            time.sleep(LOOK_S)

    def note_faults(self, figures: Figures) -> None:
        """Count what pods have logged that tells of a fault."""
        for pod in [*self.ended, *(pod for pods in self.pods.values() for pod in pods)]:
            for line in pod.log.read_text(errors="replace").splitlines():
                if is_fault(line):
                    figures.add("tracebacks", f"{pod.name}: {line[-1500:]}")

    def _start(self, service: str, host: int, settings: Mapping[str, str] | None = None) -> Pod:
        number = next(self._numbers)
        name, place, where = f"{service}-{host}-{number}", self._place(host, number), self.hosts[host]
        given = {
            **SETTINGS,
            "BRETTWERK_INNER_KEY": self._inner_key,
            "BRETTWERK_REDIS_URL": self.store_url,
            "BRETTWERK_BROKER_URL": self.store_url.removesuffix("0") + "1",
            "BRETTWERK_DATABASE_URL": self._archive_url,
            "BRETTWERK_PLAYERS_DATABASE_URL": self._archive_url if self._is_shared else f"{self._database}players.sqlite3",
        }
        if service in ("session", "gateway"):
            given["BRETTWERK_SECRET_KEY"] = self._key
        if self._replicas:
            given["BRETTWERK_REDIS_REPLICAS"] = "1"
        pod = Pod(name, service, where, place, given | dict(settings or {}), self.folder / f"{name}.log")
        self.pods[service].append(pod)
        self._say(f"{name} at {place}")
        return pod

    @property
    def _is_shared(self) -> bool:
        """Whether there is a database that has room for more than one service."""
        return not self._database.startswith("sqlite")

    @property
    def _archive_url(self) -> str:
        return f"{self._database}postgres" if self._is_shared else f"{self._database}archive.sqlite3"

    def _place(self, host: int, number: int) -> str:
        """Return an address of a host, which it has from now on."""
        place = address(host, number)
        self.hosts[host].ip("address", "add", f"{place}/32", "dev", "lo")
        return place

    @contextlib.contextmanager
    def _name_server(self) -> Iterator[NameServer]:
        place = self._place(0, _NAMES)

        def bound() -> socket.socket:
            found = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            found.bind((place, 53))
            return found

        with NameServer(self.hosts[0].do(bound)) as server:
            resolve_by(place, self.folder / "resolv.conf")
            yield server

    @contextlib.contextmanager
    def _running_store(self) -> Iterator[None]:
        """Run the store, and its replicas. With these, an action counts once one of them has it, as in the chart."""
        options = ["--min-replicas-to-write", "1"] if self._replicas else []
        with contextlib.ExitStack() as started:
            started.enter_context(self._server(1, *options))
            for host in (2, 3)[: self._replicas]:
                started.enter_context(
                    self._server(host, "--replicaof", address(1, _STORE), "6379", "--masterauth", self.password)
                )
            with redis.Redis.from_url(self.store_url) as client:
                until = time.monotonic() + START_S
                while True:
                    with contextlib.suppress(redis.ConnectionError):
                        if client.info("replication")["connected_slaves"] == self._replicas:
                            break
                    if time.monotonic() > until:
                        raise RuntimeError("the store does not answer, or its replicas do not follow it")
                    time.sleep(LOOK_S)
            yield

    @contextlib.contextmanager
    def _server(self, host: int, *options: str) -> Iterator[None]:
        place, folder = self._place(host, _STORE), self.folder / f"redis-{host}"
        folder.mkdir(exist_ok=True)
        command = [str(find_server()), "--bind", place, "--dir", str(folder), "--requirepass", self.password]
        command += ["--save", "", "--appendonly", "yes", "--maxmemory-policy", "noeviction", *options]
        process = self.hosts[host].do(lambda: subprocess.Popen(command, stdout=subprocess.DEVNULL))  # noqa: S603
        try:
            yield
        finally:
            process.kill()
            process.wait()

    def _kill_all(self) -> None:
        for pods in self.pods.values():
            for pod in pods:
                pod.kill()
