"""Ids of what owners make."""

import hashlib

from services.runtime.refusal import malformed

_REQUEST_ID_BYTES = range(8, 65)


def derived_id(purpose: str, player_id: str, request_id: str) -> str:
    """Return the id of what a request creates: 32 hexadecimal digits, the same for a repeat.

    Raises Refused (MALFORMED) for a request id that has fewer than 8 bytes or more than 64.
    """
    if len(request_id.encode()) not in _REQUEST_ID_BYTES:
        raise malformed("request_id", "a request id has 8 to 64 bytes")
    return hashlib.sha256(f"{purpose}\0{player_id}\0{request_id}".encode()).hexdigest()[:32]
