"""The write of a transaction: log elements, other changes to the store, and what is done once it is stored.

Nothing here waits, so that the owner of a transaction can go on immediately.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from cryptography.fernet import Fernet
from google.protobuf.message import Message

from brettwerk.internal.v1 import session_pb2, session_state_pb2
from brettwerk.v1 import errors_pb2, play_pb2
from services.runtime.logs import logger
from services.runtime.refusal import Refused
from services.session.domain import conditional, orders, plies, public_session, storage_format
from services.session.domain.bounds import LOG_BYTES, MAX_STATE_BYTES
from services.session.domain.clocks import Timeouts, is_worth_noting, next_due
from services.session.domain.ids import REQUEST_BYTES, request_field
from services.session.domain.state import FINISHED, State, snapshot_interval
from services.session.domain.updates import PackedUpdate
from services.session.live.memory import CachedSession, Memory
from services.session.live.session_cache import SessionCache
from services.session.live.session_events import SessionEvents
from services.session.live.transaction import Transaction, log_is_full
from services.session.store.commits import Head, Kept, Write
from services.sharding.shards import shard_of

log = logger(__name__)

_WITH_TOKENS = ("create_session", "join_session", "set_seat", "rematch", "import_session", "fork_session")
"""Answers that hold seat tokens."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request that is carried out once: the key of its id, and its digest."""

    field: bytes
    digest: bytes
    sign_out: int = 0
    """The last sign-out of its player that the gateway knew of."""


def identified(request: Any, caller: session_pb2.Caller, data: bytes) -> Request:
    """Return how a request is recognised when it is repeated; `data` is its content. Raises Refused (MALFORMED)."""
    field = request_field(caller.player_id, getattr(request, "seat_token", ""), request.request_id)
    return Request(field, hashlib.sha256(data).digest()[:REQUEST_BYTES], caller.sign_out)


_Answered: TypeAlias = tuple[bytes, session_state_pb2.StoredAnswer]
"""The key of a request, and its answer."""


