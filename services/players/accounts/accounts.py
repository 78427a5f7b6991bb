"""Answers the calls about accounts."""

from collections.abc import Mapping

from sqlalchemy import Connection, select

from brettwerk.v1 import accounts_pb2, players_pb2
from services.archive.access import Access
from services.players.calls import Answered, Caller, Handler
from services.players.tables import ACCOUNTS, SIGN_OUTS
from services.runtime.settings import Settings

SIGN_OUTS_PAGE = 1000
"""Sign-outs in one answer."""


class Accounts:
    """The calls about accounts."""

    def __init__(self, store: Access, config: Settings) -> None:
        self._store = store
        self._config = config

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {"get_account": self.get_account}

    async def get_account(self, request: accounts_pb2.GetAccountRequest, caller: Caller) -> Answered:
        """Return the caller's account."""
        caller.must_be_a_player()

        def read(connection: Connection) -> accounts_pb2.Account:
            row = connection.execute(select(ACCOUNTS).where(ACCOUNTS.c.player_id == caller.player_id)).first()
            if row is None:
                return accounts_pb2.Account(player_id=caller.player_id, name=caller.name)
            return accounts_pb2.Account(player_id=row.player_id, name=row.name, created_at_ms=row.created_at_ms)

        return Answered(accounts_pb2.GetAccountResponse(account=await self._store.run(read)))

    async def sign_outs(self, request: players_pb2.ListSignOutsRequest) -> players_pb2.ListSignOutsResponse:
        """Return a page of players whose earlier tokens are void."""
        query = select(SIGN_OUTS).where(SIGN_OUTS.c.number > request.after).order_by(SIGN_OUTS.c.number).limit(SIGN_OUTS_PAGE)
        rows = await self._store.run(lambda connection: connection.execute(query).all())
        found = [players_pb2.SignOut(player_id=row.player_id, generation=row.generation) for row in rows]
        return players_pb2.ListSignOutsResponse(sign_outs=found, cursor=rows[-1].number if rows else request.after)
