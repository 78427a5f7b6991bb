"""Taking back without asking (plies.py says what, and how far)."""

from brettwerk.v1 import errors_pb2, play_pb2, record_pb2
from services.runtime.refusal import Refused
from services.session.domain import plies
from services.session.domain.commands import access
from services.session.domain.commands.decision import Command, Decision
from services.session.domain.perception import plies_in_log
from services.session.domain.state import FINISHED, State


def undo(request: play_pb2.UndoRequest) -> Command:
    """Return the command that takes plies back until `to_plies` remain."""

    def decide(state: State, _now_ms: int) -> Decision:
        seat = access.holder(state, request.seat_token)
        access.casual(state)
        if state.status != FINISHED:
            access.running(state)
        access.fresh(state, seat, request.expected_version)
        wanted = plies_in_log(state, seat, request.to_plies)
        for target in plies.free_targets(state, seat):
            if target <= wanted:
                break
        else:
            target = -1
        if target != wanted:
            raise Refused(errors_pb2.REASON_NOTHING_TO_UNDO, "this seat cannot take that back without asking the others")
        return Decision(
            lambda done: play_pb2.Answer(undo=play_pb2.UndoResponse(version=done.known_to(seat).version)),
            (record_pb2.Entry(undone=record_pb2.Undone(plies=target, seat=seat + 1)),),
        )

    return decide