class WriteBuilder:
    """Makes writes."""

    def __init__(self, session_cache: SessionCache, seal: Fernet, events: SessionEvents) -> None:
        """`seal` seals and opens answers with tokens."""
        self._session_cache = session_cache
        self._seal = seal
        self._events = events

    def write(
        self,
        loaded: CachedSession | None,
        transaction: Transaction,
        state: State,
        request: Request | None,
        answer: Message,
        timeouts: Timeouts,
        *,
        has_secrets: bool = True,
    ) -> Write:
        """Return the write of what a transaction has come to. Once it is stored it is remembered and told.

        The state that is kept now and then is the one before the write: so whoever reads the session plays at least the last
        entry again, and knows its updates.
        """
        due = next_due(state, timeouts)
        before = None if loaded is None else loaded.state
        # Lists of the lobby and of players change with seats and status only: most actions write none of them.
        moves = before is None or before.seats is not state.seats or before.status != state.status
        entries = [added.entry.SerializeToString(deterministic=True) for added in transaction.added]
        answered = None if request is None or not request.field else (request.field, self._remembered(request, answer))
        request_field, stored = answered or (b"", None)
        # The answer is in the last element: it is stored together with the entries that it reports, or neither is.
        entries[-1] = storage_format.log_element(entries[-1], request_field, stored, state.min_reader)
        kept = None
        # A state is stored every so many entries, so that reading a session never replays more than that.
        if loaded is not None and (loaded.has_former or loaded.replayed >= snapshot_interval(loaded.state)):
            kept = Kept(loaded.head.version, loaded.state.encode(), loaded.logged)
        has_former = loaded is not None and loaded.has_former
        # A slightly later one is not written: the sweeper checks too early, and computes it again.
        due_ms = due.at_ms if loaded is None or is_worth_noting(due, loaded.due_ms) else None
        ordered: tuple[str, bytes] | None = None
        if loaded is not None and transaction.orders is not loaded.memory.orders:
            ordered = loaded.memory.orders.mark, orders.write(transaction.orders)
            if transaction.orders.goes_on:
                due_ms = state.at_ms
        updates = [added.packed for added in transaction.added]
        replayed = sum(plies.plies_to_replay(added.entry, before) for added in transaction.added)
        found = partial(
            CachedSession,
            state,
            perspectives=transaction.known_perspectives,
            memory=Memory() if loaded is None else loaded.memory,
            logged=sum(map(len, entries)) + (0 if loaded is None else loaded.logged),
            replayed=replayed + (0 if loaded is None or kept is not None else loaded.replayed),
            due_ms=loaded.due_ms if due_ms is None and loaded is not None else due_ms,
        )
        era = self._session_cache.validity.era(state.id)
        return Write(
            session_id=state.id,
            before=None if loaded is None else loaded.head,
            elements=entries,
            due_ms=due_ms,
            score=state.created_at_ms if moves and public_session.lobby_list(state) == "open" else state.at_ms,
            place=public_session.new_lobby_list(before, state) if moves else "",
            players=public_session.changed_players(before, state) if moves else {},
            reopens=before is not None and before.status == FINISHED and state.status != FINISHED,
            is_over=None if before is not None and before.is_over == state.is_over else state.is_over,
            kept=kept,
            secrets=state.beside_log().SerializeToString(deterministic=True) if has_secrets or has_former else b"",
            has_former=has_former,
            orders=ordered,
            # They must not refer to the write, which refers to them: both would stay until the garbage collector finds them.
            landed=partial(self._landed, found, before, era, transaction, updates, answered, ordered),
            failed=partial(self._failed, state.id),
        )

    def _landed(
        self,
        found: Callable[[Head], CachedSession],
        before: State | None,
        era: int,
        transaction: Transaction,
        updates: Sequence[PackedUpdate],
        answered: _Answered | None,
        ordered: tuple[str, bytes] | None,
        head: Head,
    ) -> None:
        """A write is stored: remember what was committed, and tell of it."""
        session = found(head)
        state, memory = session.state, session.memory
        for packed in updates:
            memory.note_update(packed)
        memory.note_positions(transaction.kept, transaction.dropped)
        if memory.conditional:
            memory.conditional = conditional.after(memory.conditional, (added.entry for added in transaction.added))
        if ordered is not None:
            memory.orders = transaction.orders._replace(mark=orders.mark_of(ordered[1]))
        if answered is not None:
            memory.note_answer(state.version, *answered)
        self._session_cache.put(session, era)
        changes = [added.entry.WhichOneof("change") for added in transaction.added]
        log.debug("committed", game=state.game, session=state.id, version=state.version, changes=changes)
        for tell in self._events.committed:
            tell(state, before, updates)

    def _failed(self, session_id: str) -> None:
        """A write is not stored, as far as is known: believe nothing of a shard if the outcome of a write there is unknown."""
        self._session_cache.validity.doubt([shard_of(session_id)])
        for tell in self._events.forgotten:
            tell(session_id)

    def _remembered(self, request: Request, answer: Message) -> session_state_pb2.StoredAnswer:
        data = answer.SerializeToString()
        secret = isinstance(answer, play_pb2.Answer) and answer.WhichOneof("response") in _WITH_TOKENS
        return session_state_pb2.StoredAnswer(
            digest=request.digest, answer=self._seal.encrypt(data) if secret else data, is_sealed=secret
        )

    def read_answer(self, stored: session_state_pb2.StoredAnswer) -> play_pb2.Answer:
        """Return the answer of an earlier request."""
        return play_pb2.Answer.FromString(self._seal.decrypt(stored.answer) if stored.is_sealed else stored.answer)


def check_sizes(loaded: CachedSession, transaction: Transaction, state: State, write: Write) -> None:
    """Return if there is room for a write. Raises Refused (FULL)."""
    logged = loaded.logged + sum(map(len, write.elements))
    if logged > LOG_BYTES:
        raise log_is_full()
    is_plain = all(added.entry.acted.ply.WhichOneof("kind") == "action" for added in transaction.added)
    # A state is large by what its log has as well, but for the position: a small one need not be encoded to see that.
    most = logged + (0 if state.position is None else len(state.position.value))
    if not is_plain and 2 * most > MAX_STATE_BYTES and len(state.encode()) > MAX_STATE_BYTES:
        sentence = f"a session's state has at most {MAX_STATE_BYTES} bytes"
        raise Refused(errors_pb2.REASON_FULL, sentence, details={"bound": "state"})
