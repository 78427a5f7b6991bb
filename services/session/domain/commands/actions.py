"""Actions: by people, by computer players, and for those who did not act in time; undo and hints.

Absences: vacations, rest hours, and reminding those whose turn it is.
"""

from functools import partial

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2, session_pb2
from brettwerk.v1 import errors_pb2, games_pb2, play_pb2, record_pb2, rest_hours_pb2
from services.runtime.refusal import Refused, malformed
from services.session.domain import clocks, fair_play, perception, plies, rest_hours
from services.session.domain.commands import access
from services.session.domain.commands.decision import (
    Command,
    Decision,
    Done,
    answer_with_version,
    command,
    next_entry,
    system_entry,
)
from services.session.domain.state import FINISHED, RUNNING, State

EARLY_MS = 6 * 3_600_000
"""How long nothing that everybody perceives has happened before somebody is reminded."""
_no_rest_hours = partial(access.because, errors_pb2.REASON_REST_HOURS)
_no_nudge = partial(access.because, errors_pb2.REASON_NUDGE)


def act(request: play_pb2.ActRequest) -> Command:
    """Return the command of a seat's action. Raises Refused (MALFORMED) if it gives no action, or gives it both ways."""
    if request.HasField("action") == bool(request.notation):
        raise malformed("action", "an action is given either as a message or in notation")

    def decide(state: State, _now_ms: int) -> Decision:
        seat = access.holder(state, request.seat_token)
        access.running(state)
        access.fresh(state, seat, request.expected_version)
        access.turn(state, seat)

        def answer(done: Done) -> play_pb2.Answer:
            assert done.step is not None
            made = play_pb2.Answer()
            made.act.version, made.act.notation_played = done.known_to(seat).version, done.step.notation
            return made

        action = request.action if request.HasField("action") else None
        return Decision(answer, (acted(state, seat, action),), notation=request.notation)

    return decide


@command
def submit(
    state: State,
    _now_ms: int,
    request: session_pb2.SubmitActionRequest,
    think_ms: int | None = None,
    at_ms: int | None = None,
    cause: record_pb2.Acted.Cause.ValueType = record_pb2.Acted.CAUSE_UNSPECIFIED,
) -> Decision:
    """Return the command of a computer player's action, which changes nothing if it comes too late or twice.

    A computer that may think about a turn for `think_ms` keeps the beat (clocks.py); one whose action has waited for its moment,
    `at_ms`, has kept it.
    """

    def answer(done: Done) -> session_pb2.SubmitActionResponse:
        return session_pb2.SubmitActionResponse(played=done.step is not None, head_version=done.state.version)

    if not is_wanted(state, request.seat, request.version):
        return Decision(answer)

    def moment(step: rules_pb2.Step, now_ms: int) -> int:
        return now_ms if think_ms is None else clocks.played_at_ms(state, step, request.seat, now_ms, think_ms)

    return Decision(
        answer,
        (acted(state, request.seat, request.action, cause=cause, thought=None if cause else request.thought),),
        at_ms=None if at_ms is None else max(at_ms, state.at_ms),
        moment=moment,
    )


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
    entry = next_entry(state, cause)
    ply = entry.acted.ply
    ply.actor = seat + 1
    if action is not None:
        ply.action.CopyFrom(action)
    if thought is not None:
        entry.acted.thought.CopyFrom(thought)
    return entry


def asks_for_action(state: State, seat: int) -> bool:
    """Return whether the rules must determine an action for a seat about which its clock has decided."""
    return state.created.clock.kind == clocks.PER_TURN and not clocks.goes_on_vacation(state, seat)


def expiry_ms(state: State, now_ms: int) -> int:
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


def begin_vacation(state: State, seat: int, now_ms: int) -> record_pb2.Entry:
    """Return the entry by which the vacation of a seat begins by itself: all that it has left."""
    until_ms = now_ms + clocks.vacation_left_ms(state, seat)
    return record_pb2.Entry(vacation_taken=record_pb2.VacationTaken(seat=seat, until_ms=until_ms, automatic=True))


@command
def undo(state: State, _now_ms: int, request: play_pb2.UndoRequest) -> Decision:
    """Return the command that takes plies back until `to_plies` remain. It raises Refused where the others have to be asked."""
    seat = access.holder(state, request.seat_token)
    access.casual(state)
    if state.status != FINISHED:
        access.running(state)
    access.fresh(state, seat, request.expected_version)
    wanted = perception.plies_in_log(state, seat, request.to_plies)
    for target in plies.free_targets(state, seat):
        if target <= wanted:
            break
    else:
        target = -1
    if target != wanted:
        raise Refused(errors_pb2.REASON_NOTHING_TO_UNDO, "this seat cannot take that back without asking the others")
    entry = record_pb2.Entry(undone=record_pb2.Undone(plies=target, seat=seat + 1))
    return Decision(answer_with_version("undo", seat), (entry,))


