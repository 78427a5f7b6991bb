"""Secrets: seat tokens, what is kept of answers with such tokens, tickets of computer players, and the sealed part of records."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence

from cryptography.fernet import Fernet, InvalidToken

from brettwerk.internal.v1 import session_state_pb2
from brettwerk.v1 import errors_pb2, record_pb2
from services.runtime.refusal import Refused

_TOKEN_BYTES = 18
_TICKET_BYTES = 16
_PADDED_TO = 4096
_PADDED_FOR_EACH = 384
"""Bytes of an entry: few are larger, so that a record's size follows from their number, which everybody knows."""
_MAX_PADDED_AT = 2 * 1024 * 1024
_FRAME = 4
_MAX_SEALED = 4 * 1024 * 1024


def new_token() -> str:
    """Return a new seat token: 144 random bits."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def fernet(key: bytes) -> Fernet:
    """Return what seals with a 32-byte key (https://github.com/fernet/spec)."""
    return Fernet(base64.urlsafe_b64encode(key))


def ticket(key: bytes, session_id: str, seat: int, version: int) -> bytes:
    """Return the ticket of a computer player: valid for one seat at one version of one session."""
    return hmac.new(key, f"{session_id} {seat} {version}".encode(), hashlib.sha256).digest()[:_TICKET_BYTES]


def search_seed(session_id: str, seat: int, version: int) -> int:
    """Return a seed that has nothing to do with the game's chance, and is always the same."""
    return int.from_bytes(hashlib.sha256(f"{session_id} {seat} {version}".encode()).digest()[:8], "big")


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
