"""The AI service's side of the board."""

import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import redis.asyncio

from services.ai.board.lua import SCRIPTS
from services.ai.board.order import Urgency
from services.ai.board.want import ClassDemand, Demand, Offered, Swept, Wanted, WantStatus
from services.ai.lua import Runner

INLINE_BYTES = 64 * 1024 * 1024
"""Bytes that all wants may bring along that bring their view."""
SWEEP_MS = 400
"""How seldom a sweep is done, by whichever process comes first."""
VERSIONS = 10**13
"""No version is as high: beyond this the numbers of scripts are not exact any more."""
_AT_ONCE = 64
"""Wants that one script sees to: others may have their turn between."""


class Board:
    """The AI service's side of the board. Every method raises redis.RedisError while Redis cannot be reached."""

    def __init__(self, client: "redis.asyncio.Redis", bound: int, now_ms: Callable[[], int] = lambda: 0) -> None:
        """Use a client that returns bytes; `bound` is how many wants there may be.

        The last tenth of them is for what somebody waits for. `now_ms` returns 0 for the clock of Redis.
        """
        self._scripts = Runner(SCRIPTS, client, now_ms)
        self._bound = bound

    async def offer(self, wants: Sequence[Wanted]) -> Offered:
        """Note what is wanted; return what became of it.

        Where one of several scripts fails, the others are done: offer all of it again.
        """
        offered = Offered(_NOTHING, 0, (), (), {})
        # Once even for no wants: the call is how a caller learns the demand.
        for first in range(0, max(1, len(wants)), _AT_ONCE):
            batch = wants[first : first + _AT_ONCE]
            fields = (field for want in batch for field in _fields(want))
            bounds = (self._bound, self._bound * 9 // 10, INLINE_BYTES)
            all_, tickets, results, costs = await self._scripts.run("offer", _epoch(), *bounds, len(batch), *fields)
            seconds = {waits: offered.seconds.get(waits, 0.0) + cost / 1000 for waits, cost in zip(Urgency, costs, strict=True)}
            offered = Offered(
                demand=_demand(all_),
                tickets=offered.tickets + tickets,
                noted=[*offered.noted, *(first + at for at, result in enumerate(results) if result == 1)],
                no_room=[*offered.no_room, *(first + at for at, result in enumerate(results) if result == 2)],
                seconds=seconds,
            )
        return offered

    async def withdraw(self, wants: Iterable[tuple[str, int]]) -> int:
        """Take wants (key and version) off the board, up to their versions. Returns how many were there."""
        found = 0
        all_ = list(wants)
        for first in range(0, len(all_), _AT_ONCE):
            batch = all_[first : first + _AT_ONCE]
            found += await self._scripts.run("withdraw", len(batch), *(field for want in batch for field in want))
        return found

    async def statuses(self, keys: Sequence[str]) -> tuple[list[WantStatus], Demand]:
        """Return how wants stand, in the order of their keys, and how all do."""
        statuses: list[WantStatus] = []
        for first in range(0, max(1, len(keys)), _AT_ONCE):
            all_, found = await self._scripts.run("statuses", _epoch(), *keys[first : first + _AT_ONCE])
            statuses += (WantStatus(*fields) for fields in found)
        return statuses, _demand(all_)

    async def sweep(self, queued: int, run_id: str) -> Swept:
        """Do what time brings about, unless somebody has lately; return what was found.

        `queued` is how many tickets wait in the queue. `run_id` names the run of the Redis server: with another one the board has
        another epoch.
        """
        all_, tickets, classes, outcomes = await self._scripts.run("sweep", _epoch(), queued, SWEEP_MS, run_id)
        counts = {outcomes[at].decode(): int(outcomes[at + 1]) for at in range(0, len(outcomes), 2)}
        by_class = {waits: ClassDemand(*fields) for waits, fields in zip(Urgency, classes, strict=True)}
        return Swept(_demand(all_), tickets, by_class, counts)


_NOTHING = Demand("", 0, 0, 0, 0, 0, 0, is_active=False)


def _epoch() -> str:
    """Return a mark for a board that needs one: one that may have lost something is another than before."""
    return secrets.token_hex(8)


def _demand(fields: Sequence[Any]) -> Demand:
    epoch, workers, slots, waiting, backlog_ms, noted, wanted_ms, is_active = fields
    return Demand(epoch.decode(), workers, slots, waiting, backlog_ms, noted, wanted_ms, is_active=bool(is_active))


def _fields(want: Wanted) -> tuple[Any, ...]:
    return (
        want.key,
        want.version,
        want.kind,
        int(want.waits),
        want.named_ms,
        min(want.least_ms, want.named_ms),
        want.since_ms,
        f"p{want.mark}" if want.mark else "",
        f"a{want.address}" if want.address else "",
        want.level,
        want.ends_ms,
        want.reply_to,
        want.traceparent,
        want.payload,
    )
