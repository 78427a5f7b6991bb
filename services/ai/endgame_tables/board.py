"""Operators' orders for endgame tables, and how it stands on each machine, in the broker's Redis."""

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import redis
import redis.asyncio

from brettwerk.v1 import operation_pb2

_ROOT = "bw:{tables}"
_ASKED, _WORKERS = f"{_ROOT}:asked", f"{_ROOT}:workers"
ASKED_S = 60
"""How long something stands there for workers to do it."""
REPORT_S = 10
"""How long a worker's report is believed."""
MAX_WORKERS = 1024
"""The newest workers that are known."""
MAX_MACHINES = 64
"""Those that are listed."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An operator's order."""

    mark: str
    """Another one each time."""
    stones: int


class TablesBoard:
    """The AI service's side. Every method raises redis.RedisError while Redis cannot be reached."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        """Use a client that returns bytes."""
        self._client = client

    async def ask(self, stones: int) -> None:
        """Ask all workers to have tables of up to so many stones, and no larger ones."""
        await self._client.set(_ASKED, f"{secrets.token_hex(8)} {stones}", ex=ASKED_S)

    async def reports(self) -> Sequence[operation_pb2.MachineTables]:
        """Return how it stands on the machines of workers that live, by name."""
        workers: Sequence[Any] = await self._client.zrange(_WORKERS, 0, -1)
        said: Sequence[Any] = await self._client.mget([_report_of(one.decode()) for one in workers]) if workers else []
        machines = [operation_pb2.MachineTables.FromString(one) for one in said if one is not None]
        return sorted(machines, key=lambda one: one.machine)[:MAX_MACHINES]


class WorkerTablesBoard:
    """A worker's side. Every method raises redis.RedisError while Redis cannot be reached."""

    def __init__(self, client: "redis.Redis", worker: str) -> None:
        """Use a client that returns bytes; `worker` is its mark."""
        self._client, self._worker = client, worker

    def report(self, tables: operation_pb2.MachineTables) -> Asked | None:
        """Report how it stands on this machine, and return what is asked for, None for nothing."""
        pipe = self._client.pipeline(transaction=False)
        pipe.get(_ASKED)
        pipe.set(_report_of(self._worker), tables.SerializeToString(), ex=REPORT_S)
        pipe.zadd(_WORKERS, {self._worker: time.time()})
        pipe.zremrangebyrank(_WORKERS, 0, -MAX_WORKERS - 1)
        found = pipe.execute()[0]
        if found is None:
            return None
        mark, _, stones = found.decode().partition(" ")
        return Asked(mark, int(stones))

    def goodbye(self) -> None:
        """Say that the worker ends."""
        pipe = self._client.pipeline(transaction=False)
        pipe.delete(_report_of(self._worker))
        pipe.zrem(_WORKERS, self._worker)
        pipe.execute()


def _report_of(worker: str) -> str:
    return f"{_ROOT}:report:{worker}"
