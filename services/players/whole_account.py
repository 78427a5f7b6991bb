"""The calls that concern a whole account, of a player or a bot, whatever room keeps it: sign-out everywhere, export and deletion.

Nothing is deleted of the games of others: results stay without a name, under a mark (accounts/deleted_players.py).
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf import json_format
from sqlalchemy import Connection, Row, Table, delete, or_, select, update

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import accounts_pb2, bots_pb2, errors_pb2, record_pb2
from services.archive.access import Access
from services.players.accounts import bot_rows, login_throttle, rows, token_rows
from services.players.accounts.deleted_players import mark_of
from services.players.accounts.proof_check import ProofCheck
from services.players.accounts.tables import MUTES, SIGN_OUTS, TICKETS
from services.players.arena import arena_rows
from services.players.calls import Answered, Caller, Handler
from services.players.clubs import club_rows
from services.players.conduct import conduct_rows
from services.players.moderation import acts
from services.players.moderation.tables import REPORTS
from services.players.news.tables import DEVICES, WEBHOOKS
from services.players.opponents.tables import BLOCKS, CHALLENGES
from services.players.ratings.tables import RATING_EVENTS, RATING_POOLS, RATING_WEEKS, RATINGS
from services.players.results.tables import RESULTS
from services.players.schema import METADATA
from services.players.tournaments import series_rows, tournament_rows
from services.players.tournaments.tables import FORBIDDEN_PAIRS, TOURNAMENT_PLAYERS, TOURNAMENTS
from services.runtime.refusal import Refused, malformed, unknown
from services.runtime.wall_clock import wall_ms

SECRET = frozenset({"password", "phrase", "phrase_finder", "digest", "payload", "public_key", "sealed"})
"""Columns of which an export shows only that they have a value."""
OF_OTHERS = frozenset({"actor_id", "reporter_id", "context", "comment", "matter"})
"""Columns with what others have done or said, which an export does not show: of acts on the player, and of reports about them."""
KEPT = (RESULTS, RATINGS, RATING_EVENTS, RATING_WEEKS, TOURNAMENT_PLAYERS)
"""Tables in which the mark takes the player's place."""


class WholeAccount:
    """The calls. Raises Refused."""

    def __init__(self, store: Access, proofs: ProofCheck, now_ms: Callable[[], int] = wall_ms) -> None:
        self._store = store
        self._proofs = proofs
        self._now_ms = now_ms

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {
            "sign_out_everywhere": self.sign_out_everywhere,
            "delete_account": self.delete_account,
            "export_account": self.export_account,
            "delete_bot": self.delete_bot,
        }

    async def sign_out_everywhere(self, request: accounts_pb2.SignOutEverywhereRequest, caller: Caller) -> Answered:
        """Void all tokens, also API tokens, and unused links; forget the known devices, and those that get push messages.

        Webhooks are turned off.

        Returns the caller with the next generation, for whom the gateway makes a new token. Raises Refused (NO_TOKEN).
        """
        now_ms = self._now_ms()

        def write(connection: Connection) -> players_pb2.ProvedPlayer:
            row = rows.keep(connection, caller, now_ms)
            rows.void_tokens(connection, caller.player_id, row.generation + 1, now_ms)
            token_rows.revoke_all(connection, caller.player_id, now_ms)
            for table in (TICKETS, DEVICES):  # a lost device is told nothing more, either
                connection.execute(delete(table).where(table.c.player_id == caller.player_id))
            # a thief with a token may have added a webhook: its owner looks at it before it is told anything more
            mine = (WEBHOOKS.c.player_id == caller.player_id) & WEBHOOKS.c.off_at_ms.is_(None)
            connection.execute(update(WEBHOOKS).where(mine).values(off_at_ms=now_ms, due_at_ms=None, why=""))
            login_throttle.succeeded(connection, login_throttle.of_holder(caller.player_id))  # who had a token has it no longer
            return rows.proved(rows.find(connection, caller.player_id))

        return Answered(accounts_pb2.SignOutEverywhereResponse(), await self._store.run(write))

    async def delete_account(self, request: accounts_pb2.DeleteAccountRequest, caller: Caller) -> Answered:
        """Delete everything stored here about the caller, void the tokens, and return an empty answer.

        Raises Refused: NO_TOKEN, MALFORMED for another name, PROOF_NEEDED.
        """

        def named(connection: Connection) -> Row[Any] | None:
            row = rows.own(connection, caller)
            if request.name != (caller.name if row is None else row.name):
                raise malformed("name", "this is not the name of the account")
            return row

        await self._store.run(named)
        await self._proofs.require(request.proof, caller)

        def write(connection: Connection) -> None:
            # Once more in the transaction that deletes: the player may have been renamed while the proof was checked.
            row = named(connection)
            remove(connection, caller.player_id, self._now_ms())
            generation = (caller.generation if row is None else row.generation) + 1
            rows.void_tokens(connection, caller.player_id, generation, self._now_ms())

        await self._store.run(write)
        return Answered(accounts_pb2.DeleteAccountResponse())

    async def delete_bot(self, request: bots_pb2.DeleteBotRequest, caller: Caller) -> Answered:
        """Delete a bot and everything stored about it, as an account is deleted; return an empty answer.

        Raises Refused: NO_TOKEN, UNKNOWN for another's bot, MALFORMED for another name.
        """
        now_ms = self._now_ms()

        def write(connection: Connection) -> None:
            rows.own(connection, caller)
            bot = bot_rows.find(connection, caller.player_id, request.bot_id)
            if bot is None:
                raise unknown("bot", "bot_id", request.bot_id)
            if request.name != bot.name:
                raise malformed("name", "this is not the name of the bot")
            remove(connection, request.bot_id, now_ms)
            rows.void_tokens(connection, request.bot_id, 1, now_ms)

        await self._store.run(write)
        return Answered(bots_pb2.DeleteBotResponse())

    async def export_account(self, request: accounts_pb2.ExportAccountRequest, caller: Caller) -> Answered:
        """Return everything that is stored here about the caller, as JSON. Raises Refused: NO_TOKEN, FULL for more than 1 MiB."""

        def read(connection: Connection) -> str:
            rows.own(connection, caller)
            return exported(connection, caller.player_id)

        data = await self._store.run(read)
        if len(data.encode()) > 1024 * 1024:
            raise Refused(errors_pb2.REASON_FULL, "there is more than one answer can hold")
        return Answered(accounts_pb2.ExportAccountResponse(json=data))


