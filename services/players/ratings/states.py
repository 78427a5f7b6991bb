"""Ratings in SQL: the rows of states and of events, and what is read of them. Within a transaction."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Connection, select

from services.archive.upsert import insert_into
from services.players.ratings.glicko2 import Rating
from services.players.ratings.pools import Pool, week_of
from services.players.ratings.rating_update import Event, State
from services.players.ratings.tables import RATING_WEEKS, RATINGS

AT_ONCE = 500
"""Players that are asked for in one statement."""


def states_of(connection: Connection, pool: Pool, players: Collection[str]) -> dict[str, State]:
    """Return the states of those of some players who have one."""
    found: dict[str, State] = {}
    for some in lots(sorted(players)):
        query = select(
            RATINGS.c.player_id,
            RATINGS.c.rating,
            RATINGS.c.deviation,
            RATINGS.c.volatility,
            RATINGS.c.games,
            RATINGS.c.at_ms,
            RATINGS.c.week,
            RATINGS.c.week_gain,
            RATINGS.c.week_games,
        ).where(RATINGS.c.player_id.in_(some), RATINGS.c.game == pool.game, RATINGS.c.kind == pool.kind)
        for player_id, rating, deviation, volatility, *rest in connection.execute(query):
            found[player_id] = State(Rating(rating, deviation, volatility), *rest)
    return found


def write_states(connection: Connection, pool: Pool, events: Iterable[Event]) -> None:
    """Write the states that events lead to, and the sums of their weeks."""
    last = {event.player_id: event.after for event in events}
    weeks = {(event.player_id, event.after.week): event.after for event in events}
    if last:
        put(connection, RATINGS, [state_row(pool, player_id, state) for player_id, state in last.items()])
        put(connection, RATING_WEEKS, [week_row(pool, player_id, state) for (player_id, _), state in weeks.items()])


def put(connection: Connection, table: Any, rows: Sequence[dict[str, object]]) -> None:
    """Insert rows, or put them in the place of those with the same key."""
    fresh = insert_into(connection, table)
    keys = [column.name for column in table.primary_key]
    others = {column.name: fresh.excluded[column.name] for column in table.c if column.name not in keys}
    connection.execute(fresh.on_conflict_do_update(index_elements=keys, set_=others), rows)


def event_row(pool: Pool, event: Event) -> dict[str, object]:
    """Return the row of an event."""
    return {
        "session_id": event.session_id,
        "player_id": event.player_id,
        "game": pool.game,
        "kind": pool.kind,
        "finished_at_ms": event.finished_at_ms,
        "rating_before": event.before.rating,
        "deviation_before": event.before.deviation,
        "rating": event.after.rating.rating,
        "deviation": event.after.rating.deviation,
        "volatility": event.after.rating.volatility,
        "games": event.after.games,
        "week_gain": event.after.week_gain,
        "week_games": event.after.week_games,
    }


def state_after(row: Any) -> State:
    """Return the state that the event of a row led to."""
    rating = Rating(row.rating, row.deviation, row.volatility)
    return State(rating, row.games, row.finished_at_ms, week_of(row.finished_at_ms), row.week_gain, row.week_games)


def state_row(pool: Pool, player_id: str, state: State) -> dict[str, object]:
    """Return the row of a state."""
    return {
        "player_id": player_id,
        "game": pool.game,
        "kind": pool.kind,
        "rating": state.rating.rating,
        "deviation": state.rating.deviation,
        "volatility": state.rating.volatility,
        "games": state.games,
        "at_ms": state.at_ms,
        "week": state.week,
        "week_gain": state.week_gain,
        "week_games": state.week_games,
        "established_until_ms": state.established_until_ms,
    }


def week_row(pool: Pool, player_id: str, state: State) -> dict[str, object]:
    """Return the row of a state's week."""
    return {
        "player_id": player_id,
        "game": pool.game,
        "kind": pool.kind,
        "week": state.week,
        "gain": state.week_gain,
        "games": state.week_games,
    }


def lots(items: Iterable[str]) -> Iterator[list[str]]:
    """Yield items in lots that one statement holds."""
    left = iter(items)
    while some := list(islice(left, AT_ONCE)):
        yield some
