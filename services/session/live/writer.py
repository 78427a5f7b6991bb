"""Carries commands out: decide, ask the rules, fold, commit with one script, and only then answer.

A write that loses against another one is decided anew at the newer state. A request id that was seen before gets the answer
that it got then, whatever the state is now: before anything is refused, it is looked for in the newest version.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from cryptography.fernet import Fernet
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from brettwerk.v1 import errors_pb2, play_pb2, record_pb2, rules_pb2, session_state_pb2
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.refusal import Refused, unknown
from services.session.domain import logged, placing
from services.session.domain.bounds import ENTRIES, LOG_BYTES, MAX_STATE_BYTES, WRITE_TRIES
from services.session.domain.commands import effects
from services.session.domain.commands.creating import Plan
from services.session.domain.commands.decision import Command, Decision, Done
from services.session.domain.due import Patience, is_worth_noting, next_due
from services.session.domain.ids import REQUEST_BYTES
from services.session.domain.keeping import interval, plies_of
from services.session.domain.seals import new_token
from services.session.domain.state import FINISHED, State
from services.session.live.draft import Draft
from services.session.live.memory import Memory
from services.session.live.rules_client import RulesClient
from services.session.live.shelf import Loaded, Shelf
from services.session.store.store import Store
from services.session.store.write import Archived, Committed, Gone, Head, Kept, Lost, Result, Write

log = logger(__name__)

_SPARE_ENTRIES = 64
"""Entries that are left for what ends a session when its log is full."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request that is carried out once: the field that its id is remembered under, and its digest."""

    field: bytes
    digest: bytes


@dataclass(frozen=True, slots=True)
class Written:
    """What a write has made: the answer, the state after it, and whether it was done now (and not before, or not at all)."""

    answer: Message
    state: State
    step: rules_pb2.Step | None = field(repr=False)
    is_new: bool


_Answered: TypeAlias = tuple[bytes, session_state_pb2.StoredAnswer]
"""What a request is remembered under, and what it was answered."""
Settle = Callable[[State], Awaitable[None]]
"""Plays what time has decided already; called before a command looks at a session whose clock has run out."""
Tell = Callable[[State, State | None, Sequence[session_state_pb2.PackedUpdate]], None]
"""Is told of every commit: the state after and before it, and its updates. It must neither wait nor raise."""


