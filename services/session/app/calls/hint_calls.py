"""Hints: for the seat to act, as long as somebody can use them, or about any version once the game is over.

If the caller gives up, the call is cancelled, and the AI service takes the review off the board. Nobody can use a hint once the
position has moved on, so it is then abandoned from here.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from brettwerk.internal.v1 import ai_pb2
from brettwerk.v1 import errors_pb2, play_pb2
from services.runtime.refusal import Refused, unknown
from services.session.computers.ai_client import AiClient
from services.session.domain import fair_play, perception
from services.session.domain.commands import access, actions
from services.session.domain.ids import checked
from services.session.domain.state import State
from services.session.domain.updates import PackedUpdate, view_of
from services.session.live.rebuilds import Rebuilds
from services.session.live.rules_client import RulesClient
from services.session.live.session_cache import SessionCache
from services.session.live.writer import Writer


@dataclass(eq=False, repr=False)
class HintCalls:
    """Answers calls for hints. Raises Refused."""

    _writer: Writer
    _session_cache: SessionCache
    _rebuilds: Rebuilds
    _rules: RulesClient
    _ai: AiClient

    def __post_init__(self) -> None:
        self._open: dict[str, dict[asyncio.Task[ai_pb2.ReviewResponse], int]] = {}
        """The reviews that are waited for, and the positions that they are of; no more than calls that are carried out."""

    async def get_hint(self, request: play_pb2.GetHintRequest) -> Message:
        """Return a computer player's advice: for the caller's seat now or, once the game is over, about any version."""
        state, archived = await self._rebuilds.state(checked(request.session_id))
        if archived or state.is_over:
            return await self._afterwards(state, request)
        return await self._now(state, request)

    async def _now(self, state: State, request: play_pb2.GetHintRequest) -> Message:
        seat = access.holder(state, request.seat_token)
        access.casual(state)
        access.running(state)
        known = perception.perceived(state, seat)
        version = request.at_version or known.version
        if version < known.position_version:
            access.over(state)
        fair_play.check_help(state, seat)
        access.turn(state, seat)
        if fair_play.must_announce(state, seat):
            # Before it is given: a caller who abandons the call, or loses the connection, may have seen it.
            written = await self._writer.write(state.id, actions.use_hint(request))
            state = written.state
            version = request.at_version or perception.perceived(state, seat).version
        view = await self._session_cache.view(state, seat)
        return _answer(await self._ask(state, view, request.level, version), version)

    async def _afterwards(self, state: State, request: play_pb2.GetHintRequest) -> Message:
        fair_play.check_help_afterwards(state)
        if not await self._rebuilds.shows_all(state):
            raise Refused(errors_pb2.REASON_STILL_RUNNING, "the game was not finished, and what is hidden in it stays hidden")
        last = perception.perceived(state, perception.SPECTATOR).version
        version = request.at_version or last
        if version > last:
            raise unknown("version", "at_version", version, (f"1 to {last}",))
        step = await self._rebuilds.step(state.id, perception.in_log(state, perception.SPECTATOR, version))
        if not step.to_act:
            raise Refused(errors_pb2.REASON_GAME_OVER, "nobody was to act at that version")
        seat = step.to_act[0]
        view = view_of(await self._rules.look(state.game, step.position, 1 << seat), seat)
        return _answer(await self._ai.review(state.game, view, request.level, version), version)

    async def _ask(self, state: State, view: AnyMessage, level: str, version: int) -> ai_pb2.ReviewResponse:
        """Return what a computer player thinks of the position of a session, in the view of the seat that is to act.

        Raises Refused: STALE_VERSION as soon as the session has another position, or is over; what a review raises.
        """
        asking = asyncio.ensure_future(self._ai.review(state.game, view, level, version))
        asked = self._open.setdefault(state.id, {})
        asked[asking] = state.position_version
        try:
            await asyncio.wait([asking])
        finally:
            asking.cancel()
            del asked[asking]
            if not asked:
                self._open.pop(state.id, None)
        if asking.cancelled():
            raise Refused(errors_pb2.REASON_STALE_VERSION, "the position changed before there was a hint")
        return asking.result()

    def committed(self, state: State, _before: State | None, _updates: Sequence[PackedUpdate]) -> None:
        """Abandon requests about any position but the session's current one."""
        for asking, position in self._open.get(state.id, {}).items():
            if position != state.position_version or state.is_over:
                asking.cancel()


def _answer(found: ai_pb2.ReviewResponse, version: int) -> Message:
    return play_pb2.GetHintResponse(hints=found.hints, win_chance=found.win_chance, for_version=version)
