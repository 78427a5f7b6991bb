"""A real Redis Cluster for tests: masters with a replica each, on this machine."""

import contextlib
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import redis
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from tests.ports import free_port
from tests.redis_server import server

NODE_TIMEOUT_MS = 1_000
"""After how long a master that is silent is replaced, plus an election of about a second."""
_HIGHEST_PORT = 55_535
"""Its bus takes the port that is greater by 10,000."""


class RunningCluster:
    """The processes, by port, and who is what."""

    def __init__(
        self,
        servers: dict[int, "subprocess.Popen[bytes]"],
        masters: int,
        password: str,
        start: "Callable[[int], subprocess.Popen[bytes]]",
    ) -> None:
        """`start` starts the node of a port again."""
        self._servers, self._masters, self._password, self._start = servers, masters, password, start

    @property
    def hosts(self) -> str:
        """Two of the nodes, as a URL names them."""
        return ",".join(f"127.0.0.1:{port}" for port in list(self._servers)[:2])

    @property
    def url(self) -> str:
        """The URL."""
        return f"redis+cluster://{f':{self._password}@' if self._password else ''}{self.hosts}"

    def node(self, port: int) -> "redis.Redis":
        """Return a client of one node, to be closed."""
        return redis.Redis(port=port, password=self._password or None, socket_timeout=5)

    def master_of(self, key: str) -> int:
        """Return the port of the master of a key's slot; 0 while there is none, or nobody knows."""
        return next(self._masters_of(key), 0)

    def _masters_of(self, key: str) -> Iterator[int]:
        """Yield the port of the master of a key's slot as each node knows it."""
        slot = key_slot(key.encode())
        for port, process in self._servers.items():
            if process.poll() is None:
                with self.node(port) as node, contextlib.suppress(redis.RedisError):
                    for first, last, master, *_replicas in node.execute_command("CLUSTER SLOTS"):
                        if first <= slot <= last:
                            yield int(master[1])

    def masters(self) -> list[int]:
        """Return the ports of the nodes that are masters and run."""
        found = []
        for port, process in self._servers.items():
            if process.poll() is None:
                with self.node(port) as node:
                    if node.info("replication")["role"] == "master":
                        found.append(port)
        return found

    def replica_of(self, port: int) -> int:
        """Return the port of a master's replica."""
        with self.node(port) as node:
            return int(node.info("replication")["slave0"]["port"])

    def kill(self, port: int) -> None:
        """Kill the server at a port."""
        self._servers[port].kill()
        self._servers[port].wait()

    def revive(self, port: int) -> None:
        """Start a node again that was killed, with what its files hold."""
        self._servers[port] = self._start(port)

    def move(self, key: str, to: int) -> None:
        """Move a key's slot to another master, key by key, as resharding tools do; return when all agree."""
        slot, origin = key_slot(key.encode()), self.master_of(key)
        with self.node(origin) as source, self.node(to) as target:
            names = {port: self._name(port) for port in (origin, to)}
            target.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", names[origin])
            source.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", names[to])
            while keys := source.execute_command("CLUSTER GETKEYSINSLOT", slot, 10):
                source.execute_command("MIGRATE", "127.0.0.1", to, "", 0, 5000, *self._credentials(), "KEYS", *keys)
            for node in (target, source):
                node.execute_command("CLUSTER SETSLOT", slot, "NODE", names[to])
        until = time.monotonic() + 30
        while set(self._masters_of(key)) != {to}:
            assert time.monotonic() < until, "the nodes do not agree on the slot"
            time.sleep(0.05)

    def _credentials(self) -> tuple[str, ...]:
        return ("AUTH", self._password) if self._password else ()

    def _name(self, port: int) -> str:
        with self.node(port) as node:
            return str(node.execute_command("CLUSTER MYID").decode())

    def is_whole(self) -> bool:
        """Return whether each node knows that every slot has a master, and every master a replica that keeps up."""
        for port, process in self._servers.items():
            if process.poll() is not None:
                continue
            with self.node(port) as node, contextlib.suppress(redis.RedisError):
                facts = node.execute_command("CLUSTER INFO")
                state = facts.get("cluster_state") if isinstance(facts, dict) else None
                ranges = node.execute_command("CLUSTER SLOTS")
                replication = node.info("replication")
                is_synced = replication.get("master_link_status", "up") == "up"
                if state == "ok" and len(ranges) == self._masters and is_synced and all(len(one) == 4 for one in ranges):
                    continue
            return False
        return True


@contextlib.contextmanager
def running_cluster(
    folder: Path, masters: int = 3, password: str = "", arguments: tuple[str, ...] = ()
) -> Iterator[RunningCluster]:
    """Yield a cluster that is ready; `arguments` go to every server."""
    with contextlib.ExitStack() as started:
        own = ("--cluster-enabled", "yes", "--cluster-node-timeout", str(NODE_TIMEOUT_MS), "--save", "", "--appendonly", "yes")
        secret = ("--requirepass", password, "--masterauth", password) if password else ()
        ports = [_port() for _ in range(2 * masters)]

        def start(port: int) -> "subprocess.Popen[bytes]":
            return started.enter_context(server(folder / f"node-{ports.index(port)}", port, *own, *secret, *arguments))

        made = RunningCluster({port: start(port) for port in ports}, masters, password, start)
        for port in ports:
            _wait(partial(_answers, made, port), "a node does not answer")
        share = REDIS_CLUSTER_HASH_SLOTS // masters
        for number, port in enumerate(ports[:masters]):
            last = REDIS_CLUSTER_HASH_SLOTS - 1 if number == masters - 1 else (number + 1) * share - 1
            with made.node(port) as node:
                node.execute_command("CLUSTER SET-CONFIG-EPOCH", number + 1)
                node.execute_command("CLUSTER ADDSLOTSRANGE", number * share, last)
        with made.node(ports[0]) as first:
            for port in ports[1:]:
                first.execute_command("CLUSTER MEET", "127.0.0.1", port)
        for number, port in enumerate(ports[masters:]):
            name = made._name(ports[number])
            with made.node(port) as node:
                _wait(partial(_replicates, node, name), "a replica does not know its master")
        _wait(made.is_whole, "the nodes do not become a cluster")
        yield made


def _answers(made: RunningCluster, port: int) -> bool:
    with made.node(port) as node, contextlib.suppress(redis.RedisError):
        return bool(node.ping())
    return False


def _replicates(node: "redis.Redis", name: str) -> bool:
    with contextlib.suppress(redis.ResponseError):  # it has not heard of it yet
        return bool(node.execute_command("CLUSTER REPLICATE", name))  # type: ignore[no-untyped-call]
    return False


def _wait(is_so: Callable[[], bool], otherwise: str) -> None:
    until = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < until, otherwise
        time.sleep(0.05)


def _port() -> int:
    """Return a free port whose bus port is free, too."""
    while True:
        port = free_port()
        if port <= _HIGHEST_PORT:
            with socket.socket() as bus, contextlib.suppress(OSError):
                bus.bind(("127.0.0.1", port + 10_000))
                return port
