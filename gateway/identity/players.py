"""The identity of a player: an id, a name and a token that proves both, without anything being stored.

Tokens are signed by a key ring (tokens.py). Those issued before there was one are valid until they expire: `bwp1.` and base64url
of the expiry, the id, the name and an HMAC-SHA256 over them. Neither is ever logged.
"""

import base64
import binascii
import hashlib
import hmac
import secrets
import struct
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import errors_pb2, play_pb2
from gateway.identity.revocations import Revocations, SignOuts
from gateway.identity.tokens import DERIVED, Claims, KeyRing
from services.runtime.player_names import check_name
from services.runtime.player_text import NAME_BYTES, clean_text, shown_text
from services.runtime.refusal import Refused, malformed, unavailable

_PREFIX = "bwp1."
_HEAD = struct.Struct(">Q16s")
_MAC_BYTES = 32
_DAY_S = 86400
_KNOWN = 4096
"""How many recognised tokens are remembered: a lookup instead of a signature check for each call that brings its own."""

UNNAMED = "?"
"""The name of players whose tokens have one of which nothing can be shown: release 1.0 let such names through."""
REQUEST_ID_BYTES = range(8, 65)
"""How long a request id may be."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player."""

    id: str
    name: str
    generation: int = 0
    """Of the token; signing out everywhere voids those of earlier generations."""
    token_id: str = ""
    """Of the API token that proved the player; empty for a token of their own."""
    scopes: int = 0
    """Of the API token: the bit 1 << s for each Scope s."""


class Players:
    """Makes players and recognises them."""

    def __init__(self, key: bytes, days: int, now: Callable[[], float] = time.time, ring: KeyRing | None = None) -> None:
        """Take the key for ids and earlier tokens, how many days tokens are valid, and the key ring that signs them."""
        self._key = key
        self._ring = KeyRing([(DERIVED, key)]) if ring is None else ring
        self._days = days
        self._now = now
        self.sign_outs = SignOuts()
        self.revocations = Revocations(now)
        self._known: OrderedDict[str, Claims] = OrderedDict()

    def create(self, request: play_pb2.CreatePlayerRequest, address: str) -> play_pb2.CreatePlayerResponse:
        """Return a new player and the token.

        The same request id and name from the same address make the same player, so that a repeat gives the first answer: a
        request id is as secret as a token. Raises Refused: MALFORMED for an impossible name or request id, NAME_RESERVED.
        """
        name = clean_text(request.name, "name", NAME_BYTES)
        check_name(name)
        identity = self._identity(request.request_id, name, address) if request.request_id else secrets.token_bytes(16)
        token = self.token_of(_player_id(identity), name, 0)
        return play_pb2.CreatePlayerResponse(player_id=_player_id(identity), player_token=token, name=name)

    def rename(self, request: play_pb2.RenamePlayerRequest, player: Player | None) -> play_pb2.RenamePlayerResponse:
        """Return a token for the same player with another name; a name that they have already stays theirs.

        Raises Refused: NO_TOKEN if the caller is not a player, MALFORMED for an impossible name, NAME_RESERVED.
        """
        if player is None:
            raise _no_token("only a player can be renamed")
        name = clean_text(request.name, "name", NAME_BYTES)
        if name != player.name:
            check_name(name)
        token = self.token_of(player.id, name, player.generation)
        return play_pb2.RenamePlayerResponse(player_id=player.id, player_token=token, name=name)

    def recognise(self, token: str) -> Player:
        """Return the player whose token this is.

        Raises Refused: NO_TOKEN if it is not ours, has expired or is void, UNAVAILABLE if that is not known of an API token.
        """
        if len(token) > 512:
            raise _no_token("this is not a player token")
        claims = self._known.get(token) or self._read(token)
        if claims.expires_s <= self._now():
            raise _no_token("this player token has expired")
        name = self.revocations.name_of(claims.token_id) or claims.name
        player = Player(claims.player_id, name, claims.generation, claims.token_id, claims.scopes)
        self.check_good(player)
        self._known[token] = claims
        if len(self._known) > _KNOWN:
            self._known.popitem(last=False)
        return player

    def check_good(self, player: Player) -> None:
        """Return if a player's token is not void. Raises Refused (NO_TOKEN, UNAVAILABLE)."""
        if self.sign_outs.is_void(player.id, player.generation):
            raise _no_token("this player has signed out everywhere")
        if not player.token_id:
            return
        if not self.revocations.is_known:
            raise unavailable("players service")
        if self.revocations.is_void(player.token_id):
            raise revoked()
        self.revocations.use(player.token_id)

    def _read(self, token: str) -> Claims:
        claims = self._read_earlier(token) if token.startswith(_PREFIX) else self._ring.read(token)
        if claims is None:
            raise _no_token("this player token was not given by this server")
        return replace(claims, name=shown_text(claims.name, NAME_BYTES) or UNNAMED)

    def _read_earlier(self, token: str) -> Claims | None:
        text = token.removeprefix(_PREFIX)
        try:
            data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            return None
        payload, mac = data[:-_MAC_BYTES], data[-_MAC_BYTES:]
        if not self._ring.has_derived or not hmac.compare_digest(mac, self._mac(b"token", payload)):
            return None
        expiry, identity = _HEAD.unpack_from(payload)
        return Claims(_player_id(identity), payload[_HEAD.size :].decode(), 0, expiry)

    def token_of(self, player_id: str, name: str, generation: int) -> str:
        """Return a token for a player that the players service has recognised."""
        # in whole days, so that a repeat gives the same
        expiry = (int(self._now()) // _DAY_S + 1 + self._days) * _DAY_S
        return self._ring.sign(Claims(player_id, name, generation, expiry))

    def api_token_of(self, claims: players_pb2.ApiTokenClaims) -> str:
        """Return an API token that the players service has made."""
        player = claims.player
        return self._ring.sign(
            Claims(player.player_id, player.name, player.generation, claims.expires_s, claims.token_id, claims.scopes)
        )

    def _identity(self, request_id: str, name: str, address: str) -> bytes:
        if len(request_id.encode()) not in REQUEST_ID_BYTES:
            raise malformed("request_id", "request_id must have 8 to 64 bytes")
        return self._mac(b"identity", "\0".join((request_id, address, name)).encode())[:16]

    def _mac(self, purpose: bytes, data: bytes) -> bytes:
        return hmac.digest(self._key, purpose + b"\0" + data, hashlib.sha256)


def bearer(authorization: str) -> str:
    """Return the token of an Authorization header or metadata. Raises Refused (NO_TOKEN) if it has another scheme."""
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise _no_token('the authorization is not "Bearer" and a player token')
    return token.strip()


def revoked() -> Refused:
    """Return the refusal of an API token that is void."""
    return _no_token("this API token was revoked, or its bot is suspended or deleted")


def _player_id(identity: bytes) -> str:
    return base64.b32encode(identity).decode().rstrip("=").lower()


def _no_token(message: str) -> Refused:
    return Refused(errors_pb2.REASON_NO_TOKEN, message)
