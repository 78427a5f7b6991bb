"""What time has decided about a session: credits for the time that an outage took, and what is played when a clock has run out.

The writer carries it out before commands, so an action after its deadline is found to be too late.
"""

from collections.abc import Callable
from dataclasses import dataclass

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import record_pb2
from services.session.domain import clocks
from services.session.domain.clocks import Outage
from services.session.domain.commands import actions
from services.session.domain.commands.decision import Command, Decision
from services.session.domain.ids import shard_of
from services.session.domain.state import State
from services.session.live.rules_client import RulesClient
from services.session.live.session_cache import SessionCache


@dataclass(eq=False, repr=False)
class ClockEnforcer:
    """Finds what time has decided."""

    _session_cache: SessionCache
    _rules: RulesClient
    _now_ms: Callable[[], int]
    _outages: dict[int, list[Outage]]
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
        if seat is not None and actions.asks_for_action(state) and not self._credit(state):
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
                entries = (actions.credit(credit),)
            elif state.version == version and seat is not None and actions.asks_for_action(state) == (action is not None):
                entries, at_ms = (actions.expire(state, seat, action),), actions.expiry_ms(state, now_ms)
            return Decision(lambda _done: session_pb2.SubmitActionResponse(), entries, is_final=True, at_ms=at_ms)

        return decide
