"""How strong players are in a game for two, as opponents are chosen by it and shown it. In a transaction."""

from collections.abc import Collection, Iterable

from sqlalchemy import Connection, select

from brettwerk.v1 import opponents_pb2 as pb
from services.players.ratings.glicko2 import MEAN, PROVISIONAL
from services.players.ratings.tables import RATINGS
from services.players.results.rating_kind import TWO
from services.players.results.tables import GAMES, RESULTS
from services.runtime.bots import is_bot

Known = dict[tuple[str, str], tuple[float, bool]]
"""Rating, and whether it is provisional, by player and game."""


def strengths(connection: Connection, players: Collection[str], games: Collection[str]) -> Known:
    """Return the ratings of players in games, of those who have any."""
    query = select(RATINGS.c.player_id, RATINGS.c.game, RATINGS.c.rating, RATINGS.c.deviation).where(
        RATINGS.c.player_id.in_(players), RATINGS.c.game.in_(games), RATINGS.c.kind == TWO
    )
    return {(row.player_id, row.game): (row.rating, row.deviation > PROVISIONAL) for row in connection.execute(query)}


def rating_of(known: Known, player_id: str, game: str) -> float:
    """Return a rating; that of whom nothing is known for those who have none."""
    return known.get((player_id, game), (MEAN, True))[0]


def rated(known: Known, player_id: str, name: str, game: str, reliability: int | None = None) -> pb.RatedPlayer:
    """Return a player as others see them; `reliability` in percent, None where that is not known or not told."""
    rating, provisional = known.get((player_id, game), (MEAN, True))
    return pb.RatedPlayer(
        player_id=player_id, name=name, rating=rating, provisional=provisional, bot=is_bot(player_id), reliability=reliability
    )


def last_games(connection: Connection, players: Iterable[str], game: str) -> dict[str, tuple[int, str]]:
    """Return the seat that each player had in their last competitive game for two, and the other person, of those who had one."""
    found: dict[str, tuple[int, str]] = {}
    other = RESULTS.alias("other")
    for player_id in players:
        query = (
            select(RESULTS.c.seat, other.c.player_id)
            .join(GAMES, GAMES.c.session_id == RESULTS.c.session_id)
            .outerjoin(other, (other.c.session_id == RESULTS.c.session_id) & (other.c.player_id != player_id))
            .where(RESULTS.c.player_id == player_id, RESULTS.c.game == game, GAMES.c.seats == 2, GAMES.c.competitive)
            .order_by(RESULTS.c.finished_at_ms.desc(), RESULTS.c.session_id.desc())
            .limit(1)
        )
        if (row := connection.execute(query).first()) is not None:
            found[player_id] = row[0], row[1] or ""
    return found
