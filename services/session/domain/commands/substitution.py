"""Substitutes (substitutes.py): asking for a seat that is offered, agreeing to it or refusing, and what silence comes to.

A seat is offered when its player leaves (seats.py), or when another one claims that their time is up.
"""

from functools import partial

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, games_pb2, play_pb2, record_pb2, substitutes_pb2
from services.session.domain import clocks, substitutes
from services.session.domain.commands import access
from services.session.domain.commands.decision import Decision, answer_with_session, answer_with_version, command, system_entry
from services.session.domain.commands.seats import person, seat_changed, stand_in
from services.session.domain.state import State

_refused = partial(access.because, errors_pb2.REASON_SUBSTITUTE)
_no_claim = partial(access.because, errors_pb2.REASON_CLAIM)


@command
def ask(state: State, now_ms: int, request: substitutes_pb2.AskForSeatRequest, caller: session_pb2.Caller) -> Decision:
    """Return the command by which a player asks for a seat that is offered, or takes that back.

    A seat that is theirs already, or asked for already, stays so. It raises Refused: NO_TOKEN, UNKNOWN, GAME_OVER, SUBSTITUTE.
    """
    player = access.player(caller)
    access.seat_exists(state, request.seat)
    access.not_over(state)
    answer = answer_with_session("ask_for_seat")
    offer = substitutes.offer_of(state, request.seat)
    asks = offer is not None and offer.asker is not None and offer.asker.player_id == player
    if request.withdraw:
        if not asks:
            raise _refused("the caller does not ask for this seat", "offer")
        return Decision(answer, (substitutes.declined(request.seat),))
    if asks or state.seats[request.seat].player_id == player:
        return Decision(answer)
    if offer is None:
        raise _refused("this seat is not offered", "offer")
    access.no_arbiter(state, player)
    if player in state.gone or any(player in (seat.player_id, seat.kept_for) for seat in state.seats):
        raise _refused("nobody takes another seat in a game that they play or have played", "own")
    if offer.asker is not None:
        raise _refused("somebody else asks for this seat", "busy")
    if player in offer.asked:
        raise _refused("everybody asks for a seat once", "again")
    return Decision(answer, (substitutes.asked(state, offer, person(caller).person, now_ms),))


@command
def reply(state: State, now_ms: int, request: substitutes_pb2.AnswerSubstituteRequest) -> Decision:
    """Return the command by which a seat agrees to a substitute, or refuses.

    It raises Refused: NO_TOKEN, NOT_YOUR_SEAT, GAME_OVER, SUBSTITUTE.
    """
    seat = access.holder(state, request.seat_token)
    access.not_over(state)
    offer = substitutes.offer_of(state, request.seat)
    if offer is None or seat not in offer.waiting:
        raise _refused("this seat is not asked, or has answered already", "answer")
    if now_ms >= offer.until_ms:
        raise _refused("the time for an answer is over", "late")
    answered = record_pb2.SubstituteAnswered(seat=request.seat, answerer_seat=seat, accepted=request.accept)
    return Decision(answer_with_version("answer_substitute", seat), (record_pb2.Entry(substitute_answered=answered),))


def silence(state: State, now_ms: int) -> Decision:
    """Return the decision by which a substitute sits down to whom nobody has said no in time; nothing where there is none."""
    entry = None if state.is_over else substitutes.overdue(state, now_ms)
    return Decision(entries=() if entry is None else (entry,), is_final=True)


@command
def claim_time(state: State, now_ms: int, request: play_pb2.ClaimTimeRequest, facts: games_pb2.Game | None) -> Decision:
    """Return the command by which a player claims that another seat's time is up: it loses the game, or is offered.

    `facts` are the game's; None unless the seat is to be offered. It raises Refused: NO_TOKEN, NOT_YOUR_SEAT, NOT_RUNNING,
    GAME_OVER, UNKNOWN for a seat that there is not, CLAIM.
    """
    seat = access.holder(state, request.seat_token)
    access.running(state)
    access.seat_exists(state, request.claimed_seat)
    claimed = request.claimed_seat
    if not state.created.clock.claims:
        raise _no_claim("at this table time is not claimed", "clock")
    if claimed not in clocks.running(state) or claimed not in state.others(seat):
        raise _no_claim("that is no other player's seat to act", "seat")
    if now_ms < clocks.seat_deadline_ms(state, claimed):
        raise _no_claim("that seat has time left", "left")
    entries = [system_entry(state, games_pb2.SystemAction(flag=claimed), record_pb2.Acted.CAUSE_TIME)]
    if request.for_substitute:
        if facts is None or not substitutes.can_be_offered(state, claimed):
            raise _no_claim("this seat cannot be offered to substitutes", "substitutes")
        entries = [seat_changed(claimed, stand_in(facts)), substitutes.offered(state, claimed, now_ms, claimed=True)]
    return Decision(answer_with_version("claim_time", seat), tuple(entries))
