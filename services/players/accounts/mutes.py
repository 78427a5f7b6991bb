"""The players whom a player has muted. The list travels with the player; clients leave out what these players say."""

from collections.abc import Callable, Mapping

from sqlalchemy import Connection, delete, func, select

from brettwerk.v1 import accounts_pb2, errors_pb2
from services.archive.access import Access
from services.archive.upsert import insert_into
from services.players.accounts import rows
from services.players.accounts.tables import MUTES
from services.players.calls import Answered, Caller, Handler
from services.runtime.player_text import NAME_BYTES, shown_text
from services.runtime.refusal import Refused, malformed

MUTED = 500
"""How many players one player can have muted."""


class Mutes:
    """The calls about it."""

    def __init__(self, store: Access, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._now_ms = now_ms

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {"mute_player": self.mute, "list_muted_players": self.list}

    async def mute(self, request: accounts_pb2.MutePlayerRequest, caller: Caller) -> Answered:
        """Mute a player, or end that; return all whom the caller has muted. Raises Refused: MALFORMED for the caller, FULL."""
        if not request.player_id or request.player_id == caller.player_id:
            raise malformed("player_id", "another player is needed")
        name = shown_text(request.name, NAME_BYTES)  # who has a name that deceives must be muted, too

        def write(connection: Connection) -> list[accounts_pb2.MutedPlayer]:
            rows.own(connection, caller)
            this = (MUTES.c.player_id == caller.player_id) & (MUTES.c.muted_id == request.player_id)
            if request.ends:
                connection.execute(delete(MUTES).where(this))
                return _muted(connection, caller)
            row = {"player_id": caller.player_id, "muted_id": request.player_id}
            kept = {"name": name, "at_ms": self._now_ms()}
            both = ["player_id", "muted_id"]
            written = insert_into(connection, MUTES).values(**row, **kept)
            connection.execute(written.on_conflict_do_update(index_elements=both, set_={"name": name}))
            mine = select(func.count()).select_from(MUTES).where(MUTES.c.player_id == caller.player_id)
            if connection.execute(mine).scalar_one() > MUTED:  # undone with the transaction
                raise Refused(errors_pb2.REASON_FULL, f"at most {MUTED} players can be muted", details={"bound": "muted"})
            return _muted(connection, caller)

        return Answered(accounts_pb2.MutePlayerResponse(muted=await self._store.run(write)))

    async def list(self, _request: accounts_pb2.ListMutedPlayersRequest, caller: Caller) -> Answered:
        """Return whom the caller has muted."""

        def read(connection: Connection) -> list[accounts_pb2.MutedPlayer]:
            rows.own(connection, caller)
            return _muted(connection, caller)

        return Answered(accounts_pb2.ListMutedPlayersResponse(muted=await self._store.run(read)))


def _muted(connection: Connection, caller: Caller) -> list[accounts_pb2.MutedPlayer]:
    query = select(MUTES).where(MUTES.c.player_id == caller.player_id).order_by(MUTES.c.at_ms.desc(), MUTES.c.muted_id)
    return [accounts_pb2.MutedPlayer(player_id=row.muted_id, name=row.name, at_ms=row.at_ms) for row in connection.execute(query)]
