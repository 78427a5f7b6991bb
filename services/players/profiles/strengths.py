"""A player's ratings, with how they went over time."""

from typing import Any

from sqlalchemy import Connection, Row, select

from brettwerk.v1 import profiles_pb2 as pb
from services.players.profiles.leaders import rank_of
from services.players.profiles.words import KIND
from services.players.ratings.glicko2 import PROVISIONAL, Rating, aged
from services.players.ratings.pools import Pool, periods
from services.players.ratings.tables import RATING_EVENTS, RATINGS

MAX_POINTS = 200
"""Points of a plot."""


def ratings_of(connection: Connection, player_id: str, now_ms: int) -> list[pb.PlayerRating]:
    """Return a player's ratings as they are now, those of the most games first."""
    query = select(RATINGS).where(RATINGS.c.player_id == player_id).order_by(RATINGS.c.games.desc(), RATINGS.c.game)
    return [_rating(connection, row, now_ms) for row in connection.execute(query).all()]


def _rating(connection: Connection, row: Row[Any], now_ms: int) -> pb.PlayerRating:
    pool = Pool(row.game, row.kind)
    is_provisional = row.established_until_ms <= now_ms
    now = aged(Rating(row.rating, row.deviation, row.volatility), periods(row.at_ms, now_ms))
    return pb.PlayerRating(
        game=row.game,
        kind=KIND[row.kind],
        rating=now.rating,
        deviation=now.deviation,
        provisional=is_provisional or now.deviation > PROVISIONAL,
        games=row.games,
        rank=0 if is_provisional else rank_of(connection, pool, row.rating, now_ms),
        points=_points(connection, row.player_id, pool, row.games),
    )


def _points(connection: Connection, player_id: str, pool: Pool, games: int) -> list[pb.RatingPoint]:
    """Return a choice of what came after each of that many games, as even as can be, the first and the last among them."""
    events = RATING_EVENTS.c
    query = (
        select(events.finished_at_ms, events.rating, events.deviation)
        .where(events.player_id == player_id, events.game == pool.game, events.kind == pool.kind)
        .order_by(events.finished_at_ms, events.session_id)
    )
    if games > MAX_POINTS:
        chosen = {1 + round(number * (games - 1) / (MAX_POINTS - 1)) for number in range(MAX_POINTS)}
        query = query.where(events.games.in_(sorted(chosen)))
    return [
        pb.RatingPoint(at_ms=at_ms, rating=rating, deviation=deviation)
        for at_ms, rating, deviation in connection.execute(query.limit(MAX_POINTS))
    ]
