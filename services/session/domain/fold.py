"""How an entry of the log makes the next state: the one function that playing and rebuilding share.

The knowledge of the rules is passed in: for an entry the `Step` that they returned (transaction.py asks them), for a variation
the marks of its plies.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2, session_state_pb2
from brettwerk.v1 import record_pb2
from services.session.domain import clocks, fair_play, perception, plies, substitutes
from services.session.domain.bounds import EXPIRIES_IN_A_ROW, FORMER_OPTIONS
from services.session.domain.state import CLOSED, FINISHED, PAUSED, RUNNING, SETTLING, WAITING, Seat, State, Unperceived, replace
from services.session.domain.storage_format import first_format, format_after, newer_release

_Fold = Callable[[State, record_pb2.Entry], State]
_Play = Callable[[State, record_pb2.Entry, rules_pb2.Step | None, plies.Marks], State]


def create(session_id: str, secret: bytes, entry: record_pb2.Entry, created_from: bytes = b"") -> State:
    """Return the state that the first entry (Created) makes: every seat is open."""
    created = entry.created
    return State(
        id=session_id,
        created=created,
        secret=secret,
        seats=(Seat(),) * created.seats,
        created_at_ms=entry.at_ms,
        at_ms=entry.at_ms,
        version=entry.version,
        position_version=entry.version,
        status=WAITING,
        options=created.options if created.HasField("options") else None,
        min_reader=first_format(created),
        created_from=created_from,
    )


def fold(
    state: State, entry: record_pb2.Entry, step: rules_pb2.Step | None = None, variation: plies.Marks = plies.NO_MARKS
) -> State:
    """Return the state after the entry. `step` is the rules' answer about the position after it, if it changed.

    `variation` has the marks of the plies of a variation that was loaded or started from (plies.py). Raises Refused (UNAVAILABLE,
    newer) for an unknown entry.
    """
    change = entry.WhichOneof("change")
    if change is None:
        raise newer_release(state.id, "entry")
    # Time that was given back counts before the clocks are read, or it would be added to one that had run out.
    state = clocks.advanced(clocks.credited(state, entry.credited.time_ms), entry.at_ms, entry.used_ms)
    play = _PLAYED.get(change)
    if play is not None:
        after = play(state, entry, step, variation)
    else:
        needed = format_after(state.min_reader, change)
        after = replace(_FOLDS[change](state, entry), version=entry.version, at_ms=entry.at_ms, min_reader=needed)
    if after.withheld and after.is_over:
        after = replace(after, withheld=())
    return _ask_computers(state, after)


def _seat_changed(state: State, entry: record_pb2.Entry) -> State:
    """The seat's token is void from here on, and proposals that it made or has to answer lapse.

    A player who leaves ends their vacation; one who only gets a new token stays on it.
    """
    change = entry.seat_changed
    before = state.seats[change.seat]
    if before.vacation_until_ms and before.player_id != change.occupant.person.player_id:
        before = clocks.with_vacation(before, 0, entry.at_ms)
    if before.rest_hours is not None and before.player_id != change.occupant.person.player_id:
        before = replace(before, rest_hours=None)  # they are the player's own business
    seat = replace(
        before,
        occupant=change.occupant if change.HasField("occupant") else None,
        kept_for=change.kept_for,
        seed_contribution=state.seats[change.seat].seed_contribution if state.has_begun else change.seed_contribution,
        token_hash=b"",
        token_sign_out=0,
        wanted_version=0,
        wanted_at_ms=0,
        wished=0,
        nudged=False,
    )
    if state.offers:
        state, seat = substitutes.after_seat_changed(state, change.seat, seat)
    proposals = tuple(p for p in state.proposals if change.seat != p.seat and change.seat not in p.waiting)
    changed = replace(
        state.with_seat(change.seat, seat), proposals=proposals, help_agreed=fair_play.is_help_agreed_after(state, change)
    )
    return _filled(changed, entry)


def _filled(state: State, entry: record_pb2.Entry) -> State:
    """Return the state of a table that settles once all its seats are filled, and waits when one becomes open again.

    The players are part of the settled set-up, so a "begin" that was meant for other players is stale. Computers alone settle
    nothing.
    """
    if state.has_begun or not state.created.settles:
        return state
    settles = all(seat.occupant is not None for seat in state.seats) and bool(state.persons())
    return replace(state, status=SETTLING if settles else WAITING, position_version=entry.version)


def _settled(state: State, entry: record_pb2.Entry) -> State:
    """An agreement settles all proposals; a seat's own choice leaves the others' proposals open."""
    settled = entry.settled
    created = deepcopy(state.created)
    for name in ("options", "start_position"):
        created.ClearField(name)
        if settled.HasField(name):
            getattr(created, name).CopyFrom(getattr(settled, name))
    created.ClearField("variation")
    created.variation.extend(settled.variation)
    places = {player: seat + 1 for seat, player in enumerate(settled.held_by) if player}
    return replace(
        state,
        created=created,
        options=created.options if created.HasField("options") else None,
        seats=tuple(replace(seat, wished=places.get(seat.player_id, seat.wished)) for seat in state.seats),
        proposals=state.proposals if settled.seat else (),
        agreed=None if not settled.seat else state.agreed,
        position_version=entry.version,
    )


def _wished(state: State, entry: record_pb2.Entry) -> State:
    wished = entry.wished
    return state.with_seat(wished.seat, replace(state.seats[wished.seat], wished=wished.wished))


def _dealt(state: State, entry: record_pb2.Entry) -> State:
    """Players take all along, but the seed contributions stay, because seeds are made from them in seat order."""
    dealt = entry.dealt
    moved = [state.seats[origin] for origin in dealt.order]
    seats = tuple(
        replace(one, seed_contribution=seat.seed_contribution, unknown=seat.unknown, wished=0)
        for seat, one in zip(state.seats, moved, strict=True)
    )
    created = state.created
    if dealt.HasField("options"):
        created = deepcopy(state.created)
        created.options.CopyFrom(dealt.options)
    return replace(
        state,
        seats=seats,
        created=created,
        options=created.options if created.HasField("options") else None,
        proposals=(),
        agreed=None,
        position_version=entry.version,
    )


def _started(state: State, entry: record_pb2.Entry, step: rules_pb2.Step | None, variation: plies.Marks) -> State:
    created = deepcopy(state.created)
    created.ClearField("variation")
    created.ClearField("start_position")
    running = replace(
        state,
        created=created,
        status=RUNNING,
        clock_since_ms=entry.at_ms,
        announced_computers=_announced_computers(state.created.variation),
        options=_options_after(state.created.variation, state.options),
    )
    marks = plies.sealed(variation.plies) if state.is_renewed else variation.plies
    return _positioned(clocks.filled(running), entry, step, marks, _counted(state, variation.unaware))


def _chance_renewed(state: State, entry: record_pb2.Entry) -> State:
    """Plies from here on have another secret, and nothing earlier is taken back: it could be rolled again."""
    renewed = entry.chance_renewed
    seat = replace(state.seats[renewed.seat], seed_contribution=renewed.seed_contribution)
    return replace(
        state.with_seat(renewed.seat, seat),
        secret=state.next_secret,
        former_secret=state.secret,
        next_secret=b"",
        plies=plies.sealed(state.plies),
    )


def _acted(state: State, entry: record_pb2.Entry, step: rules_pb2.Step | None, _variation: plies.Marks) -> State:
    assert step is not None
    ply, timed = entry.acted.ply, entry.acted.cause == record_pb2.Acted.CAUSE_TIME
    actor = ply.actor - 1 if ply.actor else None
    person = actor is not None and state.seats[actor].is_person
    options, former, retractable = state.options, state.former_options, step.retractable
    system = ply.system_action.WhichOneof("kind")
    if system == "options":
        # Beyond that the options before it are not kept, so it can never be taken back.
        retractable = retractable and len(former) < FORMER_OPTIONS
        if retractable:
            former = (*former, session_state_pb2.FormerOptions(plies=state.ply_count, options=state.options))
        options = ply.system_action.options
    unaware = step.unaware if state.created.counts_perceived and not step.HasField("outcome") else 0
    mark = plies.mark(ply, person=person, reveals=step.reveals, retractable=retractable, to_act=state.to_act)
    expiries = state.expiries + 1 if timed and actor is not None else 0
    after = _positioned(
        state,
        entry,
        step,
        state.plies + mark,
        plies.with_unaware(state.unaware, state.ply_count, unaware),
        options=options,
        former_options=former,
        expiries=expiries,
        announced_computers=ply.system_action.computers + 1 if system == "computers" else state.announced_computers,
    )
    if unaware:
        missed = Unperceived(entry.version, unaware, state.position_version, state.at_ms)
        # Proposals do not lapse because of it, or the proposer would learn of the action.
        after = replace(after, unperceived=(*state.unperceived, missed), proposals=state.proposals)
    # One that others do not perceive ends no vacation, or that would tell of it.
    if actor is not None and not timed and not unaware:
        after = clocks.after_own_action(after, actor, entry.at_ms)
    if state.created.spectator_delay:
        after = replace(after, withheld=perception.withheld_after(state, entry.version, unaware))
    if entry.acted.cause == record_pb2.Acted.CAUSE_ARBITER:
        after = _ruled(after, step)
    after = clocks.after_turn(state, after, -1 if actor is None else actor)
    # With the last of so many the seat gets new time, and counting begins anew.
    return after if expiries < EXPIRIES_IN_A_ROW else replace(after, expiries=0)


def _undone(state: State, entry: record_pb2.Entry, step: rules_pb2.Step | None, _variation: plies.Marks) -> State:
    former = state.former_options
    kept = tuple(change for change in former if change.plies < entry.undone.plies)
    options = state.options
    if len(kept) < len(former):
        first = former[len(kept)]
        options = first.options if first.HasField("options") else None
    changed = replace(state, options=options, former_options=kept)
    left = entry.undone.plies
    after = _positioned(changed, entry, step, state.plies[: 2 * left], state.unaware[:left])
    seats = tuple(replace(seat, since_plies=left) if seat.since_plies > left else seat for seat in after.seats)
    return replace(clocks.after_undo(replace(after, seats=seats)), expiries=0)


def _loaded(state: State, entry: record_pb2.Entry, step: rules_pb2.Step | None, variation: plies.Marks) -> State:
    first = entry.loaded.options if entry.loaded.HasField("options") else None
    options = _options_after(entry.loaded.variation, first)
    announced_computers = _announced_computers(entry.loaded.variation)
    changed = replace(state, options=options, former_options=(), expiries=0, announced_computers=announced_computers)
    return clocks.filled(_positioned(changed, entry, step, variation.plies, _counted(state, variation.unaware)))


def _counted(state: State, unaware: bytes) -> bytes:
    """Return who is unaware of which plies of a variation; nobody if everything counts for everybody."""
    return unaware if state.created.counts_perceived else b""


def _options_after(variation: Sequence[record_pb2.Ply], first: AnyMessage | None) -> AnyMessage | None:
    """Return the options in force after a variation that began with `first`."""
    kinds = (ply.system_action for ply in reversed(variation) if ply.system_action.WhichOneof("kind") == "options")
    return next((system_action.options for system_action in kinds), first)


def _announced_computers(variation: Sequence[record_pb2.Ply]) -> int:
    """Return the content of a variation's last system action that says who plays, plus one; 0 if there is none."""
    kinds = (ply.system_action for ply in reversed(variation) if ply.system_action.WhichOneof("kind") == "computers")
    return next((system_action.computers + 1 for system_action in kinds), 0)


