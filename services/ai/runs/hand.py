"""A worker's side of runs: it takes a batch, plays it and has it counted."""

from collections.abc import Callable
from dataclasses import dataclass

import redis

from brettwerk.v1 import statistics_pb2
from services.ai.lua import BlockingRunner
from services.ai.runs.lua import ROOT_KEY, SCRIPTS
from services.ai.runs.queue import ALIVE_MS, HAND_MS, MAX_ATTEMPTS
from services.statistics.tally import Tallies

_AGAIN_MS = 1000
"""After so long a batch that went wrong is tried again."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Games of a run that are played in one go."""

    run_id: str
    number: int
    wish: statistics_pb2.RunWish


class Hand:
    """What a worker asks of the store of runs. Every method raises redis.RedisError while Redis cannot be reached."""

    def __init__(self, client: "redis.Redis", now_ms: Callable[[], int] = lambda: 0) -> None:
        """Use a client that returns bytes; `now_ms` returns 0 for the clock of Redis, which is the same for everybody."""
        self._client = client
        self._scripts = BlockingRunner(SCRIPTS, client, now_ms)
        self._now_ms = now_ms

    def take(self) -> Batch | None:
        """Return the next batch, or None when nothing waits. It is this worker's for HAND_MS, unless `hold` makes that longer."""
        found = self._scripts.run("take", HAND_MS)
        if not found:
            return None
        run_id, number, wish = found
        return Batch(run_id.decode(), number, statistics_pb2.RunWish.FromString(wish))

    def hold(self, batch: Batch) -> bool:
        """Say that a batch is still being played; return whether it is still wanted."""
        return bool(self._scripts.run("hold", batch.run_id, batch.number, HAND_MS))

    def finish(self, batch: Batch, games: int, tallies: Tallies) -> bool:
        """Have a batch counted; return whether it was now. Twice it is counted once."""
        rows = (field for key, count, wins in tallies.rows() for field in (f"{key.kind}:{key.key}", count, wins))
        return bool(self._scripts.run("finish", batch.run_id, batch.number, games, *rows))

    def fail(self, batch: Batch) -> None:
        """Say that a batch cannot be played; its run is given up when that happens too often."""
        self._scripts.run("fail", batch.run_id, batch.number, MAX_ATTEMPTS, _AGAIN_MS)

    def waits(self) -> bool:
        """Return whether a batch waits."""
        overdue, in_queue, *_ = self._scripts.run("status")
        return bool(overdue or in_queue)

    def beat(self, worker: str) -> None:
        """Say that a worker lives."""
        seconds, microseconds = self._client.time()
        now_ms = self._now_ms() or seconds * 1000 + microseconds // 1000
        self._client.zadd(f"{ROOT_KEY}:workers", {worker: now_ms + ALIVE_MS})

    def goodbye(self, worker: str) -> None:
        """Say that a worker ends."""
        self._client.zrem(f"{ROOT_KEY}:workers", worker)
