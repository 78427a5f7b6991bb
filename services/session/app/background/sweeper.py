"""Does what is due in the shards of this process: it looks a few times a second, and once a second while nothing can be due.

Nobody but the owner of a shard sets when its sessions are due, so it knows when it has to look again.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from brettwerk.v1 import errors_pb2
from services.runtime import metrics, trace
from services.runtime.logs import logger
from services.runtime.refusal import Refused, is_newer, moved_shard
from services.runtime.tasks import TaskSet, repeat
from services.session.app.background.archivist import Archivist
from services.session.computers.overdue_moves import OverdueMoves
from services.session.domain.clocks import Chore, Outage, next_due
from services.session.domain.commands import seats, substitution
from services.session.domain.plies import has_moved
from services.session.domain.state import State
from services.session.live.rules_client import Games
from services.session.live.session_cache import SessionCache
from services.session.live.transaction import is_full
from services.session.live.writer import Writer
from services.session.store.store import Store
from services.sharding.shards import shard_of

log = logger(__name__)

LEASE_MS = 5_000
"""After how long something due is checked again if nothing has come of it."""
LEFT_MS = 60_000
"""How long a session is left alone that only a newer release understands."""
MAX_LEFT = 1_000
"""How many such sessions are remembered; further ones are checked again and again."""
ATTENDED_MS = 600_000
"""How long a session that would otherwise be closed stays while somebody is there."""
REST_S = 1.0
"""The longest pause: well below OUTAGE_MS, or to rest would be an outage."""
STIRRED_S = 2.0
"""How long it does not rest after a session got another time: the write may be under way when it looks."""
AT_ONCE = 64
"""How many sessions a process handles at once."""


@dataclass(eq=False, repr=False)
class Chores:
    """The kinds of chores that can be due for a session that is not over."""

    _store: Store
    _writer: Writer
    overdue_moves: OverdueMoves
    _games: Games
    _is_attended: Callable[[str], bool]
    _now_ms: Callable[[], int]

    async def see_to(self, state: State) -> None:
        """Do what is due for a session, and note when something will be due again. Raises Refused."""
        # The log has room only for its end, which commands leave free (transaction.py).
        if is_full(state):
            await self._writer.write(state.id, seats.abandon, enforces_clocks=False)
            return
        version = state.version
        if await self._writer.go_on_with_orders(state.id):
            return
        state = await self._writer.enforce_clocks(state)
        if state.version != version:
            return  # the write has set when the session is due
        # Due times in the store may be early, never late: what is due is computed again from the state.
        due = next_due(state, await self._games.timeouts(state.game))
        if due.chore is Chore.SUBSTITUTE and due.at_ms <= self._now_ms():
            await self._writer.write(state.id, substitution.silence, enforces_clocks=False)
        elif due.at_ms <= self._now_ms() and any(seat.wanted_version for seat in state.seats):
            await self._remind(state)
        elif due.chore is Chore.ABANDON and due.at_ms <= self._now_ms():
            await self._abandon(state)
        else:
            await self._store.postpone(state.id, version, due.at_ms)

    async def _abandon(self, state: State) -> None:
        """Close a session that has been idle for too long. One that waits for its first move stays while somebody is there."""
        now = self._now_ms()
        # Somebody who watches an empty table is waiting for a partner; nobody is waiting for a game that has stopped.
        if not has_moved(state) and self._is_attended(state.id):
            await self._store.postpone(state.id, state.version, now + ATTENDED_MS)
        else:
            await self._writer.write(state.id, seats.abandon_at(state.version), enforces_clocks=False)

    async def _remind(self, state: State) -> None:
        """Handle computer players who are to move. If the log is full, not even they can go on."""
        try:
            await self.overdue_moves.see_to(state)
        except Refused as refused:
            if refused.reason != errors_pb2.REASON_FULL:
                raise
            await self._writer.write(state.id, seats.abandon, enforces_clocks=False)


@dataclass(eq=False, repr=False)
class Sweeper:
    """Sees to what is due."""

    _store: Store
    _session_cache: SessionCache
    _archivist: Archivist
    _chores: Chores
    _outages: dict[int, list[Outage]]
    """They are kept up to date for the clock enforcer."""
    _shards: Callable[[], Sequence[int]]
    """Returns those of this process."""
    _now_ms: Callable[[], int]

    def __post_init__(self) -> None:
        self._store.due_changed = self._stir
        self._stirred = asyncio.Event()
        self._awake_until_ms = 0
        self._next_ms = 0.0
        """When something is due that was not at the last look."""
        self._room = asyncio.Semaphore(AT_ONCE)
        self._open = TaskSet()
        """By the session that each of them sees to."""
        self._pauses = TaskSet()
        self._left: dict[str, int] = {}
        """Sessions that are left to others, and until when."""

    async def run(self, every_s: float) -> None:
        """Sweep, with a pause of some seconds in between, until cancelled."""

        async def rest_and_sweep() -> None:
            await self._rest(every_s)
            await self.sweep()

        await repeat(rest_and_sweep, every_s, "sweep failed")

    async def _rest(self, every_s: float) -> None:
        """Wait until something is due, or may be by what happens; a pause of `every_s` is over."""
        now = self._now_ms()
        left_s = min(REST_S - every_s, (self._next_ms - now) / 1000)
        if left_s <= 0 or now < self._awake_until_ms or len(self._open) or len(self._pauses):
            return
        self._stirred.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(left_s):
                await self._stirred.wait()

    def _stir(self) -> None:
        self._awake_until_ms = self._now_ms() + round(STIRRED_S * 1000)
        self._stirred.set()

    async def prepare(self, shard: int) -> None:
        """Find out the outages of a shard that this process will serve from now on. Raises Refused (UNAVAILABLE)."""
        self._stir()
        self._outages[shard] = list((await self._store.claim(shard, self._now_ms(), LEASE_MS, limit=0)).outages)

    async def close(self) -> None:
        """Abandon what is under way."""
        await asyncio.gather(self._open.end(), self._pauses.end())

    async def sweep(self) -> None:
        """Check every shard of this process once, and start handling what is due there.

        Raises Refused (UNAVAILABLE) once that is done, if a shard's server is away: the others are served.
        """
        now = self._now_ms()
        self._left = {session_id: until for session_id, until in self._left.items() if now < until}
        left: dict[int, list[str]] = {}
        for session_id in self._left:
            left.setdefault(shard_of(session_id), []).append(session_id)
        shards = self._shards()
        claims = await asyncio.gather(
            *(self._store.claim(shard, now, LEASE_MS, left.get(shard, ())) for shard in shards), return_exceptions=True
        )
        failed: BaseException | None = None
        self._next_ms = float("inf")
        for shard, claim in zip(shards, claims, strict=True):
            if isinstance(claim, BaseException):
                failed, self._next_ms = claim, 0.0
                continue
            self._outages[shard] = list(claim.outages)
            self._next_ms = min(self._next_ms, claim.next_ms)
            for session_id in claim.due:
                if session_id not in self._open:
                    self._open.start(self._see_to(session_id), session_id)
        metrics.AI_OVERDUE.set(self._chores.overdue_moves.count())
        if failed is not None:
            raise failed

    async def swept(self) -> None:
        """Return when everything that was begun is done."""
        await self._open.idle()

    async def _see_to(self, session_id: str) -> None:
        trace.begin()
        async with self._room:
            try:
                await self.see_to(session_id)
            except Refused as refused:
                if is_newer(refused.refusal):
                    await self._leave(session_id)
                elif moved_shard(refused.refusal) is None:  # its new owner handles it
                    log.warning("chore put off", session=session_id, reason=refused.refusal.message)
            except Exception as error:
                log.error("chore failed", session=session_id, exc_info=error)

    async def _leave(self, session_id: str) -> None:
        """Leave a session due for a process of a newer release, which gets the shard, and do not check it again soon."""
        if len(self._left) >= MAX_LEFT:
            return
        self._left[session_id] = self._now_ms() + LEFT_MS
        with contextlib.suppress(Refused):  # the store is down: it will be due again soon
            await self._store.give_back(session_id, self._now_ms())

    async def see_to(self, session_id: str) -> None:
        """Do what is due for one session. Raises Refused; it is due again after a while."""
        found = await self._session_cache.find(session_id)
        if found is None:
            await self._store.forget_due(session_id)
        elif found.state.is_over:
            await self._archivist.see_to(found.state)
        else:
            await self._chores.see_to(found.state)

    def pause(self, session_id: str, version: int, until_ms: int) -> None:
        """Leave a session alone until a moment, if it still has this version then: all that it wants stands on the board."""
        self._pauses.start(self._pause(session_id, version, until_ms))

    async def _pause(self, session_id: str, version: int, until_ms: int) -> None:
        with contextlib.suppress(Refused):  # the store is down: the session is due again soon
            await self._store.postpone(session_id, version, until_ms)
