"""A small house for tests: broker, AI service and workers as processes, and a gRPC peer in the place of the session service."""

import contextlib
import json
import os
import queue
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import psutil
import redis

from brettwerk.v1 import ai_pb2, ai_pb2_grpc, session_pb2
from services.games.einstein import GAME
from services.games.interface import Kind
from tests.callers import known
from tests.redis_server import free_port

ROOT = Path(__file__).parents[3]
Submission = tuple[session_pb2.SubmitActionRequest, dict[str, str | bytes]]


class SessionPeer:
    """Takes submissions as the session service does, over real gRPC, and keeps them with their metadata."""

    def __init__(self) -> None:
        self.submissions: queue.Queue[Submission] = queue.Queue()
        self.unavailable = 0
        """How many of the next calls are answered with UNAVAILABLE."""
        self.port = free_port()
        self._server = grpc.server(ThreadPoolExecutor(4))
        handler = grpc.unary_unary_rpc_method_handler(
            self._submit, session_pb2.SubmitActionRequest.FromString, session_pb2.SubmitActionResponse.SerializeToString
        )
        service = grpc.method_handlers_generic_handler("brettwerk.v1.SessionService", {"SubmitAction": handler})
        self._server.add_generic_rpc_handlers((service,))
        self._server.add_insecure_port(f"127.0.0.1:{self.port}")
        self._server.start()

    def _submit(self, request: session_pb2.SubmitActionRequest, context: Any) -> session_pb2.SubmitActionResponse:
        if self.unavailable:
            self.unavailable -= 1
            context.abort(grpc.StatusCode.UNAVAILABLE, "not now")
        self.submissions.put((request, dict(context.invocation_metadata())))
        return session_pb2.SubmitActionResponse(played=True, head_version=request.version + 1)

    def submission(self, within_s: float = 30) -> Submission:
        """Wait for the next submission."""
        return self.submissions.get(timeout=within_s)

    def close(self) -> None:
        self._server.stop(None)


@dataclass
class Process:
    """A process of the house and the file that its logs go to."""

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
        return list(psutil.Process(self.popen.pid).children())


@dataclass
class House:
    """Starts and knows the processes."""

    redis_url: str
    folder: Path
    peer: SessionPeer
    ai_address: str = field(default_factory=lambda: f"127.0.0.1:{free_port()}")
    worker_metrics: int = field(default_factory=free_port)
    service_metrics: int = field(default_factory=free_port)
    _started: list[Process] = field(default_factory=list)

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

    def start_worker(self, **settings: str) -> Process:
        """Start a worker of two processes and wait until it is ready."""
        listen = f"127.0.0.1:{self.worker_metrics}"
        process = self.start("services.ai.worker", **{"worker_concurrency": "2", "metrics_listen": listen, **settings})
        wait_until(lambda: process.lines("ready"), process)
        return process

    @contextlib.contextmanager
    def stub(self) -> Iterator[ai_pb2_grpc.AiServiceStub]:
        """Yield a client of the AI service."""
        with known(grpc.insecure_channel(self.ai_address)) as channel:
            yield ai_pb2_grpc.AiServiceStub(channel)

    def metrics(self, port: int) -> str:
        """Return what a process shows of itself."""
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as response:
            return str(response.read().decode())

    def broker(self) -> "redis.Redis":
        return redis.Redis.from_url(self.redis_url)

    def working(self) -> int:
        """Return how many requests workers have taken and not finished."""
        with self.broker() as broker:
            return int(broker.hlen("bw:queue:unacked"))

    def close(self) -> None:
        for process in self._started:
            with contextlib.suppress(psutil.NoSuchProcess):
                for child in process.children():
                    child.kill()
            process.popen.kill()
            process.popen.wait()


def wait_until(happens: Callable[[], Any], process: Process | None = None, seconds: float = 30) -> None:
    """Return when it happens. Fails, with the process's log, when it does not or when the process ends."""
    until = time.monotonic() + seconds
    while not happens():
        ended = process is not None and process.popen.poll() is not None
        log = process.log.read_text()[-3000:] if process is not None else ""
        assert not ended, f"the process ended:\n{log}"
        assert time.monotonic() < until, f"it did not happen:\n{log}"
        time.sleep(0.05)


def spent_s(process: Process) -> float:
    """Return the CPU time of the pool."""
    spent = 0.0
    for child in process.children():
        with contextlib.suppress(psutil.NoSuchProcess):
            spent += child.cpu_times().user
    return spent


def wait_until_it_thinks(house: House, process: Process) -> None:
    """Return when a request is thought about: one that is only fetched goes to another process as if it were new."""
    least = spent_s(process)

    def thinks() -> bool:
        nonlocal least
        spent = spent_s(process)
        least = min(least, spent)
        return house.working() == 1 and spent > least + 0.2

    wait_until(thinks, process)


def view_of(position: Any, seat: int) -> Any:
    """Return a view as it goes over the wire."""
    request = ai_pb2.RequestMoveRequest()
    request.view.type_url = "type.googleapis.com/" + GAME.codec.type_name(Kind.VIEW)
    request.view.value = GAME.codec.encode(Kind.VIEW, GAME.view(position, seat))
    return request.view


def start_position() -> Any:
    return GAME.new(GAME.codec.decode(Kind.OPTIONS, b""), 2, None, bytes(32)).position


def move_request(version: int = 7, seconds: float = 20, level: str = "easy", depth: int = 0) -> ai_pb2.RequestMoveRequest:
    """Return a request for a move in the start position of EinStein."""
    position = start_position()
    request = ai_pb2.RequestMoveRequest(
        game="einstein",
        session_id="07abcdefghijklmnopqrstuv",
        seat=position.to_move,
        version=version,
        view=view_of(position, position.to_move),
        deadline_ms=int((time.time() + seconds) * 1000),
        ticket=b"a ticket",
        search_seed=2**64 - 1,
        attempt=1,
    )
    request.computer.level = level
    request.computer.depth = depth
    return request
