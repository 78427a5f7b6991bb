"""Carries commands out: decide, ask the rules, fold, commit with one script, and only then answer.

A write that loses against another one is decided anew at the newer state. A request id that was seen before gets the answer
that it got then, whatever the state is now: before anything is refused, the store is asked for it.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from cryptography.fernet import Fernet
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from brettwerk.v1 import errors_pb2, play_pb2, record_pb2, rules_pb2, session_state_pb2
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.refusal import Refused, unknown
from services.session.domain import placing
from services.session.domain.bounds import ENTRIES, LOG_BYTES, MAX_STATE_BYTES, WRITE_TRIES
from services.session.domain.commands import effects
from services.session.domain.commands.creating import Plan
from services.session.domain.commands.decision import Command, Decision, Done
from services.session.domain.due import Patience, next_due
from services.session.domain.seals import new_token
from services.session.domain.state import FINISHED, State
from services.session.live.draft import Draft
from services.session.live.rules_client import RulesClient
from services.session.live.shelf import Loaded, Shelf
from services.session.store.store import Store
from services.session.store.write import Archived, Committed, Full, Gone, Known, Lost, Result, Write

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


Settle = Callable[[State], Awaitable[None]]
"""Plays what time has decided already; called before a command looks at a session whose clock has run out."""
Tell = Callable[[State, State | None], None]
"""Is told of every commit: the state after and before it. It must neither wait nor raise."""


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
        result = await self._commit(None, draft, draft_state, request, reply)
        match result:
            case Committed(revision=revision):
                self._stored(None, draft, draft_state, revision)
                return Written(reply, draft_state, done.step, is_new=True)
            case Known(answer=data):
                loaded = await self._shelf.newest(session_id)
                return Written(self.known(data, request), loaded.state, None, is_new=False)
            case Full():
                raise Refused(errors_pb2.REASON_FULL, f"a session's log has at most {LOG_BYTES} bytes", details={"bound": "log"})
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
            draft = self._shelf.draft(loaded)
            now = max(self._now_ms(), loaded.state.at_ms)
            try:
                decision = command(loaded.state, now)
                await self._carry_out(draft, decision, now)
            except Refused:
                answer, newer = await self._second_look(loaded, request)
                if answer is not None:
                    return Written(answer, loaded.state, None, is_new=False)
                if newer is None:
                    raise
                loaded = newer
                continue
            done, state = _with_tokens(draft, decision.granted)
            reply = decision.answer(done)
            if not draft.added:
                answer, newer = await self._second_look(loaded, request)
                if newer is None or answer is not None:
                    return Written(answer or reply, state, None, is_new=False)
                loaded = newer
                continue
            match await self._commit(loaded, draft, state, request, reply, is_final=decision.is_final):
                case Committed(revision=revision):
                    self._stored(loaded.state, draft, state, revision)
                    return Written(reply, state, done.step, is_new=True)
                case Known(answer=data):
                    return Written(self.known(data, request), loaded.state, None, is_new=False)
                case Lost(revision=revision, state=data):
                    metrics.STORE_CONFLICTS.inc()
                    loaded = self._shelf.put(Loaded(State.decode(data), revision))
                case Archived():
                    raise Refused(errors_pb2.REASON_NOTHING_TO_UNDO, "the game is in the archive and stays as it ended")
                case Gone():
                    self._shelf.forget(session_id)
                    raise unknown("session")
                case Full():
                    raise _log_is_full()
        raise Refused(errors_pb2.REASON_UNAVAILABLE, "too many write this session at once", retry_after_ms=200)

    async def repeated(self, session_id: str, request: Request) -> play_pb2.Answer | None:
        """Return what the request was answered before, or None. Raises Refused (REQUEST_ID_REUSED)."""
        data = await self._store.answer(session_id, request.field)
        return None if data is None else self.known(data, request)

    def known(self, data: bytes, request: Request | None) -> play_pb2.Answer:
        """Return an answer that was given before. Raises Refused (REQUEST_ID_REUSED) when it was to another request."""
        stored = session_state_pb2.StoredAnswer.FromString(data)
        if request is None or stored.digest != request.digest:
            raise Refused(errors_pb2.REASON_REQUEST_ID_REUSED, "this request id was used for another request")
        return play_pb2.Answer.FromString(self._seal.decrypt(stored.answer) if stored.is_sealed else stored.answer)

    async def _second_look(self, loaded: Loaded, request: Request | None) -> tuple[Message | None, Loaded | None]:
        """Return the answer that the request got before, or the newer version that it must be decided at; else nothing."""
        if request is not None:
            data = await self._store.answer(loaded.state.id, request.field)
            if data is not None:
                return self.known(data, request), None
        newest = await self._shelf.newest(loaded.state.id)
        return None, newest if newest.revision != loaded.revision else None

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

    async def _commit(
        self,
        loaded: Loaded | None,
        draft: Draft,
        state: State,
        request: Request | None,
        answer: Message,
        *,
        is_final: bool = False,
    ) -> Result:
        patience = await self._patience(state.game)
        before = None if loaded is None else loaded.state
        write = Write(
            session_id=state.id,
            expected="" if loaded is None else loaded.revision,
            version=state.version,
            state=state.encode(),
            entries=[added.entry.SerializeToString(deterministic=True) for added in draft.added],
            updates=[added.packed.SerializeToString(deterministic=True) for added in draft.added],
            due_ms=next_due(state, patience).at_ms,
            score=state.created_at_ms if placing.place(state) == "open" else state.at_ms,
            request=b"" if request is None else request.field,
            answer=b"" if request is None else self._remembered(request, answer),
            place=placing.move(before, state),
            players=placing.changed_players(before, state),
            kept={count: position.value for count, position in draft.kept.items()},
            dropped=draft.dropped,
            asks_anew=before is not None and before.position_version != state.position_version,
            reopens=before is not None and before.standing == FINISHED and state.standing != FINISHED,
            is_over=state.is_over,
            is_final=is_final,
        )
        if len(write.state) > MAX_STATE_BYTES and not is_final:
            sentence = f"a session's state has at most {MAX_STATE_BYTES} bytes"
            raise Refused(errors_pb2.REASON_FULL, sentence, details={"bound": "state"})
        began = time.perf_counter()
        result = await self._store.commit(write)
        metrics.COMMIT_DURATION.observe(time.perf_counter() - began)
        return result

    def _remembered(self, request: Request, answer: Message) -> bytes:
        data = answer.SerializeToString()
        secret = isinstance(answer, play_pb2.Answer) and _holds_tokens(answer)
        return session_state_pb2.StoredAnswer(
            digest=request.digest, answer=self._seal.encrypt(data) if secret else data, is_sealed=secret
        ).SerializeToString()

    def _stored(self, before: State | None, draft: Draft, state: State, revision: str) -> None:
        self._shelf.put(Loaded(state, revision, draft.known_sight))
        changes = [added.entry.WhichOneof("change") for added in draft.added]
        log.info("committed", game=state.game, session=state.id, version=state.version, changes=changes)
        self._tell(state, before)


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
