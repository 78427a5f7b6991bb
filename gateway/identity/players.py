"""The identity of a player: an id, a name and a token that proves both, without anything being stored, and which tokens are void.

Tokens are signed by a key ring (tokens.py). Those issued before there was one are valid until they expire: `bwp1.` and base64url
of the expiry, the id, the name and an HMAC-SHA256 over them. Neither is ever logged.

Tokens are void of players who have signed out, and so are API tokens that were revoked. That is kept in the gateway's memory, so
that a lookup tells. The players service is asked every few seconds which API tokens are void, and what their players
are called, and at once when something has changed through this gateway. Until it has answered for the first time, no API token is
accepted: a revoked one could not be told apart.
"""

import asyncio
import base64
import binascii
import contextlib
import hashlib
import hmac
import secrets
import struct
import time
from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import grpc

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc
from brettwerk.v1 import errors_pb2, play_pb2
from gateway.identity.tokens import DERIVED, Claims, KeyRing
from services.runtime import sign_out_feed
from services.runtime.logs import logger
from services.runtime.player_names import check_name
from services.runtime.player_text import NAME_BYTES, clean_text, shown_text
from services.runtime.refusal import Refused, malformed, unavailable
from services.runtime.settings import Settings

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


REMEMBERED = 200_000
"""How many new names are remembered, some 250 bytes each; those that changed longest ago are forgotten first."""
USES = 1000
"""How many uses are reported at a time (players.proto)."""
USED_AGAIN_MS = 60_000
"""A use of a token is reported when the last reported one is this long ago."""
_TIMEOUT_S = 5.0
log = logger(__name__)


class VoidTokens:
    """A set of tokens' ids, in eight bytes each: none is ever forgotten, or it would be good again.

    Two ids are taken for one with a chance of one in 10^12 while there are some millions.
    """

    def __init__(self) -> None:
        self._numbers = array("Q")
        """Sorted."""

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, token_id: str) -> bool:
        number = _number(token_id)
        place = bisect_left(self._numbers, number)
        return place < len(self._numbers) and self._numbers[place] == number

    def add(self, token_id: str) -> None:
        """Add a token; nothing happens when it is there."""
        number = _number(token_id)
        place = bisect_left(self._numbers, number)
        if place == len(self._numbers) or self._numbers[place] != number:
            self._numbers.insert(place, number)

    def discard(self, token_id: str) -> None:
        """Take a token out, if it is there: its bot is no longer suspended."""
        number = _number(token_id)
        place = bisect_left(self._numbers, number)
        if place < len(self._numbers) and self._numbers[place] == number:
            del self._numbers[place]


def _number(token_id: str) -> int:
    return int.from_bytes(hashlib.blake2b(token_id.encode(), digest_size=8).digest())


