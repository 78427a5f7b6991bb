"""A session as everybody may see it: a message, and its bytes for updates.

Between two actions only the description's version, number of plies and state change. So the bytes of everything else are kept,
for as many sessions as are played at a time.
"""

from collections import OrderedDict
from typing import Any, NamedTuple

from google.protobuf.message import Message

from brettwerk.v1 import record_pb2, sessions_pb2
from services.games.chance import commitment
from services.runtime.encoding import number, tag
from services.runtime.places import placed
from services.runtime.seats import put_seat
from services.session.domain.state import FINISHED, Seat, State

_STATE = tag(sessions_pb2.Session, "state")
_VERSION = tag(sessions_pb2.Session, "version")
_PLIES = tag(sessions_pb2.Session, "plies")
_FIELDS = sessions_pb2.Session.DESCRIPTOR.fields_by_name
_CHANGING = ("state", "version", "plies")


def _between(first: str, last: str) -> frozenset[str]:
    """Return the fields between two that change with every version; without a name, from the beginning or to the end."""
    least = _FIELDS[first].number if first else 0
    limit = _FIELDS[last].number if last else max(field.number for field in _FIELDS.values()) + 1
    return frozenset(name for name, field in _FIELDS.items() if least < field.number < limit and name not in _CHANGING)


PARTS = (_between("", "state"), _between("version", "plies"), _between("plies", ""))
"""The fields of a description that are kept, in three parts: what changes with every version comes between them."""

KEPT = 2048
"""How many sessions' bytes are kept."""
KEPT_BYTES = 4096
"""The largest description that is kept, and the largest first entry: that of a table that settles can be larger."""


class _Parts(NamedTuple):
    """The bytes of a description without what changes with every version, and what they were made from."""

    made_of: tuple[Any, ...]
    first: bytes
    """What comes before the state and the version."""
    middle: bytes
    """What comes between them and the number of plies."""
    last: bytes


_kept: OrderedDict[str, _Parts] = OrderedDict()


def describe(state: State) -> sessions_pb2.Session:
    """Return the session as everybody may see it.

    It shows how a table that settles would begin, but only the length of a saved game.
    """
    created = state.created
    is_settled = created.settles and not state.has_begun
    return sessions_pb2.Session(
        id=state.id,
        game=created.game,
        state=state.status,
        version=state.version,
        seats=[_seat(seat) for seat in state.seats],
        options=state.options,
        clock=created.clock if created.HasField("clock") else None,
        competitive=created.competitive,
        public=created.public,
        created_at_ms=state.created_at_ms,
        outcome=placed(state.outcome) if state.outcome is not None else None,
        proposals=[_shown(proposal) for proposal in state.proposals],
        commitment=commitment(state.secret) if state.is_renewed else created.commitment,
        next_commitment=b"" if state.is_renewed or state.is_over else created.next_commitment,
        secret=state.secret if state.status == FINISHED else b"",
        rematch_id=state.rematch_id,
        title=created.title,
        plies=state.ply_count,
        settles=created.settles,
        start_position=created.start_position
        if is_settled and created.HasField("start_position") and not created.variation
        else None,
        loaded_plies=_loaded_plies(created) if is_settled else 0,
        help_agreed=state.help_agreed,
        practice=created.practice,
        arena=created.arena,
        without_help=created.without_help,
    )


def encoded(state: State) -> bytes:
    """Return the bytes of `describe`, of which those are kept that no action changes."""
    kept = _parts(state)
    changing = number(_STATE, state.status) + number(_VERSION, state.version)
    return b"".join((kept.first, changing, kept.middle, number(_PLIES, state.ply_count), kept.last))


def _parts(state: State) -> _Parts:
    """Return the bytes of a description that no action changes."""
    made_of = _made_of(state)
    kept = _kept.get(state.id)
    if kept is not None and kept.made_of == made_of:
        _kept.move_to_end(state.id)
        return kept
    _kept.pop(state.id, None)
    made = _make(state, made_of)
    if sum(map(len, made[1:])) <= KEPT_BYTES and state.created.ByteSize() <= KEPT_BYTES:
        _kept[state.id] = made
        if len(_kept) > KEPT:
            _kept.popitem(last=False)
    return made


def _made_of(state: State) -> tuple[Any, ...]:
    """Return everything that `describe` uses except what changes with every version. Messages are mostly the same objects."""
    seats = [(seat.occupant, seat.kept_for, seat.wished, seat.hints) for seat in state.seats]
    return (
        state.created,
        state.created_at_ms,
        state.options,
        state.outcome,
        state.proposals,
        state.secret,
        state.is_renewed,
        state.is_over,
        state.status == FINISHED,
        state.has_begun,
        state.rematch_id,
        state.help_agreed,
        seats,
    )


def _make(state: State, made_of: tuple[Any, ...]) -> _Parts:
    whole = describe(state)
    return _Parts(made_of, *(_only(whole, names) for names in PARTS))


def _only(whole: sessions_pb2.Session, names: frozenset[str]) -> bytes:
    """Return the bytes of some fields of a description."""
    part: Message = sessions_pb2.Session()
    part.CopyFrom(whole)
    for name in _FIELDS:
        if name not in names:
            part.ClearField(name)
    return part.SerializeToString(deterministic=True)


def _loaded_plies(created: record_pb2.Created) -> int:
    """Return how many plies a table begins with; if actions can be hidden, only whether there are any."""
    plies = max(0, len(created.variation) - 1)
    return min(1, plies) if created.counts_perceived else plies


def _seat(seat: Seat) -> sessions_pb2.Seat:
    shown = sessions_pb2.Seat(occupant=seat.occupant, kept_for=seat.kept_for, hints=seat.hints)
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
