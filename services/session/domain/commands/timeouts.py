"""When time is up: time given back after an outage, flags, and the action that the rules determine."""

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import games_pb2, record_pb2
from services.session.domain import clocks
from services.session.domain.commands.actions import acted
from services.session.domain.commands.effects import system_entry
from services.session.domain.state import State


def credit(time_ms: int) -> record_pb2.Entry:
    """Return the entry that gives time back."""
    return record_pb2.Entry(credited=record_pb2.Credited(time_ms=time_ms))


def asks_for_action(state: State) -> bool:
    """Return whether the rules must determine an action for a seat whose time is up."""
    return state.created.clock.kind == clocks.PER_TURN


def moment_ms(state: State, now_ms: int) -> int:
    """Return the moment of what is played for a seat whose time is up.

    Everything that it takes to end a Turn gets the same moment, that of the first action. Otherwise observers who do not see a
    Move that is played before the end of the Turn could infer it from the time in between.
    """
    is_over_already = clocks.expired_seat(state, state.at_ms) is not None
    return state.at_ms if is_over_already else now_ms


def expire(state: State, seat: int, action: AnyMessage | None) -> record_pb2.Entry:
    """Return the entry for a seat whose time is up: the action that the rules determined, or its flag."""
    if action is not None:
        return acted(state, seat, action, cause=record_pb2.Acted.CAUSE_TIME)
    return system_entry(state, games_pb2.SystemAction(flag=seat), record_pb2.Acted.CAUSE_TIME)
