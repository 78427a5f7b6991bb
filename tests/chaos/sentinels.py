"""A Redis with a replica, watched over by three real Sentinels."""

import contextlib
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import redis

from tests.ports import free_port
from tests.redis_server import server

NAME = "brettwerk"
SENTINELS = 3


class Watched:
    """The master as the Sentinels know it, and the processes."""

    def __init__(self, ports: list[int], servers: dict[int, "subprocess.Popen[bytes]"]) -> None:
        self._ports, self._servers = ports, servers

    @property
    def hosts(self) -> str:
        """The Sentinels, as a URL names them."""
        return ",".join(f"127.0.0.1:{port}" for port in self._ports)

    def master(self) -> int:
        """Return the port of the server that is the master now, as most of the Sentinels say."""
        said = []
        for port in self._ports:
            with redis.Redis(port=port, socket_timeout=2) as sentinel, contextlib.suppress(redis.RedisError):
                said.append(int(sentinel.sentinel_get_master_addr_by_name(NAME)[1]))
        return max(set(said), key=said.count) if said else 0

    def knows_everybody(self) -> bool:
        """Return whether each Sentinel has found the replica, in step with its master, and the other Sentinels."""
        for port in self._ports:
            with redis.Redis(port=port, socket_timeout=2) as sentinel:
                try:
                    replicas = sentinel.sentinel_slaves(NAME)
                    others = sentinel.sentinel_sentinels(NAME)
                except redis.RedisError:
                    return False
            if len(others) != SENTINELS - 1 or [one["flags"] for one in replicas] != ["slave"]:
                return False
            if replicas[0]["master-link-status"] != "ok":
                return False
        return True

    def kill(self, port: int) -> None:
        """Kill the server at a port."""
        self._servers[port].kill()
        self._servers[port].wait()


@contextlib.contextmanager
def watched_redis(folder: Path) -> Iterator[Watched]:
    """Yield a master and a replica that stand under Sentinels; all of them are ready."""
    with contextlib.ExitStack() as started:

        def start(name: str, port: int, *arguments: str) -> "subprocess.Popen[bytes]":
            return started.enter_context(server(folder / name, port, *arguments))

        master, replica = free_port(), free_port()
        servers = {master: start("master", master, "--save", "")}
        servers[replica] = start("replica", replica, "--save", "", "--replicaof", "127.0.0.1", str(master))
        ports = [free_port() for _ in range(SENTINELS)]
        for number, port in enumerate(ports):
            file = folder / f"sentinel-{number}.conf"
            file.write_text(
                f"sentinel monitor {NAME} 127.0.0.1 {master} {SENTINELS // 2 + 1}\n"
                f"sentinel down-after-milliseconds {NAME} 1000\nsentinel failover-timeout {NAME} 5000\n"
            )
            start(f"sentinel-{number}", port, str(file), "--sentinel")
        found = Watched(ports, servers)
        until = time.monotonic() + 60
        while not found.knows_everybody():
            assert time.monotonic() < until, "the Sentinels do not find each other"
            time.sleep(0.2)
        yield found