@command
def take_vacation(state: State, now_ms: int, request: play_pb2.TakeVacationRequest) -> Decision:
    """Return the command by which a seat's player goes on vacation for some days, or comes back."""
    seat = access.holder(state, request.seat_token)
    access.running(state)

    def answer(done: Done) -> play_pb2.Answer:
        known, on = done.known_to(seat), done.state.seats[seat].vacation_until_ms
        left_ms = clocks.vacation_left_ms(done.state, seat)
        taken = play_pb2.TakeVacationResponse(version=known.version, until_ms=on if request.days else 0, left_ms=left_ms)
        return play_pb2.Answer(take_vacation=taken)

    if not request.days and not clocks.vacation_rest_ms(state.seats[seat], now_ms):
        return Decision(answer)
    until_ms = clocks.vacation_until_ms(state, seat, request.days, now_ms) if request.days else 0
    entry = record_pb2.Entry(vacation_taken=record_pb2.VacationTaken(seat=seat, until_ms=until_ms))
    return Decision(answer, (entry,))


@command
def set_rest_hours(state: State, now_ms: int, request: rest_hours_pb2.SetRestHoursRequest) -> Decision:
    """Return the command by which a seat's player sets the hours that do not count for its clock.

    It raises Refused: NO_TOKEN, NOT_YOUR_SEAT, GAME_OVER, MALFORMED, REST_HOURS.
    """
    seat = access.holder(state, request.seat_token)
    access.not_over(state)
    if not state.created.clock.rest_hours:
        raise _no_rest_hours("at this table all hours count", "table")
    hours, before = rest_hours.checked(request.hours), state.seats[seat]
    answer = answer_with_version("set_rest_hours", seat)
    if before.rest_hours == hours:
        return Decision(answer)
    if now_ms < rest_hours_set_until_ms(state, seat):
        raise _no_rest_hours("rest hours are set for seven days", "week")
    entry = record_pb2.Entry(rest_hours_set=record_pb2.RestHoursSet(seat=seat))
    return Decision(answer, (entry,), rest_hours=hours)


def rest_hours_set_until_ms(state: State, seat: int) -> int:
    """Return until when a seat's rest hours cannot be changed, in milliseconds since 1970; 0 if they can."""
    before = state.seats[seat]
    return before.rest_hours_set_ms + rest_hours.KEPT_MS if state.has_begun and before.rest_hours is not None else 0


@command
def use_hint(state: State, _now_ms: int, request: play_pb2.GetHintRequest) -> Decision:
    """Return the command that informs the others at a table that a seat is getting a hint (fair_play.py)."""
    seat = access.holder(state, request.seat_token)
    access.running(state)
    fair_play.check_help(state, seat)
    access.turn(state, seat)
    used = record_pb2.Entry(hinted=record_pb2.Hinted(seat=seat))
    return Decision(entries=(used,) if fair_play.must_announce(state, seat) else ())


@command
def nudge(state: State, now_ms: int, request: play_pb2.NudgeRequest) -> Decision:
    """Return the command that reminds the other people who are to act. Each is reminded once in a turn, and none on vacation.

    It raises Refused: NO_TOKEN, NOT_YOUR_SEAT, NOT_RUNNING, GAME_OVER, NUDGE.
    """
    seat = access.holder(state, request.seat_token)
    access.running(state)
    if not clocks.leaves_days(state):
        raise _no_nudge("in fast games nobody is reminded", "clock")
    others = [other for other in state.others(seat) if other in state.to_act and not state.seats[other].nudged]
    reminded = [other for other in others if not clocks.vacation_rest_ms(state.seats[other], now_ms)]
    if not reminded:
        raise _no_nudge("nobody else is to act who is there and has not been reminded", "nobody")
    if now_ms < perception.changed_ms(state) + EARLY_MS:
        raise _no_nudge("something has happened in the last six hours", "early")
    entry = record_pb2.Entry(nudged=record_pb2.Nudged(seat=seat, nudged_seats=reminded))
    return Decision(answer_with_version("nudge", seat, nudged_seats=reminded), (entry,))
