"""Calls of those who play: actions, taking back, resigning, absences and proposals; joining, leaving, beginning and closing."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

from google.protobuf.message import Message
from prometheus_client import Counter

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import play_pb2, record_pb2, rest_hours_pb2, substitutes_pb2
from brettwerk_games.rules.chance import SEED_BYTES
from services.runtime import metrics
from services.runtime.refusal import UNREACHED, Refused, malformed
from services.session.app.calls.blocks import Blocks
from services.session.app.calls.calls import write
from services.session.app.calls.saves import Saves
from services.session.computers.ai_client import Workforce
from services.session.domain.commands import access, actions, endings, proposals, seats, substitution
from services.session.domain.commands.decision import Command
from services.session.domain.ids import checked
from services.session.domain.plies import options_and_start, write_setup
from services.session.domain.state import SETTLING, State
from services.session.live.rules_client import Games, RulesClient
from services.session.live.session_cache import SessionCache
from services.session.live.write_builder import Request
from services.session.live.writer import Writer

COMMANDS: Mapping[str, Callable[[Any], Command]] = {
    "undo": actions.undo,
    "resign": endings.resign,
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
        return await write(self._writer, request.session_id, proposals.propose(wish, caller, load, parts), once)


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
class SeatCalls:
    """Carries out calls about who sits where, until a game begins and after. Raises Refused."""

    _writer: Writer
    _session_cache: SessionCache
    _games: Games
    _blocks: Blocks
    _workforce: Workforce
    _draw_secret: Callable[[], bytes]
    """Returns a secret from which the chance of a session derives."""

    async def join_session(self, request: play_pb2.JoinSessionRequest, caller: session_pb2.Caller, once: Request) -> Message:
        """Take an open seat, or one that was kept for the caller, and return it with its token."""
        await self._blocks.check_table(access.player(caller), await self._state(request.session_id))
        return await write(self._writer, request.session_id, seats.join(request, caller, self._draw_secret), once)

    async def leave_session(self, request: play_pb2.LeaveSessionRequest, caller: session_pb2.Caller, once: Request) -> Message:
        """Leave a seat, or decline one that is kept, and return the session."""
        if not request.seat_token:
            return await write(self._writer, request.session_id, seats.decline(caller), once)
        facts = await self._games.facts((await self._state(request.session_id)).game)
        return await write(self._writer, request.session_id, seats.leave(request, facts), once)

    async def set_seat(self, request: play_pb2.SetSeatRequest, caller: session_pb2.Caller, once: Request) -> Message:
        """Put somebody into a seat, and return the session. Raises Refused (MALFORMED) without a wish."""
        if not request.HasField("wish"):
            raise malformed("wish", "a wish must say who will sit there")
        state = await self._state(request.session_id)
        if request.wish.WhichOneof("kind") == "me":
            await self._blocks.check_table(access.player(caller), state)
        facts = await self._games.facts(state.game)
        command = seats.set_seat(request, caller, facts, self._draw_secret, self._workforce.check_room)
        return await write(self._writer, request.session_id, command, once)

    async def claim_time(self, request: play_pb2.ClaimTimeRequest, _caller: session_pb2.Caller, once: Request) -> Message:
        """Claim that the time of another seat is up, and return the version that this made."""
        facts = await self._games.facts((await self._state(request.session_id)).game) if request.for_substitute else None
        return await write(self._writer, request.session_id, substitution.claim_time(request, facts), once)

    async def ask_for_seat(
        self, request: substitutes_pb2.AskForSeatRequest, caller: session_pb2.Caller, once: Request
    ) -> Message:
        """Ask for a seat that is offered, or take that back, and return the session."""
        if not request.withdraw:
            await self._blocks.check_table(access.player(caller), await self._state(request.session_id))
        return await write(self._writer, request.session_id, substitution.ask(request, caller), once)

    async def close_session(self, request: play_pb2.CloseSessionRequest, caller: session_pb2.Caller, once: Request) -> Message:
        """Close a session, and return it."""
        return await write(self._writer, request.session_id, endings.close(request, caller), once)

    async def _state(self, session_id: str) -> State:
        """Return a session as it is remembered, which may have been overtaken."""
        return (await self._session_cache.any(checked(session_id))).state
