"""Answers the calls about API tokens, and tells gateways what has become of them.

A token is signed by the gateway and stored nowhere: the database has its id, of which nobody can make the token.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import bots_pb2, errors_pb2
from services.archive.access import Access
from services.players.accounts import bot_rows, restrictions, rows, token_rows
from services.players.bots.bots import must_have_account
from services.players.calls import Answered, Caller, Handler
from services.players.request_ids import derived_id
from services.runtime.player_text import NAME_BYTES, clean_text
from services.runtime.refusal import Refused, listed, malformed, unknown
from services.runtime.restriction import ACCOUNT
from services.runtime.wall_clock import wall_ms

MAX_TOKENS = 50
"""How many valid tokens a player can have created."""
MAX_MADE = 500
"""The same with those that were revoked and would not have expired yet."""
MAX_DAYS = 365
_DAY_MS = 86_400_000


class ApiTokens:
    """The calls. Raises Refused."""

    def __init__(self, store: Access, now_ms: Callable[[], int] = wall_ms) -> None:
        self._store = store
        self._now_ms = now_ms

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {"list_api_tokens": self.list, "create_api_token": self.create, "revoke_api_token": self.revoke}

    async def list(self, _request: bots_pb2.ListApiTokensRequest, caller: Caller) -> Answered:
        """Return the tokens that the caller has created, without their secrets; a guest has none. Raises Refused (NO_TOKEN)."""

        def read(connection: Connection) -> bots_pb2.ListApiTokensResponse:
            rows.own(connection, caller)
            found = token_rows.listed(connection, caller.player_id, self._now_ms())
            return bots_pb2.ListApiTokensResponse(tokens=[_described(row, row.called) for row in found])

        return Answered(await self._store.run(read))

    async def create(self, request: bots_pb2.CreateApiTokenRequest, caller: Caller) -> Answered:
        """Create a token, or find the one of an equal request; return it and what the gateway is to sign.

        Raises Refused (NO_TOKEN, NO_ACCOUNT, BOT, UNKNOWN, RESTRICTED, FULL, MALFORMED, REQUEST_ID_REUSED).
        """
        caller.require_player()
        label = clean_text(request.label, "label", NAME_BYTES)
        scopes = _packed(request.scopes)
        token_id = derived_id("api token", caller.player_id, request.request_id)
        now_ms = self._now_ms()

        def write(connection: Connection) -> Row[Any]:
            actor = must_have_account(connection, caller)
            if request.bot_id:
                if scopes >> bots_pb2.SCOPE_BOTS & 1:
                    raise malformed("scopes", "bots own no bots")
                bot = bot_rows.find(connection, caller.player_id, request.bot_id)
                if bot is None:
                    raise unknown("bot", "bot_id", request.bot_id)
                actor = bot
            restrictions.check(connection, actor.player_id, ACCOUNT, now_ms, "")
            wanted = {"player_id": actor.player_id, "owner_id": caller.player_id, "label": label, "scopes": scopes}
            row = token_rows.find(connection, token_id)
            if row is None:
                _check_room(connection, caller.player_id, now_ms)
                expires_at_ms = now_ms + (request.days or MAX_DAYS) * _DAY_MS
                # a token says when it expires in whole seconds
                times = {"created_at_ms": now_ms, "expires_at_ms": expires_at_ms // 1000 * 1000}
                signed = {"name": actor.name, "generation": actor.generation}
                token_rows.add(connection, {"token_id": token_id, **wanted, **signed, **times}, now_ms)
                if request.bot_id and actor.suspended:
                    token_rows.refresh(connection, request.bot_id, void=True)
                row = token_rows.find(connection, token_id)
                assert row is not None
            elif any(getattr(row, name) != value for name, value in wanted.items()) or row.revoked_at_ms:
                raise Refused(errors_pb2.REASON_REQUEST_ID_REUSED, "this request id has made another token, or a revoked one")
            return row

        row = await self._store.run(write)
        player = players_pb2.ProvedPlayer(player_id=row.player_id, name=row.name, generation=row.generation)
        claims = players_pb2.ApiTokenClaims(
            token_id=token_id, player=player, scopes=row.scopes, expires_s=row.expires_at_ms // 1000
        )
        return Answered(bots_pb2.CreateApiTokenResponse(token=_described(row, row.name)), api_token=claims)

    async def revoke(self, request: bots_pb2.RevokeApiTokenRequest, caller: Caller) -> Answered:
        """Revoke one of the caller's tokens, and void the seat tokens of its player: they may have been given to its bearer.

        Returns an empty answer. Raises Refused: NO_TOKEN, UNKNOWN for a token that the caller does not have.
        """
        now_ms = self._now_ms()

        def write(connection: Connection) -> None:
            rows.own(connection, caller)
            player_id = token_rows.revoke(connection, caller.player_id, request.token_id, now_ms)
            if player_id is None:
                raise unknown("api_token", "token_id", request.token_id)
            rows.void_seat_tokens(connection, player_id, now_ms)

        await self._store.run(write)
        return Answered(bots_pb2.RevokeApiTokenResponse())

    async def changes(self, request: players_pb2.ListTokenChangesRequest) -> players_pb2.ListTokenChangesResponse:
        """Return a page of what has become of tokens, and store which were used."""
        uses = {use.token_id: use.at_ms for use in request.uses}

        def write(connection: Connection) -> Sequence[Row[Any]]:
            token_rows.note_use(connection, uses)
            return token_rows.changes(connection, request.after)

        found = await self._store.run(write)
        changed = [players_pb2.TokenChange(token_id=row.token_id, is_void=row.void, name=row.name) for row in found]
        cursor = max([request.after, *(row.number for row in found)])
        return players_pb2.ListTokenChangesResponse(changes=changed, cursor=cursor)


def _packed(scopes: Sequence[bots_pb2.Scope.ValueType]) -> int:
    """Return scopes as the bits of a number. Raises Refused (MALFORMED) for none, and for one that there is not."""
    known = {number for number in bots_pb2.Scope.values() if number}
    if not scopes or not known.issuperset(scopes):
        there = listed(bots_pb2.Scope.Name(number) for number in sorted(known))
        raise malformed("scopes", f"an API token has at least one scope; there are: {there}")
    return sum(1 << scope for scope in set(scopes))


def _described(row: Row[Any], name: str) -> bots_pb2.ApiToken:
    return bots_pb2.ApiToken(
        token_id=row.token_id,
        label=row.label,
        player_id=row.player_id,
        name=name,
        scopes=[scope for scope in bots_pb2.Scope.values() if scope and row.scopes >> scope & 1],
        created_at_ms=row.created_at_ms,
        expires_at_ms=row.expires_at_ms,
        last_used_at_ms=row.last_used_at_ms,
    )


def _check_room(connection: Connection, owner_id: str, now_ms: int) -> None:
    valid, made = len(token_rows.listed(connection, owner_id, now_ms)), token_rows.count_made(connection, owner_id, now_ms)
    if valid >= MAX_TOKENS or made >= MAX_MADE:
        raise Refused(errors_pb2.REASON_FULL, f"a player can have {MAX_TOKENS} API tokens", details={"bound": "api_tokens"})
