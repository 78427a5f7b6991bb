"""The work that tournaments do by themselves: they start, take results, and go from round to round.

Everything is in SQL and every step is one transaction, so any process of the service does it, and one that dies leaves nothing
half done. Results come from the finished games that ratings come from.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row, select

from brettwerk.internal.v1 import players_pb2, session_pb2
from brettwerk.v1 import news_pb2
from services.archive.access import Access
from services.players.results.summary import ABANDONED, CLOSED, DRAWN, LOST, WON
from services.players.results.tables import GAMES, RESULTS
from services.players.tournaments import description, rounds, tournament_rows
from services.players.tournaments.results import DRAW, LOSS, WIN
from services.players.tournaments.tables import PAIRINGS
from services.players.tournaments.tournament_rows import OPEN, RUNNING
from services.runtime import metrics
from services.runtime.wall_clock import wall_ms

_AT_ONCE = 200


class Progress:
    """Starts tournaments, takes results and begins rounds. Raises Refused (UNAVAILABLE) without the database."""

    def __init__(self, store: Access, wake: Callable[[dict[str, int]], None], now_ms: Callable[[], int] = wall_ms) -> None:
        """`wake` takes the players who have news, with their newest versions."""
        self._store = store
        self._wake = wake
        self._now_ms = now_ms

    async def step(self) -> None:
        """Do what is due."""
        now_ms = self._now_ms()
        for tournament_id in await self._store.run(partial(tournament_rows.due, now_ms=now_ms)):
            self._wake(await self._store.run(partial(_start, tournament_id=tournament_id, now_ms=now_ms)))
        await self._store.run(_take_results)
        for tournament_id in await self._store.run(tournament_rows.decided):
            self._wake(await self._store.run(partial(_go_on, tournament_id=tournament_id, now_ms=now_ms)))

    async def forget_old(self) -> None:
        """Remove the tournaments that have been over long enough."""
        now_ms = self._now_ms()
        await self._store.run(lambda connection: tournament_rows.forget_old(connection, now_ms))

    def announce(self, connection: Connection, arrangement_id: str, session_id: str) -> list[players_pb2.NotedNews]:
        """Return the news of a session that was made for two of a round (Announce in opponents/session_orders.py).

        Where there can be none, each of the two has half a point.
        """
        pairing = tournament_rows.pairing_of(connection, arrangement_id)
        if pairing is None:
            return []
        if not session_id:
            _decide(connection, pairing, (DRAW, DRAW), played=False)
            return []
        tournament_rows.note_session(connection, arrangement_id, session_id)
        tournament = tournament_rows.find(connection, pairing.tournament_id)
        return [] if tournament is None else _news(connection, tournament, pairing, session_id, self._now_ms())

    def conclude(self, connection: Connection, arrangement_id: str, became: session_pb2.CloseWaitingResponse | None) -> bool:
        """Take what became of a session whose players had time enough to come; None for a session that is lost.

        A player who has come where the other has not has won; nobody is to blame for a session that is lost. Returns whether
        nothing more can become of it (Conclude in opponents/session_orders.py).
        """
        pairing = tournament_rows.pairing_of(connection, arrangement_id)
        if pairing is None or pairing.first_points is not None:
            return True
        if became is None:
            _decide(connection, pairing, (DRAW, DRAW), played=False)
        elif not became.began:
            first, second = (WIN if seat in became.came else LOSS for seat in (0, 1))
            _decide(connection, pairing, (DRAW, DRAW) if first == second == WIN else (first, second), played=False)
        else:
            return _take(connection, pairing, pairing.session_id, even_unplayed=True)
        return True


def _start(connection: Connection, tournament_id: str, now_ms: int) -> dict[str, int]:
    tournament = tournament_rows.hold(connection, tournament_id)
    if tournament is None or tournament.state != OPEN:
        return {}
    is_late = not tournament.starts_at_ms or tournament.starts_at_ms > now_ms
    if is_late:  # it was open long enough
        return rounds.end(connection, tournament, tournament_rows.CANCELLED, now_ms)
    return rounds.start(connection, tournament, now_ms)


def _go_on(connection: Connection, tournament_id: str, now_ms: int) -> dict[str, int]:
    tournament = tournament_rows.hold(connection, tournament_id)
    if tournament is None or tournament.state != RUNNING:
        return {}
    found = tournament_rows.pairings(connection, tournament_id)
    if any(row.first_points is None for row in found):
        return {}
    return rounds.go_on(connection, tournament, now_ms)


def _take_results(connection: Connection) -> None:
    """Take the results of games that were finished."""
    query = (
        select(PAIRINGS)
        .join(GAMES, GAMES.c.session_id == PAIRINGS.c.session_id)
        .where(PAIRINGS.c.first_points.is_(None), PAIRINGS.c.session_id != "")
        .where((GAMES.c.status != CLOSED) | (GAMES.c.plies > 0))
        .order_by(PAIRINGS.c.tournament_id, PAIRINGS.c.round, PAIRINGS.c.board)
        .limit(_AT_ONCE)
    )
    for pairing in connection.execute(query).all():
        _take(connection, pairing, pairing.session_id, even_unplayed=False)


def _take(connection: Connection, pairing: Row[Any], session_id: str, *, even_unplayed: bool) -> bool:
    """Take the result of a pairing's game, if it is over; return whether it is."""
    game = connection.execute(select(GAMES).where(GAMES.c.session_id == session_id)).first()
    if game is None or (game.status == CLOSED and not game.plies and not even_unplayed):
        return False
    query = select(RESULTS.c.seat, RESULTS.c.result).where(RESULTS.c.session_id == session_id, RESULTS.c.began)
    came_to = {row.seat: row.result for row in connection.execute(query)}
    points = _points(came_to.get(0, ""), came_to.get(1, ""))
    _decide(connection, pairing, points or (DRAW, DRAW), played=points is not None)
    return True


def _points(first: str, second: str) -> tuple[int, int] | None:
    """Return the points of two results; None for a game that has come to nothing."""
    known = {WON: WIN, DRAWN: DRAW, LOST: LOSS, ABANDONED: LOSS}
    if first not in known or second not in known:
        return None
    if (first == ABANDONED) != (second == ABANDONED):
        return (LOSS, WIN) if first == ABANDONED else (WIN, LOSS)
    return known[first], known[second]


def _decide(connection: Connection, pairing: Row[Any], points: tuple[int, int], *, played: bool) -> None:
    if tournament_rows.decide(connection, pairing, points, played=played):
        tournament = tournament_rows.find(connection, pairing.tournament_id)
        metrics.PAIRINGS.labels(tournament.game if tournament else "", "played" if played else "unplayed").inc()


def _news(
    connection: Connection, tournament: Row[Any], pairing: Row[Any], session_id: str, now_ms: int
) -> list[players_pb2.NotedNews]:
    players = {one.number: one for one in tournament_rows.players(connection, tournament.tournament_id)}
    two = [players[pairing.first], players[pairing.second]]
    request = description.asked(tournament)
    return [
        players_pb2.NotedNews(
            player_id=one.player_id,
            news=news_pb2.News(
                kind=news_pb2.News.KIND_ROUND,
                session_id=session_id,
                game=tournament.game,
                title=request.name,
                seat=seat,
                at_ms=now_ms,
                until_ms=now_ms + description.join_timeout_s(request) * 1000,
                name=two[1 - seat].name,
                tournament_id=tournament.tournament_id,
            ),
        )
        for seat, one in enumerate(two)
    ]