class Revocations:
    """The state of API tokens since they were signed."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self.is_known = False
        """Whether all changes so far are known."""
        self.on_void: Callable[[str], None] = lambda token_id: None
        """Called with a token that has become void."""
        self._now = now
        self._void = VoidTokens()
        self._names: OrderedDict[str, str] = OrderedDict()
        self._used: OrderedDict[str, int] = OrderedDict()
        self._unreported: dict[str, int] = {}
        self._cursor = 0
        self._wanted = asyncio.Event()

    def is_void(self, token_id: str) -> bool:
        """Return whether a token is void."""
        return token_id in self._void

    def name_of(self, token_id: str) -> str:
        """Return what the player of a token is called now; empty for what the token says."""
        return self._names.get(token_id, "")

    def note(self, change: players_pb2.TokenChange) -> None:
        """Remember how a token is now, and tell that it has become void."""
        if change.is_void:
            self._names.pop(change.token_id, None)
            if change.token_id not in self._void:
                self._void.add(change.token_id)
                self.on_void(change.token_id)
            return
        self._void.discard(change.token_id)
        self._names[change.token_id] = shown_text(change.name, NAME_BYTES)
        self._names.move_to_end(change.token_id)
        if len(self._names) > REMEMBERED:
            self._names.popitem(last=False)

    def use(self, token_id: str) -> None:
        """Note that a token is used now."""
        now_ms = int(self._now() * 1000)
        if now_ms - self._used.get(token_id, 0) < USED_AGAIN_MS or len(self._unreported) >= USES:
            return
        self._used[token_id] = self._unreported[token_id] = now_ms
        self._used.move_to_end(token_id)
        if len(self._used) > REMEMBERED:
            self._used.popitem(last=False)

    def look_now(self) -> None:
        """Ask for changes at once."""
        self._wanted.set()

    async def refresh(self, channel: grpc.aio.Channel) -> None:
        """Learn of all changes so far. Raises grpc.RpcError."""
        while await self._next_page(players_pb2_grpc.PlayersServiceStub(channel)):
            pass

    async def follow(self, channel: grpc.aio.Channel, config: Settings) -> None:
        """Keep asking for changes, until cancelled."""
        stub: Any = players_pb2_grpc.PlayersServiceStub(channel)
        while True:
            self._wanted.clear()
            try:
                while await self._next_page(stub):
                    pass
                self.is_known = True
            except grpc.RpcError as error:
                log.debug("changes of API tokens cannot be asked for", error=str(error)[:200])
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wanted.wait(), config.sign_outs_s)

    async def _next_page(self, stub: Any) -> bool:
        reported, self._unreported = self._unreported, {}
        uses = [players_pb2.TokenUse(token_id=token_id, at_ms=at_ms) for token_id, at_ms in reported.items()]
        request = players_pb2.ListTokenChangesRequest(after=self._cursor, uses=uses)
        try:
            page: players_pb2.ListTokenChangesResponse = await stub.ListTokenChanges(request, timeout=_TIMEOUT_S)
        except grpc.RpcError:
            self._unreported = {**reported, **self._unreported}
            raise
        for change in page.changes:
            self.note(change)
        is_more = page.cursor > self._cursor
        self._cursor = max(self._cursor, page.cursor)
        return is_more


class SignOuts:
    """The valid generations of tokens, for players who have signed out, and the numbers of their last sign-outs."""

    def __init__(self) -> None:
        self.refresh: Callable[[], Awaitable[None]] = _nothing
        """Called when there is a sign-out that was not known, and before its number is: API tokens may have changed with it."""
        self._good: OrderedDict[str, tuple[int, int]] = OrderedDict()
        self._head = 0

    def is_void(self, player_id: str, generation: int) -> bool:
        """Return whether a player's token of this generation is void."""
        return generation < self._good.get(player_id, (0, 0))[0]

    def number_of(self, player_id: str) -> int:
        """Return the number of a player's last sign-out; 0 if none is known."""
        return self._good.get(player_id, (0, 0))[1]

    def note(self, player_id: str, generation: int, number: int = 0) -> None:
        """Remember that tokens before this generation are void, and the sign-out's number where it is known."""
        known_generation, known_number = self._good.pop(player_id, (0, 0))
        self._good[player_id] = max(generation, known_generation), max(number, known_number)
        if len(self._good) > sign_out_feed.REMEMBERED:
            self._good.popitem(last=False)

    async def look(self, channel: grpc.aio.Channel) -> None:
        """Ask for what is new at once; if that fails, it is heard of soon."""
        with contextlib.suppress(grpc.RpcError):
            await self._heard(await sign_out_feed.page(channel, self._head))

    async def follow(self, channel: grpc.aio.Channel) -> None:
        """Keep up with the players service, until cancelled."""
        await sign_out_feed.follow(channel, self._heard)

    async def _heard(self, page: Sequence[players_pb2.SignOut]) -> None:
        """Note who has signed out. Raises grpc.RpcError if it cannot be found out which API tokens are void since."""
        new = [one for one in page if one.number > self.number_of(one.player_id)]
        for one in new:
            self.note(one.player_id, one.generation)
        if new:
            await self.refresh()
        # Only now: with the number, a token that was not known to be void would get seat tokens that are good.
        for one in new:
            self._head = max(self._head, one.number)
            self.note(one.player_id, one.generation, one.number)


async def _nothing() -> None:
    """Do nothing."""
