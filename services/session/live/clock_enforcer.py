"""Enforces the clocks before anything else happens: credits the time that an outage took, and plays what the clocks have decided.

Every write to a session comes through here first, so an action after its deadline is found to be too late.
"""

from collections.abc import Callable

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import record_pb2
from services.runtime import metrics
from services.session.domain import clocks
from services.session.domain.bounds import EXPIRIES_IN_A_ROW
from services.session.domain.clocks import Outage
from services.session.domain.commands import timeouts
from services.session.domain.commands.decision import Command, Decision
from services.session.domain.ids import shard_of
from services.session.domain.state import State
from services.session.live.rules_client import RulesClient
from services.session.live.session_cache import SessionCache
from services.session.live.writer import Writer


class ClockEnforcer:
    """Enforces what time has decided."""

    def __init__(
        self,
        writer: Writer,
        session_cache: SessionCache,
        rules: RulesClient,
        now_ms: Callable[[], int],
        outages: dict[int, list[Outage]],
    ) -> None:
        """`outages` are those of each shard; the sweeper keeps them up to date."""
        self._writer = writer
        self._session_cache = session_cache
        self._rules = rules
        self._now_ms = now_ms
        self._outages = outages

    async def enforce(self, state: State) -> None:
        """Return once the clocks have nothing more to decide about the session now."""
        for _ in range(EXPIRIES_IN_A_ROW + 2):
            if self.is_quiet(state):
                return
            state = (await self._session_cache.newest(state.id)).state
            if self.is_quiet(state):
                return
            seat = clocks.expired_seat(state, self._now_ms())
            action = None
            if seat is not None and timeouts.asks_for_action(state) and not self._credit(state):
                action = await self._rules.expiry(state.game, await self._session_cache.view(state, seat))
            written = await self._writer.write(state.id, self._verdict(state.version, action))
            if written.is_new and written.step is not None:
                metrics.CLOCK_EXPIRATIONS.labels(state.game).inc()
            state = written.state

    def is_quiet(self, state: State) -> bool:
        """Return whether the clocks decide nothing about a session."""
        if not clocks.running(state):
            return True
        return clocks.expired_seat(state, self._now_ms()) is None and not self._credit(state)

    def _credit(self, state: State) -> int:
        return clocks.credit_ms(state, self._outages.get(shard_of(state.id), ()), self._now_ms())

    def _verdict(self, version: int, action: AnyMessage | None) -> Command:
        """Return the command for what time has decided at a version; at any other version it changes nothing."""

        def decide(state: State, now_ms: int) -> Decision:
            credit, seat = self._credit(state), clocks.expired_seat(state, now_ms)
            entries: tuple[record_pb2.Entry, ...] = ()
            at_ms = None
            if state.version == version and credit:
                entries = (timeouts.credit(credit),)
            elif state.version == version and seat is not None and timeouts.asks_for_action(state) == (action is not None):
                entries, at_ms = (timeouts.expire(state, seat, action),), timeouts.moment_ms(state, now_ms)
            return Decision(lambda _done: session_pb2.SubmitActionResponse(), entries, is_final=True, at_ms=at_ms)

        return decide
