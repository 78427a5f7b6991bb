"""A worker's side of the board."""

from collections.abc import Callable, Sequence
from typing import Any

import redis

from services.ai.board.lua import SCRIPTS
from services.ai.board.order import Finished, Order, Taken, Urgency
from services.ai.lua import BlockingRunner

MAX_ORDERS = 8
"""Orders that a process has in hand at once; the board gives so many only if all of them are quick."""
ORDERS_COST_MS = 100
"""The time that they may take together, as far as is known; the first is given whatever it takes."""
ALIVE_MS = 3_000
"""After so long without a beat a worker is taken for dead."""
MAX_WORKERS = 1024
"""Workers that the board knows at once."""


class WorkerBoard:
    """The board as one process of a worker uses it. Every method raises redis.RedisError while Redis cannot be reached."""

    def __init__(self, client: "redis.Redis", worker: str, now_ms: Callable[[], int] = lambda: 0) -> None:
        """Use a client that returns bytes; `worker` is the mark of the worker, the same in all its processes, without blanks.

        `now_ms` returns 0 for the clock of Redis, which is the same for everybody.
        """
        self._scripts = BlockingRunner(SCRIPTS, client, now_ms)
        self._worker = worker

    def take(self, pid: int, finished: Sequence[Finished], limit: int = MAX_ORDERS) -> Taken:
        """Tell what is finished, and take what is wanted most now: at most `limit` orders, none where there is no place.

        An order that the process had in hand and does not tell of is wanted again. Nothing is given to a worker that has not
        beaten yet.
        """
        arguments: list[Any] = [pid, min(limit, MAX_ORDERS), ORDERS_COST_MS, len(finished)]
        for done in finished:
            arguments += [done.key, done.version, done.outcome, done.spent_ms, int(done.was_full)]
        orders, waiting, pass_on = self._scripts.run("take", self._worker, *arguments)
        return Taken(tuple(_order(fields) for fields in orders), waiting, bool(pass_on))

    def beat(self, slots: int, pids: Sequence[int], *, closing: bool) -> tuple[int, ...]:
        """Say that the worker lives, with its slots and the processes of its pool: what lost ones had is wanted again.

        Returns those whose orders have been in hand for too long; they are to be killed. A worker that is closing gets no orders.
        Where there are too many workers it is not known, and gets none either.
        """
        late = self._scripts.run("beat", self._worker, slots, int(closing), ALIVE_MS, MAX_WORKERS, *pids)
        return tuple(int(pid) for pid in late or ())

    def goodbye(self) -> None:
        """Say that the worker ends: all that it has in hand is wanted again."""
        self._scripts.run("goodbye", self._worker)


def _order(fields: Sequence[Any]) -> Order:
    key, version, kind, think_ms, named_ms, waits, waited_ms, attempt, payload, reply_to, traceparent = fields
    return Order(
        key=key.decode(),
        version=version,
        kind=kind.decode(),
        think_ms=think_ms,
        named_ms=named_ms,
        waits=Urgency(waits),
        waited_ms=waited_ms,
        attempt=attempt,
        payload=payload,
        reply_to=reply_to.decode(),
        traceparent=traceparent.decode(),
    )
