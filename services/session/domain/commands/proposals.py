"""Proposals to the other people: a draw, an undo, other options, a saved variation, a pause, help; and agreeing on how to begin.

The seats held by other people are asked. Computer players agree to everything but a draw, and to that if the rules say so; seats
that are out of the game are not asked for one. A seat has at most one open proposal of each kind. Competitive sessions allow only
draws and pauses. If no other person plays, the creator changes options without holding a seat.

Before the start, people settle other options, another start or a saved game by agreement, and wish for seats. A seat then has one
open proposal at a time. An option that belongs to one seat alone (its government) is changed by its player without asking. Anyone
who wants no more changes says "begin", unless somebody is waiting for their answer: then the seats are assigned according to the
wishes (chance.py), all open proposals lapse, and the game begins.
"""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2, session_pb2
from brettwerk.v1 import errors_pb2, games_pb2, play_pb2, record_pb2
from brettwerk_games.rules.chance import deal
from services.runtime.refusal import Refused, malformed, unknown
from services.runtime.seats import seat_in
from services.session.domain import plies
from services.session.domain.bounds import LOAD_BYTES, SETUP_BYTES
from services.session.domain.commands import access
from services.session.domain.commands.decision import (
    Command,
    Decision,
    Done,
    answer_with_version,
    command,
    effect,
    seats_seed,
    setup_seed,
)
from services.session.domain.fair_play import has_absent_holder
from services.session.domain.perception import plies_in_log
from services.session.domain.public_session import describe
from services.session.domain.state import FINISHED, PAUSED, RUNNING, SETTLING, State


@dataclass(frozen=True, slots=True)
class Parts:
    """The rules' answer about a change of options: for which options, for which seat, and the answer."""

    options: AnyMessage | None
    seat: int
    split: rules_pb2.SplitOptionsResponse


def propose(
    request: play_pb2.ProposeRequest,
    caller: session_pb2.Caller | None = None,
    load: record_pb2.Record | None = None,
    parts: Parts | None = None,
) -> Command:
    """Return the command of a proposal. `load` is the variation of the record to load (saves.py).

    `parts` are those of the requested change of options, at a table that settles. Raises Refused: MALFORMED if it proposes
    nothing, FULL if the variation is too long.
    """
    kind = request.proposal.WhichOneof("kind")
    if kind is None or (kind == "draw" and not request.proposal.draw):
        raise malformed("proposal", "a proposal must say what it proposes")
    if load is not None and load.ByteSize() > LOAD_BYTES:
        raise Refused(errors_pb2.REASON_FULL, "the variation is too long to be loaded into a session; import it instead")

    def decide(state: State, _now_ms: int) -> Decision:
        if state.status == SETTLING or kind == "setup":
            seat = access.holder(state, request.seat_token)
            return _propose_before_start(state, seat, state.others(seat), request.proposal, load, parts)
        # At a table with only computers, nobody can agree but its creator, who watches.
        if kind == "options" and not request.seat_token and _watches_own(state, caller):
            _check(state, request.proposal)
            return Decision(_answer(None, 0), (effect(state, request.proposal),))
        seat = access.holder(state, request.seat_token)
        proposal = deepcopy(request.proposal)
        if kind == "undo_to_plies":
            proposal.undo_to_plies = plies_in_log(state, seat, proposal.undo_to_plies)
        _check(state, proposal)
        if any(p.seat == seat and p.WhichOneof("kind") == kind for p in state.proposals):
            raise Refused(errors_pb2.REASON_PROPOSAL, "this seat has already proposed that")
        # The rules say which seats need not be asked, being out, and which computers would agree.
        votes = state.draw_votes or games_pb2.DrawVotes()
        asked = state.others(seat)
        if kind == "draw":
            asked = [other for other in asked if not votes.silent >> other & 1]
        if kind == "help" and not proposal.help:
            asked = []
        if load is not None:
            proposal.load.CopyFrom(load)
        proposal.id, proposal.seat, proposal.version = state.proposals_made + 1, seat, state.version + 1
        proposal.waiting[:] = asked
        # Tried out before anybody is asked, so that nobody agrees to something that the rules then refuse.
        tried = None if kind in ("undo_to_plies", "pause", "help") else effect(state, proposal)
        agreeing = votes.silent | votes.agreeing
        # A computer that does not agree declines immediately; the log has that like a person's answer.
        against = [n for n, other in enumerate(state.seats) if other.is_computer and not agreeing >> n & 1]
        proposed = record_pb2.Entry(proposed=record_pb2.Proposed(proposal=proposal))
        if kind == "draw" and against:
            declined = record_pb2.Answered(proposal_id=proposal.id, seat=against[0], accepted=False)
            return Decision(_answer(seat, proposal.id), (proposed, record_pb2.Entry(answered=declined)), tried=tried)
        if not asked:
            return Decision(_answer(seat, 0), (effect(state, proposal),))
        return Decision(_answer(seat, proposal.id), (proposed,), tried=tried)

    return decide


