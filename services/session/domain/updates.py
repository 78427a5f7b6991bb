"""The update of a version for everybody: a whole picture for each seat and one for spectators, each from its own perspective.

An update is a pure function of the log, so it can be made again at any time, byte for byte. Its bytes are joined from encoded
parts: what everybody receives is encoded once, and what an audience may know of the position comes encoded from the rules
(`Piece` in rules.proto) and is not parsed here. Every field occurs once, in the order of the numbers, so no reader has to merge
anything.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import play_pb2, record_pb2, sessions_pb2
from brettwerk_games.protobuf_wire.fields import block, number, tag, varint
from services.session.domain import clocks, perception, plies, public_session
from services.session.domain.perception import (
    EVERYBODY,
    LISTS,
    SPECTATOR,
    UNLISTED,
    audience,
    existing,
    perceived,
    unaware,
    with_lists,
)
from services.session.domain.state import RUNNING, State


@dataclass(slots=True)
class PackedUpdate:
    """The updates of one version, encoded, as a process remembers and sends them. Never stored, and never changed afterwards."""

    version: int
    at_ms: int
    """When the version was made, as its entry says, in milliseconds since 1970."""
    audiences: int
    """The audiences that it is for, as bits, including those that receive nothing of it; and the lists that are in it."""
    messages: Mapping[bytes, int] = field(repr=False)
    """Encoded WatchResponses, each with the audiences that it is for: those that receive the same share one."""
    unaware: int = 0
    """The audiences that perceive nothing of it, and so receive nothing."""
    numbers: Mapping[bytes, int] = field(default_factory=dict, repr=False)
    """The version's number for the recipients of a message, if it can differ from the log's."""
    seat_changed: int = 0
    """The seat that changed hands with this version, plus one: its earlier tokens are void from here on; 0 for none."""
    dealt: tuple[int, ...] = ()
    """For each seat, the seat that its player had before this version; empty if nobody moved."""
    ruled: record_pb2.ArbiterActed | None = field(default=None, repr=False)
    """The ruling that this version is, if it is one."""

    @property
    def size(self) -> int:
        """The bytes of the messages."""
        return sum(map(len, self.messages))


_Happening = sessions_pb2.Happening
_POSITIONED = ("started", "acted")
"""Entries whose step has events."""


_UPDATE = tag(play_pb2.WatchResponse, "update")
_RESYNC = tag(play_pb2.WatchResponse, "resync")
_RESYNC_CAUSE = tag(play_pb2.Resync, "cause")
_RESYNC_UPDATE = tag(play_pb2.Resync, "update")
_FIELDS = {field.name: tag(sessions_pb2.Update, field.name) for field in sessions_pb2.Update.DESCRIPTOR.fields}
_HAPPENING_FIELDS = {field.name: tag(_Happening, field.name) for field in _Happening.DESCRIPTOR.fields}
_CONCERNED = (b"", *(_HAPPENING_FIELDS["concerned_seat"] + varint(seat) for seat in range(SPECTATOR)))
"""By a seat plus one, of which 0 is none: the field of a happening that counts seats from 0."""
_OWN = [number(_FIELDS["own_seat"], seat + 1) + _FIELDS["viewer_seat"] + varint(seat) for seat in range(SPECTATOR)]
"""By seat: the fields of an update that tell its seat, at tables that settle."""


def shows(perspectives: rules_pb2.Step, audiences: int, seats: int) -> bool:
    """Return whether what is known of a position is enough for these audiences."""
    return not existing(audiences, seats) & ~perspectives.audiences


def view_of(perspectives: rules_pb2.Step, seat: int | None) -> AnyMessage:
    """Return the view of a seat or a spectator, which must be among the audiences of the step."""
    bit = 1 << audience(seat)
    return sessions_pb2.Update.FromString(b"".join(piece.data for piece in perspectives.view if piece.audiences & bit)).view


def pack(state: State, entry: record_pb2.Entry, perspectives: rules_pb2.Step | None, audiences: int = EVERYBODY) -> PackedUpdate:
    """Return the updates of the version that `entry` made, for these audiences.

    `perspectives` is what they may see of the position after it; None before the start. Its events and notations count only if
    the entry made the step.
    """
    found, missed = messages(state, entry, perspectives, audiences), unaware(state)
    packed = PackedUpdate(entry.version, state.at_ms, existing(audiences, len(state.seats)) | with_lists(missed), found, missed)
    if state.unperceived:
        packed.numbers = {
            message: perception.number_of(state, audiences.bit_length() - 1, entry.version)
            for message, audiences in found.items()
        }
    change = entry.WhichOneof("change")
    if change == "seat_changed":
        packed.seat_changed = entry.seat_changed.seat + 1
    elif change == "dealt" and list(entry.dealt.order) != list(range(len(state.seats))):
        packed.dealt = tuple(entry.dealt.order)
    elif change == "arbiter_acted":
        packed.ruled = entry.arbiter_acted
    return packed


def messages(
    state: State, entry: record_pb2.Entry, perspectives: rules_pb2.Step | None, audiences: int = EVERYBODY
) -> Mapping[bytes, int]:
    """Return what these audiences receive of a version if they perceive it: encoded WatchResponses, each with those it is for.

    Seats that are wanted without their lists get none, even where the rules have made some.
    """
    seats = len(state.seats)
    wanted = existing(audiences, seats)
    if state.unperceived or state.unaware:
        return _numbered(state, entry, perspectives, wanted)
    return _messages(state, state, entry, perspectives, wanted)


def _numbered(state: State, entry: record_pb2.Entry, perspectives: rules_pb2.Step | None, wanted: int) -> Mapping[bytes, int]:
    """Return the same if audiences have their own numbers."""
    found: dict[bytes, int] = {}
    left = wanted & UNLISTED & ~unaware(state)
    # One audience at a time, since each counts for itself; those that come to the same bytes still share a message.
    while left:
        number_of = left.bit_length() - 1
        left ^= 1 << number_of
        counted, one = perceived(state, number_of), wanted & with_lists(1 << number_of)
        for message, audiences in _messages(state, counted, entry, perspectives, one).items():
            found[message] = found.get(message, 0) | audiences
    return found


def _messages(
    state: State, counted: State, entry: record_pb2.Entry, perspectives: rules_pb2.Step | None, wanted: int
) -> Mapping[bytes, int]:
    """Return what the audiences receive for whom a state is `counted` like this."""
    seats = len(state.seats)
    shown = perspectives if perspectives is not None else rules_pb2.Step(audiences=wanted)
    if not shows(shown, wanted, seats):
        raise ValueError("the rules were not asked what these audiences may see")
    if not wanted:
        return {}
    change = entry.WhichOneof("change")
    happened = pieces_of(shown.happening) if change in _POSITIONED else []
    views = pieces_of(shown.view)
    actions = pieces_of(shown.actions) if state.status == RUNNING else []
    first = b"".join(
        (
            block(_FIELDS["session_id"], state.id.encode()),
            number(_FIELDS["version"], counted.version),
            number(_FIELDS["position_version"], counted.position_version),
            number(_FIELDS["at_ms"], state.at_ms),
        )
    )
    happening = happening_of(counted, entry)
    concerned = happening.seat
    what = number(_HAPPENING_FIELDS["kind"], happening.kind) + number(_HAPPENING_FIELDS["seat"], concerned)
    how = number(_HAPPENING_FIELDS["cause"], happening.cause) + number(_HAPPENING_FIELDS["ply"], happening.ply)
    how += _CONCERNED[concerned]
    if happening.HasField("arbitration"):
        how += block(_HAPPENING_FIELDS["arbitration"], happening.arbitration.SerializeToString(deterministic=True))
    to_act = block(_FIELDS["to_act"], bytes(state.to_act)) if state.to_act else b""
    last = _clocks(state) + block(_FIELDS["session"], public_session.encoded(counted))
    found: dict[bytes, int] = {}
    for seat in (*range(seats), None):
        bit = 1 << audience(seat)
        if not wanted & bit:
            continue
        parts = [
            first,
            block(_FIELDS["happening"], b"".join((what, *pieces_for(happened, bit), how))),
            *pieces_for(views, bit),
            to_act,
            *pieces_for(actions, bit & wanted >> LISTS),
            last,
        ]
        if seat is not None:
            parts += _own(state, seat)
        message = b"".join((_UPDATE, varint(sum(map(len, parts))), *parts))
        found[message] = found.get(message, 0) | bit
    return found


def pieces_of(pieces: Sequence[rules_pb2.Piece]) -> list[tuple[int, bytes]]:
    """Return whom pieces are for, and their contents: each is read once, for however many."""
    return [(piece.audiences, piece.data) for piece in pieces[:]]  # a walk over the field itself ends in an exception


def pieces_for(pieces: Iterable[tuple[int, bytes]], bit: int) -> list[bytes]:
    """Return the contents of an audience's pieces."""
    return [data for audiences, data in pieces if audiences & bit]


