"""Who a player is: an id, a name and a token that proves both, without anything being stored.

A token is `bwp1.` and base64url of the expiry, the id, the name and an HMAC-SHA256 over them. It is never logged.
"""

import base64
import binascii
import hashlib
import hmac
import secrets
import struct
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from brettwerk.v1 import errors_pb2, play_pb2
from services.runtime.refusal import Refused, malformed

_PREFIX = "bwp1."
_HEAD = struct.Struct(">Q16s")
_MAC_BYTES = 32
_DAY_S = 86400

NAME_BYTES = 40
"""The longest name, in UTF-8 bytes."""
REQUEST_ID_BYTES = range(8, 65)
"""How long a request id may be."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player."""

    id: str
    name: str


class Players:
    """Makes players and recognises them."""

    def __init__(self, key: bytes, days: int, now: Callable[[], float] = time.time) -> None:
        """Take the key for tokens and how many days they are good."""
        self._key = key
        self._days = days
        self._now = now

    def create(self, request: play_pb2.CreatePlayerRequest, address: str) -> play_pb2.CreatePlayerResponse:
        """Return a new player and the token.

        The same request id and name from the same address make the same player, so that a repeat gives the first answer: a
        request id is as secret as a token. Raises Refused (MALFORMED) for a name or request id that cannot be.
        """
        name = clean_name(request.name)
        identity = self._identity(request.request_id, name, address) if request.request_id else secrets.token_bytes(16)
        token = self._token(identity, name)
        return play_pb2.CreatePlayerResponse(player_id=_player_id(identity), player_token=token, name=name)

    def rename(self, request: play_pb2.RenamePlayerRequest, player: Player | None) -> play_pb2.RenamePlayerResponse:
        """Return a token for the same player with another name.

        Raises Refused: NO_TOKEN when no player calls, MALFORMED for a name that cannot be.
        """
        if player is None:
            raise _no_token("only a player can be renamed")
        name = clean_name(request.name)
        token = self._token(_identity_of(player.id), name)
        return play_pb2.RenamePlayerResponse(player_id=player.id, player_token=token, name=name)

    def recognise(self, token: str) -> Player:
        """Return the player whose token this is. Raises Refused (NO_TOKEN) when it is none of ours or has expired."""
        if not token.startswith(_PREFIX) or len(token) > 512:
            raise _no_token("this is not a player token")
        text = token.removeprefix(_PREFIX)
        try:
            data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            raise _no_token("this is not a player token") from None
        payload, mac = data[:-_MAC_BYTES], data[-_MAC_BYTES:]
        if not hmac.compare_digest(mac, self._mac(b"token", payload)):
            raise _no_token("this player token was not given by this server")
        expiry, identity = _HEAD.unpack_from(payload)
        if expiry <= self._now():
            raise _no_token("this player token has expired")
        return Player(_player_id(identity), payload[_HEAD.size :].decode())

    def _token(self, identity: bytes, name: str) -> str:
        expiry = (int(self._now()) // _DAY_S + 1 + self._days) * _DAY_S
        payload = _HEAD.pack(expiry, identity) + name.encode()
        return _PREFIX + base64.urlsafe_b64encode(payload + self._mac(b"token", payload)).decode().rstrip("=")

    def _identity(self, request_id: str, name: str, address: str) -> bytes:
        if len(request_id.encode()) not in REQUEST_ID_BYTES:
            raise malformed("request_id", "request_id must have 8 to 64 bytes")
        return self._mac(b"identity", "\0".join((request_id, address, name)).encode())[:16]

    def _mac(self, purpose: bytes, data: bytes) -> bytes:
        return hmac.digest(self._key, purpose + b"\0" + data, hashlib.sha256)


def clean_name(name: str) -> str:
    """Return a name in normal form (NFC), trimmed, with single spaces.

    Raises Refused (MALFORMED) when it is empty, longer than NAME_BYTES or not printable.
    """
    cleaned = " ".join(part for part in unicodedata.normalize("NFC", name).split(" ") if part)
    if not cleaned:
        raise malformed("name", "name is empty")
    if not cleaned.isprintable():
        raise malformed("name", "name has characters that cannot be shown")
    if len(cleaned.encode()) > NAME_BYTES:
        raise malformed("name", f"name has {len(cleaned.encode())} bytes, at most {NAME_BYTES} are allowed")
    return cleaned


def bearer(authorization: str) -> str:
    """Return the token of an Authorization header or metadata. Raises Refused (NO_TOKEN) when it is of another scheme."""
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise _no_token('the authorization is not "Bearer" and a player token')
    return token.strip()


def _player_id(identity: bytes) -> str:
    return base64.b32encode(identity).decode().rstrip("=").lower()


def _identity_of(player_id: str) -> bytes:
    return base64.b32decode(player_id.upper() + "=" * (-len(player_id) % 8))


def _no_token(message: str) -> Refused:
    return Refused(errors_pb2.REASON_NO_TOKEN, message)
