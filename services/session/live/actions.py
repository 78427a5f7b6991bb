"""Carries out what usually comes, an action of a seat in a session that is in memory, in callbacks: no task, and nothing awaited.

There are three: the decision, which asks the rules; their answer, which makes the write; and the commit, after which it is
answered. Each does with the same parts what writer.py does. Whatever is not as usual (the session is to be read, another write
was faster, something is refused, more follows by itself) is left to the writer, from the beginning: until the write is stored,
nothing has been done.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from google.protobuf.message import Message

from brettwerk.v1 import errors_pb2, record_pb2, rules_pb2
from services.runtime import metrics
from services.runtime.refusal import Refused
from services.runtime.spent import Spent
from services.session.domain.commands import effects
from services.session.domain.commands.decision import Command, Decision, Done
from services.session.domain.due import Timeouts
from services.session.live.session_cache import Loaded, SessionCache
from services.session.live.storing import Request, Storing, check_room, check_sizes
from services.session.live.transaction import Transaction
from services.session.store.store import Store
from services.session.store.write import Committed, Lost, Result

_NOT_REACHED = (errors_pb2.REASON_UNAVAILABLE, errors_pb2.REASON_DEADLINE)


class Waiting(Protocol):
    """Who waits for an action. One of these is called, once."""

    def played(self, answer: Message) -> None:
        """It is stored, and answered so."""

    def failed(self, error: Exception) -> None:
        """What it needs cannot be reached."""

    def take_slow_path(self) -> None:
        """The writer is to carry it out."""


class Actions:
    """Plays actions."""

    def __init__(
        self,
        store: Store,
        session_cache: SessionCache,
        storing: Storing,
        now_ms: Callable[[], int],
        timeouts: Callable[[str], Timeouts | None],
    ) -> None:
        """`timeouts` returns how long a game's sessions wait, if that is known already."""
        self._store = store
        self._session_cache = session_cache
        self._storing = storing
        self._now_ms = now_ms
        self._timeouts = timeouts

    def begin(
        self, loaded: Loaded, command: Command, request: Request, spent: Spent, waiting: Waiting
    ) -> "Callable[[], None] | None":
        """Begin an action and return what gives it up; None where the writer is to carry it out. It costs `spent`."""
        state = loaded.state
        timeouts = self._timeouts(state.game)
        if timeouts is None or state.position is None or loaded.has_former or loaded.memory.answer(request.field) is not None:
            return None
        now = max(self._now_ms(), state.at_ms)
        try:
            check_room(state, 1)
            decision = command(state, now)
            if not _is_for_fast_path(decision):
                return None
            entry = decision.entries[0]
            entry.version, entry.at_ms = state.version + 1, now
            transaction = self._session_cache.transaction(loaded)
            audiences = transaction.audiences()
            asked = transaction.ask(entry, audiences)
        except Refused:
            return None

        def played(asked: "asyncio.Future[rules_pb2.ApplyActionResponse]") -> None:
            if asked.cancelled():
                return
            began = time.perf_counter()
            try:
                self._play(loaded, transaction, entry, asked.result().step, audiences, decision, request, timeouts, waiting)
            except Refused as refused:
                if refused.reason in _NOT_REACHED:
                    waiting.failed(refused)
                else:
                    waiting.take_slow_path()
            except Exception as error:  # noqa: BLE001 - whoever waits hears it
                waiting.failed(error)
            finally:
                spent.seconds += time.perf_counter() - began

        asked.add_done_callback(played)
        return asked.cancel  # type: ignore[return-value] # whether it was open is nobody's business

    def _play(
        self,
        loaded: Loaded,
        transaction: Transaction,
        entry: record_pb2.Entry,
        step: rules_pb2.Step,
        audiences: int,
        decision: Decision,
        request: Request,
        timeouts: Timeouts,
        waiting: Waiting,
    ) -> None:
        """Make the write of an action of which the rules have said what it does."""
        transaction.play(entry, step, audiences)
        state = transaction.state
        if effects.following(state) is not None:
            waiting.take_slow_path()
            return
        answer = decision.answer(Done(state, {}, step))
        write = self._storing.write(loaded, transaction, state, request, answer, timeouts, has_secrets=False)
        check_sizes(loaded, transaction, state, write)
        began = time.perf_counter()

        def ended(result: Result | Exception) -> None:
            metrics.COMMIT_DURATION.observe(time.perf_counter() - began)
            if isinstance(result, Committed):
                waiting.played(answer)
            elif isinstance(result, Exception):
                waiting.failed(result)
            else:
                if isinstance(result, Lost):
                    metrics.STORE_CONFLICTS.inc()
                waiting.take_slow_path()

        self._store.begin_commit(write, ended)


def _is_for_fast_path(decision: Decision) -> bool:
    """Return whether a decision is one action, given as a message, and nothing else."""
    if len(decision.entries) != 1 or decision.granted or decision.notation or decision.next_secret:
        return False
    return decision.tried is None and not decision.is_final and decision.entries[0].WhichOneof("change") == "acted"
