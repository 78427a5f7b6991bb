"""What everybody is told of a version: one whole picture for every seat and one for spectators, each from its own perspective.

An update is a pure function of the log, so it can be made again at any time, byte for byte.
"""

from collections.abc import Callable, Mapping

from brettwerk.v1 import play_pb2, record_pb2, rules_pb2, session_state_pb2, sessions_pb2
from services.games.chance import commitment
from services.session.domain import clocks, plies
from services.session.domain.state import RUNNING, State

SPECTATOR = 6
"""The audience that holds no seat."""

_Happening = sessions_pb2.Happening
_POSITIONED = ("started", "acted")
"""Entries whose step has events."""


def audience(seat: int | None) -> int:
    """Return the audience of a seat, or of a spectator (None)."""
    return SPECTATOR if seat is None else seat


def pack(state: State, entry: record_pb2.Entry, sight: rules_pb2.Step | None) -> session_state_pb2.PackedUpdate:
    """Return the updates of the version that `entry` made. `sight` is what all may see of the position after it.

    It is None before the start; its events and notations count only when the entry made the step.
    """
    packed = session_state_pb2.PackedUpdate(version=entry.version, min_reader=state.min_reader, at_ms=state.at_ms)
    change = entry.WhichOneof("change")
    if change == "seat_changed":
        packed.seat_changed = entry.seat_changed.seat + 1
    if change == "dealt" and list(entry.dealt.order) != list(range(len(state.seats))):
        packed.dealt.extend(entry.dealt.order)
    has_events = change in _POSITIONED
    common = sessions_pb2.Update(
        session_id=state.id,
        version=state.version,
        position_version=state.position_version,
        at_ms=state.at_ms,
        happening=_happening(state, entry),
        to_act=state.to_act,
        clocks=_clocks(state),
        session=describe(state),
    )
    messages: dict[bytes, session_state_pb2.Payload] = {}
    for seat in (*range(len(state.seats)), None):
        response = play_pb2.WatchResponse()
        update = response.update
        update.CopyFrom(common)
        if sight is not None:
            perspective = sight.perspectives[len(state.seats) if seat is None else seat]
            update.view.CopyFrom(perspective.view)
            if has_events:
                update.happening.notation = perspective.notation
                update.happening.events.MergeFrom(perspective.events)
            if seat is not None and state.standing == RUNNING:
                update.actions.MergeFrom(perspective.actions)
                update.more_actions = perspective.more_actions
        if seat is not None:
            update.free_undo_plies = plies.free_undo(state, seat)
            if state.created.settles:
                update.own_seat = seat + 1
        message = response.SerializeToString(deterministic=True)
        payload = messages.setdefault(message, session_state_pb2.Payload(message=message))
        payload.audiences |= 1 << audience(seat)
    packed.payloads.extend(messages.values())
    return packed


def message_for(packed: session_state_pb2.PackedUpdate, seat: int | None) -> bytes:
    """Return the encoded WatchResponse that an audience is sent."""
    bit = 1 << audience(seat)
    return next(payload.message for payload in packed.payloads if payload.audiences & bit)


def made_at_ms(packed: session_state_pb2.PackedUpdate) -> int:
    """Return when the version of a packed update was made."""
    return packed.at_ms or update_for(packed, None).at_ms


def update_for(packed: session_state_pb2.PackedUpdate, seat: int | None) -> sessions_pb2.Update:
    """Return the update of an audience."""
    return play_pb2.WatchResponse.FromString(message_for(packed, seat)).update


def describe(state: State) -> sessions_pb2.Session:
    """Return the session as everybody may see it.

    How a table that settles would begin is shown to those who settle it; only the length of a saved game is.
    """
    created = state.created
    is_settled = created.settles and not state.has_begun
    return sessions_pb2.Session(
        id=state.id,
        game=created.game,
        state=state.standing,
        version=state.version,
        seats=[sessions_pb2.Seat(occupant=seat.occupant, kept_for=seat.kept_for, wished=seat.wished) for seat in state.seats],
        options=state.options,
        clock=created.clock if created.HasField("clock") else None,
        competitive=created.competitive,
        public=created.public,
        created_at_ms=state.created_at_ms,
        outcome=state.outcome,
        proposals=[_shown(proposal) for proposal in state.proposals],
        commitment=commitment(state.secret) if state.is_renewed else created.commitment,
        next_commitment=b"" if state.is_renewed or state.is_over else created.next_commitment,
        secret=state.secret if state.is_over else b"",
        rematch_id=state.rematch_id,
        title=created.title,
        plies=state.ply_count,
        settles=created.settles,
        start_position=created.start_position if is_settled and created.HasField("start_position") and not created.line else None,
        loaded_plies=max(0, len(created.line) - 1) if is_settled else 0,
    )


