"""A Redis with a replica, watched over by three real Sentinels."""

import contextlib
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import redis

from tests.certificates import Authority
from tests.ports import free_port
from tests.redis_server import server

NAME = "brettwerk"
SENTINELS = 3


@dataclass(frozen=True)
class Secured:
    """How servers and Sentinels are guarded: TLS on both sides, a password for the servers and another one for the Sentinels."""

    program: str
    """A server that speaks TLS."""
    authority: Authority
    password: str = "the servers' own: p@ss/word"
    sentinel_password: str = "the Sentinels' own: w&rd"
    has_open_sentinels: bool = False
    """Whether the Sentinels let in who shows no certificate."""

    def files(self, name: str) -> tuple[str, str, str]:
        """Return the files of a new certificate: itself, its key, who signs it."""
        made = self.authority.issue(name)
        return made["BRETTWERK_TLS_CERTIFICATE"], made["BRETTWERK_TLS_KEY"], made["BRETTWERK_TLS_AUTHORITY"]


class Watched:
    """The master as the Sentinels know it, and the processes."""

    def __init__(
        self,
        ports: list[int],
        servers: dict[int, "subprocess.Popen[bytes]"],
        secured: Secured | None = None,
        start: "Callable[[int], subprocess.Popen[bytes]] | None" = None,
    ) -> None:
        """`start` starts the server of a port again."""
        self._ports, self._servers, self._secured, self._start = ports, servers, secured, start
        self._files = secured.files("asking") if secured else ("", "", "")

    @property
    def hosts(self) -> str:
        """The Sentinels, as a URL names them."""
        return ",".join(f"127.0.0.1:{port}" for port in self._ports)

    def url(self, database: int, **changes: str) -> str:
        """Return the URL of a database; `changes` are other values of its query, or of the servers' `password`."""
        if self._secured is None:
            return f"sentinel://{self.hosts}/{NAME}/{database}"
        certificate, key, authority = self._files
        password = quote(changes.pop("password", self._secured.password), safe="")
        query = {
            "ssl_ca_certs": authority,
            "ssl_certfile": certificate,
            "ssl_keyfile": key,
            "sentinel_password": self._secured.sentinel_password,
        }
        return f"rediss+sentinel://:{password}@{self.hosts}/{NAME}/{database}?{urlencode(query | changes)}"

    def master(self) -> int:
        """Return the port of the server that is the master now, as most of the Sentinels say."""
        said = []
        for port in self._ports:
            with self._sentinel(port) as sentinel, contextlib.suppress(redis.RedisError):
                said.append(int(sentinel.sentinel_get_master_addr_by_name(NAME)[1]))
        return max(set(said), key=said.count) if said else 0

    def knows_everybody(self) -> bool:
        """Return whether each Sentinel has found the replica, in step with its master, and the other Sentinels."""
        for port in self._ports:
            with self._sentinel(port) as sentinel:
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

    def masters(self) -> list[int]:
        """Return the port of the master, if there is one."""
        return [port for port in [self.master()] if port]

    def replica_of(self, port: int) -> int:
        """Return the port of the server that is not the master."""
        return next(one for one in self._servers if one != port and one not in self._ports)

    def is_whole(self) -> bool:
        """Return whether all servers run and know each other."""
        return all(one.poll() is None for one in self._servers.values()) and self.knows_everybody()

    def revive(self, port: int) -> None:
        """Start a server again that was killed, with what its file holds; Sentinels make a replica of who is not the master."""
        assert self._start is not None
        self._servers[port] = self._start(port)

    def kill(self, port: int) -> None:
        """Kill the server at a port."""
        self._servers[port].kill()
        self._servers[port].wait()

    def _sentinel(self, port: int) -> "redis.Redis":
        return redis.Redis(port=port, socket_timeout=2, **self._access())

    def _access(self) -> dict[str, Any]:
        if self._secured is None:
            return {}
        certificate, key, authority = self._files
        files = {"ssl": True, "ssl_ca_certs": authority, "ssl_certfile": certificate, "ssl_keyfile": key}
        return {"host": "127.0.0.1", "password": self._secured.sentinel_password, **files}


@contextlib.contextmanager
def watched_redis(folder: Path, secured: Secured | None = None, arguments: tuple[str, ...] = ()) -> Iterator[Watched]:
    """Yield a master and a replica that stand under Sentinels; all of them are ready. `arguments` go to both servers."""
    with contextlib.ExitStack() as started:

        def start(name: str, port: int, *arguments: str) -> "subprocess.Popen[bytes]":
            if secured is None:
                return started.enter_context(server(folder / name, port, *arguments))
            certificate, key, authority = secured.files(name)
            tls = ["--tls-port", str(port), "--tls-replication", "yes"]
            tls += ["--tls-cert-file", certificate, "--tls-key-file", key, "--tls-ca-cert-file", authority]
            if "--sentinel" in arguments:
                tls += ["--tls-auth-clients", "no" if secured.has_open_sentinels else "yes"]
            else:
                tls += ["--requirepass", secured.password, "--masterauth", secured.password]
            return started.enter_context(server(folder / name, 0, *arguments, *tls, program=secured.program))

        master, replica = free_port(), free_port()
        names = {master: "master", replica: "replica"}
        servers = {master: start("master", master, "--save", "", *arguments)}
        servers[replica] = start("replica", replica, "--save", "", *arguments, "--replicaof", "127.0.0.1", str(master))
        ports = [free_port() for _ in range(SENTINELS)]
        for number, port in enumerate(ports):
            file = folder / f"sentinel-{number}.conf"
            lines = [
                f"sentinel monitor {NAME} 127.0.0.1 {master} {SENTINELS // 2 + 1}",
                f"sentinel down-after-milliseconds {NAME} 1000",
                f"sentinel failover-timeout {NAME} 5000",
            ]
            if secured is not None:
                own = secured.sentinel_password
                lines += [
                    f'sentinel auth-pass {NAME} "{secured.password}"',
                    f'requirepass "{own}"',
                    f'sentinel sentinel-pass "{own}"',
                ]
            file.write_text("\n".join(lines) + "\n")
            servers[port] = start(f"sentinel-{number}", port, str(file), "--sentinel")
        found = Watched(ports, servers, secured, lambda port: start(names[port], port, "--save", "", *arguments))
        until = time.monotonic() + 60
        while not found.knows_everybody():
            assert time.monotonic() < until, "the Sentinels do not find each other"
            time.sleep(0.2)
        yield found