class Writer:
    """Writes sessions."""

    def __init__(
        self,
        store: Store,
        shelf: Shelf,
        rules: RulesClient,
        now_ms: Callable[[], int],
        patience: Callable[[str], Awaitable[Patience]],
        seal: Fernet,
        tell: Tell,
    ) -> None:
        """`patience` returns how long a game's sessions wait, `seal` closes answers that hold tokens."""
        self._store = store
        self._shelf = shelf
        self._rules = rules
        self._now_ms = now_ms
        self._patience = patience
        self._seal = seal
        self._tell = tell

    async def create(
        self, session_id: str, plan: Plan, request: Request | None, answer: Callable[[Done], Message], founded_from: bytes = b""
    ) -> Written:
        """Create a session. Raises Refused; when the id is taken by another request, REQUEST_ID_REUSED.

        `founded_from` is the mark of the founder's address.
        """
        draft = Draft(self._rules, None, None, _no_past)
        now = self._now_ms()
        await draft.begin(session_id, plan.secret, _stamped(plan.created, 1, now))
        draft.expect(plan.next_secret)
        draft.note_founder(founded_from)
        await self._add(draft, plan.seats, now)
        done, draft_state = _with_tokens(draft, plan.granted)
        reply = answer(done)
        write = await self._write(None, draft, draft_state, request, reply)
        if sum(map(len, write.elements)) > LOG_BYTES:
            raise Refused(errors_pb2.REASON_FULL, f"a session's log has at most {LOG_BYTES} bytes", details={"bound": "log"})
        match await self._commit(write):
            case Committed():
                return Written(reply, draft_state, done.step, is_new=True)
            case Lost():
                loaded = await self._shelf.newest(session_id)
                known = self._answered(loaded, request)
                if known is not None:
                    return Written(known, loaded.state, None, is_new=False)
        raise Refused(errors_pb2.REASON_REQUEST_ID_REUSED, "this request id was used before, and its answer is forgotten")

    async def write(
        self, session_id: str, command: Command, request: Request | None = None, settle: Settle | None = None
    ) -> Written:
        """Carry a command out. Raises Refused: what the command or the rules refuse, UNKNOWN, FULL, UNAVAILABLE."""
        loaded = await self._shelf.any(session_id)
        for _ in range(WRITE_TRIES):
            if settle is not None:
                await settle(loaded.state)
                loaded = await self._shelf.any(session_id)
            if self._is_known(loaded, request):
                loaded = await self._shelf.newest(session_id)  # the store may have been set back, and that lost with it
                known = self._answered(loaded, request)
                if known is not None:
                    return Written(known, loaded.state, None, is_new=False)
            draft = self._shelf.draft(loaded)
            now = max(self._now_ms(), loaded.state.at_ms)
            try:
                decision = command(loaded.state, now)
                await self._carry_out(draft, decision, now)
            except Refused:
                newest = await self._shelf.newest(session_id)
                if newest.head == loaded.head:
                    raise
                loaded = newest
                continue
            done, state = _with_tokens(draft, decision.granted)
            reply = decision.answer(done)
            if not draft.added:
                newest = await self._shelf.newest(session_id)
                if newest.head == loaded.head:
                    return Written(reply, state, None, is_new=False)
                loaded = newest
                continue
            has_secrets = bool(decision.granted or decision.next_secret)
            write = await self._write(loaded, draft, state, request, reply, has_secrets=has_secrets)
            if not decision.is_final:
                _check_sizes(loaded, draft, state, write)
            match await self._commit(write):
                case Committed():
                    return Written(reply, state, done.step, is_new=True)
                case Lost():
                    metrics.STORE_CONFLICTS.inc()
                    loaded = await self._shelf.newest(session_id)
                case Archived():
                    raise Refused(errors_pb2.REASON_NOTHING_TO_UNDO, "the game is in the archive and stays as it ended")
                case Gone():
                    self._shelf.forget(session_id)
                    raise unknown("session")
        raise Refused(errors_pb2.REASON_UNAVAILABLE, "too many write this session at once", retry_after_ms=200)

    async def repeated(self, session_id: str, request: Request) -> play_pb2.Answer | None:
        """Return what the request was answered before, or None. Raises Refused (REQUEST_ID_REUSED)."""
        try:
            loaded = await self._shelf.newest(session_id)
        except Refused as refused:
            if refused.reason != errors_pb2.REASON_UNKNOWN:
                raise
            return None
        return self._answered(loaded, request)

    def _is_known(self, loaded: Loaded, request: Request | None) -> bool:
        return request is not None and loaded.memory.answer(request.field) is not None

    def _answered(self, loaded: Loaded, request: Request | None) -> play_pb2.Answer | None:
        """Return what a request was answered before, or None. Raises Refused (REQUEST_ID_REUSED) when it was another request."""
        stored = None if request is None else loaded.memory.answer(request.field)
        if stored is None or request is None:
            return None
        if stored.digest[:REQUEST_BYTES] != request.digest:
            raise Refused(errors_pb2.REASON_REQUEST_ID_REUSED, "this request id was used for another request")
        return play_pb2.Answer.FromString(self._seal.decrypt(stored.answer) if stored.is_sealed else stored.answer)

    async def _carry_out(self, draft: Draft, decision: Decision, now: int) -> None:
        state = draft.state
        if not decision.is_final and max(state.version, state.ply_count) + len(decision.entries) + _SPARE_ENTRIES > ENTRIES:
            raise _log_is_full()
        if decision.next_secret:
            draft.expect(decision.next_secret)
        if decision.tried is not None:
            await draft.try_out(decision.tried)
        if decision.notation:
            ply = decision.entries[0].acted.ply
            view = await draft.view(ply.actor - 1)
            ply.action.CopyFrom(await self._rules.read(state.game, view, decision.notation))
        await self._add(draft, decision.entries, now)

    async def _add(self, draft: Draft, entries: Sequence[record_pb2.Entry], now: int) -> None:
        """Add entries and what follows from them by itself."""
        for entry in entries:
            await draft.add(_stamped(entry, draft.state.version + 1, now))
        while entries or draft.state.version == 1:
            following = effects.following(draft.state)
            if following is None:
                break
            await draft.add(_stamped(following, draft.state.version + 1, now))

    async def _write(
        self,
        loaded: Loaded | None,
        draft: Draft,
        state: State,
        request: Request | None,
        answer: Message,
        *,
        has_secrets: bool = True,
    ) -> Write:
        """Return the write of what a draft has come to. Once it is stored it is remembered and told.

        The state that is kept now and then is the one before the write: so whoever reads the session plays at least the last
        entry again, and knows its updates.
        """
        due = next_due(state, await self._patience(state.game))
        before = None if loaded is None else loaded.state
        entries = [added.entry.SerializeToString(deterministic=True) for added in draft.added]
        answered = None if request is None or not request.field else (request.field, self._remembered(request, answer))
        request_field, stored = answered or (b"", None)
        entries[-1] = logged.element(entries[-1], request_field, stored, state.min_reader)
        kept = None
        if loaded is not None and (loaded.has_former or loaded.replayed >= interval(loaded.state)):
            kept = Kept(loaded.head.version, loaded.state.encode(), loaded.logged)
        has_former = loaded is not None and loaded.has_former

        def landed(head: Head) -> None:
            self._stored(loaded, draft, state, head, write, answered)

        write = Write(
            session_id=state.id,
            before=None if loaded is None else loaded.head,
            elements=entries,
            due_ms=due.at_ms if loaded is None or is_worth_noting(due, loaded.due_ms) else None,
            score=state.created_at_ms if placing.place(state) == "open" else state.at_ms,
            place=placing.move(before, state),
            players=placing.changed_players(before, state),
            reopens=before is not None and before.standing == FINISHED and state.standing != FINISHED,
            is_over=None if before is not None and before.is_over == state.is_over else state.is_over,
            kept=kept,
            secrets=state.beside_log().SerializeToString(deterministic=True) if has_secrets or has_former else b"",
            has_former=has_former,
            updates=[added.packed for added in draft.added],
            landed=landed,
        )
        return write

    async def _commit(self, write: Write) -> Result:
        began = time.perf_counter()
        result = await self._store.commit(write)
        metrics.COMMIT_DURATION.observe(time.perf_counter() - began)
        return result

    def _remembered(self, request: Request, answer: Message) -> session_state_pb2.StoredAnswer:
        data = answer.SerializeToString()
        secret = isinstance(answer, play_pb2.Answer) and _holds_tokens(answer)
        return session_state_pb2.StoredAnswer(
            digest=request.digest, answer=self._seal.encrypt(data) if secret else data, is_sealed=secret
        )

    def _stored(
        self,
        loaded: Loaded | None,
        draft: Draft,
        state: State,
        head: Head,
        write: Write,
        answered: _Answered | None,
    ) -> None:
        """Remember what was committed, and tell of it."""
        memory = Memory() if loaded is None else loaded.memory
        before = None if loaded is None else loaded.state
        for packed in write.updates:
            memory.note_update(packed)
        memory.note_positions(draft.kept, draft.dropped)
        if answered is not None:
            memory.note_answer(state.version, *answered)
        replayed = sum(plies_of(added.entry, before) for added in draft.added)
        if write.kept is None and loaded is not None:
            replayed += loaded.replayed
        self._shelf.put(
            Loaded(
                state=state,
                head=head,
                sight=draft.known_sight,
                memory=memory,
                logged=sum(map(len, write.elements)) + (0 if loaded is None else loaded.logged),
                replayed=replayed,
                due_ms=loaded.due_ms if write.due_ms is None and loaded is not None else write.due_ms,
            )
        )
        changes = [added.entry.WhichOneof("change") for added in draft.added]
        log.debug("committed", game=state.game, session=state.id, version=state.version, changes=changes)
        self._tell(state, before, write.updates)


