"""Calls about who sits where, until a game begins and after: joining, leaving, wishes, beginning, closing."""

from collections.abc import Callable
from dataclasses import dataclass

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import play_pb2
from services.runtime.refusal import malformed
from services.session.app.calls.calls import Rows, write, writing
from services.session.app.calls.moderation import Blocks
from services.session.computers.workforce import Workforce
from services.session.domain.commands import access, endings, proposals, seats
from services.session.domain.ids import checked
from services.session.domain.state import State
from services.session.live.rules_client import Games
from services.session.live.session_cache import SessionCache
from services.session.live.write_builder import Request
from services.session.live.writer import Writer


@dataclass(eq=False, repr=False)
class SeatCalls:
    """Carries them out. Raises Refused."""

    _writer: Writer
    _session_cache: SessionCache
    _games: Games
    _blocks: Blocks
    _workforce: Workforce
    _draw_secret: Callable[[], bytes]
    """Returns a secret from which the chance of a session derives."""

    @property
    def rows(self) -> Rows:
        """What it answers."""
        return {
            "join_session": self.join,
            "leave_session": self.leave,
            "set_seat": self.set_seat,
            "wish_seat": writing(self._writer, lambda request, _caller: proposals.wish(request)),
            "begin_game": writing(self._writer, lambda request, _caller: proposals.begin(request)),
            "close_session": writing(self._writer, endings.close),
        }

    async def join(self, request: play_pb2.JoinSessionRequest, caller: session_pb2.Caller, once: Request) -> play_pb2.Answer:
        """Take an open seat, or one that was kept for the caller."""
        await self._blocks.check_table(access.player(caller), await self._state(request.session_id))
        return await write(self._writer, request.session_id, seats.join(request, caller, self._draw_secret), once)

    async def leave(self, request: play_pb2.LeaveSessionRequest, caller: session_pb2.Caller, once: Request) -> play_pb2.Answer:
        """Leave a seat, or decline one that is kept."""
        if not request.seat_token:
            return await write(self._writer, request.session_id, seats.decline(caller), once)
        facts = await self._games.facts((await self._state(request.session_id)).game)
        return await write(self._writer, request.session_id, seats.leave(request, facts), once)

    async def set_seat(self, request: play_pb2.SetSeatRequest, caller: session_pb2.Caller, once: Request) -> play_pb2.Answer:
        """Say who is to sit in a seat."""
        if not request.HasField("wish"):
            raise malformed("wish", "a wish must say who will sit there")
        state = await self._state(request.session_id)
        if request.wish.WhichOneof("kind") == "me":
            await self._blocks.check_table(access.player(caller), state)
        facts = await self._games.facts(state.game)
        command = seats.set_seat(request, caller, facts, self._draw_secret, self._workforce.check_room)
        return await write(self._writer, request.session_id, command, once)

    async def _state(self, session_id: str) -> State:
        """Return a session as it is remembered, which may have been overtaken."""
        return (await self._session_cache.any(checked(session_id))).state