def _own(state: State, seat: int) -> tuple[bytes, bytes]:
    """Return the parts of an update for its own seat only."""
    return number(_FIELDS["free_undo_plies"], plies.free_undo(state, seat)), _OWN[seat] if state.created.settles else b""


def message_for(packed: PackedUpdate, seat: int | None) -> bytes:
    """Return the encoded WatchResponse for an audience. Raises ValueError if it is not among those that it is for."""
    bit = 1 << audience(seat)
    for message, audiences in packed.messages.items():
        if audiences & bit:
            return message
    raise ValueError(f"nothing was made for the audience {audience(seat)}")


def is_unaware(packed: PackedUpdate, seat: int | None) -> bool:
    """Return whether an audience perceives nothing of a version, and so receives nothing."""
    return bool(packed.unaware >> audience(seat) & 1)


def number_for(packed: PackedUpdate, seat: int | None) -> int:
    """Return the number of a version for an audience, which must be among those that receive it."""
    return packed.numbers[message_for(packed, seat)] if packed.numbers else packed.version


def update_for(packed: PackedUpdate, seat: int | None) -> sessions_pb2.Update:
    """Return the update of an audience."""
    return play_pb2.WatchResponse.FromString(message_for(packed, seat)).update


def write_in_full(update: sessions_pb2.Update, entry: record_pb2.Entry) -> None:
    """Write what was played in the version that `entry` made as the acting seat knows it: once the game is over."""
    if entry.acted.ply.notation:
        update.happening.notation = entry.acted.ply.notation


