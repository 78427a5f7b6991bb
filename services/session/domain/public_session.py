"""A session as everybody may see it: a message, its bytes for updates, in which lists it is, and whose turn it is there.

Between two actions only the description's version, number of plies and state change. So the bytes of everything else are kept,
for as many sessions as are played at a time.
"""

from collections import OrderedDict
from collections.abc import Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from brettwerk.v1 import record_pb2, sessions_pb2
from brettwerk_games.protobuf_wire.fields import number, tag
from brettwerk_games.rules.chance import commitment
from services.runtime.places import placed
from services.runtime.seats import put_seat
from services.session.domain import clocks, substitutes
from services.session.domain.ids import is_arranged
from services.session.domain.state import FINISHED, RUNNING, SETTLING, WAITING, Seat, State

_STATE = tag(sessions_pb2.Session, "state")
_VERSION = tag(sessions_pb2.Session, "version")
_PLIES = tag(sessions_pb2.Session, "plies")
_NUMBERS = {field.name: field.number for field in sessions_pb2.Session.DESCRIPTOR.fields}
PARTS = (
    {name for name, number in _NUMBERS.items() if number < _NUMBERS["state"]},
    {name for name, number in _NUMBERS.items() if _NUMBERS["version"] < number < _NUMBERS["plies"]},
    {name for name, number in _NUMBERS.items() if number > _NUMBERS["plies"]},
)
"""The fields of a description that are kept, in three parts: what changes with every version comes between them."""
_AS_CREATED = (
    *("game", "title", "public", "competitive", "practice", "arena", "settles", "without_help"),
    *("spectator_delay", "substitutes", "least_reliability", "arbiters"),
)
"""Those that are told as they were created."""
KEPT = 2048
"""How many sessions' bytes are kept."""
KEPT_BYTES = 4096
"""The largest description that is kept, and the largest first entry: that of a table that settles can be larger."""


class _Parts(NamedTuple):
    """The bytes of a description without what changes with every version, and what they were made from."""

    made_of: tuple[Any, ...]
    first: bytes
    """The bytes before the state and the version."""
    middle: bytes
    """The bytes between them and the number of plies."""
    last: bytes


_kept: OrderedDict[str, _Parts] = OrderedDict()
_OF_STATE = attrgetter(
    *("created", "created_at_ms", "options", "outcome", "proposals", "secret", "former_secret", "status"),
    *("rematch_id", "help_agreed", "offers", "halt", "verdict"),
)
_OF_SEAT = attrgetter("occupant", "kept_for", "wished", "hints", "nudged")


def describe(state: State) -> sessions_pb2.Session:
    """Return the session as everybody may see it: of a table that settles how it would begin, but of a saved game the length."""
    return sessions_pb2.Session(**_described(state))


def _described(state: State) -> dict[str, Any]:
    created = state.created
    is_settled = created.settles and not state.has_begun
    return {
        **{name: getattr(created, name) for name in _AS_CREATED},
        "id": state.id,
        "state": state.status,
        "version": state.version,
        "seats": [_seat(state, number, seat) for number, seat in enumerate(state.seats)],
        "options": state.options,
        "clock": created.clock if created.HasField("clock") else None,
        "created_at_ms": state.created_at_ms,
        "outcome": placed(state.outcome) if state.outcome is not None else None,
        "proposals": [_shown(proposal) for proposal in state.proposals],
        "commitment": commitment(state.secret) if state.is_renewed else created.commitment,
        "next_commitment": b"" if state.is_renewed or state.is_over else created.next_commitment,
        "secret": state.secret if state.status == FINISHED else b"",
        "rematch_id": state.rematch_id,
        "plies": state.ply_count,
        "start_position": created.start_position
        if is_settled and created.HasField("start_position") and not created.variation
        else None,
        "loaded_plies": _loaded_plies(created) if is_settled else 0,
        "help_agreed": state.help_agreed,
        "arbitration": state.ruling if created.arbiters else None,
    }


def encoded(state: State) -> bytes:
    """Return the bytes of `describe`, of which those are kept that no action changes."""
    kept = _parts(state)
    changing = number(_STATE, state.status) + number(_VERSION, state.version)
    return b"".join((kept.first, changing, kept.middle, number(_PLIES, state.ply_count), kept.last))


def forget(session_id: str) -> None:
    """Forget the bytes that are kept of a session; `encoded` makes them again."""
    _kept.pop(session_id, None)


def _parts(state: State) -> _Parts:
    """Return the bytes of a description that no action changes."""
    made_of = _made_of(state)
    kept = _kept.get(state.id)
    if kept is not None and kept.made_of == made_of:
        _kept.move_to_end(state.id)
        return kept
    _kept.pop(state.id, None)
    fields = _described(state)
    parts = [sessions_pb2.Session(**{name: fields[name] for name in fields if name in names}) for names in PARTS]
    made = _Parts(made_of, *(part.SerializeToString(deterministic=True) for part in parts))
    if sum(map(len, made[1:])) <= KEPT_BYTES and state.created.ByteSize() <= KEPT_BYTES:
        _kept[state.id] = made
        if len(_kept) > KEPT:
            _kept.popitem(last=False)
    return made


