"""Carries out the usual call, a seat's action in a session in memory, in callbacks: without a task or an await.

There are three: the call, which asks the rules; their answer, which makes the write; and the commit, after which the call is
answered. Together they do what writer.py does with the same command. Anything unusual (the session must be read, another write
was faster, something is refused, more follows automatically) is left to the writer, which starts over: until the write is stored,
nothing has been done.
"""

import time
from collections.abc import Callable
from contextvars import copy_context
from typing import Protocol

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import errors_pb2, play_pb2, record_pb2
from services.runtime import metrics
from services.runtime.cpu_cost import Spent
from services.runtime.link import Pending
from services.runtime.refusal import Refused
from services.session.domain import updates
from services.session.domain.canonical import as_played
from services.session.domain.commands import actions, effects
from services.session.domain.due import Timeouts
from services.session.domain.encoded_updates import PackedUpdate
from services.session.domain.fold import fold
from services.session.domain.ordinary import Ordinary, is_ordinary, is_ordinary_step
from services.session.domain.state import State
from services.session.live.cached_session import CachedSession
from services.session.live.rules_client import RulesClient
from services.session.live.session_cache import SessionCache
from services.session.live.transaction import Added, positions_after
from services.session.live.write_builder import Request, WriteBuilder, check_room, check_sizes
from services.session.store.store import Store
from services.session.store.write import Committed, Lost, Result

_NOT_REACHED = (errors_pb2.REASON_UNAVAILABLE, errors_pb2.REASON_DEADLINE)


class Waiting(Protocol):
    """The caller waiting for an action. One of these is called, once."""

    def played(self, answer: Message) -> None:
        """It is stored, and answered so."""

    def failed(self, error: Exception) -> None:
        """What it needs cannot be reached."""

    def take_slow_path(self) -> None:
        """The writer must carry it out."""


class Actions:
    """Plays actions."""

    def __init__(
        self,
        store: Store,
        session_cache: SessionCache,
        write_builder: WriteBuilder,
        rules: RulesClient,
        now_ms: Callable[[], int],
        timeouts: Callable[[str], Timeouts | None],
    ) -> None:
        """`timeouts` returns how long a game's sessions wait, if that is already known."""
        self.store = store
        self.write_builder = write_builder
        self._session_cache = session_cache
        self._rules = rules
        self._now_ms = now_ms
        self._timeouts = timeouts

    def is_current(self, loaded: CachedSession) -> bool:
        """Return whether nobody has read a session anew since: only who has it as it is now knows its conditional moves."""
        return self._session_cache.is_current(loaded)

    def begin(
        self, loaded: CachedSession, act: play_pb2.ActRequest, request: Request, spent: Spent, waiting: Waiting
    ) -> "Callable[[], None] | None":
        """Begin an action and return what abandons it; None if the writer must carry it out. It costs `spent`."""
        state = loaded.state
        timeouts = self._timeouts(state.game)
        if timeouts is None or state.position is None or loaded.has_former or act.notation or not act.HasField("action"):
            return None
        if loaded.memory.conditional or loaded.memory.answer(request.field) is not None:
            return None
        try:
            check_room(state, 1)
            seat = actions.acting_seat(state, act)
            entry = actions.acted(state, seat, act.action)
            entry.version, entry.at_ms = state.version + 1, max(self._now_ms(), state.at_ms)
            audiences = self._session_cache.audiences(loaded)
            ply = entry.acted.ply
            asked = self._rules.ask(state.game, state.position, ply, state.created.rules_version, audiences)
        except Refused:
            return None
        action = Action(self, loaded, seat, entry, audiences, request, timeouts, spent, waiting)
        context = copy_context()  # in the call's trace, for its logs and requests
        asked.tell(lambda answered: context.run(action.stepped, answered))
        return asked.cancel  # type: ignore[return-value] # whether it was open is nobody's business


class Action:
    """One action, from the request to the rules until it is stored. It is a Changed (write_builder.py)."""

    __slots__ = (
        "_actions",
        "_answer",
        "_audiences",
        "_began",
        "_entry",
        "_loaded",
        "_request",
        "_seat",
        "_spent",
        "_timeouts",
        "_waiting",
        "added",
        "dropped",
        "kept",
        "known_perspectives",
    )

    def __init__(
        self,
        actions: Actions,
        loaded: CachedSession,
        seat: int,
        entry: record_pb2.Entry,
        audiences: int,
        request: Request,
        timeouts: Timeouts,
        spent: Spent,
        waiting: Waiting,
    ) -> None:
        self._actions = actions
        self._loaded = loaded
        self._seat = seat
        self._entry = entry
        self._audiences = audiences
        self._request = request
        self._timeouts = timeouts
        self._spent = spent
        self._waiting = waiting
        self.added: list[Added] = []
        self.known_perspectives: rules_pb2.Step | None = None
        self.kept: dict[int, AnyMessage] = {}
        self.dropped: set[int] = set()

    def stepped(self, asked: Pending) -> None:
        """Make the write, now that the rules have said what the action does."""
        if asked.cancelled():
            return
        began = time.perf_counter()
        try:
            self._store(asked.result().step)
        except Refused as refused:
            if refused.reason in _NOT_REACHED:
                self._waiting.failed(refused)
            else:
                self._waiting.take_slow_path()
        except Exception as error:  # noqa: BLE001 - whoever waits hears it
            self._waiting.failed(error)
        finally:
            self._spent.seconds += time.perf_counter() - began

    def _store(self, step: rules_pb2.Step) -> None:
        loaded, entry, write_builder = self._loaded, self._entry, self._actions.write_builder
        as_played(entry.acted.ply, step)
        state, packed = self._played(step)
        if state is None or packed is None:
            self._waiting.take_slow_path()
            return
        self.added = [Added(entry, step, packed)]
        self.known_perspectives = step
        self.kept, self.dropped = positions_after(loaded.state)
        self._answer = actions.answer_to(state, self._seat, step.notation)
        write = write_builder.write(loaded, self, state, self._request, self._answer, self._timeouts, has_secrets=False)
        check_sizes(loaded, self, state, write)
        self._began = time.perf_counter()
        self._actions.store.begin_commit(write, self._stored)

    def _played(self, step: rules_pb2.Step) -> tuple[State | None, PackedUpdate | None]:
        """Return the state that the step makes, and its updates; nothing if more follows automatically."""
        if self._loaded.memory.conditional or not self._actions.is_current(self._loaded):  # they were set in the meantime
            return None, None
        before, entry = self._loaded.state, self._entry
        ordinary = _ordinary(self._loaded)
        if ordinary is not None and is_ordinary_step(step):
            state = ordinary.after(before, self._seat, step, entry.at_ms)
            return state, ordinary.pack(state, self._seat, step, self._audiences)
        state = fold(before, entry, step)
        if effects.following(state) is not None:
            return None, None
        return state, updates.pack(state, entry, step, self._audiences)

    def _stored(self, result: Result | Exception) -> None:
        metrics.COMMIT_DURATION.observe(time.perf_counter() - self._began)
        if isinstance(result, Committed):
            self._waiting.played(self._answer)
        elif isinstance(result, Exception):
            self._waiting.failed(result)
        else:
            if isinstance(result, Lost):
                metrics.STORE_CONFLICTS.inc()
            self._waiting.take_slow_path()


def _ordinary(loaded: CachedSession) -> Ordinary | None:
    """Return what is known about an ordinary session; None for any other."""
    state, memory = loaded.state, loaded.memory
    if memory.ordinary is None or not memory.ordinary.fits(state):
        memory.ordinary = Ordinary(state) if is_ordinary(state) else None
    return memory.ordinary
