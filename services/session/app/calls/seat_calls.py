"""Calls about who is at a table: joining, leaving and closing it, substitutes, and arbiters with what they rule."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass

from google.protobuf.message import Message

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import arbiters_pb2, play_pb2, substitutes_pb2
from services.runtime.player_text import clean_text
from services.runtime.refusal import malformed, unknown
from services.runtime.word_list import WordFile
from services.session.app.calls.blocks import Blocks
from services.session.computers.ai_client import Workforce
from services.session.domain.commands import access, arbitration, seats, substitution
from services.session.domain.ids import Request, checked
from services.session.domain.state import State
from services.session.live.rules_client import Games
from services.session.live.session_cache import SessionCache
from services.session.live.writer import Writer

REASON_BYTES = 200
"""The longest reason of a ruling, in UTF-8."""


@dataclass(eq=False, repr=False)
class SeatCalls:
    """Carries out calls about who sits where, until a game begins and after, and what arbiters rule. Raises Refused."""

    _writer: Writer
    _session_cache: SessionCache
    _games: Games
    _blocks: Blocks
    _workforce: Workforce
    _words: WordFile
    _draw_secret: Callable[[], bytes]
    """Returns a secret from which the chance of a session derives."""

    async def join_session(self, request: play_pb2.JoinSessionRequest, caller: session_pb2.Caller, once: Request) -> Message:
        """Take an open seat, or one that was kept for the caller, and return it with its token."""
        await self._blocks.check_table(access.player(caller), await self._state(request.session_id))
        return await self._writer.answer(request.session_id, seats.join(request, caller, self._draw_secret), once)

    async def leave_session(self, request: play_pb2.LeaveSessionRequest, caller: session_pb2.Caller, once: Request) -> Message:
        """Leave a seat, or decline one that is kept, and return the session."""
        if not request.seat_token:
            return await self._writer.answer(request.session_id, seats.decline(caller), once)
        facts = await self._games.facts((await self._state(request.session_id)).game)
        return await self._writer.answer(request.session_id, seats.leave(request, facts), once)

    async def set_seat(self, request: play_pb2.SetSeatRequest, caller: session_pb2.Caller, once: Request) -> Message:
        """Put somebody into a seat, and return the session. Raises Refused (MALFORMED) without a wish."""
        if not request.HasField("wish"):
            raise malformed("wish", "a wish must say who will sit there")
        state = await self._state(request.session_id)
        if request.wish.WhichOneof("kind") == "me":
            await self._blocks.check_table(access.player(caller), state)
        facts = await self._games.facts(state.game)
        command = seats.set_seat(request, caller, facts, self._draw_secret, self._workforce.check_room)
        return await self._writer.answer(request.session_id, command, once)

    async def claim_time(self, request: play_pb2.ClaimTimeRequest, _caller: session_pb2.Caller, once: Request) -> Message:
        """Claim that the time of another seat is up, and return the version that this made."""
        facts = await self._games.facts((await self._state(request.session_id)).game) if request.for_substitute else None
        return await self._writer.answer(request.session_id, substitution.claim_time(request, facts), once)

    async def ask_for_seat(
        self, request: substitutes_pb2.AskForSeatRequest, caller: session_pb2.Caller, once: Request
    ) -> Message:
        """Ask for a seat that is offered, or take that back, and return the session."""
        if not request.withdraw:
            await self._blocks.check_table(access.player(caller), await self._state(request.session_id))
        return await self._writer.answer(request.session_id, substitution.ask(request, caller), once)

    async def close_session(self, request: play_pb2.CloseSessionRequest, caller: session_pb2.Caller, once: Request) -> Message:
        """Close a session, and return it."""
        return await self._writer.answer(request.session_id, seats.close(request, caller), once)

    async def name_arbiter(self, request: arbiters_pb2.NameArbiterRequest, caller: session_pb2.Caller, once: Request) -> Message:
        """Make a player an arbiter of a table, or no longer one, and return the session.

        Raises Refused: NO_TOKEN, ARBITER, UNKNOWN for a player without an account, BLOCKED, GAME_OVER, FULL.
        """
        player, called = access.player(caller), caller.name
        state = await self._state(request.session_id)
        is_new = not request.withdraw and not arbitration.is_no_change(state, request)
        if is_new and request.player_id != player:
            await self._blocks.check(player, {request.player_id})
            called = await self._blocks.name_of(request.player_id)
            if not called:
                raise unknown("player", "player_id", request.player_id)
        return await self._writer.answer(request.session_id, arbitration.name(request, caller, called), once)

    async def rule_as_arbiter(
        self, request: arbiters_pb2.RuleAsArbiterRequest, caller: session_pb2.Caller, once: Request
    ) -> Message:
        """Rule something, and return the version that it made.

        Raises Refused: NO_TOKEN, ARBITER, MALFORMED, WORD_NOT_ALLOWED, UNKNOWN, GAME_OVER, NOT_RUNNING, what the rules refuse.
        """
        reason = clean_text(request.ruling.reason, "ruling.reason", REASON_BYTES)
        self._words.check(reason, "ruling.reason")
        ruled = deepcopy(request)
        ruled.ruling.reason = reason
        return await self._writer.answer(request.session_id, arbitration.rule(ruled, caller), once)

    async def _state(self, session_id: str) -> State:
        """Return a session as it is remembered, which may have been overtaken."""
        return (await self._session_cache.any(checked(session_id))).state
