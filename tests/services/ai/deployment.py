"""A small deployment for tests: broker, AI service and workers as processes, and a gRPC peer in the place of the session
service."""

import contextlib
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import psutil
import redis

from brettwerk.internal.v1 import ai_pb2_grpc
from brettwerk_games.rules.einstein import GAME as EINSTEIN
from tests.callers import known
from tests.ports import free_port
from tests.services.ai.odd_worker import WAITS
from tests.services.ai.session_peer import SessionPeer, Table
from tests.services.ai.wanted import start_position, view_of

__all__ = ["Deployment", "Process", "SessionPeer", "start_position", "view_of", "wait_until", "wait_until_it_thinks"]

ROOT = Path(__file__).parents[3]


@dataclass
class Process:
    """A process of the deployment and the file that its logs go to."""

    popen: "subprocess.Popen[bytes]"
    log: Path

    def lines(self, event: str = "") -> list[dict[str, Any]]:
        """Return what it has logged, of one kind."""
        found = []
        for line in self.log.read_text().splitlines():
            with contextlib.suppress(json.JSONDecodeError):
                entry = json.loads(line)
                if isinstance(entry, dict) and event in ("", entry.get("event")):
                    found.append(entry)
        return found

    def children(self) -> list[psutil.Process]:
        """Return the processes of its pool, which are forks of it; what it starts beside them (EinStein's tables) is not."""
        own = psutil.Process(self.popen.pid)
        found = []
        for child in own.children():
            with contextlib.suppress(psutil.NoSuchProcess):  # it has ended meanwhile
                if child.cmdline() == own.cmdline():
                    found.append(child)
        return found


@dataclass
class Deployment:
    """Starts and knows the processes."""

    redis_url: str
    folder: Path
    peer: SessionPeer
    ai_address: str = field(default_factory=lambda: f"127.0.0.1:{free_port()}")
    worker_metrics: int = field(default_factory=free_port)
    service_metrics: int = field(default_factory=free_port)
    _started: list[Process] = field(default_factory=list)

    @property
    def started(self) -> list[Process]:
        """All that was started, those that have ended too."""
        return list(self._started)

    def start(self, module: str, **settings: str) -> Process:
        """Start a module as a process."""
        log = self.folder / f"{module}-{len(self._started)}.log"
        env = {
            **os.environ,
            "BRETTWERK_BROKER_URL": self.redis_url,
            "BRETTWERK_AI_ADDRESS": self.ai_address,
            "BRETTWERK_SESSION_ADDRESS": f"127.0.0.1:{self.peer.port}",
            "BRETTWERK_DRAIN_S": "0",
            **{f"BRETTWERK_{name.upper()}": value for name, value in settings.items()},
        }
        with log.open("wb") as out:
            popen = subprocess.Popen([sys.executable, "-m", module], cwd=ROOT, env=env, stdout=out, stderr=subprocess.STDOUT)
        process = Process(popen, log)
        self._started.append(process)
        return process

    def start_service(self, **settings: str) -> Process:
        """Start the AI service and wait until it listens."""
        process = self.start("services.ai", **{"metrics_listen": f"127.0.0.1:{self.service_metrics}", **settings})
        wait_until(lambda: process.lines("listening"), process)
        return process

    def start_worker(self, module: str = "services.ai.worker", **settings: str) -> Process:
        """Start a worker with one slot, so two processes, and wait until it is ready."""
        files = {"go": str(self.folder / "go"), "hung": str(self.folder / "hung")}
        process = self.start(module, **{"worker_concurrency": "1", "metrics_listen": "", **files, **settings})
        wait_until(lambda: process.lines("ready"), process)
        return process

    def start_odd_worker(self, **settings: str) -> Process:
        """Start a worker whose players do as `odd_worker` says."""
        return self.start_worker("tests.services.ai.odd_worker", **settings)

    def slow_table(self) -> Table:
        """Return a table at which the player of such a worker thinks until `go`."""
        (self.folder / "go").unlink(missing_ok=True)
        return self.peer.table(EINSTEIN, "depth", depth=WAITS)

    def go(self) -> None:
        """Let who thinks so come to an end."""
        (self.folder / "go").touch()

    @contextlib.contextmanager
    def stub(self) -> Iterator[ai_pb2_grpc.AiServiceStub]:
        """Yield a client of the AI service."""
        with known(grpc.insecure_channel(self.ai_address)) as channel:
            yield ai_pb2_grpc.AiServiceStub(channel)

    def metrics(self, port: int) -> str:
        """Return what a process shows of itself."""
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as response:
            return str(response.read().decode())

    def broker(self) -> "redis.Redis":
        return redis.Redis.from_url(self.redis_url)

    def thinking(self) -> list[int]:
        """Return the processes that have something in hand, by what the board knows."""
        with self.broker() as broker:
            hands = list(broker.scan_iter("bw:{wanted}:hand:*"))
            return [int(pid) for hand in hands for pid in broker.hkeys(hand)]

    def close(self) -> None:
        for process in self._started:
            with contextlib.suppress(psutil.NoSuchProcess):
                for child in process.children():
                    child.kill()
            process.popen.kill()
            process.popen.wait()


def wait_until(happens: Callable[[], Any], process: Process | None = None, seconds: float = 100) -> None:
    """Return when it happens. Fails, with the process's log, when it does not or when the process ends."""
    until = time.monotonic() + seconds
    while not happens():
        ended = process is not None and process.popen.poll() is not None
        log = process.log.read_text()[-3000:] if process is not None else ""
        assert not ended, f"the process ended:\n{log}"
        assert time.monotonic() < until, f"it did not happen:\n{log}"
        time.sleep(0.05)


def wait_until_it_thinks(deployment: Deployment, worker: Process, table: Table) -> psutil.Process:
    """Return the one process that has something in hand, when it has the table's position."""
    wait_until(lambda: len(deployment.thinking()) == 1 and deployment.peer.has_shown(table), worker)
    (pid,) = deployment.thinking()
    return psutil.Process(pid)
