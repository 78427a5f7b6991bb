"""Players who want to hear of seats that are offered to substitutes, by game. In a transaction.

Of one seat so many are told, those first who were told longest ago; each is told at most once an hour.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from sqlalchemy import Connection, bindparam, delete, select, update

from brettwerk.internal.v1 import players_pb2
from services.players.news.tables import SEAT_WISHES

INFORMED = 100
"""Players who are told of one seat."""
PAUSE_MS = 3_600_000
"""How long a player hears of no other seat after one."""

Blocks = Callable[[Connection, Collection[str]], set[tuple[str, str]]]
"""Returns who has blocked whom among some players."""

_WISHING = (
    select(SEAT_WISHES.c.player_id)
    .where(
        SEAT_WISHES.c.game == bindparam("game"),
        SEAT_WISHES.c.informed_at_ms <= bindparam("before"),
        SEAT_WISHES.c.player_id.not_in(bindparam("players", expanding=True)),
    )
    .order_by(SEAT_WISHES.c.informed_at_ms, SEAT_WISHES.c.player_id)
    .limit(INFORMED)
)
_INFORMING = (
    update(SEAT_WISHES)
    .where(SEAT_WISHES.c.player_id.in_(bindparam("players", expanding=True)))
    .values(informed_at_ms=bindparam("now"))
)


def put(connection: Connection, player_id: str, games: Collection[str]) -> None:
    """Store of which games a player wants to hear, and nothing else; what they were told when stays."""
    mine = SEAT_WISHES.c.player_id == player_id
    query = select(SEAT_WISHES.c.game, SEAT_WISHES.c.informed_at_ms).where(mine)
    known = {row.game: row.informed_at_ms for row in connection.execute(query)}
    connection.execute(delete(SEAT_WISHES).where(mine, SEAT_WISHES.c.game.not_in(games)))
    informed_at_ms = max(known.values(), default=0)
    if new := [{"player_id": player_id, "game": game, "informed_at_ms": informed_at_ms} for game in games if game not in known]:
        connection.execute(SEAT_WISHES.insert(), new)


def of(connection: Connection, player_id: str) -> Sequence[str]:
    """Return the games of whose open seats a player wants to hear."""
    query = select(SEAT_WISHES.c.game).where(SEAT_WISHES.c.player_id == player_id).order_by(SEAT_WISHES.c.game)
    return connection.execute(query).scalars().all()


def notes(
    connection: Connection, offered: Iterable[players_pb2.OfferedSeat], now_ms: int, blocks: Blocks
) -> Iterator[players_pb2.NotedNews]:
    """Yield the news of seats for those who want to hear of them now, and note that they did.

    Left out are those who play at the table or have played, and who have blocked one of them or are blocked.
    """
    for seat in offered:
        question = {"game": seat.news.game, "before": now_ms - PAUSE_MS, "players": list(seat.players)}
        found = connection.execute(_WISHING, question).scalars().all()
        if not found:
            continue
        apart = blocks(connection, [*found, *seat.players])
        met = {one for pair in apart if {*pair} & {*seat.players} for one in pair}
        informed = [player for player in found if player not in met]
        if informed:
            connection.execute(_INFORMING, {"players": informed, "now": now_ms})
        for player in informed:
            yield players_pb2.NotedNews(player_id=player, session_version=seat.session_version, news=seat.news)
