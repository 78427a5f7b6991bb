"""Carries commands out: decide, let a transaction ask the rules and fold, commit with one script, and only then answer.

A write that loses against another one is decided again at the newer state. A known request id gets its earlier answer, whatever
the state is now: before anything is refused, it is looked up in the newest version.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from cryptography.fernet import Fernet
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from brettwerk.internal.v1 import rules_pb2, session_state_pb2
from brettwerk.v1 import errors_pb2, play_pb2, record_pb2
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.refusal import Refused, moved, unknown
from services.session.domain import clocks, conditional, orders, plies, public_session, storage_format
from services.session.domain.bounds import EXPIRIES_IN_A_ROW, LOG_BYTES, MAX_STATE_BYTES, MAX_WRITE_ATTEMPTS
from services.session.domain.clocks import Timeouts, is_worth_noting, next_due
from services.session.domain.commands import actions
from services.session.domain.commands.creation import Plan
from services.session.domain.commands.decision import Command, Decision, Done, Early
from services.session.domain.ids import REQUEST_BYTES, Request, checked, new_token
from services.session.domain.perception import remembered_since
from services.session.domain.state import FINISHED, State, snapshot_interval
from services.session.domain.updates import PackedUpdate
from services.session.live.memory import CachedSession, Memory
from services.session.live.rules_client import Games, RulesClient
from services.session.live.session_cache import SessionCache, SessionEvents, if_there
from services.session.live.transaction import Transaction, log_is_full
from services.session.store.commits import Head, Kept, Result, Unwritten, Write
from services.session.store.store import Store
from services.sharding.shards import shard_of

log = logger(__name__)

_WITH_TOKENS = ("create_session", "join_session", "set_seat", "rematch", "import_session", "fork_session")
"""Answers that hold seat tokens."""
_SIGN_OUT_MS = 500
"""When to come again for a token after a sign-out: by then every gateway knows of it (services/players/accounts/sign_outs.py)."""


@dataclass(eq=False, repr=False)
class ClockEnforcer:
    """Finds what time has decided: credits for an outage, vacations that begin by themselves, what is played when time is up.

    It is carried out before commands, so an action after its deadline is found to be too late.
    """

    _session_cache: SessionCache
    _rules: RulesClient
    _now_ms: Callable[[], int]
    _outages: dict[int, list[clocks.Outage]]
    """Those of each shard; the sweeper keeps them up to date."""

    async def verdict(self, state: State) -> Command | None:
        """Return the command for what time has decided about a session by now; None for nothing. Raises Refused."""
        if self.is_quiet(state):
            return None
        state = (await self._session_cache.newest(state.id)).state
        if self.is_quiet(state):
            return None
        seat = clocks.expired_seat(state, self._now_ms())
        action = None
        if seat is not None and actions.asks_for_action(state, seat) and not self._credit(state):
            action = await self._rules.expiry(state.game, await self._session_cache.view(state, seat))
        return self._command(state.version, action)

    def is_quiet(self, state: State) -> bool:
        """Return whether the clocks decide nothing about a session."""
        if not clocks.running(state):
            return True
        return clocks.expired_seat(state, self._now_ms()) is None and not self._credit(state)

    def _credit(self, state: State) -> int:
        return clocks.credit_ms(state, self._outages.get(shard_of(state.id), ()), self._now_ms())

    def _command(self, version: int, action: AnyMessage | None) -> Command:
        """Return the command for what time has decided at a version; at any other version it changes nothing."""

        def decide(state: State, now_ms: int) -> Decision:
            credit, seat = self._credit(state), clocks.expired_seat(state, now_ms)
            entries: tuple[record_pb2.Entry, ...] = ()
            at_ms = None
            if state.version == version and credit:
                entries = (record_pb2.Entry(credited=record_pb2.Credited(time_ms=credit)),)
            elif state.version == version and seat is not None and clocks.goes_on_vacation(state, seat):
                entries = (actions.begin_vacation(state, seat, now_ms),)
            elif state.version == version and seat is not None and actions.asks_for_action(state, seat) == (action is not None):
                entries, at_ms = (actions.expire(state, seat, action),), actions.expiry_ms(state, now_ms)
            return Decision(entries=entries, is_final=True, at_ms=at_ms)

        return decide


_Answered: TypeAlias = tuple[bytes, session_state_pb2.StoredAnswer]
"""The key of a request, and its answer."""


class WriteBuilder:
    """Makes writes: log elements, other changes to the store, and what is done once they are stored. Nothing here waits."""

    def __init__(self, session_cache: SessionCache, seal: Fernet, events: SessionEvents) -> None:
        """`seal` seals and opens answers with tokens."""
        self._session_cache = session_cache
        self._seal = seal
        self._events = events

    def write(
        self, loaded: CachedSession | None, transaction: Transaction, request: Request | None, answer: Message, timeouts: Timeouts
    ) -> Write:
        """Return the write of what a transaction has come to. Once it is stored it is remembered and told.

        The state that is kept now and then is the one before the write: so whoever reads the session plays at least the last
        entry again, and knows its updates.
        """
        state, before = transaction.state, None if loaded is None else loaded.state
        due = next_due(state, timeouts)
        # Lists of the lobby and of players change with seats and status only: most actions write none of them.
        moves = before is None or before.seats is not state.seats or before.status != state.status
        elements = [added.entry.SerializeToString(deterministic=True) for added in transaction.added]
        answered = None if request is None or not request.field else (request.field, self._remembered(request, answer))
        request_field, stored = answered or (b"", None)
        # The answer is in the last element: it is stored together with the entries that it reports, or neither is.
        elements[-1] = storage_format.log_element(elements[-1], request_field, stored, state.min_reader)
        has_former = loaded is not None and loaded.has_former
        kept = None
        # A state is stored every so many entries, so that reading a session never replays more than that.
        if loaded is not None and (has_former or loaded.replayed >= snapshot_interval(loaded.state)):
            kept = Kept(loaded.head.version, loaded.state.encode(), loaded.logged)
        # A slightly later one is not written: the sweeper checks too early, and computes it again.
        due_ms = due.at_ms if loaded is None or is_worth_noting(due, loaded.due_ms) else None
        ordered: tuple[str, bytes] | None = None
        if loaded is not None and transaction.orders is not loaded.memory.orders:
            ordered = loaded.memory.orders.mark, orders.write(transaction.orders)
            if transaction.orders.goes_on:
                due_ms = state.at_ms
        updates = [added.packed for added in transaction.added]
        era = self._session_cache.validity.era(state.id)
        return Write(
            session_id=state.id,
            before=None if loaded is None else loaded.head,
            elements=elements,
            due_ms=due_ms,
            score=state.created_at_ms if moves and public_session.lobby_list(state) == "open" else state.at_ms,
            place=public_session.new_lobby_list(before, state) if moves else "",
            players=public_session.changed_players(before, state) if moves else {},
            reopens=before is not None and before.status == FINISHED and state.status != FINISHED,
            is_over=None if before is not None and before.is_over == state.is_over else state.is_over,
            kept=kept,
            secrets=state.beside_log().SerializeToString(deterministic=True) if transaction.has_secrets or has_former else b"",
            has_former=has_former,
            orders=ordered,
            landed=partial(self._landed, loaded, transaction, updates, answered, era),
            failed=partial(self._failed, state.id),
        )

    def _landed(
        self,
        loaded: CachedSession | None,
        transaction: Transaction,
        updates: Sequence[PackedUpdate],
        answered: _Answered | None,
        era: int,
        write: Write,
        head: Head,
    ) -> None:
        """A write is stored: remember what was committed, and tell of it."""
        state, before = transaction.state, None if loaded is None else loaded.state
        memory = Memory() if loaded is None else loaded.memory
        for packed in updates:
            memory.note_update(packed)
        memory.note_positions(transaction.kept, transaction.dropped)
        if memory.conditional:
            memory.conditional = conditional.after(memory.conditional, [added.entry for added in transaction.added])
        if write.orders is not None:
            memory.orders = transaction.orders._replace(mark=orders.mark_of(write.orders[1]))
        if answered is not None:
            memory.note_answer(state.version, *answered)
        replayed = sum([plies.plies_to_replay(added.entry, before) for added in transaction.added])
        session = CachedSession(
            state,
            head,
            transaction.known_perspectives,
            memory,
            logged=sum(map(len, write.elements)) + (0 if loaded is None else loaded.logged),
            replayed=replayed + (0 if loaded is None or write.kept is not None else loaded.replayed),
            due_ms=loaded.due_ms if write.due_ms is None and loaded is not None else write.due_ms,
        )
        self._session_cache.put(session, era)
        log.debug("committed", game=state.created.game, session=state.id, version=state.version)
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


@dataclass(slots=True)
class Written:
    """The result of a write: the answer, the state after it, and whether it was done now (rather than before, or not at all)."""

    answer: Message
    state: State
    step: rules_pb2.Step | None = field(repr=False)
    is_new: bool


@dataclass(eq=False, repr=False)
class Writer:
    """Writes sessions."""

    _store: Store
    _session_cache: SessionCache
    _games: Games
    _write_builder: WriteBuilder
    _clock_enforcer: ClockEnforcer
    _check_owner: Callable[[str], None]
    """Raises Refused (moved) when a session is of another process's shard."""
    _now_ms: Callable[[], int]

    async def create(
        self, session_id: str, plan: Plan, request: Request | None, answer: Callable[[Done], Message], created_from: bytes = b""
    ) -> Written:
        """Create a session, and return what was written. Raises Refused; REQUEST_ID_REUSED if another request has taken the id.

        `created_from` is the mark of the creator's address.
        """
        self._check_owner(session_id)
        transaction = self._session_cache.first_transaction()
        now = self._now_ms()
        plan.created.version, plan.created.at_ms = 1, now
        await transaction.begin(session_id, plan.secret, plan.created, created_from)
        transaction.expect(plan.next_secret)
        await transaction.add_all(plan.seats, now)
        done = self._done(transaction, plan.granted, request)
        reply = answer(done)
        timeouts = await self._games.timeouts(done.state.game)
        write = self._write_builder.write(None, transaction, request, reply, timeouts)
        if sum(map(len, write.elements)) > LOG_BYTES:
            raise Refused(errors_pb2.REASON_FULL, f"a session's log has at most {LOG_BYTES} bytes", details={"bound": "log"})
        match await self._commit(write):
            case Head():
                return Written(reply, done.state, done.step, is_new=True)
            case Unwritten.LOST:
                # A session's id is derived from its request's id: whatever has taken it is the same request, sent twice.
                loaded = await self._session_cache.asked(session_id)
                known = self._answered(loaded, request)
                if known is not None:
                    return Written(known, loaded.state, None, is_new=False)
        raise Refused(errors_pb2.REASON_REQUEST_ID_REUSED, "this request id was used before, and its answer is no longer kept")

    async def write(
        self, session_id: str, command: Command, request: Request | None = None, *, enforces_clocks: bool = True
    ) -> Written:
        """Carry a command out, after what the clocks have decided already, and return what was written. Raises Early to wait.

        `enforces_clocks`: not for the clocks' own decisions, nor for what ends or continues a session whatever they say.

        Raises Refused: what the command or the rules refuse, UNKNOWN, FULL, UNAVAILABLE (moved, too).
        """
        self._check_owner(session_id)
        loaded = await self._session_cache.any(session_id)
        for _ in range(MAX_WRITE_ATTEMPTS):
            # Before the command looks: what an expired clock has decided comes first, whoever is heard first.
            if enforces_clocks and not self._clock_enforcer.is_quiet(loaded.state):
                await self.enforce_clocks(loaded.state)
                loaded = await self._session_cache.any(session_id)
            if request is not None and loaded.memory.answer(request.field, remembered_since(loaded.state)) is not None:
                loaded = await self._session_cache.asked(session_id)  # the store may have been set back, and that lost with it
                known = self._answered(loaded, request)
                if known is not None:
                    return Written(known, loaded.state, None, is_new=False)
            transaction = self._session_cache.transaction(loaded)
            # A session's time never goes back, although this host's clock may, or that of the previous writer.
            now, kept = max(self._now_ms(), loaded.state.at_ms), loaded.memory.conditional
            transaction.orders = given = loaded.memory.orders
            # Conditional moves are compared with actions as they are listed; no other log needs these.
            transaction.conditional, transaction.compares = kept, bool(kept)
            try:
                decision = command(loaded.state, now)
                await transaction.carry_out(decision, now if decision.at_ms is None else decision.at_ms)
            except Refused:
                # A command that an old version refuses may be right in the newest one, which is consulted first.
                newest = await self._session_cache.newest(session_id)
                if newest.head == loaded.head:
                    raise
                loaded = newest
                continue
            done = self._done(transaction, decision.granted, request)
            state = done.state
            if decision.moment is not None and done.step is not None and (at_ms := decision.moment(done.step, now)) > now:
                raise Early(at_ms)
            reply = decision.answer(done)
            if not transaction.added:
                # Some may have ended without an action.
                if transaction.orders is not given and await self._session_cache.keep_orders(loaded, transaction.orders):
                    _count(state, given, transaction.orders)
                # No commit will show whether this version was the newest, so the store is asked before answering.
                newest = await self._session_cache.newest(session_id)
                if newest.head == loaded.head:
                    return Written(reply, state, None, is_new=False)
                loaded = newest
                continue
            timeouts = await self._games.timeouts(state.game)
            if loaded.memory.conditional is not kept or loaded.memory.orders is not given:
                continue  # they were set in the meantime, and may have an answer to this
            if not self._session_cache.is_current(loaded):
                # It was read anew in the meantime, and they may have been set there.
                loaded = await self._session_cache.newest(session_id)
                continue
            write = self._write_builder.write(loaded, transaction, request, reply, timeouts)
            if not decision.is_final:  # what ends a session always fits, or a full one could never be ended
                _check_sizes(loaded, transaction, write)
            match await self._commit(write):
                case Head():
                    _count(state, given, transaction.orders)
                    return Written(reply, state, done.step, is_new=True)
                case Unwritten.LOST:
                    # Somebody else wrote first, or this write landed and its answer was lost: the request is then known.
                    metrics.STORE_CONFLICTS.inc()
                    loaded = await self._session_cache.asked(session_id)
                case Unwritten.ARCHIVED:
                    raise Refused(errors_pb2.REASON_NOTHING_TO_UNDO, "the game is in the archive and stays as it ended")
                case Unwritten.GONE:
                    self._session_cache.forget(session_id)
                    raise unknown("session", "session_id", session_id)
        raise busy()

    async def answer(self, session_id: str, command: Command, request: Request) -> Message:
        """Carry a command of a client out, and return its answer. Raises Refused, MALFORMED for what is no id of a session."""
        return (await self.write(checked(session_id), command, request)).answer

    async def enforce_clocks(self, state: State) -> State:
        """Return the state once the clocks have nothing more to decide about a session now. Raises Refused."""
        for _ in range(EXPIRIES_IN_A_ROW + 2):
            verdict = await self._clock_enforcer.verdict(state)
            if verdict is None:
                break
            written = await self.write(state.id, verdict, enforces_clocks=False)
            if written.is_new and written.step is not None:
                metrics.CLOCK_EXPIRATIONS.labels(state.game).inc()
            state = written.state
        return state

    async def repeated(self, session_id: str, request: Request) -> play_pb2.Answer | None:
        """Return the request's earlier answer, or None. Raises Refused (REQUEST_ID_REUSED; moved)."""
        self._check_owner(session_id)
        if not self._session_cache.has(session_id) and await self._store.version(session_id) is None:
            return None
        loaded = await if_there(self._session_cache.asked(session_id))
        return None if loaded is None else self._answered(loaded, request)

    def _answered(self, loaded: CachedSession, request: Request | None) -> play_pb2.Answer | None:
        """Return a request's earlier answer, or None. Raises Refused (REQUEST_ID_REUSED) if that was a different request."""
        stored = None if request is None else loaded.memory.answer(request.field, remembered_since(loaded.state))
        if stored is None or request is None:
            return None
        if stored.digest[:REQUEST_BYTES] != request.digest:
            raise Refused(errors_pb2.REASON_REQUEST_ID_REUSED, "this request id was used for another request")
        return self._write_builder.read_answer(stored)

    def _done(self, transaction: Transaction, granted: Sequence[int], request: Request | None) -> Done:
        """Return the result of a decision, with a new token for each seat that the caller took.

        Raises Refused (UNAVAILABLE) if the caller's gateway does not know yet that they have signed out: theirs would be void.
        """
        tokens = {seat: new_token() for seat in granted}
        transaction.grant(tokens, 0 if request is None else request.sign_out)
        state = transaction.state
        if granted and self._session_cache.good(state) is not state:
            message = "it is not known everywhere yet that this player has signed out"
            raise Refused(errors_pb2.REASON_UNAVAILABLE, message, retry_after_ms=_SIGN_OUT_MS)
        return Done(state, tokens, transaction.added[0].step if transaction.added else None)

    async def follow_orders(self, session_id: str) -> None:
        """Play what seats that are to act have ordered. Raises Refused."""
        await self.write(session_id, lambda _state, _now_ms: Decision(follows_orders=True))

    async def go_on_with_orders(self, session_id: str) -> bool:
        """Go on with orders that were stopped in the middle; return whether there were any. Raises Refused."""
        if not (await self._session_cache.any(session_id)).memory.orders.goes_on:
            return False
        await self.follow_orders(session_id)
        return True

    async def _commit(self, write: Write) -> Result:
        """Store a write. Raises Refused (moved) if another process owns the shard by now: then nothing was done."""
        began = time.perf_counter()
        result = await self._store.commit(write)
        metrics.COMMIT_DURATION.observe(time.perf_counter() - began)
        if result is Unwritten.MOVED:
            raise moved(shard_of(write.session_id))
        return result


