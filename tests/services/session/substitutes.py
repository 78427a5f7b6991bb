"""Calls about substitutes, and tables of three at which they come."""

from typing import Any

from brettwerk.v1 import play_pb2, record_pb2, sessions_pb2, substitutes_pb2
from tests.services.session.player import Player, request_id
from tests.services.session.table import Table

SLOW = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=20 * 86_400_000, vacation_days=0)


async def three(table: Table, **fields: Any) -> tuple[Player, Player, Player, str]:
    """Return three people, and the game that they have begun."""
    anna, ben, cleo = (table.player(name) for name in ("Anna", "Ben", "Cleo"))
    session = await anna.create("me", "open", "open", **{"game": "emperado", "public": True, "clock": SLOW, **fields})
    await ben.join(session.id, 1)
    await cleo.join(session.id, 2)
    return anna, ben, cleo, session.id


async def leave(player: Player, session_id: str, seat: int) -> sessions_pb2.Session:
    request = play_pb2.LeaveSessionRequest(
        session_id=session_id, seat_token=player.token(session_id, seat), request_id=request_id()
    )
    session: sessions_pb2.Session = (await player.ask(leave_session=request)).session
    return session


async def ask(player: Player, session_id: str, seat: int, *, withdraw: bool = False) -> sessions_pb2.Session:
    request = substitutes_pb2.AskForSeatRequest(session_id=session_id, seat=seat, withdraw=withdraw, request_id=request_id())
    session: sessions_pb2.Session = (await player.ask(ask_for_seat=request)).session
    return session


async def answer(player: Player, session_id: str, own: int, seat: int, *, accept: bool) -> int:
    request = substitutes_pb2.AnswerSubstituteRequest(
        session_id=session_id, seat_token=player.token(session_id, own), seat=seat, accept=accept, request_id=request_id()
    )
    version: int = (await player.ask(answer_substitute=request)).version
    return version


async def open_seats(player: Player, **fields: Any) -> substitutes_pb2.ListOpenSeatsResponse:
    response: substitutes_pb2.ListOpenSeatsResponse = await player.ask(
        list_open_seats=substitutes_pb2.ListOpenSeatsRequest(**fields)
    )
    return response
