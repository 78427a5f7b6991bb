"""Reads what owners call their bots and tokens, and request ids. Raises Refused (MALFORMED)."""

import hashlib
import unicodedata

from services.runtime.refusal import malformed

_BYTES = range(1, 41)
_REQUEST_ID_BYTES = range(8, 65)


def read_name(text: str, field: str) -> str:
    """Return a name in normal form (NFC), with single spaces: 1 to 40 bytes of printable text."""
    name = " ".join(part for part in unicodedata.normalize("NFC", text).split(" ") if part)
    if len(name.encode()) not in _BYTES or not name.isprintable():
        raise malformed(field, f"{field} has 1 to 40 bytes of printable text")
    return name


def derived_id(purpose: str, player_id: str, request_id: str) -> str:
    """Return the id of what a request creates: 32 hexadecimal digits, the same for a repeat."""
    if len(request_id.encode()) not in _REQUEST_ID_BYTES:
        raise malformed("request_id", "a request id has 8 to 64 bytes")
    return hashlib.sha256(f"{purpose}\0{player_id}\0{request_id}".encode()).hexdigest()[:32]
