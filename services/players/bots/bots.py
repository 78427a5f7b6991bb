"""Answers the calls about bots: players that belong to a player, and call with API tokens only."""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, Row

from brettwerk.v1 import bots_pb2, errors_pb2
from services.archive.access import Access
from services.players.accounts import bot_rows, rows, token_rows
from services.players.accounts.names import as_compared
from services.players.accounts.tables import ACCOUNTS, BOTS
from services.players.arena import arena_rows
from services.players.arena.arena import entry
from services.players.calls import Answered, Caller, Handler
from services.players.request_ids import derived_id
from services.runtime.bots import PREFIX, is_bot
from services.runtime.player_names import check_name
from services.runtime.player_text import NAME_BYTES, clean_text
from services.runtime.refusal import Refused, unknown
from services.runtime.wall_clock import wall_ms

MAX_BOTS = 10
"""How many bots a player can have."""


class Bots:
    """The calls. Raises Refused."""

    def __init__(self, store: Access, now_ms: Callable[[], int] = wall_ms) -> None:
        self._store = store
        self._now_ms = now_ms

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {
            "list_bots": self.list,
            "create_bot": self.create,
            "rename_bot": self.rename,
            "suspend_bot": self.suspend,
        }

    async def list(self, _request: bots_pb2.ListBotsRequest, caller: Caller) -> Answered:
        """Return the caller's bots with their entries in the arena; a guest has none. Raises Refused (NO_TOKEN)."""

        def read(connection: Connection) -> bots_pb2.ListBotsResponse:
            rows.own(connection, caller)
            found = bot_rows.listed(connection, caller.player_id)
            entries = arena_rows.entries_of(connection, [row.player_id for row in found])
            bots = [_described(row) for row in found]
            for bot in bots:
                bot.arena.extend(entry(row) for row in entries if row.player_id == bot.player_id)
            return bots_pb2.ListBotsResponse(bots=bots)

        return Answered(await self._store.run(read))

    async def create(self, request: bots_pb2.CreateBotRequest, caller: Caller) -> Answered:
        """Create a bot, or find the one of an equal request; return it.

        Raises Refused (NO_TOKEN, NO_ACCOUNT, BOT, FULL, MALFORMED, NAME_RESERVED, REQUEST_ID_REUSED).
        """
        caller.require_player()
        name = clean_text(request.name, "name", NAME_BYTES)
        check_name(name)
        bot_id = PREFIX + derived_id("bot", caller.player_id, request.request_id)
        now_ms = self._now_ms()

        def write(connection: Connection) -> bots_pb2.Bot:
            must_have_account(connection, caller)
            if (there := bot_rows.find(connection, caller.player_id, bot_id)) is not None:
                return _described(there)
            if len(bot_rows.of(connection, caller.player_id)) >= MAX_BOTS:
                raise Refused(errors_pb2.REASON_FULL, f"a player can have {MAX_BOTS} bots", details={"bound": "bots"})
            if rows.was_removed(connection, bot_id):
                raise Refused(errors_pb2.REASON_REQUEST_ID_REUSED, "the bot of this request was deleted")
            account = {"player_id": bot_id, **as_compared(name), "created_at_ms": now_ms, "generation": 0}
            connection.execute(ACCOUNTS.insert().values(account))
            connection.execute(BOTS.insert().values(player_id=bot_id, owner_id=caller.player_id))
            return self._own(connection, caller, bot_id)

        return Answered(bots_pb2.CreateBotResponse(bot=await self._store.run(write)))

    async def rename(self, request: bots_pb2.RenameBotRequest, caller: Caller) -> Answered:
        """Rename a bot and return it. Raises Refused: NO_TOKEN, UNKNOWN for another's bot, MALFORMED, NAME_RESERVED."""
        name = clean_text(request.name, "name", NAME_BYTES)
        check_name(name)

        def write(connection: Connection) -> bots_pb2.Bot:
            rows.own(connection, caller)
            self._own(connection, caller, request.bot_id)
            rows.rename(connection, request.bot_id, name)
            return self._own(connection, caller, request.bot_id)

        return Answered(bots_pb2.RenameBotResponse(bot=await self._store.run(write)))

    async def suspend(self, request: bots_pb2.SuspendBotRequest, caller: Caller) -> Answered:
        """Suspend a bot, or end that, and return it: its tokens are void as long, and its seat tokens for ever.

        Raises Refused: NO_TOKEN, UNKNOWN for another's bot.
        """
        now_ms = self._now_ms()

        def write(connection: Connection) -> bots_pb2.Bot:
            rows.own(connection, caller)
            self._own(connection, caller, request.bot_id)
            if bot_rows.suspend(connection, request.bot_id, suspended=request.suspended):
                token_rows.refresh(connection, request.bot_id, void=request.suspended)
                if request.suspended:
                    rows.void_seat_tokens(connection, request.bot_id, now_ms)
            return self._own(connection, caller, request.bot_id)

        return Answered(bots_pb2.SuspendBotResponse(bot=await self._store.run(write)))

    def _own(self, connection: Connection, caller: Caller, bot_id: str) -> bots_pb2.Bot:
        """Return one of the caller's bots. Raises Refused (UNKNOWN), also for another's: whose it is, others read in profiles."""
        row = bot_rows.find(connection, caller.player_id, bot_id)
        if row is None:
            raise unknown("bot", "bot_id", bot_id)
        return _described(row)


def must_have_account(connection: Connection, caller: Caller) -> Row[Any]:
    """Return the account of a caller who may own bots and tokens. Raises Refused (NO_TOKEN, NO_ACCOUNT, BOT)."""
    if is_bot(caller.player_id):
        raise Refused(errors_pb2.REASON_BOT, "bots own nothing")
    account = rows.own(connection, caller)
    if account is None:
        raise Refused(errors_pb2.REASON_NO_ACCOUNT, "this needs an account: a way to sign in again")
    return account


def _described(row: Row[Any]) -> bots_pb2.Bot:
    return bots_pb2.Bot(player_id=row.player_id, name=row.name, suspended=row.suspended, created_at_ms=row.created_at_ms)
