"""Moves finished sessions to the archive, later removes them from the store, and counts those that wait, as metrics."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from brettwerk.v1 import record_pb2
from services.archive.archive import Archive
from services.archive.entry import Kept, Player
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.refusal import Refused
from services.session.domain import public_session
from services.session.domain.perception import SPECTATOR, perceived
from services.session.domain.records import full_record
from services.session.domain.state import FINISHED, State
from services.session.domain.storage_format import read_entries
from services.session.live.session_cache import SessionCache
from services.session.store.store import Store

_RETRY_MS = 30_000
_TOO_LARGE_MS = 86_400_000
GAUGES_EVERY_S = 15.0
"""How often sessions are counted: as often as Prometheus scrapes by default."""

log = logger(__name__)


@dataclass(eq=False, repr=False)
class Archivist:
    """Carries sessions from the store to the archive."""

    _archive: Archive
    _store: Store
    _session_cache: SessionCache
    _now_ms: Callable[[], int]
    _keep_ms: int
    """How long an archived session stays in the store."""

    async def see_to(self, state: State) -> None:
        """Archive a session that is over, or remove it once it has been archived for long enough.

        It is marked first, so that no undo revives it while it is being archived, and removed only when the archive has it.
        Practice is removed without.
        """
        stored = await self._store.read(state.id, state.version)
        if stored is None or stored.version != state.version:
            return
        if stored.archived == "archived":
            if await self._store.remove(state.id, state.version, public_session.players_of(state)):
                self._session_cache.forget(state.id)
            return
        if not await self._store.retire(state.id, state.version, "archiving"):
            return
        try:
            is_kept = state.created.practice or await self._keep(state)
        except Refused:  # only now: whoever takes the shard of a process that dies here need not wait for the pause to end
            await self._store.postpone(state.id, state.version, self._now_ms() + _RETRY_MS)
            raise
        if not is_kept:
            await self._store.postpone(state.id, state.version, self._now_ms() + _TOO_LARGE_MS)
            return
        await self._store.retire(state.id, state.version, "archived", self._now_ms() + self._keep_ms)

    async def _keep(self, state: State) -> bool:
        """Archive a session; return false for one that the archive cannot take."""
        entries = read_entries(state.id, await self._store.log(state.id))
        try:
            kept = _kept(state, entries)
        except ValueError as error:
            log.error("the archive cannot take a session", session=state.id, cause=str(error))
            return False
        if await self._archive.keep(kept):
            outcome = "finished" if state.status == FINISHED else "closed"
            metrics.SESSIONS.labels(state.game, outcome).inc()
        return True


def _kept(state: State, entries: list[record_pb2.Entry]) -> Kept:
    seats: dict[str, set[int]] = {state.created.creator.player_id: set()}
    for entry in entries:
        change = entry.seat_changed
        for player in (change.occupant.person.player_id, change.kept_for):
            if player:
                seats.setdefault(player, set()).add(change.seat)
        if entry.WhichOneof("change") == "dealt":
            order = list(entry.dealt.order)
            seats = {player: {order.index(seat) for seat in held} for player, held in seats.items()}
    session = public_session.describe(perceived(state, SPECTATOR))
    return Kept(
        session_id=state.id,
        game=state.game,
        rules_version=state.created.rules_version,
        public=state.created.public,
        title=state.created.title,
        players=tuple(Player(player, tuple(sorted(held))) for player, held in seats.items()),
        winners=tuple(session.outcome.winners),
        places=tuple(session.outcome.places),
        scores=tuple(session.outcome.scores),
        finished_at_ms=state.at_ms,
        record=full_record(state, entries).SerializeToString(deterministic=True),
        session=session.SerializeToString(deterministic=True),
    )


class SessionGauges:
    """How many sessions there are in the shards of this process, and whether the archive keeps up with those that end.

    Counts are looked up rather than kept, so nothing drifts when a process dies or a shard changes owners.
    """

    def __init__(self, store: Store, archive: Archive, shards: Callable[[], Sequence[int]]) -> None:
        """`shards` returns those of this process."""
        self._store = store
        self._archive = archive
        self._shards = shards

    async def run(self) -> None:
        """Keep counting, until cancelled."""
        while True:
            await asyncio.gather(self.look_at_sessions(), self.look_at_archive())
            await asyncio.sleep(GAUGES_EVERY_S)

    async def look_at_sessions(self) -> None:
        """Count once. While the store is down, the series keep their values."""
        try:
            counted = await asyncio.gather(*map(self._store.count_shard, self._shards()))
        except Refused:
            return
        metrics.SESSIONS_UNFINISHED.set(sum(shard.unfinished for shard in counted))
        metrics.ARCHIVE_WAITING.set(sum(shard.unarchived for shard in counted))
        ends = [shard.oldest_end_s for shard in counted if shard.oldest_end_s is not None]
        metrics.ARCHIVE_OLDEST.set(max(0.0, time.time() - min(ends)) if ends else 0.0)

    async def look_at_archive(self) -> None:
        """Query the archive's database once. If it takes too long, it is not up."""
        try:
            async with asyncio.timeout(GAUGES_EVERY_S):
                metrics.ARCHIVE_UP.set(await self._archive.is_ready())
        except TimeoutError:
            metrics.ARCHIVE_UP.set(0)
