"""The versions older than the store keeps ready: updates made again from the log, and sessions that only the archive has.

A rebuilt session is kept for some minutes, with its newest state, so that reading on is cheap.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import errors_pb2, record_pb2
from services.archive.archive import Archive
from services.runtime.bounded_cache import BoundedCache
from services.runtime.memory import bounded, give_back
from services.runtime.refusal import Refused, unknown
from services.session.domain import fair_play, perception
from services.session.domain.bounds import BACKLOG, HISTORY_BYTES, REBUILDS_BYTES, REBUILDS_SHARE
from services.session.domain.plies import variation_of
from services.session.domain.state import CLOSED, FINISHED, State
from services.session.domain.storage_format import check_entries, read_entries
from services.session.domain.updates import PackedUpdate
from services.session.live.rules_client import Games, RulesClient
from services.session.live.session_cache import SessionCache
from services.session.live.transaction import Transaction, add_again
from services.session.store.store import Store

IDLE_S = 120.0
"""A session that was made again is forgotten when nobody has asked for its past for so long, or at most twice as long."""
_FEW = 1000
"""How many entries are read at once: about 2 ms."""


@dataclass(slots=True)
class Rebuilt:
    """A session while it is made from its log again."""

    session_id: str
    secret: bytes = field(repr=False)
    rules: RulesClient = field(repr=False)
    next_secret: bytes = field(default=b"", repr=False)
    """The secret for when the log renews chance; it may become known later than the beginning of the log."""
    entries: list[record_pb2.Entry] = field(default_factory=list, repr=False)
    packed: list[PackedUpdate] = field(default_factory=list, repr=False)
    size: int = 0
    """The bytes of entries and updates."""
    transaction: Transaction | None = field(default=None, repr=False)
    is_open: bool = False
    """Whether its updates are those that everybody may read because the game is over (perception.py)."""
    is_whole: bool = False
    """Whether the log is complete, because the archive has it."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

    @property
    def state(self) -> State:
        """The state after all entries so far."""
        assert self.transaction is not None
        return self.transaction.state

    def begin_anew(self) -> None:
        """Forget everything that was made."""
        self.entries, self.packed, self.size, self.transaction = [], [], 0, None

    def show(self, *, is_open: bool) -> None:
        """Make updates as players receive them, or as everybody reads them once the game is over."""
        if is_open != self.is_open and self.transaction is not None and self.state.unperceived:
            self.begin_anew()
        self.is_open = is_open

    async def extend(self, entries: Sequence[record_pb2.Entry]) -> None:
        """Add the next entries of the log. The added entries stay if this is interrupted, so the next call goes on from there.

        Raises Refused: RECORD_DAMAGED if the rules reject them, FULL if there is too much of it.
        """
        for entry in entries:
            if self.size > HISTORY_BYTES:
                raise Refused(errors_pb2.REASON_FULL, "the session is too long to rebuild its older updates")
            if self.transaction is None:
                self.transaction = Transaction(self.rules, None, None, self._past, is_open=self.is_open)
                await self.transaction.begin(self.session_id, self.secret, entry)
            else:
                if not self.transaction.state.is_renewed:
                    self.transaction.expect(self.next_secret)
                await add_again(self.transaction, entry)
            self.entries.append(entry)
            packed = self.transaction.added.pop().packed
            self.packed.append(packed)
            self.size += packed.size + entry.ByteSize()
            self.transaction.dropped.clear()  # there is nothing stored to be dropped

    @property
    def bytes(self) -> int:
        """The bytes of entries and updates, and of the positions that are kept for undo."""
        return self.size + sum(len(position.value) for position in (self.transaction.kept.values() if self.transaction else ()))

    async def _past(self, _transaction: Transaction, plies: int) -> AnyMessage:
        variation = variation_of(self.entries).after(plies)
        step, _ = await self.rules.play_variation(self.state.game, len(self.state.seats), variation)
        return step.position


