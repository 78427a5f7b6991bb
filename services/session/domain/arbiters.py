"""Arbiters: people who do not play at a table, and rule there with a reason that everybody sees. Pure.

`Created.arbiters` has them; it is empty at nearly all tables. A ruling is an entry of the log. One that stops the game holds
until an arbiter restarts it (`State.halt`), and no player ends it. One that decides the game for seats lets them forfeit, each by
an entry of its own that the rules carry out as if the seat had resigned (`State.forfeits`); nobody takes that back.
"""

from copy import deepcopy

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import record_pb2
from services.runtime.dataclass_copy import replace
from services.session.domain import plies
from services.session.domain.state import PAUSED, RUNNING, State

ARBITER = record_pb2.Acted.CAUSE_ARBITER


def find(state: State, player: str) -> record_pb2.Person | None:
    """Return a player as an arbiter of the table; None if they are none."""
    return next((one for one in state.created.arbiters if one.player_id == player), None) if player else None


def shown(state: State) -> record_pb2.ArbiterActed | None:
    """Return the ruling that holds: the one that has decided a game that is over, or has stopped one that is not."""
    return state.verdict if state.is_over else state.halt


def after_named(state: State, entry: record_pb2.Entry) -> State:
    """Return the state of a table that has got an arbiter, or lost one."""
    named = entry.arbiter_named
    created = deepcopy(state.created)
    others = [one for one in state.created.arbiters if one.player_id != named.arbiter.player_id]
    del created.arbiters[:]
    created.arbiters.extend(others if named.withdrawn else [*others, named.arbiter])
    return replace(state, created=created)


def after_acted(state: State, entry: record_pb2.Entry) -> State:
    """Return the state after a ruling. What it decides for seats comes with the entries that follow."""
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


def after_ruled(state: State, entry: record_pb2.Entry, step: rules_pb2.Step) -> State:
    """Return the state after an entry that carries a ruling out. Nothing before it is taken back, whoever agrees."""
    is_over = step.HasField("outcome")
    left = () if is_over else tuple(seat for seat in state.forfeits[1:] if not state.is_out(seat))
    return replace(state, forfeits=left, verdict=state.verdict if is_over or left else None, plies=plies.sealed(state.plies))