def _check_sizes(loaded: Loaded, draft: Draft, state: State, write: Write) -> None:
    """Return when there is room for a write. Raises Refused (FULL)."""
    if loaded.logged + sum(map(len, write.elements)) > LOG_BYTES:
        raise _log_is_full()
    is_plain = all(added.entry.acted.ply.WhichOneof("kind") == "action" for added in draft.added)
    if not is_plain and len(state.encode()) > MAX_STATE_BYTES:
        sentence = f"a session's state has at most {MAX_STATE_BYTES} bytes"
        raise Refused(errors_pb2.REASON_FULL, sentence, details={"bound": "state"})


def _stamped(entry: record_pb2.Entry, version: int, now: int) -> record_pb2.Entry:
    entry.version, entry.at_ms = version, now
    return entry


def _with_tokens(draft: Draft, granted: Sequence[int]) -> tuple[Done, State]:
    """Return what a decision has led to, with a new token for every seat that the caller took."""
    tokens = {seat: new_token() for seat in granted}
    state = draft.state
    for seat, token in tokens.items():
        state = state.with_token(seat, token)
    return Done(state, tokens, draft.added[0].step if draft.added else None), state


def _log_is_full() -> Refused:
    return Refused(errors_pb2.REASON_FULL, "the session's log is full; it can only be ended", details={"bound": "log"})


def _holds_tokens(answer: play_pb2.Answer) -> bool:
    return answer.WhichOneof("response") in _WITH_TOKENS


_WITH_TOKENS = ("create_session", "join_session", "set_seat", "rematch", "import_session", "fork_session")


async def _no_past(_plies: int) -> AnyMessage:
    raise AssertionError("a new session has no past")