class Rebuilds:
    """Finds the past of sessions. Raises Refused: UNKNOWN, UNAVAILABLE, RECORD_DAMAGED."""

    def __init__(self, store: Store, session_cache: SessionCache, rules: RulesClient, games: Games, archive: Archive) -> None:
        self._games = games
        self._store = store
        self._session_cache = session_cache
        self._rules = rules
        self._archive = archive
        self._cache = BoundedCache[str, Rebuilt](bounded(REBUILDS_BYTES, REBUILDS_SHARE))
        self.use = self._cache.use

    async def run(self) -> None:
        """Forget idle sessions again and again, and give freed memory back to the system, until cancelled."""
        while True:
            await asyncio.sleep(IDLE_S)
            self.forget_idle()
            give_back()

    def forget_idle(self) -> None:
        """Forget the sessions whose past nobody has asked for since the last time."""
        self._cache.forget_idle(lambda _session_id, rebuilt: rebuilt.lock.locked())

    async def live(self, session_id: str) -> State | None:
        """Return the newest state of a session in the store; None if it is not there, or no longer."""
        loaded = await self._session_cache.find(session_id)
        return None if loaded is None else loaded.state

    async def is_known(self, session_id: str) -> bool:
        """Return whether there is or was such a session."""
        return await self._store.version(session_id) is not None or await self._archive.has(session_id)

    async def state(self, session_id: str) -> tuple[State, bool]:
        """Return the newest state of a session, and whether only the archive has it: then no token is valid for it."""
        state = await self.live(session_id)
        if state is not None:
            return state, False
        return (await self._rebuilt(session_id, None)).state, True

    async def entries(self, session_id: str) -> list[record_pb2.Entry]:
        """Return the log of a session."""
        return await _read(session_id, await self._store.log(session_id)) or list((await self._record(session_id)).entries)

    async def entries_between(self, session_id: str, first: int, last: int) -> Sequence[record_pb2.Entry]:
        """Return the entries of the versions from `first` to `last`, or as many of them as there are."""
        log = await _read(session_id, await self._store.log(session_id, first - 1, last))
        return log or (await self._rebuilt(session_id, await self.live(session_id))).entries[first - 1 : last]

    async def has(self, session_id: str, version: int, at_ms: int) -> bool:
        """Return whether the log of a session in the store has a version that was made at this time; 0 for any time."""
        known = self._session_cache.known(session_id)
        if known is not None and known.head.version == version:
            return at_ms in (0, known.state.at_ms)
        entry = await self._store.entry(session_id, version)
        return entry is not None and at_ms in (0, record_pb2.Entry.FromString(entry).at_ms)

    async def updates(self, session_id: str, first: int, last: int, audiences: int = perception.EVERYBODY) -> list[PackedUpdate]:
        """Return the updates from `first` to `last`, as far as there are any, for these audiences (as bits) and maybe others."""
        loaded = await self._session_cache.find(session_id)
        if loaded is not None:
            last = min(last, loaded.head.version)
            if first > last:
                return []
            # If it has ended since and hidden anything, versions have other numbers now.
            if not (loaded.state.unperceived and perception.has_ended_after(loaded.state, first - 1)):
                remembered = await self._session_cache.updates(loaded, first, last, audiences)
                if remembered is not None:
                    return list(remembered)
        rebuilt = await self._rebuilt(session_id, None if loaded is None else loaded.state)
        return rebuilt.packed[first - 1 : last]

    async def is_opened_after(self, state: State, version: int) -> bool:
        """Return whether a game has ended after the version that follows this one, and has revealed what was hidden."""
        return perception.has_ended_after(state, version) and (await self._games.facts(state.game)).hidden

    async def shows_all(self, state: State) -> bool:
        """Return whether everybody may know everything of a session."""
        if state.status != CLOSED:
            return state.is_over
        hidden = await self._games.hides(state.game)
        return not hidden or fair_play.shows_all(state, await self.entries(state.id), hidden=hidden)

    def is_at_hand(self, state: State, first: int) -> bool:
        """Return whether the updates from a version on are there, or can be made from a short enough log.

        If actions can be hidden, that follows from what everybody can count: what is in memory may depend on more.
        """
        if state.created.counts_perceived:
            return perception.is_at_hand(state, first)
        return state.version <= BACKLOG or self._session_cache.remembers(state.id, first)

    async def step(self, session_id: str, version: int) -> rules_pb2.Step:
        """Return the position at a version and who was to act. Raises Refused (UNKNOWN) if there was none."""
        entries = await self.entries(session_id)
        if not 1 <= version <= len(entries):
            raise unknown("version", "at_version")
        variation = await asyncio.to_thread(variation_of, entries[:version])
        if not variation.plies:
            raise unknown("version", "at_version")
        created = entries[0].created
        step, _ = await self._rules.play_variation(created.game, created.seats, variation)
        return step

    async def _rebuilt(self, session_id: str, state: State | None) -> Rebuilt:
        """Return the session rebuilt up to `state` or, if only the archive has it, up to its end."""
        rebuilt = self._cache.find(session_id)
        if rebuilt is None:
            secret = state.secrets[0] if state is not None else (await self._record(session_id)).secret
            # Somebody else may have begun it while the archive was asked.
            rebuilt = self._cache.get(session_id) or Rebuilt(session_id, secret, self._rules)
            self._cache.put(session_id, rebuilt, rebuilt.bytes)
        async with rebuilt.lock:
            try:
                await self._go_on(rebuilt, state)
            finally:
                self._cache.put(session_id, rebuilt, rebuilt.bytes)
        return rebuilt

    async def _go_on(self, rebuilt: Rebuilt, state: State | None) -> None:
        """Rebuild a session further, up to `state` or the archive's end of it."""
        session_id = rebuilt.session_id
        if state is not None:
            rebuilt.show(is_open=state.status == FINISHED)
            rebuilt.next_secret = state.secrets[1]
            # One entry more than is missing: if the last known one is another there, the store was set back.
            last = max(0, len(rebuilt.entries) - 1)
            log = await _read(session_id, await self._store.log(session_id, last))
            if rebuilt.entries and log[:1] != rebuilt.entries[last:]:
                rebuilt.begin_anew()  # the store was set back, and the session went on differently from there
                log = await _read(session_id, await self._store.log(session_id))
            await rebuilt.extend([entry for entry in log if entry.version > len(rebuilt.entries)])
        elif not rebuilt.is_whole:
            record = await self._record(session_id)
            rebuilt.next_secret = record.next_secret
            rebuilt.show(is_open=record.HasField("outcome"))
            await rebuilt.extend(record.entries[len(rebuilt.entries) :])
            rebuilt.is_whole = True

    async def _record(self, session_id: str) -> record_pb2.Record:
        data = await self._archive.find(session_id)
        if data is None:
            await self._store.require_absent(session_id)
            raise unknown("session", "session_id", session_id)
        record = record_pb2.Record.FromString(data)
        check_entries(session_id, record.entries)
        return record


async def _read(session_id: str, log: Sequence[bytes]) -> list[record_pb2.Entry]:
    """Return the entries of a log; those of a long one are read outside the event loop."""

    def read() -> list[record_pb2.Entry]:
        return read_entries(session_id, log)

    return read() if len(log) <= _FEW else await asyncio.to_thread(read)
