"""Rated games of two people, out of the tables of finished games and ratings. In a transaction."""

from sqlalchemy import Connection, select

from services.players.conduct.duels import Duel, Seat
from services.players.ratings.pools import DAY_MS, Pool
from services.players.ratings.tables import RATING_EVENTS
from services.players.results.rating_kind import APART_TWO, TWO
from services.players.results.summary import ABANDONED, DRAWN, LOST
from services.players.results.tables import GAMES, RESULTS

WINDOW_MS = 30 * DAY_MS
MAX_GAMES = 50_000
"""Of the window the newest are read, which bounds the memory that it takes."""


def read(connection: Connection, now_ms: int) -> list[Duel]:
    """Return the rated games of the window that two people began, the newest MAX_GAMES."""
    newest = (
        select(GAMES.c.session_id, GAMES.c.game, GAMES.c.kind, GAMES.c.finished_at_ms, GAMES.c.plies, GAMES.c.reason)
        .where(GAMES.c.rated.is_(True), GAMES.c.kind.in_((TWO, APART_TWO)), GAMES.c.finished_at_ms >= now_ms - WINDOW_MS)
        .order_by(GAMES.c.finished_at_ms.desc(), GAMES.c.session_id.desc())
        .limit(MAX_GAMES)
        .subquery()
    )
    event = RATING_EVENTS.c
    query = (
        select(newest, RESULTS.c.player_id, RESULTS.c.result, event.rating_before, event.rating)
        .join(RESULTS, RESULTS.c.session_id == newest.c.session_id)
        .join(RATING_EVENTS, (event.session_id == newest.c.session_id) & (event.player_id == RESULTS.c.player_id))
        .where(RESULTS.c.began.is_(True), RESULTS.c.player_id != "")
        .order_by(newest.c.session_id, RESULTS.c.number)
    )
    found: dict[str, list[tuple[Duel, str]]] = {}
    for row in connection.execute(query):
        seat = Seat(row.player_id, row.rating_before, row.rating - row.rating_before)
        duel = Duel(row.finished_at_ms, row.session_id, Pool(row.game, row.kind), row.plies, seat, seat)
        resigned = row.reason.split(".")[1:2] == ["resigned"]
        given_up = row.result == ABANDONED or (row.result == LOST and resigned)
        found.setdefault(row.session_id, []).append((duel._replace(drawn=row.result == DRAWN, given_up=given_up), row.result))
    return [_whole(*both) for both in found.values() if len(both) == 2]


def _whole(one: tuple[Duel, str], other: tuple[Duel, str]) -> Duel:
    """Return a game of two, made of what it was for each."""
    winner, loser = (other, one) if one[1] in (LOST, ABANDONED) else (one, other)
    return loser[0]._replace(first=winner[0].first, second=loser[0].second)