def remove(connection: Connection, player_id: str, at_ms: int) -> None:
    """Remove everything stored about a player, except that their tokens are void, and results without names.

    Their bots are removed with them.
    """
    for bot_id in bot_rows.of(connection, player_id):
        remove(connection, bot_id, at_ms)
        rows.void_tokens(connection, bot_id, 1, at_ms)
    conduct_rows.forget(connection, player_id)  # before ratings, in the order in which finished games take both
    token_rows.remove_all(connection, player_id)
    club_rows.leave_all(connection, player_id)
    _forget(connection, player_id)
    series_rows.forget(connection, player_id, mark_of(player_id), at_ms)
    acts.replace_player(connection, player_id, mark_of(player_id))
    # Rows that refer to others go first. Sign-outs stay, for the tokens that they void are still about.
    for table in reversed(METADATA.sorted_tables):
        if "player_id" in table.c and table is not SIGN_OUTS:
            connection.execute(delete(table).where(table.c.player_id == player_id))
    connection.execute(delete(MUTES).where(MUTES.c.muted_id == player_id))


def exported(connection: Connection, player_id: str) -> str:
    """Return everything stored about a player as JSON: by table, without the values of secrets."""
    tables = [table for table in METADATA.sorted_tables if "player_id" in table.c or "owner_id" in table.c]
    found: dict[str, object] = {table.name: _rows(connection, table, player_id) for table in tables}
    reported = select(REPORTS.c.kind, REPORTS.c.player_id, REPORTS.c.said, REPORTS.c.comment, REPORTS.c.reported_at_ms)
    own = connection.execute(reported.where(REPORTS.c.reporter_id == player_id).limit(1000)).mappings()
    return json.dumps({**found, "reported": [dict(row) for row in own]}, ensure_ascii=False)


def _rows(connection: Connection, table: Table, player_id: str) -> list[dict[str, object]]:
    mine = or_(*(table.c[name] == player_id for name in ("player_id", "owner_id") if name in table.c))
    if "challenged_id" in table.c:
        mine |= table.c.challenged_id == player_id
    found = connection.execute(select(table).where(mine).limit(1000)).mappings()
    return [{name: _exported(name, value) for name, value in row.items() if name not in OF_OTHERS} for row in found]


def _exported(name: str, value: object) -> object:
    if value is None:
        return None
    if name in SECRET:
        return "kept, and not told"
    if name == "ruling" and isinstance(value, bytes):
        return json_format.MessageToDict(record_pb2.Ruling.FromString(value), preserving_proto_field_name=True)
    return value.hex() if isinstance(value, bytes) else value


def _forget(connection: Connection, player_id: str) -> None:
    """Put the mark in the place of a player, and take the name away."""
    mark = mark_of(player_id)
    connection.execute(select(RATING_POOLS.c.game).with_for_update())  # nobody counts meanwhile
    _leave_tournaments(connection, player_id, mark)
    for table in KEPT:
        connection.execute(update(table).where(table.c.player_id == player_id).values(player_id=mark))
    arena_rows.forget(connection, player_id, mark)
    connection.execute(delete(CHALLENGES).where(CHALLENGES.c.challenged_id == player_id))
    connection.execute(delete(BLOCKS).where(BLOCKS.c.blocked_id == player_id))
    connection.execute(delete(FORBIDDEN_PAIRS).where(FORBIDDEN_PAIRS.c.other_id == player_id))
    connection.execute(update(RESULTS).where(RESULTS.c.player_id == mark).values(name="", sought="", feats=""))
    connection.execute(update(TOURNAMENT_PLAYERS).where(TOURNAMENT_PLAYERS.c.player_id == mark).values(name=""))


def _leave_tournaments(connection: Connection, player_id: str, mark: str) -> None:
    """Take a player out of tournaments; those of their own that have not started are given up when nobody starts them."""
    tournament_rows.leave_all(connection, [player_id])
    connection.execute(update(TOURNAMENTS).where(TOURNAMENTS.c.owner_id == player_id).values(owner_id=mark, owner_name=""))