def busy() -> Refused:
    """Return the refusal of what has lost against others MAX_WRITE_ATTEMPTS times."""
    message = "too many requests are writing to this session at once"
    return Refused(errors_pb2.REASON_UNAVAILABLE, message, retry_after_ms=200)


def _count(state: State, before: orders.Orders, after: orders.Orders) -> None:
    """Count what has come of the orders of a session."""
    if after is not before:
        for outcome in orders.outcomes(before, after):
            metrics.ORDERS.labels(state.game, outcome).inc()


def _check_sizes(loaded: CachedSession, transaction: Transaction, write: Write) -> None:
    """Return if there is room for a write. Raises Refused (FULL)."""
    state, logged = transaction.state, loaded.logged + sum(map(len, write.elements))
    if logged > LOG_BYTES:
        raise log_is_full()
    # A state is large by what its log has as well, but for the position: a small one need not be encoded to see that.
    most = logged + (0 if state.position is None else len(state.position.value))
    if 2 * most <= MAX_STATE_BYTES or all(added.entry.acted.ply.WhichOneof("kind") == "action" for added in transaction.added):
        return
    if len(state.encode()) > MAX_STATE_BYTES:
        sentence = f"a session's state has at most {MAX_STATE_BYTES} bytes"
        raise Refused(errors_pb2.REASON_FULL, sentence, details={"bound": "state"})
