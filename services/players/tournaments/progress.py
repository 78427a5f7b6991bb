"""The work that tournaments do by themselves: they start, take results, and go from round to round.

Everything is in SQL and every step is one transaction, so any process of the service does it, and one that dies leaves nothing
half done. Results come from the finished games that ratings come from.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row, select

from brettwerk.internal.v1 import players_pb2, session_pb2
from brettwerk.v1 import news_pb2
from services.archive.access import Access
from services.players.results.summary import ABANDONED, CLOSED, DRAWN, LOST, WON
from services.players.results.tables import GAMES, RESULTS
from services.players.tournaments import (
    arena_rows,
    arenas,
    description,
    rounds,
    seatings,
    series_course,
    series_rows,
    tournament_rows,
)
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
        for series_id in await self._store.run(partial(series_rows.due, now_ms=now_ms)):
            await self._store.run(partial(series_course.go_on, series_id=series_id, now_ms=now_ms))
        for tournament_id in await self._store.run(partial(tournament_rows.due, now_ms=now_ms)):
            self._wake(await self._store.run(partial(_start, tournament_id=tournament_id, now_ms=now_ms)))
        await self._store.run(partial(_take_results, now_ms=now_ms))
        for tournament_id in await self._store.run(partial(tournament_rows.decided, now_ms=now_ms)):
            self._wake(await self._store.run(partial(_go_on, tournament_id=tournament_id, now_ms=now_ms)))
        for tournament_id in await self._store.run(partial(arena_rows.due, now_ms=now_ms)):
            self._wake(await self._store.run(partial(arenas.go_on, tournament_id=tournament_id, now_ms=now_ms)))

    async def forget_old(self) -> None:
        """Remove the tournaments that have been over long enough."""
        now_ms = self._now_ms()
        await self._store.run(lambda connection: tournament_rows.forget_old(connection, now_ms))
        await self._store.run(lambda connection: series_rows.forget_old(connection, now_ms))

    def announce(self, connection: Connection, arrangement_id: str, session_id: str) -> list[players_pb2.NotedNews]:
        """Return the news of a session that was made for two of a round (Announce in opponents/session_orders.py).

        Where there can be none, they share the points.
        """
        pairing = tournament_rows.pairing_of(connection, arrangement_id)
        if pairing is None:
            return []
        if not session_id:
            _decide(connection, pairing, _shared(connection, pairing), self._now_ms(), played=False)
            return []
        tournament_rows.note_session(connection, arrangement_id, session_id)
        tournament = tournament_rows.find(connection, pairing.tournament_id)
        return [] if tournament is None else _news(connection, tournament, pairing, session_id, self._now_ms())

    def conclude(self, connection: Connection, arrangement_id: str, became: session_pb2.CloseWaitingResponse | None) -> bool:
        """Take what became of a session whose players had time enough to come; None for a session that is lost.

        A player who has come where the other has not has won; nobody is to blame for a session that is lost. Returns whether
        nothing more can become of it (Conclude in opponents/session_orders.py).
        """
        pairing, now_ms = tournament_rows.pairing_of(connection, arrangement_id), self._now_ms()
        if pairing is None or pairing.first_points is not None:
            return True
        if became is None:
            _decide(connection, pairing, _shared(connection, pairing), now_ms, played=False)
        elif not became.began and pairing.others is not None:
            _go_on_without(connection, pairing, became.came, now_ms)
        elif not became.began:
            first, second = (WIN if seat in became.came else LOSS for seat in (0, 1))
            tournament = _decide(
                connection, pairing, (DRAW, DRAW) if first == second == WIN else (first, second), now_ms, played=False
            )
            if tournament is not None and tournament.lasts_ms:
                arenas.note_absent(connection, tournament, pairing, became.came)
        else:
            return _take(connection, pairing, pairing.session_id, now_ms, even_unplayed=True)
        return True


def _start(connection: Connection, tournament_id: str, now_ms: int) -> dict[str, int]:
    tournament = tournament_rows.hold(connection, tournament_id)
    if tournament is None or tournament.state != OPEN:
        return {}
    is_late = not tournament.starts_at_ms or tournament.starts_at_ms > now_ms
    if is_late:  # it was open long enough
        return rounds.end(connection, tournament, tournament_rows.CANCELLED, now_ms)
    if tournament.lasts_ms:
        return arenas.start(connection, tournament, now_ms)
    return rounds.start(connection, tournament, now_ms)


def _go_on(connection: Connection, tournament_id: str, now_ms: int) -> dict[str, int]:
    tournament = tournament_rows.hold(connection, tournament_id)
    if tournament is None or tournament.state != RUNNING or tournament.round_due_ms > now_ms:
        return {}
    found = tournament_rows.pairings(connection, tournament_id)
    if any(row.first_points is None for row in found):
        return {}
    return rounds.go_on(connection, tournament, now_ms)


def _take_results(connection: Connection, now_ms: int) -> None:
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
        _take(connection, pairing, pairing.session_id, now_ms, even_unplayed=False)


def _take(connection: Connection, pairing: Row[Any], session_id: str, now_ms: int, *, even_unplayed: bool) -> bool:
    """Take the result of a pairing's game, if it is over; return whether it is."""
    game = connection.execute(select(GAMES).where(GAMES.c.session_id == session_id)).first()
    if game is None or (game.status == CLOSED and not game.plies and not even_unplayed):
        return False
    query = select(RESULTS.c.seat, RESULTS.c.result, RESULTS.c.place).where(RESULTS.c.session_id == session_id, RESULTS.c.began)
    came_to = {row.seat: row for row in connection.execute(query)}
    if pairing.others is not None:
        points: Sequence[int] | None = _points_of_table(connection, pairing, came_to)
    else:
        points = _points(*(came_to[seat].result if seat in came_to else "" for seat in (0, 1)))
    _decide(connection, pairing, points or _shared(connection, pairing), now_ms, played=points is not None)
    return True


