"""Runs as Redis holds them: the AI service's side of them, and a worker's, which takes a batch, plays it and has it counted.

scripts/ has what changes them, each change at once: begin, take, finish, fail, hold, cancel, status.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import redis
import redis.asyncio

from brettwerk.v1 import statistics_pb2
from brettwerk_games.statistics.tally import Key, Tallies
from services.ai.lua import BlockingRunner, Runner, Scripts
from services.ai.runs.queue import ALIVE_MS, HAND_MS, MAX_ATTEMPTS

ROOT_KEY = "bw:{runs}"
"""Stands before the names of all keys of runs."""
SCRIPTS = Scripts("services.ai.runs", ("runs",), ROOT_KEY, may_refuse=frozenset({"begin"}))
"""All but the beginning make room, or count what was played, and so go on when Redis is full."""
LISTED = 100
"""Runs of one list."""
_AGAIN_MS = 1000
"""After so long a batch that went wrong is tried again."""


class Begun(IntEnum):
    """The outcome of a request for a run."""

    NOTED = 0
    KNOWN = 1
    OTHER_REQUEST = 2
    PLAYER_FULL = 3
    ADDRESS_FULL = 4
    FULL = 5


class Ended(IntEnum):
    """The outcome of a request to cancel a run."""

    UNKNOWN = 0
    NOT_YOURS = 1
    ENDED = 2


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many open runs there may be of a player, of an address and in all; how many are kept of a player, and how long."""

    per_player: int
    per_address: int
    total: int
    kept_per_player: int
    keep_ms: int


@dataclass(frozen=True, slots=True)
class RunsStatus:
    """How all runs stand: batches that were lost, runs in the queue, batches in hand, open runs, workers that live."""

    overdue: int
    in_queue: int
    in_hand: int
    open: int
    workers: int

    @property
    def waits(self) -> bool:
        """Whether anything waits for a worker."""
        return bool(self.overdue or self.in_queue)


@dataclass(frozen=True, slots=True)
class Stored:
    """A run as it is stored, by the fields of its hash (scripts/runs.lua)."""

    id: str
    fields: Mapping[bytes, bytes]

    def number(self, name: str) -> int:
        """Return a field that is a number; 0 where there is none."""
        return int(self.fields.get(name.encode(), b"0"))

    def is_of(self, player: str) -> bool:
        """Return whether a player started it."""
        return bool(player) and self.fields.get(b"owner", b"").decode() == player

    def message(self, player: str, status: RunsStatus, tallies: Tallies | None = None) -> statistics_pb2.Run:
        """Return it as a player sees it."""
        wish = statistics_pb2.RunWish.FromString(self.fields[b"wish"])
        state = statistics_pb2.Run.State.ValueType(self.number("state"))
        is_open = state in (statistics_pb2.Run.STATE_WAITING, statistics_pb2.Run.STATE_RUNNING)
        run = statistics_pb2.Run(
            id=self.id,
            wish=wish,
            state=state,
            games_done=self.number("played"),
            created_at_ms=self.number("created"),
            ended_at_ms=self.number("ended"),
            kept_until_ms=self.number("until"),
            mine=self.is_of(player),
            no_worker=is_open and not status.workers,
        )
        if tallies is not None:
            run.sheet.seats = len(wish.seats)
            for key, games, wins in tallies.rows():
                run.sheet.tallies.add(kind=key.kind, key=key.key, games=games, wins=wins)
        return run


class Runs:
    """The AI service's side of the store. Every method raises redis.RedisError while Redis cannot be reached."""

    def __init__(self, client: "redis.asyncio.Redis", bounds: Bounds, now_ms: Callable[[], int] = lambda: 0) -> None:
        """Use a client that returns bytes; `now_ms` returns 0 for the clock of Redis."""
        self._client = client
        self._scripts = Runner(SCRIPTS, client, now_ms)
        self._bounds = bounds

    async def begin(
        self, run_id: str, wish: statistics_pb2.RunWish, batch: int, batches: int, *, asked: str, player: str, address: str
    ) -> Begun:
        """Note a run of `batches` times `batch` games; return whether it was, or which bound keeps it out.

        `asked` is a digest of the request, `player` and `address` are marks, all in hexadecimal.
        """
        b = self._bounds
        packed = wish.SerializeToString(deterministic=True)
        bounds = (b.keep_ms, b.per_player, b.per_address, b.total, b.kept_per_player)
        return Begun(await self._scripts.run("begin", run_id, asked, player, address, packed, batch, batches, *bounds))

    async def find(self, run_id: str) -> tuple[Stored, Tallies] | None:
        """Return a run with what was counted; None when there is none."""
        pipe = self._client.pipeline(transaction=True)
        pipe.hgetall(f"{ROOT_KEY}:run:{run_id}")
        pipe.hgetall(f"{ROOT_KEY}:tally:{run_id}")
        fields, counted = await pipe.execute()
        return (Stored(run_id, fields), _tallies(counted)) if b"wish" in fields else None

    async def of(self, player: str) -> Sequence[Stored]:
        """Return a player's runs, newest first."""
        newest: Sequence[Any] = await self._client.zrevrange(f"{ROOT_KEY}:of:{player}", 0, LISTED - 1)
        ids = [found.decode() for found in newest]
        pipe = self._client.pipeline(transaction=False)
        for run_id in ids:
            pipe.hgetall(f"{ROOT_KEY}:run:{run_id}")
        found = await pipe.execute() if ids else []
        return [Stored(run_id, fields) for run_id, fields in zip(ids, found, strict=True) if b"wish" in fields]

    async def cancel(self, run_id: str, player: str) -> Ended:
        """End a run, if it is this player's; return whether it was."""
        return Ended(await self._scripts.run("cancel", run_id, player))

    async def status(self) -> RunsStatus:
        """Return how all stand."""
        return RunsStatus(*await self._scripts.run("status"))


def _tallies(counted: Mapping[bytes, bytes]) -> Tallies:
    rows = []
    for name, games in counted.items():
        what, _, rest = name.decode().partition(":")
        if what == "g":
            kind, _, key = rest.partition(":")
            rows.append((Key(kind, key), int(games), int(counted.get(f"w:{rest}".encode(), b"0"))))
    return Tallies.of(rows)


@dataclass(frozen=True, slots=True)
class Batch:
    """Games of a run that are played in one go."""

    run_id: str
    number: int
    wish: statistics_pb2.RunWish


class Hand:
    """A worker's side of the store of runs. Every method raises redis.RedisError while Redis cannot be reached."""

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
