"""Updates made the plain way, message by message and field by field: what joined bytes are held against."""

from collections.abc import Mapping

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import play_pb2, record_pb2, sessions_pb2
from services.runtime.seats import complete, put_seat
from services.session.domain import clocks, plies
from services.session.domain.perception import LISTS, SPECTATOR, perceived, unaware
from services.session.domain.public_session import describe
from services.session.domain.state import RUNNING, State
from services.session.domain.updates import happening_of


def shown(perspectives: rules_pb2.Step, number: int) -> sessions_pb2.Update:
    """Return the parts of an update that the pieces of a step tell an audience."""
    update = sessions_pb2.Update()
    bit = 1 << number
    for piece in (*perspectives.view, *perspectives.actions):
        assert piece.audiences & ~perspectives.audiences == 0
    update.MergeFromString(b"".join(piece.data for piece in (*perspectives.view, *perspectives.actions) if piece.audiences & bit))
    update.happening.MergeFromString(b"".join(piece.data for piece in perspectives.happening if piece.audiences & bit))
    return update


def plain(
    state: State, entry: record_pb2.Entry, perspectives: rules_pb2.Step | None, audiences: int
) -> Mapping[int, play_pb2.WatchResponse]:
    """Return by audience what it is sent of a version."""
    found = {}
    for seat in (*range(len(state.seats)), None):
        number = SPECTATOR if seat is None else seat
        if not audiences >> number & 1 or unaware(state) >> number & 1:
            continue
        counted = perceived(state, number)
        response = play_pb2.WatchResponse()
        update = response.update
        update.session_id = state.id
        update.version = counted.version
        update.position_version = counted.position_version
        update.at_ms = state.at_ms
        update.happening.CopyFrom(happening_of(counted, entry))
        complete(update.happening)
        update.to_act.extend(state.to_act)
        if state.created.clock.kind:
            for owner in range(len(state.seats)):
                clock = update.clocks.add()
                clock.left_ms = clocks.left_ms(state, owner, state.at_ms)
                clock.running = owner in clocks.running(state)
                if clock.running and state.created.clock.rest_hours:
                    clock.left_ms = state.seats[owner].deadline_ms - max(state.at_ms, state.seats[owner].vacation_until_ms)
                clock.vacation_until_ms = state.seats[owner].vacation_until_ms
                clock.vacation_left_ms = clocks.vacation_left_ms(state, owner)
                clock.vacation_automatic = state.seats[owner].vacation_automatic
        update.session.CopyFrom(describe(counted))
        if perspectives is not None:
            known = shown(perspectives, number)
            update.view.CopyFrom(known.view)
            if entry.WhichOneof("change") in ("started", "acted"):
                update.happening.notation = known.happening.notation
                update.happening.events.MergeFrom(known.happening.events)
            if audiences >> LISTS + number & 1 and state.status == RUNNING:
                update.actions.MergeFrom(known.actions)
                update.more_actions = known.more_actions
        if seat is not None:
            update.free_undo_plies = plies.free_undo(state, seat)
            if state.created.settles:
                put_seat(update, "viewer_seat", seat)
        found[number] = response
    return found
