"""What the board costs: CPU of the AI service and of Redis while very many wants stand there and workers take some of them.

    python -m loadtests.cost.board --wants 10000 --takes 100 --seconds 30

It starts a Redis and an AI service of its own and is the session service and the workers itself: it notes the wants, lets workers
beat, takes orders one by one, and ten times a second notes as many wants as were taken. Nobody thinks, so what is measured is
the scheduler alone. The goal: less than 5 % of a core in all. The third figure, the driver's own, does not count.
"""

import argparse
import contextlib
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import psutil
import redis

from brettwerk.internal.v1 import ai_pb2, ai_pb2_grpc
from deploy.local.redis import find_server
from loadtests.chaos.system import free_port
from services.ai.board.order import Finished, Order
from services.ai.board.worker_board import WorkerBoard
from services.runtime.channel import open_blocking_channel

WORKERS, SLOTS = 16, 4
TICKS = 10
"""A second: how often wants are noted, as a session process does for all of its games together."""
_AT_ONCE = 512
_LEVELS = (("einstein", "best"), ("emperado", "normal"), ("plateau", "strong"), ("wec", "easy"))
_WAITING = (ai_pb2.WAITING_PERSON, ai_pb2.WAITING_WATCHER, ai_pb2.WAITING_NOBODY)


def main() -> None:
    """Measure, and print a line for each process."""
    options = _options()
    os.environ["BRETTWERK_SECRET_KEY"] = secrets.token_hex(16)
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        port, address = free_port(), f"127.0.0.1:{free_port()}"
        url = f"redis://127.0.0.1:{port}/0"
        file = ("--save", "", "--appendonly", "yes", "--dir", folder)
        server = stack.enter_context(_running(str(find_server()), "--port", str(port), "--bind", "127.0.0.1", *file))
        os.environ.update(BRETTWERK_BROKER_URL=url, BRETTWERK_AI_ADDRESS=address, BRETTWERK_AI_WANTS_BOUND=str(3 * options.wants))
        service = stack.enter_context(_running(sys.executable, "-m", "services.ai"))
        channel = stack.enter_context(open_blocking_channel(address, "loadtest"))
        grpc.channel_ready_future(channel).result(30)
        crowd = Crowd(ai_pb2_grpc.AiServiceStub(channel), stack.enter_context(redis.Redis.from_url(url)), options.wants)
        crowd.go_on(3, options.takes)
        parts = {"AI service": service.pid, "Redis": server.pid, "driver": os.getpid()}
        before = {name: _cpu_s(pid) for name, pid in parts.items()}
        taken, seconds = crowd.go_on(options.seconds, options.takes)
        spent = {name: (_cpu_s(pid) - before[name]) / seconds for name, pid in parts.items()}
        print(f"{options.wants} wants, {taken / seconds:.0f} takes a second, {seconds:.0f} s")
        for name, cores in spent.items():
            print(f"{name:12} {100 * cores:5.2f} % of a core")
        print(f"{'scheduler':12} {100 * (spent['AI service'] + spent['Redis']):5.2f} % of a core")


class Crowd:
    """Those who want moves, and the workers."""

    def __init__(self, ai: ai_pb2_grpc.AiServiceStub, client: "redis.Redis", wants: int) -> None:
        """Note them all."""
        self._ai = ai
        self._workers = [WorkerBoard(client, f"w{number}") for number in range(WORKERS)]
        self._versions = dict.fromkeys(range(wants), 1)
        self._in_hand: dict[tuple[int, int], Order] = {}
        self._beat()
        for first in range(0, wants, _AT_ONCE):
            self._want(range(first, min(wants, first + _AT_ONCE)))

    def go_on(self, seconds: float, takes: int) -> tuple[int, float]:
        """Take so many orders a second; return how many were done, and how long it took."""
        began, asked, taken, ticks = time.monotonic(), 0, 0, 0
        while (now := time.monotonic()) < began + seconds:
            if ticks % TICKS == 0:
                self._beat()
            again = []
            for _ in range(takes // TICKS):
                again += self._take(asked)
                asked += 1
            taken += len(again)
            self._want(again)
            ticks += 1
            time.sleep(max(0.0, began + ticks / TICKS - now))
        return taken, time.monotonic() - began

    def _beat(self) -> None:
        for worker in self._workers:
            worker.beat(SLOTS, range(SLOTS + 1), closing=False)

    def _take(self, number: int) -> list[int]:
        """Let a process end what it has and take the next; return the table whose move was played."""
        place = number % WORKERS, number // WORKERS % SLOTS
        done = self._in_hand.pop(place, None)
        finished = [Finished(done.key, done.version, "played", 100, False)] if done is not None else []
        for order in self._workers[place[0]].take(place[1], finished, 1).orders:
            self._in_hand[place] = order
        return [int(done.key.partition(":")[0])] if done is not None else []

    def _want(self, tables: "range | list[int]") -> None:
        request = ai_pb2.WantMovesRequest()
        for table in tables:
            self._versions[table] += 1
            game, level = _LEVELS[table % len(_LEVELS)]
            want = request.wants.add(
                session_id=f"{table:024d}",
                seat=0,
                version=self._versions[table],
                game=game,
                since_ms=time.time_ns() // 1_000_000,
                waiting=_WAITING[table % len(_WAITING)],
                player=(table // 3).to_bytes(16, "big"),
                address=(table // 30).to_bytes(16, "big"),
                ticket=bytes(32),
            )
            want.computer.level = level
        self._ai.WantMoves(request, timeout=30)


@contextlib.contextmanager
def _running(*command: str) -> Iterator["subprocess.Popen[bytes]"]:
    folder = Path(__file__).parents[2]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603
    try:
        yield process
    finally:
        process.terminate()
        process.wait(20)


def _cpu_s(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure what the board of wanted moves costs.")
    parser.add_argument("--wants", type=int, default=10_000)
    parser.add_argument("--takes", type=int, default=100, help="orders taken per second")
    parser.add_argument("--seconds", type=float, default=30.0)
    return parser.parse_args()


if __name__ == "__main__":
    main()
