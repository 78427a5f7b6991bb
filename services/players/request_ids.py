"""Request ids of clients: a repeat has the same one, and what a request creates has an id that follows from it."""

import hashlib

from services.runtime.refusal import malformed

_BYTES = range(8, 65)


def require_request_id(request_id: str) -> None:
    """Return for a request id. Raises Refused (MALFORMED) for one that has fewer than 8 bytes or more than 64."""
    if (size := len(request_id.encode())) not in _BYTES:
        raise malformed("request_id", f"a request id has 8 to 64 bytes, not {size}")


def derived_id(purpose: str, player_id: str, request_id: str) -> str:
    """Return the id of what a player's request creates: 32 hexadecimal digits, the same for a repeat.

    Raises Refused (MALFORMED) for a request id that has fewer than 8 bytes or more than 64.
    """
    require_request_id(request_id)
    return hashlib.sha256(f"{purpose}\0{player_id}\0{request_id}".encode()).hexdigest()[:32]