@command
def reply(state: State, _now_ms: int, request: play_pb2.AnswerProposalRequest) -> Decision:
    """Return the command of an answer to a proposal. It raises Refused (PROPOSAL) if the seat is not asked."""
    seat = access.holder(state, request.seat_token)
    proposal = next((p for p in state.proposals if p.id == request.proposal_id), None)
    if proposal is None:
        raise Refused(errors_pb2.REASON_PROPOSAL, "this proposal is not open")
    withdraws = proposal.seat == seat and not request.accept
    if not withdraws and seat not in proposal.waiting:
        raise Refused(errors_pb2.REASON_PROPOSAL, "this seat is not being asked, or has answered already")
    answered = record_pb2.Answered(proposal_id=proposal.id, seat=seat, accepted=request.accept)
    return Decision(answer_with_version("answer_proposal", seat), (record_pb2.Entry(answered=answered),))


def _check(state: State, proposal: record_pb2.Proposal) -> None:
    """Return if that can be proposed in the session now."""
    kind = proposal.WhichOneof("kind")
    if kind == "pause":
        access.not_over(state)
        if state.halt is not None:
            raise access.because(errors_pb2.REASON_ARBITER, "an arbiter has stopped the game, and restarts it", "paused")
        if state.status != (RUNNING if proposal.pause else PAUSED):
            raise Refused(errors_pb2.REASON_NOT_RUNNING, "only a running session can be paused, and only a paused one resumed")
        return
    if kind == "help":
        access.not_over(state)
        access.casual(state)
        if not state.has_begun:
            raise Refused(errors_pb2.REASON_NOT_RUNNING, "hints can be agreed on only once the game has begun")
        if state.help_agreed == proposal.help:
            raise Refused(errors_pb2.REASON_PROPOSAL, "that is already the case")
        return
    if kind == "undo_to_plies" and state.status == FINISHED:
        access.casual(state)
    else:
        access.running(state)
    if kind == "draw":
        return
    access.casual(state)
    if kind == "options" and has_absent_holder(state):
        raise Refused(
            errors_pb2.REASON_COMPETITIVE, "what is hidden stays so for those who played in the saved game and are not here"
        )
    if kind == "undo_to_plies" and not plies.floor(state) <= proposal.undo_to_plies < state.ply_count:
        raise Refused(errors_pb2.REASON_NOTHING_TO_UNDO, "that many plies cannot be taken back")


def _watches_own(state: State, caller: session_pb2.Caller | None) -> bool:
    """Return whether the caller created the session and no other person plays in it, or can return to a seat."""
    if caller is None or not caller.player_id or not access.is_creator(state, caller, ""):
        return False
    return not any((seat.player_id or seat.kept_for) not in ("", caller.player_id) for seat in state.seats)


def _answer(seat: int | None, number: int) -> Callable[[Done], play_pb2.Answer]:
    return answer_with_version("propose", seat, proposal_id=number)


