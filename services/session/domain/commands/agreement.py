"""Settling before the start: other options, another start or a saved game by agreement, wishes for seats, and "begin".

A seat has one open proposal at a time. What belongs to one seat alone (its government), its player changes without asking. Anyone
who wants no more changes says "begin", unless somebody is waiting for their answer: then the seats are assigned according to the
wishes (chance.py), all open proposals lapse, and the game begins.
"""

from collections.abc import Callable
from dataclasses import dataclass

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import errors_pb2, play_pb2, record_pb2
from services.games.chance import deal
from services.runtime.refusal import Refused, unknown
from services.runtime.seats import seat_in
from services.session.domain.bounds import SETUP_BYTES
from services.session.domain.commands import access
from services.session.domain.commands.decision import Command, Decision, Done
from services.session.domain.commands.effects import effect
from services.session.domain.commands.seeds import seats_seed, setup_seed
from services.session.domain.public_session import describe
from services.session.domain.state import State
from services.session.domain.variation import options_and_start


@dataclass(frozen=True, slots=True)
class Parts:
    """The rules' answer about a change of options: for which options, for which seat, and the answer."""

    options: AnyMessage | None
    seat: int
    split: rules_pb2.SplitOptionsResponse


def ask(
    state: State,
    seat: int,
    asked: list[int],
    wanted: record_pb2.Proposal,
    load: record_pb2.Record | None,
    parts: Parts | None,
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
            _, start = options_and_start(state.created)
            settled = record_pb2.Settled(options=own, start_position=start, seat=seat + 1)
            entries.append(record_pb2.Entry(settled=settled))
        if common is None:
            return Decision(_answer(0), tuple(entries))
        wanted = record_pb2.Proposal(options=common)
    proposal = record_pb2.Proposal()
    proposal.CopyFrom(wanted)
    if load is not None:
        proposal.load.CopyFrom(load)
    proposal.id, proposal.seat, proposal.version = state.proposals_made + 1, seat, state.version + len(entries) + 1
    proposal.waiting[:] = asked
    if not asked:
        return Decision(_answer(0), (*entries, effect(state, proposal)))
    tried = effect(state, proposal)
    return Decision(
        _answer(proposal.id), (*entries, record_pb2.Entry(proposed=record_pb2.Proposed(proposal=proposal))), tried=tried
    )


def wish(request: play_pb2.WishSeatRequest) -> Command:
    """Return the command of a wish for a seat: nobody has to agree."""

    def decide(state: State, _now_ms: int) -> Decision:
        wanted = seat_in(request, "wished_seat")
        wished = 0 if wanted is None else wanted + 1
        if wished > len(state.seats):
            raise unknown("seat")
        seat = access.holder(state, request.seat_token)
        access.not_over(state)
        if state.has_begun or not state.created.settles:
            access.settling(state)
        entry = record_pb2.Entry(wished=record_pb2.Wished(seat=seat, wished=wished))
        return Decision(
            lambda done: play_pb2.Answer(wish_seat=play_pb2.WishSeatResponse(version=done.state.version)),
            () if state.seats[seat].wished == wished else (entry,),
        )

    return decide


def begin(request: play_pb2.BeginGameRequest) -> Command:
    """Return the command that ends the settling: the seats are assigned, and the game begins."""

    def decide(state: State, _now_ms: int) -> Decision:
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

    return decide


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


def _answer(number: int) -> Callable[[Done], play_pb2.Answer]:
    return lambda done: play_pb2.Answer(propose=play_pb2.ProposeResponse(proposal_id=number, version=done.state.version))
