"""Records of sessions: what is exported and archived, and which part of an imported one counts."""

import hashlib
from collections.abc import Sequence

from cryptography.fernet import Fernet

from brettwerk.internal.v1 import rules_pb2, session_state_pb2
from brettwerk.v1 import record_pb2
from services.runtime.refusal import damaged
from services.session.domain import seals
from services.session.domain.perception import max_public
from services.session.domain.state import State

FORMAT = 1


def full_record(state: State, entries: Sequence[record_pb2.Entry]) -> record_pb2.Record:
    """Return the record of a session that is over: the log and the secrets."""
    record = _bare(state)
    record.entries.extend(_without_loads(entries))
    record.secret, next_secret = state.secrets
    record.next_secret = next_secret if state.is_renewed else b""
    return record


def running_record(state: State, entries: Sequence[record_pb2.Entry], *, hidden: bool, seal: Fernet) -> record_pb2.Record:
    """Return the record of a session that is not over. Its secret is sealed, and if it hides anything, so is its log.

    It leaves out what computer players thought, and the last position's hash if that would reveal what is hidden.
    """
    record = _bare(state)
    shown = _without_thoughts(_without_loads(entries))
    sealed = session_state_pb2.SealedRecord(session_id=state.id, secret=state.secret, shown_hash=b"")
    if hidden:
        sealed.entries.extend(shown)
        record.ClearField("position_hash")
    else:
        record.entries.extend(shown)
    sealed.shown_hash = seals.hash_entries(record.entries)
    record.sealed = seals.seal_record(seal, sealed, max_public(state) if state.created.counts_perceived else 0)
    return record


def text_record(found: rules_pb2.ParseTextResponse) -> record_pb2.Record:
    """Return the record of a game that was read from a text: its variation, with nobody in the seats."""
    loaded, setup = found.loaded, found.loaded.variation[0]
    created = record_pb2.Created(
        game=found.game,
        rules_version=setup.rules_version,
        options=loaded.options,
        seats=found.seats,
        start_position=loaded.start_position if loaded.HasField("start_position") else None,
        variation=loaded.variation,
    )
    return record_pb2.Record(
        format=FORMAT,
        game=found.game,
        entries=[
            record_pb2.Entry(version=1, created=created),
            record_pb2.Entry(version=2, started=record_pb2.Started()),
        ],
        outcome=found.outcome if found.HasField("outcome") else None,
        position_hash=found.position_hash,
    )


def check_seats(entries: Sequence[record_pb2.Entry]) -> None:
    """Return if a log, of which the first entry says how many seats there are, names no others.

    Raises Refused (RECORD_DAMAGED) that names the first field that does.
    """
    seats = entries[0].created.seats
    if len(entries[0].created.saved_from.held_by) not in (0, seats):
        raise damaged(f"there are {seats} seats, and not as many are given to players", "entries[0].created.saved_from.held_by")
    for at, entry in enumerate(entries):
        match entry.WhichOneof("change"):
            case "created" if at:
                raise damaged("a game is created once, at its beginning", f"entries[{at}].created")
            case "seat_changed" if entry.seat_changed.seat >= seats:
                raise damaged(f"there are {seats} seats", f"entries[{at}].seat_changed.seat")
            case "chance_renewed" if entry.chance_renewed.seat >= seats:
                raise damaged(f"there are {seats} seats", f"entries[{at}].chance_renewed.seat")
            case "dealt" if sorted(entry.dealt.order) != list(range(seats)):
                raise damaged(f"there are {seats} seats, and each of them is somebody's", f"entries[{at}].dealt.order")


def _bare(state: State) -> record_pb2.Record:
    return record_pb2.Record(
        format=FORMAT,
        session_id=state.id,
        game=state.game,
        outcome=state.outcome,
        position_hash=b"" if state.position is None else hashlib.sha256(state.position.value).digest(),
    )


def _without_loads(entries: Sequence[record_pb2.Entry]) -> list[record_pb2.Entry]:
    """Return the entries without variations that were only proposed: their outcome has its own entry."""
    return [_without_load(entry) if entry.proposed.proposal.WhichOneof("kind") == "load" else entry for entry in entries]


def _without_load(entry: record_pb2.Entry) -> record_pb2.Entry:
    shown = record_pb2.Entry()
    shown.CopyFrom(entry)
    shown.proposed.proposal.load.ClearField("entries")
    return shown


def _without_thoughts(entries: Sequence[record_pb2.Entry]) -> list[record_pb2.Entry]:
    return [_without_thought(entry) if entry.acted.HasField("thought") else entry for entry in entries]


def _without_thought(entry: record_pb2.Entry) -> record_pb2.Entry:
    shown = record_pb2.Entry()
    shown.CopyFrom(entry)
    shown.acted.ClearField("thought")
    return shown
