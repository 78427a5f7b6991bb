"""A player in numbers: finished games by game and by opponent, wins in a row, and ratings with how they went over time."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, case, func, or_, select, true

from brettwerk.v1 import profiles_pb2 as pb
from services.players.accounts.names import is_nobody, last_names
from services.players.profiles.leaders import rank_of
from services.players.profiles.words import KIND, RESULT
from services.players.ratings.glicko2 import PROVISIONAL, Rating, aged
from services.players.ratings.pools import Pool, periods
from services.players.ratings.tables import RATING_EVENTS, RATINGS
from services.players.results.summary import ABANDONED, DRAWN, LOST, UNFINISHED, WON
from services.players.results.tables import GAMES, RESULTS

MAX_OPPONENTS, MAX_ENDINGS = 20, 50
MAX_POINTS = 200
"""Points of a plot of ratings."""


def summaries(connection: Connection, player_id: str) -> list[pb.GameSummary]:
    """Return what a player has played of each game, the most played first."""
    count, last = func.count(), func.max(RESULTS.c.finished_at_ms)
    query = (
        select(RESULTS.c.game, RESULTS.c.result, GAMES.c.reason, count.label("count"), last.label("last"))
        .join(GAMES, GAMES.c.session_id == RESULTS.c.session_id)
        .where(RESULTS.c.player_id == player_id, RESULTS.c.result.in_(RESULT), RESULTS.c.result != UNFINISHED)
        .group_by(RESULTS.c.game, RESULTS.c.result, GAMES.c.reason)
    )
    found: dict[str, pb.GameSummary] = {}
    endings: dict[str, dict[tuple[str, str], int]] = {}
    for game, result, reason, games, last_at_ms in connection.execute(query):
        summary = found.setdefault(game, pb.GameSummary(game=game))
        summary.games += games
        summary.won += games if result == WON else 0
        summary.lost += games if result in (LOST, ABANDONED) else 0
        summary.drawn += games if result == DRAWN else 0
        summary.last_at_ms = max(summary.last_at_ms, last_at_ms)
        way = [*reason.split("."), ""][1]
        ways = endings.setdefault(game, {})
        ways[way, result] = ways.get((way, result), 0) + games
    for game, ways in endings.items():
        for (way, result), games in sorted(ways.items(), key=lambda one: (-one[1], one[0]))[:MAX_ENDINGS]:
            found[game].endings.add(reason=way, result=RESULT[result], games=games)
    return sorted(found.values(), key=lambda one: (-one.games, one.game))[:100]


def opponents(connection: Connection, player_id: str, only: str = "") -> list[pb.Opponent]:
    """Return against whom a player has played most, and who came before whom; of the player `only` where one is named."""
    mine, other = RESULTS.alias("mine"), RESULTS.alias("other")
    level_game = case((other.c.player_id == "", other.c.game), else_="")
    games = func.count()
    ahead = _sum(
        or_(
            and_(other.c.result == ABANDONED, mine.c.result != ABANDONED),
            and_(other.c.result != ABANDONED, mine.c.result != ABANDONED, mine.c.place < other.c.place),
        )
    )
    behind = _sum(
        or_(
            and_(mine.c.result == ABANDONED, other.c.result != ABANDONED),
            and_(other.c.result != ABANDONED, mine.c.result != ABANDONED, mine.c.place > other.c.place),
        )
    )
    query = (
        select(other.c.player_id, other.c.level, level_game, games, ahead, behind)
        .select_from(mine.join(other, other.c.session_id == mine.c.session_id))
        .where(
            mine.c.player_id == player_id,
            other.c.player_id != player_id,
            other.c.side != mine.c.side,
            mine.c.result != UNFINISHED,
            other.c.result != UNFINISHED,
            other.c.player_id == only if only else true(),
        )
        .group_by(other.c.player_id, other.c.level, level_game)
        .order_by(games.desc(), other.c.player_id, other.c.level, level_game)
        .limit(MAX_OPPONENTS)
    )
    rows = connection.execute(query).all()
    names = last_names(connection, [row[0] for row in rows])
    return [
        pb.Opponent(
            player_id="" if is_nobody(opponent) else opponent,
            name=names.get(opponent, ""),
            game=game,
            level=level,
            games=count,
            ahead=before,
            behind=after,
        )
        for opponent, level, game, count, before, after in rows
    ]


def _sum(holds: ColumnElement[bool]) -> Any:
    return func.sum(case((holds, 1), else_=0))


def streaks(connection: Connection, player_id: str) -> tuple[int, int]:
    """Return the most games that a player has won in a row, and how many of the last ones are won."""
    query = (
        select(RESULTS.c.result)
        .where(RESULTS.c.player_id == player_id, RESULTS.c.result != UNFINISHED)
        .order_by(RESULTS.c.finished_at_ms, RESULTS.c.session_id, RESULTS.c.number)
    )
    longest = length = 0
    for result in connection.execute(query).scalars():
        length = length + 1 if result == WON else 0
        longest = max(longest, length)
    return longest, length


def ratings_of(connection: Connection, player_id: str, now_ms: int) -> list[pb.PlayerRating]:
    """Return a player's ratings as they are now, those of the most games first; none of kinds that a newer release has."""
    query = (
        select(RATINGS)
        .where(RATINGS.c.player_id == player_id, RATINGS.c.kind.in_(KIND))
        .order_by(RATINGS.c.games.desc(), RATINGS.c.game)
    )
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