def _points_of_table(connection: Connection, pairing: Row[Any], came_to: Mapping[int, Any]) -> Sequence[int] | None:
    """Return the points of a larger table; None for a game that has come to nothing."""
    seated = pairing.seated or 2 + len(pairing.others)
    if any(seat not in came_to or came_to[seat].result not in _KNOWN for seat in range(seated)):
        return None
    # Those who have given up are behind all others.
    places = {seat: came_to[seat].place + 100 * (came_to[seat].result == ABANDONED) for seat in range(seated)}
    return _points_with_absent(connection, pairing, places)


def _points_with_absent(connection: Connection, pairing: Row[Any], places: Mapping[int, int]) -> Sequence[int]:
    """Return the points of a table by the places of the seats whose players came; the others are behind them, and get nothing."""
    tournament = tournament_rows.find(connection, pairing.tournament_id)
    assert tournament is not None
    seats = description.seats_of(description.asked(tournament))
    points = seatings.points_by_places([places.get(seat, 1000) for seat in range(2 + len(pairing.others))], seats)
    return [own if seat in places else LOSS for seat, own in enumerate(points)]


def _shared(connection: Connection, pairing: Row[Any]) -> Sequence[int]:
    """Return the points of a game that nobody has won and all have come to."""
    if pairing.others is None:
        return DRAW, DRAW
    return _points_with_absent(connection, pairing, dict.fromkeys(range(pairing.seated or 2 + len(pairing.others)), 1))


def _go_on_without(connection: Connection, pairing: Row[Any], came: Sequence[int], now_ms: int) -> None:
    """Let those who came to a larger table play without the others, once; then, or where one is alone, presence decides."""
    tournament = tournament_rows.hold(connection, pairing.tournament_id)
    assert tournament is not None
    if pairing.seated is None and len(came) >= 2 and tournament.state == RUNNING:
        rounds.play_without(connection, tournament, pairing, came, now_ms)
        return
    _decide(connection, pairing, _points_with_absent(connection, pairing, dict.fromkeys(came, 1)), now_ms, played=False)


_KNOWN = {WON: WIN, DRAWN: DRAW, LOST: LOSS, ABANDONED: LOSS}
"""The points of two by their results."""


def _points(first: str, second: str) -> tuple[int, int] | None:
    """Return the points of two results; None for a game that has come to nothing."""
    if first not in _KNOWN or second not in _KNOWN:
        return None
    if (first == ABANDONED) != (second == ABANDONED):
        return (LOSS, WIN) if first == ABANDONED else (WIN, LOSS)
    return _KNOWN[first], _KNOWN[second]


def _decide(connection: Connection, pairing: Row[Any], points: Sequence[int], now_ms: int, *, played: bool) -> Row[Any] | None:
    """Note the points of a pairing that is undecided; return its tournament."""
    tournament = tournament_rows.find(connection, pairing.tournament_id)
    if tournament is not None and tournament.lasts_ms:
        # Held first, as by all others who change its pairings: nobody waits for anybody who waits for them.
        tournament = tournament_rows.hold(connection, pairing.tournament_id)
    if tournament_rows.decide(connection, pairing, points, played=played):
        metrics.PAIRINGS.labels(tournament.game if tournament else "", "played" if played else "unplayed").inc()
        if tournament is not None and tournament.lasts_ms:
            arenas.note_result(connection, tournament, pairing, now_ms)
    return tournament


def _news(
    connection: Connection, tournament: Row[Any], pairing: Row[Any], session_id: str, now_ms: int
) -> list[players_pb2.NotedNews]:
    numbers = [pairing.first, pairing.second, *(pairing.others or ())]
    players = {one.number: one for one in tournament_rows.players(connection, tournament.tournament_id, numbers)}
    seated = [players[number] for number in numbers[: pairing.seated or len(numbers)]]
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
                name=seated[1 - seat].name if len(seated) == 2 else "",
                tournament_id=tournament.tournament_id,
            ),
        )
        for seat, one in enumerate(seated)
    ]