def _positioned(
    state: State, entry: record_pb2.Entry, step: rules_pb2.Step | None, marks: bytes, unaware: bytes, **changes: Any
) -> State:
    """Return the entry's state, at its position, with other changes. Proposals for another one lapse, except a pause or help."""
    assert step is not None
    over = step.HasField("outcome")
    # An undo, or a game that is loaded, revives one that had ended.
    status = FINISHED if over else RUNNING if state.status == FINISHED else state.status
    return replace(
        state,
        version=entry.version,
        at_ms=entry.at_ms,
        position=step.position,
        position_version=entry.version,
        plies=marks,
        unaware=unaware,
        to_act=tuple(step.to_act[:]),
        outcome=step.outcome if over else None,
        draw_votes=step.draw_votes if step.HasField("draw_votes") else None,
        status=status,
        proposals=() if over or not state.proposals else tuple(p for p in state.proposals if p.WhichOneof("kind") in _LASTING),
        agreed=None,
        **changes,
    )


def _proposed(state: State, entry: record_pb2.Entry) -> State:
    proposal = entry.proposed.proposal
    return replace(state, proposals=(*state.proposals, proposal), proposals_made=proposal.id)


def _answered(state: State, entry: record_pb2.Entry) -> State:
    """A refusal, or the proposer's own answer, ends the proposal; once nobody is left to ask, it is agreed."""
    answer = entry.answered
    proposal = next(p for p in state.proposals if p.id == answer.proposal_id)
    others = tuple(p for p in state.proposals if p.id != answer.proposal_id)
    if not answer.accepted or answer.seat == proposal.seat:
        return replace(state, proposals=others)
    rest = deepcopy(proposal)
    rest.waiting[:] = [seat for seat in proposal.waiting if seat != answer.seat]
    if rest.waiting:
        return replace(state, proposals=tuple(rest if p.id == rest.id else p for p in state.proposals))
    return replace(state, proposals=others, agreed=rest)


