"""Calls of those who play: actions, taking back, resigning, absences, proposals and hints."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from prometheus_client import Counter

from brettwerk.internal.v1 import ai_pb2, session_pb2
from brettwerk.v1 import errors_pb2, play_pb2, record_pb2, rest_hours_pb2
from brettwerk_games.rules.chance import SEED_BYTES
from services.runtime import metrics
from services.runtime.refusal import UNREACHED, Refused, unknown
from services.session.app.calls.saves import Saves
from services.session.computers.ai_client import AiClient
from services.session.domain import fair_play, perception
from services.session.domain.commands import access, actions, proposals, seats, substitution
from services.session.domain.commands.decision import Command
from services.session.domain.ids import Request, checked
from services.session.domain.plies import options_and_start, write_setup
from services.session.domain.state import SETTLING, State
from services.session.domain.updates import PackedUpdate, view_of
from services.session.live.rebuilds import Rebuilds
from services.session.live.rules_client import RulesClient
from services.session.live.session_cache import SessionCache
from services.session.live.writer import Writer

COMMANDS: Mapping[str, Callable[[Any], Command]] = {
    "undo": actions.undo,
    "resign": seats.resign,
    "answer_proposal": proposals.reply,
    "take_vacation": actions.take_vacation,
    "nudge": actions.nudge,
    "set_rest_hours": actions.set_rest_hours,
    "answer_substitute": substitution.reply,
    "wish_seat": proposals.wish,
    "begin_game": proposals.begin,
}
"""The calls that are just a command to their session."""


class PlayCalls:
    """Carries out calls about a game that is played, or how it is to begin. Raises Refused."""

    def __init__(self, writer: Writer, session_cache: SessionCache, rules: RulesClient, saves: Saves) -> None:
        self._writer = writer
        self._session_cache = session_cache
        self._rules = rules
        self._saves = saves

    async def act(self, request: play_pb2.ActRequest, _caller: session_pb2.Caller, once: Request) -> Message:
        """Play an action, and return the version that it made."""
        written = await self._writer.write(checked(request.session_id), actions.act(request), once)
        _played(written.state.game).inc()
        return written.answer

    async def get_rest_hours(self, request: rest_hours_pb2.GetRestHoursRequest) -> Message:
        """Return the hours in which the player of a seat rests, to that player."""
        state = (await self._session_cache.newest(checked(request.session_id))).state
        seat = access.holder(state, request.seat_token)
        until_ms = actions.rest_hours_set_until_ms(state, seat)
        return rest_hours_pb2.GetRestHoursResponse(hours=state.seats[seat].rest_hours, set_until_ms=until_ms)

    async def propose(self, request: play_pb2.ProposeRequest, caller: session_pb2.Caller, once: Request) -> Message:
        """Propose something to the others, and return its number and version."""
        load: record_pb2.Record | None = None
        parts: proposals.Parts | None = None
        wish, kind = request, request.proposal.WhichOneof("kind")
        if kind in ("options", "setup", "load"):
            state = (await self._session_cache.newest(checked(request.session_id))).state
            if kind == "load":
                access.holder(state, request.seat_token)
                load = await self._saves.to_load(request.proposal.load, caller, state.game, len(state.seats))
            else:
                wish = deepcopy(request)
                wish.proposal.CopyFrom(await _as_stored(self._rules, state, request.proposal))
            if kind == "options" and state.status == SETTLING:
                seat = access.holder(state, request.seat_token)
                wanted, count = wish.proposal.options, len(state.seats)
                rated = state.created.competitive
                split = await self._rules.split_options(state.game, count, state.options, wanted, seat, competitive=rated)
                parts = proposals.Parts(state.options, seat, split)
        return await self._writer.answer(request.session_id, proposals.propose(wish, caller, load, parts), once)


@cache
def _played(game: str) -> Counter:
    return metrics.ACTIONS.labels(game, "person", "played")


async def _as_stored(rules: RulesClient, state: State, proposal: record_pb2.Proposal) -> record_pb2.Proposal:
    """Return a proposal with its options and its start position as the rules write them, which is how they would be stored.

    An action that they would refuse is left as it is: it is refused when it is tried out, once it is clear who may ask for it.
    Raises Refused when they cannot be asked.
    """
    written = deepcopy(proposal)
    count, competitive = len(state.seats), state.created.competitive
    try:
        match proposal.WhichOneof("kind"):
            case "options":
                split = await rules.split_options(state.game, count, None, proposal.options, 0, competitive=competitive)
                if split.HasField("wanted"):
                    written.options.CopyFrom(split.wanted)
            case "setup":
                options, start = options_and_start(written.setup)
                begun = await rules.new(state.game, options, count, start, bytes(SEED_BYTES), competitive=competitive)
                write_setup(written.setup, begun)
    except Refused as refused:
        if refused.reason in UNREACHED:
            raise
        return proposal
    return written


@dataclass(eq=False, repr=False)
class HintCalls:
    """Answers calls for hints: for the seat to act, as long as somebody can use them, or about any version once the game is over.

    If the caller gives up, the call is cancelled, and the AI service takes the review off the board. Nobody can use a hint once
    the position has moved on, so it is then abandoned from here. Raises Refused.
    """

    _writer: Writer
    _session_cache: SessionCache
    _rebuilds: Rebuilds
    _rules: RulesClient
    _ai: AiClient

    def __post_init__(self) -> None:
        self._open: dict[str, dict[asyncio.Task[ai_pb2.ReviewResponse], int]] = {}
        """The reviews that are waited for, and the positions that they are of; no more than calls that are carried out."""

    async def get_hint(self, request: play_pb2.GetHintRequest) -> Message:
        """Return a computer player's advice."""
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
