"""Takes a pool back to before a game that came late, as if no later one had been counted yet. Within a transaction."""

from sqlalchemy import Connection, delete, func, select, tuple_, update

from services.players.ratings.pools import Pool, week_of
from services.players.ratings.states import lots, put, state_after, state_row, week_row
from services.players.ratings.tables import RATING_EVENTS, RATING_WEEKS, RATINGS
from services.players.results.tables import GAMES

Place = tuple[int, str]
"""A game's place in the order: when it ended, and its session."""


def rewind(connection: Connection, pool: Pool, first: Place) -> None:
    """Leave games from `first` on uncounted, and give their players the ratings that they had before."""
    events = (RATING_EVENTS.c.game == pool.game) & (RATING_EVENTS.c.kind == pool.kind)
    later = events & (tuple_(RATING_EVENTS.c.finished_at_ms, RATING_EVENTS.c.session_id) >= first)
    games = (GAMES.c.game == pool.game) & (GAMES.c.kind == pool.kind) & GAMES.c.rated.is_(True)
    places = tuple_(GAMES.c.finished_at_ms, GAMES.c.session_id)
    players = list(connection.execute(select(RATING_EVENTS.c.player_id).where(later).distinct()).scalars())
    connection.execute(delete(RATING_EVENTS).where(later))
    connection.execute(update(GAMES).where(games, places >= first).values(rated=None))
    for some in lots(players):
        _restore(connection, pool, some, week_of(first[0]))


def _restore(connection: Connection, pool: Pool, players: list[str], week: int) -> None:
    """Give some players the states that their last events led to; none to those who have no event any more."""
    newest = func.row_number().over(
        partition_by=RATING_EVENTS.c.player_id,
        order_by=(RATING_EVENTS.c.finished_at_ms.desc(), RATING_EVENTS.c.session_id.desc()),
    )
    ranked = (
        select(RATING_EVENTS, newest.label("age"))
        .where(RATING_EVENTS.c.player_id.in_(players), RATING_EVENTS.c.game == pool.game, RATING_EVENTS.c.kind == pool.kind)
        .subquery()
    )
    states = {row.player_id: state_after(row) for row in connection.execute(select(ranked).where(ranked.c.age == 1))}
    rating, weeks = RATINGS.c, RATING_WEEKS.c
    connection.execute(delete(RATINGS).where(rating.player_id.in_(players), rating.game == pool.game, rating.kind == pool.kind))
    connection.execute(
        delete(RATING_WEEKS).where(
            weeks.player_id.in_(players), weeks.game == pool.game, weeks.kind == pool.kind, weeks.week >= week
        )
    )
    if states:
        put(connection, RATINGS, [state_row(pool, player_id, state) for player_id, state in states.items()])
    if this_week := [week_row(pool, player_id, state) for player_id, state in states.items() if state.week == week]:
        put(connection, RATING_WEEKS, this_week)
