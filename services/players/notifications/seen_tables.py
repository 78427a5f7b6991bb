"""Tables as spectators see them: whose turn it is, and a picture of the board. Asks the session service, as clients do."""

import asyncio
from dataclasses import dataclass
from typing import Any

import grpc

from brettwerk.internal.v1 import session_pb2, session_pb2_grpc
from brettwerk.v1 import games_pb2, play_pb2, sessions_pb2
from services.players.calls import Caller
from services.players.notifications import board_pictures
from services.runtime.channel import open_channel
from services.runtime.refusal import of_rpc_error

_OVER = (sessions_pb2.Session.STATE_FINISHED, sessions_pb2.Session.STATE_CLOSED)


@dataclass(frozen=True, slots=True)
class SeenTable:
    """A table as a spectator sees it."""

    session_id: str
    version: int
    game: str
    title: str
    at_ms: int
    """When something happened there last, in milliseconds since 1970."""
    is_over: bool
    to_act: int
    """The seats of people whose turn it is, as bits; 0 while no game is running."""
    names: tuple[str, ...]
    """The names of those people."""
    is_own: bool
    """Whether the caller has created it."""
    update: sessions_pb2.Update


class SeenTables:
    """The session service, as webhooks of tables need it. Raises Refused, with what that refuses, or UNAVAILABLE."""

    def __init__(self, address: str, timeout_s: float) -> None:
        """Take where the session service is, and how long a call may take."""
        self._address = address
        self._timeout_s = timeout_s
        self._channel: grpc.aio.Channel | None = None

    async def find(self, session_id: str, caller: Caller | None = None) -> SeenTable:
        """Return a table."""
        asked = play_pb2.Call(get_session=play_pb2.GetSessionRequest(session_id=session_id))
        found = (await self._ask(asked, caller)).get_session
        update = found.update
        session = update.session
        is_running = session.state == sessions_pb2.Session.STATE_RUNNING
        acting = [seat for seat in update.to_act if is_running and session.seats[seat].occupant.HasField("person")]
        return SeenTable(
            session_id=session_id,
            version=update.version,
            game=session.game,
            title=session.title,
            at_ms=update.at_ms,
            is_over=session.state in _OVER,
            to_act=sum(1 << seat for seat in acting),
            names=tuple(session.seats[seat].occupant.person.name for seat in acting),
            is_own=found.is_own,
            update=update,
        )

    async def picture(self, table: SeenTable) -> bytes:
        """Return a PNG of the board as a spectator sees it; empty for a game whose places have no positions."""
        session = table.update.session
        question = play_pb2.GetGameRequest(
            game=table.game, language="en", without_rules_page=True, shows_board=True, seats=len(session.seats)
        )
        if session.HasField("options"):
            question.options.CopyFrom(session.options)
        view = play_pb2.DescribeViewRequest(game=table.game, view=table.update.view)
        game = (await self._ask(play_pb2.Call(get_game=question))).get_game
        scene = (await self._ask(play_pb2.Call(describe_view=view))).describe_view.scene
        return await asyncio.to_thread(board_pictures.picture, game.board, scene, _colours(game.game, len(session.seats)))

    async def close(self) -> None:
        """Close the channel."""
        if self._channel is not None:
            await self._channel.close()

    async def _ask(self, call: play_pb2.Call, caller: Caller | None = None) -> play_pb2.Answer:
        if self._channel is None:  # not before: it belongs to the loop that runs now
            self._channel = open_channel(self._address, "players")
        stub: Any = session_pb2_grpc.SessionServiceStub(self._channel)
        asked = session_pb2.CarryOutRequest(call=call.SerializeToString())
        if caller is not None:
            asked.caller.CopyFrom(session_pb2.Caller(player_id=caller.player_id, name=caller.name, address=caller.address))
        try:
            response: session_pb2.CarryOutResponse = await stub.CarryOut(asked, timeout=self._timeout_s)
        except grpc.RpcError as error:
            raise of_rpc_error(error, "session service") from None
        return play_pb2.Answer.FromString(response.answer)


def _colours(game: games_pb2.Game, seats: int) -> list[str]:
    return [seat.colour for seat in game.seats[:seats]]
