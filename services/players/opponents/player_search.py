"""Finding players by name, whom they have blocked and how reliable they are: the calls."""

from collections.abc import Callable, Collection, Mapping

from sqlalchemy import Connection, select

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import errors_pb2, opponents_pb2, record_pb2
from services.archive.access import Access
from services.players.accounts import rows
from services.players.accounts.names import names_of, sought
from services.players.accounts.tables import ACCOUNTS
from services.players.calls import Answered, Caller, Handler
from services.players.conduct import conduct_rows
from services.players.conduct.departures import pace_of
from services.players.news.tables import FEEDS
from services.players.opponents import blocks
from services.players.opponents.block_feed import BlockFeed
from services.runtime.bots import is_bot
from services.runtime.refusal import Refused, malformed, unknown
from services.runtime.wall_clock import wall_ms

FOUND = 20
"""Players in an answer."""


class Finding:
    """The calls. Raises Refused."""

    def __init__(self, store: Access, now_ms: Callable[[], int] = wall_ms, block_feed: BlockFeed | None = None) -> None:
        """`block_feed` tells session processes of blocks."""
        self._store = store
        self._now_ms = now_ms
        self._block_feed = block_feed or BlockFeed(store)

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {"find_players": self.find, "block_player": self.block, "list_blocked_players": self.list_blocked}

    async def blocked(self, player_id: str, others: Collection[str]) -> list[str]:
        """Return those of the others whom a player has blocked, or who have blocked the player."""
        pairs = await self._store.run(lambda connection: blocks.among(connection, [player_id, *others]))
        return sorted({*others} & {one for pair in pairs if player_id in pair for one in pair} - {player_id})

    async def with_blocks(self, request: players_pb2.ListPlayersWithBlocksRequest) -> players_pb2.ListPlayersWithBlocksResponse:
        """Return the players who have blocked somebody or are blocked, as `BlockFeed.page` does."""
        return await self._block_feed.page(request)

    async def reliability(self, player_id: str, clock: record_pb2.ClockSpec) -> int | None:
        """Return how much of the games with such a clock a player finishes, in percent; None where that is not known."""
        conduct = await self._store.run(lambda connection: conduct_rows.find(connection, [player_id]))
        return conduct[player_id].percent(pace_of(clock), self._now_ms())

    async def name_of(self, player_id: str) -> str:
        """Return what a player with an account is called; empty for anybody else."""
        return (await self._store.run(lambda connection: names_of(connection, [player_id]))).get(player_id, "")

    async def find(self, request: opponents_pb2.FindPlayersRequest, caller: Caller) -> Answered:
        """Return the first players, in the order of their names, whose names begin so, in capitals or not.

        Raises Refused: NO_TOKEN, MALFORMED for an empty name.
        """
        caller.require_player()
        wanted = sought(request.name.strip())
        if not wanted:
            raise malformed("name", "name is empty")

        def read(connection: Connection) -> opponents_pb2.FindPlayersResponse:
            begins = ACCOUNTS.c.sought.startswith(wanted, autoescape=True)
            query = select(ACCOUNTS.c.player_id, ACCOUNTS.c.name).where(begins, ACCOUNTS.c.player_id != caller.player_id)
            found = connection.execute(query.order_by(ACCOUNTS.c.sought, ACCOUNTS.c.player_id).limit(FOUND))
            players = [_named(row.player_id, row.name) for row in found]
            return opponents_pb2.FindPlayersResponse(players=players)

        return Answered(await self._store.run(read))

    async def block(self, request: opponents_pb2.BlockPlayerRequest, caller: Caller) -> Answered:
        """Block a player, or unblock them; return an empty answer. Raises Refused: NO_TOKEN, MALFORMED for the caller, FULL."""
        caller.require_player()
        if not request.player_id or request.player_id == caller.player_id:
            raise malformed("player_id", "only another player can be blocked")

        def write(connection: Connection) -> None:
            rows.own(connection, caller)
            if request.blocked:
                blocks.block(connection, caller.player_id, request.player_id, self._now_ms())
            else:
                blocks.unblock(connection, caller.player_id, request.player_id)

        await self._store.run(write)
        if request.blocked:
            await self._block_feed.tell()
        return Answered(opponents_pb2.BlockPlayerResponse())

    async def list_blocked(self, request: opponents_pb2.ListBlockedPlayersRequest, caller: Caller) -> Answered:
        """Return the players whom the caller has blocked. Raises Refused (NO_TOKEN)."""
        caller.require_player()

        def read(connection: Connection) -> opponents_pb2.ListBlockedPlayersResponse:
            rows.own(connection, caller)
            blocked = blocks.blocked_by(connection, caller.player_id)
            known = names_of(connection, blocked)
            players = [_named(one, known.get(one, "")) for one in blocked]
            return opponents_pb2.ListBlockedPlayersResponse(players=players)

        return Answered(await self._store.run(read))


def one(connection: Connection, player_id: str, name: str) -> opponents_pb2.RatedPlayer:
    """Return the player with an id or, where none is given, of a name. Raises Refused (UNKNOWN, AMBIGUOUS)."""
    if player_id:
        known = names_of(connection, [player_id])
        has_news = connection.execute(select(FEEDS.c.head).where(FEEDS.c.player_id == player_id)).first() is not None
        if player_id not in known and not has_news:
            raise unknown("player", "player_id", player_id)
        return _named(player_id, known.get(player_id, ""))
    query = select(ACCOUNTS.c.player_id, ACCOUNTS.c.name).where(ACCOUNTS.c.sought == sought(name.strip()))
    found = connection.execute(query.limit(2)).all()
    if not found or not name.strip():
        raise unknown("player", "name", name)
    if len(found) > 1:
        raise Refused(errors_pb2.REASON_AMBIGUOUS, "several players have this name", details={"what": "player"})
    return _named(found[0].player_id, found[0].name)


def _named(player_id: str, name: str) -> opponents_pb2.RatedPlayer:
    return opponents_pb2.RatedPlayer(player_id=player_id, name=name, bot=is_bot(player_id))
