"""Absences: reminding those whose turn it is, and claiming that their time is up."""

from brettwerk.v1 import errors_pb2, games_pb2, play_pb2, record_pb2
from services.runtime.refusal import Refused
from services.session.domain import clocks, perception
from services.session.domain.commands import access
from services.session.domain.commands.decision import Decision, Done, command
from services.session.domain.commands.effects import system_entry
from services.session.domain.state import State

EARLY_MS = 6 * 3_600_000
"""How long nothing that everybody perceives has happened before somebody is reminded."""


@command
def nudge(state: State, now_ms: int, request: play_pb2.NudgeRequest) -> Decision:
    """Return the command that reminds the other people who are to act. Each is reminded once in a turn, and none on vacation.

    It raises Refused: NO_TOKEN, NOT_YOUR_SEAT, NOT_RUNNING, GAME_OVER, NUDGE.
    """
    seat = access.holder(state, request.seat_token)
    access.running(state)
    clock = state.created.clock
    if clock.kind and not clocks.is_slow(clock):
        raise _no_nudge("in fast games nobody is reminded", "clock")
    others = [other for other in state.others(seat) if other in state.to_act and not state.seats[other].nudged]
    reminded = [other for other in others if not clocks.vacation_rest_ms(state.seats[other], now_ms)]
    if not reminded:
        raise _no_nudge("nobody else is to act who is there and has not been reminded", "nobody")
    if now_ms < perception.changed_ms(state) + EARLY_MS:
        raise _no_nudge("something has happened in the last six hours", "early")

    def answer(done: Done) -> play_pb2.Answer:
        return play_pb2.Answer(nudge=play_pb2.NudgeResponse(version=done.known_to(seat).version, nudged_seats=reminded))

    return Decision(answer, (record_pb2.Entry(nudged=record_pb2.Nudged(seat=seat, nudged_seats=reminded)),))


@command
def claim_time(state: State, now_ms: int, request: play_pb2.ClaimTimeRequest) -> Decision:
    """Return the command by which a player claims that another seat's time is up: it loses the game.

    It raises Refused: NO_TOKEN, NOT_YOUR_SEAT, NOT_RUNNING, GAME_OVER, UNKNOWN for a seat that there is not, CLAIM.
    """
    seat = access.holder(state, request.seat_token)
    access.running(state)
    access.seat_exists(state, request.claimed_seat)
    if not state.created.clock.claims:
        raise _no_claim("at this table time is not claimed", "clock")
    if request.claimed_seat not in clocks.running(state) or request.claimed_seat not in state.others(seat):
        raise _no_claim("that is no other player's seat to act", "seat")
    if now_ms < clocks.seat_deadline_ms(state, request.claimed_seat):
        raise _no_claim("that seat has time left", "left")
    flag = system_entry(state, games_pb2.SystemAction(flag=request.claimed_seat), record_pb2.Acted.CAUSE_TIME)
    return Decision(
        lambda done: play_pb2.Answer(claim_time=play_pb2.ClaimTimeResponse(version=done.known_to(seat).version)), (flag,)
    )


def _no_nudge(message: str, why: str) -> Refused:
    return Refused(errors_pb2.REASON_NUDGE, message, details={"nudge": why})


def _no_claim(message: str, why: str) -> Refused:
    return Refused(errors_pb2.REASON_CLAIM, message, details={"claim": why})
