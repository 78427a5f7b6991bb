"""Playing actions: by people, by computer players, and for those who did not act in time."""

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2, session_pb2
from brettwerk.v1 import errors_pb2, play_pb2, record_pb2
from services.runtime.refusal import Refused, malformed
from services.session.domain import clocks
from services.session.domain.commands import access
from services.session.domain.commands.decision import Command, Decision, Done
from services.session.domain.commands.seeds import next_ply
from services.session.domain.perception import audience, perceived
from services.session.domain.state import RUNNING, State


def act(request: play_pb2.ActRequest) -> Command:
    """Return the command of a seat's action. Raises Refused (MALFORMED) if it gives no action, or gives it both ways."""
    if request.HasField("action") == bool(request.notation):
        raise malformed("action", "an action is given either as a message or in notation")

    def decide(state: State, _now_ms: int) -> Decision:
        seat = acting_seat(state, request)

        def answer(done: Done) -> play_pb2.Answer:
            assert done.step is not None
            return answer_to(done.state, seat, done.step.notation)

        action = request.action if request.HasField("action") else None
        return Decision(answer, (acted(state, seat, action),), notation=request.notation)

    return decide


def acting_seat(state: State, request: play_pb2.ActRequest) -> int:
    """Return the seat that wants to act. Raises Refused if it cannot act, whatever the action."""
    seat = access.holder(state, request.seat_token)
    access.running(state)
    access.fresh(state, seat, request.expected_version)
    if seat not in state.to_act:
        raise Refused(errors_pb2.REASON_NOT_YOUR_TURN, "another seat is to act")
    return seat


def answer_to(state: State, seat: int, notation: str) -> play_pb2.Answer:
    """Return the answer to a seat's action that has led to a state."""
    version = perceived(state, audience(seat)).version
    return play_pb2.Answer(act=play_pb2.ActResponse(version=version, notation_played=notation))


def submit(request: session_pb2.SubmitActionRequest, think_ms: int | None = None, at_ms: int | None = None) -> Command:
    """Return the command of a computer player's action, which changes nothing if it comes too late or twice.

    A computer that may think about a turn for `think_ms` keeps the beat (clocks.py); one whose action has waited for its moment,
    `at_ms`, has kept it.
    """

    def decide(state: State, _now_ms: int) -> Decision:
        def answer(done: Done) -> session_pb2.SubmitActionResponse:
            return session_pb2.SubmitActionResponse(played=done.step is not None, head_version=done.state.version)

        if not is_wanted(state, request.seat, request.version):
            return Decision(answer)

        def moment(step: rules_pb2.Step, now_ms: int) -> int:
            return now_ms if think_ms is None else clocks.played_at_ms(state, step, request.seat, now_ms, think_ms)

        return Decision(
            answer,
            (acted(state, request.seat, request.action, thought=request.thought),),
            at_ms=None if at_ms is None else max(at_ms, state.at_ms),
            moment=moment,
        )

    return decide


def fallback(seat: int, version: int, action: AnyMessage) -> Command:
    """Return the command that moves for a computer player that did not answer for `version`."""

    def decide(state: State, _now_ms: int) -> Decision:
        if not is_wanted(state, seat, version):
            return Decision(lambda done: session_pb2.SubmitActionResponse(played=False, head_version=done.state.version))
        entry = acted(state, seat, action, cause=record_pb2.Acted.CAUSE_FALLBACK)
        return Decision(lambda done: session_pb2.SubmitActionResponse(played=True, head_version=done.state.version), (entry,))

    return decide


def is_wanted(state: State, seat: int, version: int) -> bool:
    """Return whether an action that was requested from a computer player at `version` can still be played."""
    return (
        state.status == RUNNING
        and seat in state.to_act
        and state.seats[seat].is_computer
        and state.position_version <= version <= state.version
    )


def acted(
    state: State,
    seat: int,
    action: AnyMessage | None,
    *,
    cause: record_pb2.Acted.Cause.ValueType = record_pb2.Acted.CAUSE_UNSPECIFIED,
    thought: record_pb2.Thought | None = None,
) -> record_pb2.Entry:
    """Return the entry of an action."""
    ply = next_ply(state)
    ply.actor = seat + 1
    if action is not None:
        ply.action.CopyFrom(action)
    return record_pb2.Entry(acted=record_pb2.Acted(ply=ply, cause=cause, thought=thought))
