"""Ids: of sessions (they contain their shard) and repeated requests, keys of the store, tokens of seats, tickets of computers."""

import base64
import hashlib
import hmac
import secrets
import struct
from typing import Any, NamedTuple

from brettwerk.internal.v1 import session_pb2
from services.runtime.refusal import malformed
from services.session.domain.bounds import REQUEST_ID_BYTES
from services.sharding.shards import SHARDS, shard_if_any

REQUEST_BYTES = 16
"""How many bytes the key has under which a request id is remembered, and the digest of a request."""
_LETTERS = 22
_TOKEN_BYTES = 18
_MARK_BYTES = 16
_ARRANGED = "arranged:"
"""The prefix of the creator of an arranged session; no player's id has a colon."""
_SIZE = struct.Struct(">I").pack


def derived_id(key: bytes, *parts: str, shard: int | None = None) -> str:
    """Return the session id that belongs to `parts`: the same for the same parts, and impossible to guess without `key`.

    It is in this shard, or in one derived from the parts.
    """
    message = b"".join(len(part.encode()).to_bytes(4, "big") + part.encode() for part in parts)
    entropy = hmac.new(key, message, hashlib.sha256).digest()
    letters = base64.b32encode(entropy[1:]).decode().lower()
    return f"{entropy[0] % SHARDS if shard is None else shard:02x}{letters[:_LETTERS]}"


def checked(session_id: str) -> str:
    """Return the id. Raises Refused (MALFORMED) if no session can have it."""
    if shard_if_any(session_id) is None:
        raise malformed("session_id", f'"{session_id[:100]}" is not the id of a session')
    return session_id


def arranged_by(arrangement_id: str) -> str:
    """Return what stands for the creator of a session that was arranged for players who have found each other."""
    return _ARRANGED + arrangement_id


def is_arranged(creator_id: str) -> bool:
    """Return whether a session with this creator was arranged."""
    return creator_id.startswith(_ARRANGED)


def session_key(session_id: str, name: str) -> str:
    """Return the key of something that each session has one of (state, log)."""
    return f"bw:{{s{session_id[:2]}}}:{name}:{session_id}"


def request_field(player_id: str, seat_token: str, request_id: str) -> bytes:
    """Return the key of a request id: those of different callers are unrelated. Raises Refused (MALFORMED) for a short one."""
    player, token, request = player_id.encode(), b"" if player_id else seat_token.encode(), request_id.encode()
    if len(request) < REQUEST_ID_BYTES:
        raise malformed("request_id", f"a request id has {REQUEST_ID_BYTES} to 64 bytes, not {len(request)}")
    parts = (_SIZE(len(player)), player, _SIZE(len(token)), token, _SIZE(len(request)), request)
    return hashlib.sha256(b"".join(parts)).digest()[:REQUEST_BYTES]


class Request(NamedTuple):
    """A request that is carried out once: the key of its id, and its digest."""

    field: bytes
    digest: bytes
    sign_out: int = 0
    """The last sign-out of its player that the gateway knew of."""


def identified(request: Any, caller: session_pb2.Caller, data: bytes) -> Request:
    """Return how a request is recognised when it is repeated; `data` is its content. Raises Refused (MALFORMED)."""
    field = request_field(caller.player_id, getattr(request, "seat_token", ""), request.request_id)
    return Request(field, hashlib.sha256(data).digest()[:REQUEST_BYTES], caller.sign_out)


def new_token() -> str:
    """Return a new seat token: 144 random bits."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def mark(key: bytes, text: str) -> bytes:
    """Return what stands for a text, and cannot be traced back to it without the key."""
    return hmac.new(key, text.encode(), hashlib.sha256).digest()[:_MARK_BYTES]


def ticket(key: bytes, session_id: str, seat: int, version: int) -> bytes:
    """Return the ticket of a computer player: valid for one seat at one version of one session."""
    return mark(key, f"{session_id} {seat} {version}")


def search_seed(session_id: str, seat: int, version: int) -> int:
    """Return a seed that has nothing to do with the game's chance, and is always the same."""
    return int.from_bytes(hashlib.sha256(f"{session_id} {seat} {version}".encode()).digest()[:8], "big")