def _propose_before_start(
    state: State, seat: int, asked: list[int], wanted: record_pb2.Proposal, load: record_pb2.Record | None, parts: Parts | None
) -> Decision:
    """Return the result of a seat's proposal: `asked` are the seats that must agree. Raises Refused."""
    kind = wanted.WhichOneof("kind")
    access.not_over(state)
    if kind not in ("options", "setup", "load"):
        access.running(state)
    access.settling(state)
    if kind != "load" and wanted.ByteSize() > SETUP_BYTES:
        raise Refused(errors_pb2.REASON_FULL, "that is too large to be proposed")
    if any(p.seat == seat for p in state.proposals):
        raise Refused(errors_pb2.REASON_PROPOSAL, "this seat has an open proposal already")
    if kind == "load":
        access.casual(state)
    entries: list[record_pb2.Entry] = []
    if kind == "options":
        own, common = _parts(state, seat, parts)
        if own is not None:
            _, start = plies.options_and_start(state.created)
            settled = record_pb2.Settled(options=own, start_position=start, seat=seat + 1)
            entries.append(record_pb2.Entry(settled=settled))
        if common is None:
            return Decision(_answer(seat, 0), tuple(entries))
        wanted = record_pb2.Proposal(options=common)
    proposal = deepcopy(wanted)
    if load is not None:
        proposal.load.CopyFrom(load)
    proposal.id, proposal.seat, proposal.version = state.proposals_made + 1, seat, state.version + len(entries) + 1
    proposal.waiting[:] = asked
    if not asked:
        return Decision(_answer(seat, 0), (*entries, effect(state, proposal)))
    proposed = record_pb2.Entry(proposed=record_pb2.Proposed(proposal=proposal))
    return Decision(_answer(seat, proposal.id), (*entries, proposed), tried=effect(state, proposal))


@command
def wish(state: State, _now_ms: int, request: play_pb2.WishSeatRequest) -> Decision:
    """Return the command of a wish for a seat: nobody has to agree. It raises Refused, also (UNKNOWN) if there is none."""
    wanted = seat_in(request, "wished_seat")
    wished = 0 if wanted is None else wanted + 1
    if wished > len(state.seats):
        raise unknown("seat", "wished_seat", wanted, range(len(state.seats)))
    seat = access.holder(state, request.seat_token)
    access.not_over(state)
    if state.has_begun or not state.created.settles:
        access.settling(state)
    entry = record_pb2.Entry(wished=record_pb2.Wished(seat=seat, wished=wished))
    return Decision(
        lambda done: play_pb2.Answer(wish_seat=play_pb2.WishSeatResponse(version=done.state.version)),
        () if state.seats[seat].wished == wished else (entry,),
    )


@command
def begin(state: State, _now_ms: int, request: play_pb2.BeginGameRequest) -> Decision:
    """Return the command by which seats are assigned and the game begins. It raises Refused, also (PROPOSAL) if one is open."""
    seat = access.holder(state, request.seat_token)
    access.settling(state)
    access.fresh(state, seat, request.expected_version)
    if any(_waits_for(state, proposal, seat) for proposal in state.proposals):
        raise Refused(errors_pb2.REASON_PROPOSAL, "another seat's proposal is waiting for this seat's answer")
    seed = seats_seed(state)
    order = deal([other.wished - 1 if other.wished else None for other in state.seats], seed)
    dealt = record_pb2.Dealt(seat=seat + 1, order=order, seed=seed)
    started = record_pb2.Started(seed=b"" if state.created.variation else setup_seed(state))

    def answer(done: Done) -> play_pb2.Answer:
        response = play_pb2.BeginGameResponse(session=describe(done.known_to(order.index(seat))), seat=order.index(seat))
        return play_pb2.Answer(begin_game=response)

    return Decision(answer, (record_pb2.Entry(dealt=dealt), record_pb2.Entry(started=started)))


def _parts(state: State, seat: int, parts: Parts | None) -> tuple[AnyMessage | None, AnyMessage | None]:
    """Return the options with the seat's changes to its own, and with those that concern everybody; None if there are none."""
    if state.created.variation:
        raise Refused(
            errors_pb2.REASON_PROPOSAL, "a saved game continues with its own options; another start can be proposed instead"
        )
    if parts is None or parts.seat != seat or parts.options != state.options:
        message = "the settings changed while they were looked at"
        raise Refused(errors_pb2.REASON_STALE_VERSION, message, head_version=state.version)
    split = parts.split
    if split.is_anothers:
        raise Refused(
            errors_pb2.REASON_NOT_YOUR_SEAT, "an option belongs to another seat, and only that seat's player may choose it"
        )
    return split.own if split.HasField("own") else None, split.common if split.HasField("common") else None


def _waits_for(state: State, proposal: record_pb2.Proposal, seat: int) -> bool:
    """Return whether a proposal is waiting for the person in a seat, in any of their seats."""
    player = state.seats[seat].player_id
    return any(state.seats[other].player_id == player for other in proposal.waiting)
