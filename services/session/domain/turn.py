"""Whose turn it is in a session, and what its caller has there, as shown in lists. Pure."""

from brettwerk.v1 import sessions_pb2
from services.session.domain import clocks
from services.session.domain.commands.seats import is_invited
from services.session.domain.state import RUNNING, State


def turn_of(state: State, now_ms: int) -> sessions_pb2.TurnState:
    """Return whose turn it is, with what is left of every clock now.

    A clock keeps running through a turn, whatever is done in it, so it reveals nothing about hidden actions; the time of the last
    one would.
    """
    is_hidden = state.created.counts_perceived and not state.is_over
    return sessions_pb2.TurnState(
        to_act=state.to_act if state.status == RUNNING else (),
        clocks=[clocks.shown(state, seat, now_ms) for seat in range(len(state.seats) if state.created.clock.kind else 0)],
        at_ms=0 if is_hidden else state.at_ms,
    )


def seats_of(state: State, player: str) -> sessions_pb2.OwnSeats:
    """Return the seats that a player has."""
    seats = list(enumerate(state.seats))
    return sessions_pb2.OwnSeats(
        held=[number for number, seat in seats if seat.player_id == player],
        kept=[number for number, seat in seats if seat.kept_for == player and not seat.is_person],
        invited=is_invited(state, player),
    )