def _paused(state: State, entry: record_pb2.Entry) -> State:
    """Settles proposals to pause or resume."""
    proposals = tuple(p for p in state.proposals if p.WhichOneof("kind") != "pause")
    status = PAUSED if entry.paused.paused else RUNNING
    return replace(state, status=status, proposals=proposals, agreed=None)


def _vacation_taken(state: State, entry: record_pb2.Entry) -> State:
    took = entry.vacation_taken
    seat = clocks.with_vacation(state.seats[took.seat], took.until_ms, entry.at_ms, automatic=took.automatic)
    return state.with_seat(took.seat, seat)


def _nudged(state: State, entry: record_pb2.Entry) -> State:
    reminded = entry.nudged.nudged_seats
    seats = tuple(replace(seat, nudged=seat.nudged or n in reminded) for n, seat in enumerate(state.seats))
    return replace(state, seats=seats)


def _rest_hours_set(state: State, entry: record_pb2.Entry) -> State:
    seat = entry.rest_hours_set.seat
    return state.with_seat(seat, replace(state.seats[seat], rest_hours_set_ms=entry.at_ms))


def _arbiter_named(state: State, entry: record_pb2.Entry) -> State:
    named = entry.arbiter_named
    created = deepcopy(state.created)
    others = [one for one in state.created.arbiters if one.player_id != named.arbiter.player_id]
    del created.arbiters[:]
    created.arbiters.extend(others if named.withdrawn else [*others, named.arbiter])
    return replace(state, created=created)