def _shown(proposal: record_pb2.Proposal) -> record_pb2.Proposal:
    """Return a proposal without the line that it would load."""
    if proposal.WhichOneof("kind") != "load":
        return proposal
    shown = record_pb2.Proposal(id=proposal.id, seat=proposal.seat, waiting=proposal.waiting, version=proposal.version)
    load = proposal.load
    shown.load.CopyFrom(
        record_pb2.Record(format=load.format, session_id=load.session_id, game=load.game, position_hash=load.position_hash)
    )
    return shown


def _clocks(state: State) -> list[sessions_pb2.ClockState]:
    if not state.created.clock.kind:
        return []
    running = clocks.running(state)
    return [
        sessions_pb2.ClockState(left_ms=clocks.left_ms(state, seat, state.at_ms), running=seat in running)
        for seat in range(len(state.seats))
    ]


def _happening(state: State, entry: record_pb2.Entry) -> sessions_pb2.Happening:
    return _HAPPENINGS[entry.WhichOneof("change") or ""](state, entry)


def _acted(state: State, entry: record_pb2.Entry) -> sessions_pb2.Happening:
    ply, cause = entry.acted.ply, entry.acted.cause
    match ply.decree.WhichOneof("kind") if ply.WhichOneof("kind") == "decree" else None:
        case "resign":
            kind, seat = _Happening.KIND_RESIGNED, ply.decree.resign + 1
        case "flag":
            kind, seat = _Happening.KIND_FLAGGED, ply.decree.flag + 1
        case "draw":
            kind, seat = _Happening.KIND_DRAWN, 0
        case "options":
            kind, seat = _Happening.KIND_OPTIONS, 0
        case "computers":
            kind, seat = _Happening.KIND_TOLD, 0
        case _:
            kind, seat = _Happening.KIND_ACTED, ply.actor
    return _Happening(kind=kind, seat=seat, cause=cause, ply=state.ply_count)


_HAPPENINGS: Mapping[str, Callable[[State, record_pb2.Entry], sessions_pb2.Happening]] = {
    "created": lambda _state, _entry: _Happening(kind=_Happening.KIND_CREATED),
    "seat_changed": lambda _state, entry: _Happening(kind=_Happening.KIND_SEAT, seat=entry.seat_changed.seat + 1),
    "started": lambda _state, _entry: _Happening(kind=_Happening.KIND_STARTED),
    "acted": _acted,
    "undone": lambda _state, entry: _Happening(kind=_Happening.KIND_UNDONE, seat=entry.undone.seat),
    "proposed": lambda _state, entry: _Happening(kind=_Happening.KIND_PROPOSED, seat=entry.proposed.proposal.seat + 1),
    "answered": lambda _state, entry: _Happening(
        kind=_Happening.KIND_ACCEPTED if entry.answered.accepted else _Happening.KIND_DECLINED, seat=entry.answered.seat + 1
    ),
    "paused": lambda _state, entry: _Happening(kind=_Happening.KIND_PAUSED if entry.paused.paused else _Happening.KIND_RESUMED),
    "credited": lambda _state, _entry: _Happening(kind=_Happening.KIND_CREDITED),
    "rematched": lambda _state, _entry: _Happening(kind=_Happening.KIND_REMATCHED),
    "loaded": lambda _state, _entry: _Happening(kind=_Happening.KIND_LOADED),
    "closed": lambda _state, _entry: _Happening(kind=_Happening.KIND_CLOSED),
    "settled": lambda _state, entry: _Happening(
        kind=_Happening.KIND_LOADED if entry.settled.line else _Happening.KIND_OPTIONS, seat=entry.settled.seat
    ),
    "wished": lambda _state, entry: _Happening(kind=_Happening.KIND_WISHED, seat=entry.wished.seat + 1),
    "dealt": lambda _state, entry: _Happening(kind=_Happening.KIND_DEALT, seat=entry.dealt.seat),
    "chance_renewed": lambda _state, entry: _Happening(kind=_Happening.KIND_CHANCE_RENEWED, seat=entry.chance_renewed.seat + 1),
}
