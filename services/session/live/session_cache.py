"""Sessions within reach of this process: in memory, in the store behind it, in the archive behind that.

When a session is first touched, it is read: the newest stored state, and the entries of the log after it, which are replayed,
many plies in one request. From then on memory is believed, as long as this process owns the session's shard: nobody else writes
it. A session in another process's shard, or in doubt (the store may have been set back, or the outcome of a write is unknown), is
believed if the store has just confirmed that version; anything missing is then read and replayed, too. Along with the state, the
cache remembers what audiences may see of the position, as far as that is known.

A session that nobody follows and nobody asks for leaves memory after a while: reading it again costs two milliseconds, and a
crowd that has left takes no memory any more.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import session_state_pb2
from brettwerk.v1 import errors_pb2
from services.runtime.bounded_cache import BoundedCache
from services.runtime.memory import bounded
from services.runtime.refusal import Refused, is_newer, unknown
from services.runtime.tasks import KeyLocks
from services.session.domain import conditional, orders, public_session, storage_format
from services.session.domain.bounds import STATES_BYTES, STATES_SHARE
from services.session.domain.perception import EVERYBODY, LISTS, NOBODY, audience, existing, unlisted
from services.session.domain.plies import variation_of
from services.session.domain.state import State
from services.session.domain.updates import PackedUpdate, shows, view_of
from services.session.live.memory import CachedSession, CacheValidity, Memory
from services.session.live.rules_client import RulesClient
from services.session.live.transaction import Transaction, replay
from services.session.store.commits import Kept, head_of
from services.session.store.store import Store, Stored
from services.sharding.shards import shard_of

StoredSecrets = session_state_pb2.StoredSecrets

IDLE_S = 20.0
"""A session that nobody follows leaves memory when it was not touched for so long, or at most twice as long."""


@dataclass(frozen=True, slots=True)
class SessionEvents:
    """The listeners of each event of sessions in this process, in their order. Listeners must neither wait nor raise."""

    committed: list[Callable[[State, State | None, Sequence[PackedUpdate]], None]] = field(default_factory=list)
    """Told of each commit: the state after and before it, and its updates."""
    moved: list[Callable[[str, int], None]] = field(default_factory=list)
    """Told of a session and its version that were found in the store, where another one was in memory."""
    forgotten: list[Callable[[str], None]] = field(default_factory=list)
    """Told of a session whose last write may be stored or not, or whose wants nobody may know of."""
    unreadable: list[Callable[[str], None]] = field(default_factory=list)
    """Told of a session that only a newer release can read."""
    voided: list[Callable[[Collection[str]], None]] = field(default_factory=list)
    """Told after sign-outs of the sessions in memory in which seat tokens are good for nothing now."""
    noted: list[Callable[[str, int, int], None]] = field(default_factory=list)
    """Told of a session all whose wants stand on the board, the version that they are of, and until when it needs nothing."""
    unplayable: list[Callable[[str, int, int], None]] = field(default_factory=list)
    """Told of a session, a seat and a version for which no worker can move."""


@dataclass(eq=False, repr=False)
class SessionCache:
    """Finds sessions in memory and in the store. Raises Refused: UNKNOWN if there is none, UNAVAILABLE."""

    _store: Store
    _rules: RulesClient
    _watched: Callable[[State], int]
    """Returns the audiences for which a session is followed here, as bits: updates are made for those."""
    _owns: Callable[[int], bool]
    """Says whether nobody else can have written to a shard, or set it back, since this process began to serve it."""
    _events: SessionEvents
    _sign_outs: Mapping[str, int] = field(default_factory=dict)
    """The number of each player's last sign-out, which voids older seat tokens."""

    def __post_init__(self) -> None:
        self.validity = CacheValidity(self._owns)
        self._cache = BoundedCache[str, CachedSession](bounded(STATES_BYTES, STATES_SHARE), self._forgotten)
        self.use = self._cache.use
        """A lookup is a hit when nothing of the session has to be read and replayed for it."""
        self._locks = KeyLocks()

    def _forgotten(self, session_id: str) -> None:
        self.validity.drop(session_id)
        public_session.forget(session_id)

    def good(self, state: State) -> State:
        """Return the state without tokens that are void."""
        return state.without_void_tokens(self._sign_outs)

    async def run(self) -> None:
        """Forget idle sessions again and again, until cancelled."""
        while True:
            await asyncio.sleep(IDLE_S)
            self.forget_idle()

    def forget_idle(self) -> None:
        """Drop the sessions that nobody follows and nobody has touched since the last time from memory."""
        self._cache.forget_idle(lambda _session_id, loaded: bool(self._watched(loaded.state)))

    async def any(self, session_id: str) -> CachedSession:
        """Return a session, perhaps not its newest version."""
        loaded = self._cache.get(session_id)
        if loaded is None:
            return await self.newest(session_id)
        self._cache.touch(session_id)
        self.use.hits += 1
        return loaded

    def known(self, session_id: str) -> CachedSession | None:
        """Return the newest version of a session, if that is known without asking the store."""
        return self._cache.touch(session_id) if self.validity.holds(session_id) else None

    async def version(self, session_id: str) -> int | None:
        """Return a session's newest version; None when it is not in the store. Raises Refused (UNAVAILABLE)."""
        known = self.known(session_id)
        return await self._store.version(session_id) if known is None else known.head.version

    async def newest(self, session_id: str) -> CachedSession:
        """Return the newest version of a session."""
        known = self.known(session_id)
        if known is None:
            return await self.asked(session_id)
        self.use.hits += 1
        return known

    async def find(self, session_id: str) -> CachedSession | None:
        """Return the newest version of a session; None when it is not in the store, or no longer."""
        known = self.known(session_id)
        if known is None:
            return await if_there(self.asked(session_id))
        self.use.hits += 1
        return known

    async def asked(self, session_id: str) -> CachedSession:
        """Return the newest version of a session in the store, whatever is known about it."""
        try:
            return await self._asked(session_id)
        except Refused as refused:
            if is_newer(refused.refusal):
                for tell in self._events.unreadable:
                    tell(session_id)
            raise

    async def _asked(self, session_id: str) -> CachedSession:
        before = self._cache.get(session_id)
        if before is not None and await self._is_newest(before):
            self.use.hits += 1
            return before
        async with self._locks.of(session_id):
            loaded = self._cache.get(session_id)
            # Where nothing was there before, what is there now was read since, and need not be asked for once more.
            if loaded is not None and ((before is None and self.validity.holds(session_id)) or await self._is_newest(loaded)):
                self.use.hits += 1
                return loaded  # somebody else has read it in the meantime
            self.use.misses += 1
            self.validity.drop(session_id)
            era = self.validity.era(session_id)
            if loaded is not None:
                # One entry more than is missing: if the last known one is no longer there, the store was set back.
                stored = await self._found(session_id, loaded.head.version - 1)
                if stored.elements and head_of(loaded.head.version, stored.elements[0]) == loaded.head:
                    return self._read_anew(await self._go_on(loaded, stored), era, loaded)
            return self._read_anew(await self._read(session_id), era, loaded)

    def is_current(self, loaded: CachedSession) -> bool:
        """Return whether what is remembered beside a session, like its conditional moves, has not been read anew since."""
        cached = self._cache.get(loaded.state.id)
        return cached is None or cached.memory is loaded.memory

    async def keep_conditional(self, loaded: CachedSession, kept: conditional.Kept) -> bool:
        """Keep the conditional moves of a session; return False, and do nothing, when it is not in memory like this any more.

        They are no part of a version. So nobody may read the session anew meanwhile, who would find it without them and could not
        know. Raises Refused: UNKNOWN, UNAVAILABLE (moved, too).
        """
        session_id = loaded.state.id
        async with self._locks.of(session_id):
            if not self._has(loaded):
                return False
            data = conditional.write(kept, loaded.head.version).SerializeToString(deterministic=True) if kept else b""
            await self._store.keep_conditional(session_id, data)
            if self._has(loaded):
                loaded.memory.conditional = kept
            else:
                self.forget(session_id)  # what is left of them follows from the log
            return True

    async def keep_orders(self, loaded: CachedSession, new: orders.Orders) -> bool:
        """Keep the orders of a session in place of those that it is loaded with; return False where it has others by now.

        Raises Refused: UNKNOWN, UNAVAILABLE (moved, too).
        """
        session_id = loaded.state.id
        async with self._locks.of(session_id):
            if not self.is_current(loaded):
                return False
            data = orders.write(new)
            is_kept = await self._store.keep_orders(session_id, loaded.memory.orders.mark, data)
            if is_kept:
                loaded.memory.orders = new._replace(mark=orders.mark_of(data))
            else:
                self.forget(session_id)
            return is_kept

    def _has(self, loaded: CachedSession) -> bool:
        cached = self._cache.get(loaded.state.id)
        return cached is not None and cached.memory is loaded.memory and cached.head == loaded.head

    def forget_shards(self, shards: Collection[int]) -> None:
        """Forget the sessions of shards that others may write or have written; anything being read is in doubt, too."""
        self.validity.doubt(shards)
        for session_id in [one for one in self._cache if shard_of(one) in shards]:
            self.forget(session_id)

    async def view(self, state: State, seat: int | None) -> AnyMessage:
        """Return what a seat or a spectator may see of the position of a state that has one."""
        assert state.position is not None
        loaded, wanted = self._cache.get(state.id), 1 << audience(seat)
        known = loaded.perspectives if loaded is not None and loaded.state is state else None
        if known is None or not shows(known, wanted, len(state.seats)):
            # The pieces for others are requested again with it, so that one answer has all of it.
            known = await self._rules.look(state.game, state.position, wanted | (known.audiences if known else NOBODY))
            loaded = self._cache.get(state.id)
            if loaded is not None and loaded.state is state:  # a write may have come in while the rules were computing
                self.put(replace(loaded, perspectives=known), self.validity.noted(state.id))
        return view_of(known, seat)

    def put(self, loaded: CachedSession, era: int) -> CachedSession:
        """Keep a session in memory and return it; `era`: when it was asked for, or begun to be written (memory.py).

        It may be older than what was there: what the store said last is believed.
        """
        session_id, good = loaded.state.id, self.good(loaded.state)
        if good is not loaded.state:
            loaded = replace(loaded, state=good)
        self.validity.note(session_id, era)
        self._cache.put(session_id, loaded, loaded.size)
        return loaded

    def has(self, session_id: str) -> bool:
        """Return whether a session is in memory, at any version."""
        return session_id in self._cache

    def void_tokens(self) -> None:
        """Take seat tokens that have become void out of all sessions in memory, and tell of those that had any."""
        voided = set()
        for session_id in list(self._cache):
            loaded = self._cache.get(session_id)
            if loaded is not None and (good := self.good(loaded.state)) is not loaded.state:
                self._cache.exchange(session_id, replace(loaded, state=good))
                voided.add(session_id)
        for tell in self._events.voided:
            tell(voided)

    def game(self, session_id: str) -> str:
        """Return the game of a session in memory; empty when it is not there."""
        loaded = self._cache.get(session_id)
        return "" if loaded is None else loaded.state.game

    def remembers(self, session_id: str, first: int) -> bool:
        """Return whether the updates of a session from a version on are in memory, for any audience, or quickly made again."""
        loaded = self._cache.get(session_id)
        if loaded is None:
            return False
        head = loaded.head.version
        return first > head - loaded.replayed or loaded.memory.updates(first, head, NOBODY) is not None

    async def updates(self, loaded: CachedSession, first: int, last: int, audiences: int) -> Sequence[PackedUpdate] | None:
        """Return the updates of a session from memory, or as far as they are quickly made again; None where they are not.

        Further ones are made for these audiences, too.
        """
        wanted = existing(audiences, len(loaded.state.seats))
        loaded.memory.audiences |= wanted
        found = loaded.memory.updates(first, last, wanted)
        # Updates that reading the session replays are made again here; what is older needs the whole log (rebuilds.py).
        if found is not None or first <= loaded.head.version - loaded.replayed:
            return found
        session_id = loaded.state.id
        async with self._locks.of(session_id):
            self.validity.drop(session_id)
            era = self.validity.era(session_id)
            loaded = self._read_anew(await self._read(session_id, loaded.memory.audiences, first), era, loaded)
        return loaded.memory.updates(first, last, wanted)

    def _read_anew(self, found: CachedSession, era: int, before: CachedSession | None) -> CachedSession:
        """Keep what was read, unless a write has come in since: that is newer, and known to be stored."""
        written = self.known(found.state.id)
        if written is not None:
            return written
        found = self.put(found, era)
        if before is not None and before.head != found.head:
            for tell in self._events.moved:
                tell(found.state.id, found.head.version)
        return found

    def forget(self, session_id: str) -> None:
        """Drop a session from memory."""
        self.validity.drop(session_id)
        self._cache.forget(session_id)

    def first_transaction(self) -> Transaction:
        """Return a transaction for a session that is not there yet."""
        return Transaction(self._rules, None, None, None, _following=partial(self._following, Memory()))

    def transaction(self, loaded: CachedSession) -> Transaction:
        """Return a transaction that begins at a version of a session."""
        memory = loaded.memory

        async def past(transaction: Transaction, plies: int) -> AnyMessage:
            # A remembered position belongs to the variation as it was when the transaction began.
            remembered = None if plies in transaction.dropped else memory.position(plies)
            return remembered or await self._position(transaction, plies)

        audiences, following = partial(self._audiences, memory), partial(self._following, memory)
        return Transaction(self._rules, loaded.state, loaded.perspectives, past, audiences, following)

    def _audiences(self, memory: Memory, state: State) -> int:
        """Return for whom updates are made: until the game has begun for everybody, because players come to follow it then."""
        following = self._following(memory, state)
        return following if state.has_begun else existing(EVERYBODY & ~(unlisted(following) << LISTS), len(state.seats))

    def _following(self, memory: Memory, state: State) -> int:
        """Return who follows a session, or has asked for its updates."""
        return existing(self._watched(state) | memory.audiences, len(state.seats))

    async def _is_newest(self, loaded: CachedSession) -> bool:
        session_id = loaded.state.id
        era = self.validity.era(session_id)
        is_newest = await self._store.head(session_id) == loaded.head
        now = self._cache.get(session_id)
        if is_newest and now is not None and now.head == loaded.head:
            self._cache.touch(session_id)
            self.validity.note(session_id, era)
        return is_newest

    async def _found(self, session_id: str, after: int | None = None) -> Stored:
        stored = await self._store.read(session_id, after)
        if stored is None:
            self.forget(session_id)
            raise unknown("session", "session_id", session_id)
        return stored

    async def _read(self, session_id: str, audiences: int = NOBODY, first: int | None = None) -> CachedSession:
        """Return a session as the store has it, with updates for these audiences and those that follow it.

        They are made from version `first` on, or of the newest version only: who lacks others asks for them.
        """
        stored = await self._found(session_id)
        memory, kept = Memory(audiences), stored.kept or Kept(0, b"", 0)
        for request, answer in stored.former_requests.items():
            memory.note_answer(kept.version, request, session_state_pb2.StoredAnswer.FromString(answer))
        state = None if stored.kept is None else State.decode(kept.state)
        transaction = Transaction(self._rules, state, None, self._position, partial(self._audiences, memory))
        transaction.shown_from = stored.version if first is None else first
        return await self._replayed(session_id, stored, transaction, memory, kept.version, kept.logged)

    async def _go_on(self, loaded: CachedSession, stored: Stored) -> CachedSession:
        """Return a session with what others have done since."""
        transaction, since = self.transaction(loaded), loaded.head.version
        return await self._replayed(loaded.state.id, stored, transaction, loaded.memory, since, loaded.logged)

    async def _replayed(
        self, session_id: str, stored: Stored, transaction: Transaction, memory: Memory, since: int, logged: int
    ) -> CachedSession:
        """Return a session with what its log has after a version; up to there the log has `logged` bytes."""
        tail: list[bytes] = []
        for version, element in enumerate(stored.elements, stored.after + 1):
            entry, request, known = storage_format.read_element(session_id, element)
            if known is not None:
                memory.note_answer(version, request, known)
            if version > since:
                tail.append(entry)
        entries = storage_format.read_entries(session_id, tail)
        await replay(session_id, transaction, entries, StoredSecrets.FromString(stored.secrets), memory)
        memory.conditional = await self._conditional(session_id, stored)
        memory.orders = orders.read(stored.orders)
        return CachedSession(
            state=transaction.state,
            head=head_of(stored.version, stored.elements[-1]),
            perspectives=transaction.known_perspectives,
            memory=memory,
            logged=logged + sum(map(len, stored.elements[since - stored.after :])),
            replayed=stored.version - (0 if stored.kept is None else stored.kept.version),
            has_former=stored.has_former,
        )

    async def _conditional(self, session_id: str, stored: Stored) -> conditional.Kept:
        """Return what is left of the conditional moves of a session as it is stored (domain/conditional.py)."""
        if not stored.conditional:
            return ()
        found = session_state_pb2.StoredConditionalMoves.FromString(stored.conditional)
        first = min((one.version for one in found.seats), default=stored.version)
        log = await self._store.log(session_id, first, stored.version) if first < stored.version else []
        return conditional.read(found, stored.version, storage_format.read_entries(session_id, log))

    async def _position(self, transaction: Transaction, plies: int) -> AnyMessage:
        """Return the position of a transaction's variation after that many plies, replayed from the log."""
        state = transaction.state
        entries = storage_format.read_entries(state.id, await self._store.log(state.id))
        variation = variation_of(entries[: state.version]).after(plies)
        step, _ = await self._rules.play_variation(state.game, len(state.seats), variation)
        return step.position


async def if_there(loaded: Awaitable[CachedSession]) -> CachedSession | None:
    """Return a session that is awaited; None when it is not in the store."""
    try:
        return await loaded
    except Refused as refused:
        if refused.reason != errors_pb2.REASON_UNKNOWN:
            raise
        return None