def _arbiter_acted(state: State, entry: record_pb2.Entry) -> State:
    """The entries that follow carry out for seats what the ruling decides."""
    acted = entry.arbiter_acted
    ruling = acted.ruling
    match ruling.WhichOneof("kind"):
        case "pause":
            asked = tuple(one for one in state.proposals if one.WhichOneof("kind") != "pause")
            status = PAUSED if ruling.pause else RUNNING
            return replace(state, status=status, halt=acted if ruling.pause else None, proposals=asked)
        case "given_time":
            given = ruling.given_time
            seat = state.seats[given.seat]
            return state.with_seat(given.seat, replace(seat, left_ms=seat.left_ms + given.time_ms))
        case "forfeited_seat":
            return replace(state, verdict=acted, forfeits=(ruling.forfeited_seat,))
        case "ranking":
            behind = reversed(ruling.ranking.seats[1:])
            return replace(state, verdict=acted, forfeits=tuple(seat for seat in behind if not state.is_out(seat)))
    return replace(state, verdict=acted)


def _ruled(state: State, step: rules_pb2.Step) -> State:
    """Return the state after an action that carries a ruling out. Nothing before it is taken back, whoever agrees."""
    is_over = step.HasField("outcome")
    left = () if is_over else tuple(seat for seat in state.forfeits[1:] if not state.is_out(seat))
    return replace(state, forfeits=left, verdict=state.verdict if is_over or left else None, plies=plies.sealed(state.plies))


def _ask_computers(before: State, after: State) -> State:
    """Return the state with the version for which each computer player is to act; 0 for those that are not."""
    renewed = after.position_version != before.position_version or after.status != before.status
    acting = after.to_act if after.status == RUNNING else ()
    for number, seat in enumerate(after.seats):
        if number in acting and seat.is_computer:
            if renewed or not seat.wanted_version:
                after = after.with_seat(number, replace(seat, wanted_version=after.version, wanted_at_ms=after.at_ms))
        elif seat.wanted_version:
            after = after.with_seat(number, replace(seat, wanted_version=0, wanted_at_ms=0))
        elif seat.nudged and number not in after.to_act:
            after = after.with_seat(number, replace(seat, nudged=False))  # with the turn goes what was said about it
    return after


_LASTING = ("pause", "help")
"""The kinds of proposals that are about no position."""
_PLAYED: Mapping[str, _Play] = {"started": _started, "acted": _acted, "undone": _undone, "loaded": _loaded}
"""The entries of which the rules know the effect. All of them are of the first format."""
_FOLDS: Mapping[str, _Fold] = {
    "seat_changed": _seat_changed,
    "proposed": _proposed,
    "answered": _answered,
    "paused": _paused,
    "credited": lambda state, _entry: state,
    "rematched": lambda state, entry: replace(state, rematch_id=entry.rematched.session_id),
    "closed": lambda state, _entry: replace(state, status=CLOSED, proposals=(), agreed=None),
    "settled": _settled,
    "wished": _wished,
    "dealt": _dealt,
    "chance_renewed": _chance_renewed,
    "vacation_taken": _vacation_taken,
    "rest_hours_set": _rest_hours_set,
    "nudged": _nudged,
    "seat_offered": substitutes.after_offered,
    "substitute_asked": substitutes.after_asked,
    "substitute_answered": substitutes.after_answered,
    "arbiter_named": _arbiter_named,
    "arbiter_acted": _arbiter_acted,
    "help_agreed": lambda state, entry: fair_play.after_help_agreed(state, entry.help_agreed),
    "hinted": lambda state, entry: fair_play.after_hint(state, entry.hinted.seat),
}
