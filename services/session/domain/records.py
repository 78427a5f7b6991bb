"""Records of sessions: what is exported and archived, their sealed part, and which part of an imported one counts."""

import base64
import hashlib
from collections.abc import Sequence
from copy import deepcopy

from cryptography.fernet import Fernet, InvalidToken

from brettwerk.internal.v1 import rules_pb2, session_state_pb2
from brettwerk.v1 import errors_pb2, record_pb2
from services.runtime.record_check import FORMAT
from services.runtime.refusal import Refused, damaged
from services.session.domain.perception import delayed, max_public
from services.session.domain.state import State

_PADDED_TO = 4096
_PADDED_FOR_EACH = 384
"""Bytes of an entry: few are larger, so that a record's size follows from their number, which everybody knows."""
_MAX_PADDED_AT = 2 * 1024 * 1024
_FRAME = 4
_MAX_SEALED = 4 * 1024 * 1024


def full_record(state: State, entries: Sequence[record_pb2.Entry]) -> record_pb2.Record:
    """Return the record of a session that is over: the log and the secrets."""
    record = _bare(state)
    record.entries.extend(_shown(entries, thoughts=True))
    record.secret, next_secret = state.secrets
    record.next_secret = next_secret if state.is_renewed else b""
    return record


def running_record(state: State, entries: Sequence[record_pb2.Entry], *, hidden: bool, seal: Fernet) -> record_pb2.Record:
    """Return the record of a session that is not over. Its secret is sealed, and if it hides anything, so is its log.

    It leaves out what computer players thought, and the last position's hash if that would reveal what is hidden, or what comes
    after these entries.
    """
    record, public = _bare(state), state
    if entries[-1].version < state.version:
        record.ClearField("position_hash")
        public = delayed(state)
    shown = _shown(entries, thoughts=False)
    sealed = session_state_pb2.SealedRecord(session_id=state.id, secret=state.secret, shown_hash=b"")
    if hidden:
        sealed.entries.extend(shown)
        record.ClearField("position_hash")
    else:
        record.entries.extend(shown)
    sealed.shown_hash = hash_entries(record.entries)
    record.sealed = seal_record(seal, sealed, max_public(public) if state.created.counts_perceived else 0)
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
        entries=[record_pb2.Entry(version=1, created=created), record_pb2.Entry(version=2, started=record_pb2.Started())],
        outcome=found.outcome if found.HasField("outcome") else None,
        position_hash=found.position_hash,
    )


def check_seats(entries: Sequence[record_pb2.Entry]) -> None:
    """Return if a log names no seats that its first entry does not have. Raises Refused (RECORD_DAMAGED) that names the field."""
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


def _shown(entries: Sequence[record_pb2.Entry], *, thoughts: bool) -> list[record_pb2.Entry]:
    """Return the entries without variations that were only proposed, whose outcome has its own entry; maybe without thoughts."""
    found = []
    for entry in entries:
        is_load = entry.proposed.proposal.WhichOneof("kind") == "load"
        if is_load or (entry.acted.HasField("thought") and not thoughts):
            shown = deepcopy(entry)
            if is_load:
                shown.proposed.proposal.load.ClearField("entries")
            else:
                shown.acted.ClearField("thought")
            found.append(shown)
        else:
            found.append(entry)
    return found


def fernet(key: bytes) -> Fernet:
    """Return what seals with a 32-byte key (https://github.com/fernet/spec)."""
    return Fernet(base64.urlsafe_b64encode(key))


def hash_entries(entries: Sequence[record_pb2.Entry]) -> bytes:
    """Return a hash that changes with every change of the entries."""
    digest = hashlib.sha256()
    for entry in entries:
        data = entry.SerializeToString(deterministic=True)
        digest.update(len(data).to_bytes(4, "big") + data)
    return digest.digest()


def seal_record(seal: Fernet, contents: session_state_pb2.SealedRecord, entries: int = 0) -> bytes:
    """Return the sealed part of a record; its size reveals a number of entries, and beyond that only steps of 4 KiB.

    That number is how many there are or, if some are hidden from somebody, `entries`, a bound made from what everybody knows.
    Raises Refused (FULL) if it is too large for a record.
    """
    data = contents.SerializeToString(deterministic=True)
    framed = len(data).to_bytes(_FRAME, "big") + data
    size = max(len(framed), min(_PADDED_FOR_EACH * (entries or len(contents.entries)), _MAX_PADDED_AT))
    sealed = seal.encrypt(framed.ljust(size + -size % _PADDED_TO, b"\0"))
    if len(sealed) > _MAX_SEALED:
        raise Refused(errors_pb2.REASON_FULL, "the game is too long to be saved while it is running")
    return sealed


def open_record(seal: Fernet, sealed: bytes) -> session_state_pb2.SealedRecord:
    """Return the content of a sealed part. Raises Refused (RECORD_DAMAGED) if this server did not seal it like that."""
    try:
        framed = seal.decrypt(sealed)
    except InvalidToken:
        raise Refused(errors_pb2.REASON_RECORD_DAMAGED, "the sealed part was not written by this server, or is damaged") from None
    length = int.from_bytes(framed[:_FRAME], "big")
    return session_state_pb2.SealedRecord.FromString(framed[_FRAME : _FRAME + length])
