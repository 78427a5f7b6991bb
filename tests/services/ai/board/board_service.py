"""A board with its two sides, as tests ask it: without waiting, and by a clock of its own."""

import asyncio
from collections.abc import Sequence
from typing import Any

import redis
import redis.asyncio

from services.ai.board.board import Board
from services.ai.board.order import Finished, Order, Taken, Urgency
from services.ai.board.want import Demand, Offered, Swept, Wanted, WantStatus
from services.ai.board.worker_board import WorkerBoard

UNKNOWN, WAITING, THINKING, UNPLAYABLE = 1, 2, 3, 4


_PATIENT: dict[str, Any] = {"socket_timeout": None, "socket_connect_timeout": None}
"""Where the machine has other work Redis may answer after more than the client's usual five seconds; no test is about that."""


class BoardService:
    """The board in a Redis that is empty in the beginning."""

    def __init__(self, url: str, bound: int = 20_000) -> None:
        self.now_ms = 1_000_000
        self.run_id = "first"
        self.client = redis.Redis.from_url(url, **_PATIENT)
        self.client.flushall()
        self._runner = asyncio.Runner()
        self._async = redis.asyncio.Redis.from_url(url, **_PATIENT)
        self._board = Board(self._async, bound, lambda: self.now_ms)

    def close(self) -> None:
        self._runner.run(self._async.aclose())
        self._runner.close()
        self.client.close()

    def offer(self, *wants: Wanted) -> Offered:
        return self._runner.run(self._board.offer(wants))

    def withdraw(self, key: str, version: int) -> int:
        return self._runner.run(self._board.withdraw([(key, version)]))

    def statuses(self, *keys: str) -> tuple[list[WantStatus], Demand]:
        return self._runner.run(self._board.statuses(keys))

    def state(self, key: str) -> int:
        return self.statuses(key)[0][0].state

    def demand(self) -> Demand:
        return self.statuses()[1]

    def sweep(self, queued: int = 0, after_ms: int = 500) -> Swept:
        self.now_ms += after_ms
        return self._runner.run(self._board.sweep(queued, self.run_id))

    def worker(self, name: str = "w1") -> WorkerBoard:
        return WorkerBoard(self.client, name, lambda: self.now_ms)

    def begin(self, name: str = "w1", slots: int = 1, pids: Sequence[int] = (1, 2)) -> WorkerBoard:
        """Return a worker that has beaten once."""
        worker = self.worker(name)
        worker.beat(slots, pids, closing=False)
        return worker

    def serve_all(self, worker: WorkerBoard, pid: int = 1, most: int = 1) -> list[Order]:
        """Let one process do whatever waits, and return it in the order in which it was done."""
        done: list[Order] = []
        finished: list[Finished] = []
        while True:
            taken: Taken = worker.take(pid, finished, most)
            if not taken.orders:
                return done
            done += taken.orders
            finished = [played(order) for order in taken.orders]
            self.now_ms += 1
            worker.beat(1, (1, 2), closing=False)


def want(key: str = "s:0", version: int = 1, **fields: Any) -> Wanted:
    """Return a person's want of a quick level, but for what is said."""
    filled: dict[str, Any] = {
        "kind": "move",
        "waits": Urgency.PERSON,
        "named_ms": 200,
        "least_ms": 50,
        "since_ms": 1_000_000,
        "level": "einstein easy",
        "payload": f"{key} {version}".encode(),
        **fields,
    }
    return Wanted(key=key, version=version, **filled)


def played(order: Order, outcome: str = "played", spent_ms: int = 0, *, was_full: bool = False) -> Finished:
    return Finished(order.key, order.version, outcome, spent_ms, was_full)
