"""Endings: resigning, closing a session, and what follows a game, the rematch."""

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, games_pb2, play_pb2, record_pb2
from services.runtime.refusal import Refused
from services.session.domain.commands import access
from services.session.domain.commands.decision import Decision, answer_with_session, answer_with_version, command, system_entry
from services.session.domain.state import State


@command
def resign(state: State, _now_ms: int, request: play_pb2.ResignRequest) -> Decision:
    """Return the command that gives the game up for a seat."""
    seat = access.holder(state, request.seat_token)
    access.not_over(state)
    if not state.has_begun:
        access.running(state)
    entry = system_entry(state, games_pb2.SystemAction(resign=seat))
    return Decision(answer_with_version("resign", seat), (entry,), is_final=True)


@command
def close(state: State, _now_ms: int, request: play_pb2.CloseSessionRequest, caller: session_pb2.Caller) -> Decision:
    """Return the command that closes a session: its creator may do so before the start, and if no other person sits there.

    It raises Refused: NO_TOKEN, NOT_YOUR_SEAT, GAME_OVER, SEAT_TAKEN.
    """
    if not caller.player_id and not request.seat_token:
        raise Refused(errors_pb2.REASON_NO_TOKEN, "a token is needed")
    if not access.is_creator(state, caller, request.seat_token):
        raise Refused(errors_pb2.REASON_NOT_YOUR_SEAT, "only its creator can close a session")
    access.not_over(state)
    creator = state.created.creator.player_id
    if state.has_begun and any(state.seats[n].player_id != creator for n in state.persons()):
        raise Refused(errors_pb2.REASON_SEAT_TAKEN, "others play here; a seat can be left or resigned")
    return Decision(answer_with_session("close_session"), (closed(),), is_final=True)


def closed() -> record_pb2.Entry:
    """Return the entry that closes a session."""
    return record_pb2.Entry(closed=record_pb2.Closed())


def abandon(state: State, _now_ms: int) -> Decision:
    """Return the decision that closes a session that has been idle for too long, or whose log is full."""
    return Decision(entries=() if state.is_over else (closed(),), is_final=True)


@command
def abandon_at(state: State, now_ms: int, version: int) -> Decision:
    """Return the command that closes a session that has been idle for too long, unless it has changed since that version."""
    return abandon(state, now_ms) if state.version == version else Decision(is_final=True)


@command
def rematched(state: State, _now_ms: int, session_id: str) -> Decision:
    """Return the command that notes the rematch in the finished session; a repeat changes nothing."""
    entry = record_pb2.Entry(rematched=record_pb2.Rematched(session_id=session_id))
    return Decision(entries=() if state.rematch_id else (entry,), is_final=True)