def _made_of(state: State) -> tuple[Any, ...]:
    """Return everything that `describe` uses except what changes with every version. Messages are mostly the same objects."""
    return _OF_STATE(state), state.offers and state.draw_votes, [_OF_SEAT(seat) for seat in state.seats]


def _loaded_plies(created: record_pb2.Created) -> int:
    """Return how many plies a table begins with; if actions can be hidden, only whether there are any."""
    plies = max(0, len(created.variation) - 1)
    return min(1, plies) if created.counts_perceived else plies


def _seat(state: State, number: int, seat: Seat) -> sessions_pb2.Seat:
    offer = substitutes.described(state, number)
    shown = sessions_pb2.Seat(occupant=seat.occupant, kept_for=seat.kept_for, hints=seat.hints, nudged=seat.nudged, offer=offer)
    put_seat(shown, "wished_seat", seat.wished - 1 if seat.wished else None)
    return shown


def _shown(proposal: record_pb2.Proposal) -> record_pb2.Proposal:
    """Return a proposal without the variation that it would load."""
    if proposal.WhichOneof("kind") != "load":
        return proposal
    shown = record_pb2.Proposal(id=proposal.id, seat=proposal.seat, waiting=proposal.waiting, version=proposal.version)
    load = proposal.load
    shown.load.CopyFrom(
        record_pb2.Record(format=load.format, session_id=load.session_id, game=load.game, position_hash=load.position_hash)
    )
    return shown


def is_invited(state: State, player: str) -> bool:
    """Return whether a seat is kept for a player at a table that somebody else has set up, without having asked them."""
    creator = state.created.creator.player_id
    if state.has_begun or creator == player or is_arranged(creator):
        return False
    return any(seat.kept_for == player and seat.occupant is None for seat in state.seats)


def turn_of(state: State, now_ms: int) -> sessions_pb2.TurnState:
    """Return whose turn it is, with what is left of every clock now.

    A clock keeps running through a turn, whatever is done in it, so it reveals nothing about hidden actions; the time of the last
    one would.
    """
    is_hidden = state.created.counts_perceived and not state.is_over
    return sessions_pb2.TurnState(
        to_act=state.to_act if state.status == RUNNING else (),
        clocks=[clocks.clock_state(state, seat, now_ms) for seat in range(len(state.seats) if state.created.clock.kind else 0)],
        at_ms=0 if is_hidden else state.at_ms,
    )


def seats_of(state: State, player: str) -> sessions_pb2.OwnSeats:
    """Return the seats that a player has."""
    seats = list(enumerate(state.seats))
    return sessions_pb2.OwnSeats(
        held=[number for number, seat in seats if seat.player_id == player],
        kept=[number for number, seat in seats if seat.kept_for == player and not seat.is_person],
        invited=is_invited(state, player),
    )


def lobby_list(state: State) -> str:
    """Return the list that shows a session to everybody: open, running, finished or none; with `offered` also that of offers."""
    if not state.created.public:
        return "none"
    if state.status == WAITING:
        return "open" if any(seat.occupant is None and not seat.kept_for for seat in state.seats) else "none"
    if state.status == SETTLING:
        return "none"
    if state.status == FINISHED:
        return "finished"
    if state.is_over:
        return "none"
    return "running offered" if state.offers else "running"


def new_lobby_list(before: State | None, after: State) -> str:
    """Return the list that the session has moved to; empty if it has not moved."""
    now = lobby_list(after)
    return "" if before is not None and lobby_list(before) == now else now


def players_of(state: State) -> Mapping[str, bool]:
    """Return the players of a session now: whether each still plays, so that it counts as one of their unfinished ones."""
    everybody = {state.created.creator.player_id, *(seat.player_id or seat.kept_for for seat in state.seats)} - {""}
    return dict.fromkeys(sorted(everybody), not state.is_over)


def changed_players(before: State | None, after: State) -> Mapping[str, bool]:
    """Return the players whose lists change: those who came or left, and everybody when the game starts again or ends."""
    if before is not None and before.is_over == after.is_over and _sit_as_before(before, after):
        return {}
    now = players_of(after)
    if before is None:
        return now
    then = players_of(before)
    left = {player: False for player in then if player not in now}
    return {player: plays for player, plays in now.items() if then.get(player) != plays} | left


def _sit_as_before(before: State, after: State) -> bool:
    """Return whether nobody came or left, as far as can be told cheaply."""
    seats = zip(before.seats, after.seats, strict=True)
    return all(old.occupant is new.occupant and old.kept_for == new.kept_for for old, new in seats)
