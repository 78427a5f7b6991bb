"""Getting a hint while other people play: they are informed before it is given (fair_help.py)."""

from brettwerk.v1 import errors_pb2, play_pb2, record_pb2
from services.runtime.refusal import Refused
from services.session.domain import fair_help
from services.session.domain.commands import access
from services.session.domain.commands.decision import Command, Decision
from services.session.domain.state import State


def use(request: play_pb2.GetHintRequest) -> Command:
    """Return the command that informs the others at a table that a seat is getting a hint."""

    def decide(state: State, _now_ms: int) -> Decision:
        seat = access.holder(state, request.seat_token)
        access.running(state)
        fair_help.check(state, seat)
        if seat not in state.to_act:
            raise Refused(errors_pb2.REASON_NOT_YOUR_TURN, "another seat is to act")
        used = record_pb2.Entry(hinted=record_pb2.Hinted(seat=seat))
        return Decision(lambda _done: play_pb2.Answer(), (used,) if fair_help.must_announce(state, seat) else ())

    return decide