def resync(cause: play_pb2.Resync.Cause.ValueType, message: bytes) -> bytes:
    """Return an encoded Resync with the update of a message of this module."""
    return block(_RESYNC, number(_RESYNC_CAUSE, cause) + _RESYNC_UPDATE + message[len(_UPDATE) :])


def _clocks(state: State) -> bytes:
    if not state.created.clock.kind:
        return b""
    return b"".join(
        block(_FIELDS["clocks"], clocks.clock_state(state, seat, state.at_ms).SerializeToString(deterministic=True))
        for seat in range(len(state.seats))
    )


def happening_of(state: State, entry: record_pb2.Entry) -> sessions_pb2.Happening:
    """Return what an entry made happen, without the parts that differ between audiences."""
    return _HAPPENINGS[entry.WhichOneof("change") or ""](state, entry)


def _acted(state: State, entry: record_pb2.Entry) -> sessions_pb2.Happening:
    ply, cause = entry.acted.ply, entry.acted.cause
    match ply.system_action.WhichOneof("kind") if ply.WhichOneof("kind") == "system_action" else None:
        case "resign":
            kind, seat = _Happening.KIND_RESIGNED, ply.system_action.resign + 1
        case "flag":
            kind, seat = _Happening.KIND_FLAGGED, ply.system_action.flag + 1
        case "draw":
            kind, seat = _Happening.KIND_DRAWN, 0
        case "options":
            kind, seat = _Happening.KIND_OPTIONS, 0
        case "computers":
            kind, seat = _Happening.KIND_TOLD, 0
        case _:
            kind, seat = _Happening.KIND_ACTED, ply.actor
    return _Happening(kind=kind, seat=seat, cause=cause, ply=state.ply_count)


def _ruled_seat(ruling: record_pb2.Ruling) -> int:
    """Return the seat that a ruling concerns, plus one; 0 for none, or more than one."""
    match ruling.WhichOneof("kind"):
        case "given_time":
            return ruling.given_time.seat + 1
        case "forfeited_seat":
            return ruling.forfeited_seat + 1
    return 0


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
        kind=_Happening.KIND_LOADED if entry.settled.variation else _Happening.KIND_OPTIONS, seat=entry.settled.seat
    ),
    "wished": lambda _state, entry: _Happening(kind=_Happening.KIND_WISHED, seat=entry.wished.seat + 1),
    "dealt": lambda _state, entry: _Happening(kind=_Happening.KIND_DEALT, seat=entry.dealt.seat),
    "vacation_taken": lambda _state, entry: _Happening(
        kind=_Happening.KIND_VACATION if entry.vacation_taken.until_ms else _Happening.KIND_VACATION_ENDED,
        seat=entry.vacation_taken.seat + 1,
    ),
    "rest_hours_set": lambda _state, entry: _Happening(kind=_Happening.KIND_REST_HOURS, seat=entry.rest_hours_set.seat + 1),
    "nudged": lambda _state, entry: _Happening(kind=_Happening.KIND_NUDGED, seat=entry.nudged.seat + 1),
    "seat_offered": lambda _state, entry: _Happening(kind=_Happening.KIND_SEAT_OFFERED, seat=entry.seat_offered.seat + 1),
    "substitute_asked": lambda _state, entry: _Happening(
        kind=_Happening.KIND_SUBSTITUTE_ASKED, seat=entry.substitute_asked.seat + 1
    ),
    "substitute_answered": lambda _state, entry: _Happening(
        kind=_Happening.KIND_SUBSTITUTE_ACCEPTED if entry.substitute_answered.accepted else _Happening.KIND_SUBSTITUTE_DECLINED,
        seat=entry.substitute_answered.answerer_seat + 1 if entry.substitute_answered.HasField("answerer_seat") else 0,
    ),
    "arbiter_named": lambda _state, entry: _Happening(
        kind=_Happening.KIND_ARBITER_WITHDRAWN if entry.arbiter_named.withdrawn else _Happening.KIND_ARBITER_NAMED,
        arbitration=record_pb2.ArbiterActed(arbiter=entry.arbiter_named.arbiter),
    ),
    "arbiter_acted": lambda _state, entry: _Happening(
        kind=_Happening.KIND_RULED, seat=_ruled_seat(entry.arbiter_acted.ruling), arbitration=entry.arbiter_acted
    ),
    "help_agreed": lambda _state, entry: _Happening(
        kind=_Happening.KIND_HELP if entry.help_agreed.agreed else _Happening.KIND_HELP_ENDED, seat=entry.help_agreed.seat + 1
    ),
    "hinted": lambda _state, entry: _Happening(kind=_Happening.KIND_HINTED, seat=entry.hinted.seat + 1),
    "chance_renewed": lambda _state, entry: _Happening(kind=_Happening.KIND_CHANCE_RENEWED, seat=entry.chance_renewed.seat + 1),
}
