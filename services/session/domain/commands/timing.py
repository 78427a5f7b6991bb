"""When time is over: time given back after an outage, flags, and the action that the rules name."""

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import games_pb2, record_pb2
from services.session.domain import clocks
from services.session.domain.commands.acting import acted
from services.session.domain.commands.effects import system_entry
from services.session.domain.state import State


def credit(time_ms: int) -> record_pb2.Entry:
    """Return the entry that gives time back."""
    return record_pb2.Entry(credited=record_pb2.Credited(time_ms=time_ms))


def asks_for_action(state: State) -> bool:
    """Return whether the rules must name an action for a seat whose time is over."""
    return state.created.clock.kind == clocks.PER_TURN


def moment_ms(state: State, now_ms: int) -> int:
    """Return the moment of what is played for a seat whose time is over.

    All that one Turn needs to end has the same one, that of the first of it. Otherwise whoever does not see a Move that is played
    before the end of the Turn could tell by the time between them that there was one.
    """
    is_over_already = clocks.expired_seat(state, state.at_ms) is not None
    return state.at_ms if is_over_already else now_ms


def expire(state: State, seat: int, action: AnyMessage | None) -> record_pb2.Entry:
    """Return the entry for a seat whose time is over: the action that the rules named for it, or its flag."""
    if action is not None:
        return acted(state, seat, action, cause=record_pb2.Acted.CAUSE_TIME)
    return system_entry(state, games_pb2.SystemAction(flag=seat), record_pb2.Acted.CAUSE_TIME)
