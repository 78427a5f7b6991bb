"""Arenas in SQL. In a transaction; those of tournaments of all kinds are in tournament_rows.py."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, func, or_, select, update

from services.players.tournaments.arena_score import Tally
from services.players.tournaments.results import Game
from services.players.tournaments.tables import PAIRINGS, TOURNAMENT_PLAYERS, TOURNAMENTS
from services.players.tournaments.tournament_rows import RUNNING, game

_P = TOURNAMENT_PLAYERS.c
_IS_FREE = and_(_P.board.is_(None), _P.left_after.is_(None))
_STANDING = (_P.points.desc(), _P.wins.desc(), _P.games)
"""The order of the standings."""


def due(connection: Connection, now_ms: int) -> Sequence[str]:
    """Return the running arenas whose time is over, or in which two or more wait for an opponent."""
    waiting = (
        select(func.count())
        .where(_P.tournament_id == TOURNAMENTS.c.tournament_id, _IS_FREE)
        .correlate(TOURNAMENTS)
        .scalar_subquery()
    )
    is_over = TOURNAMENTS.c.starts_at_ms + TOURNAMENTS.c.lasts_ms <= now_ms
    running = (TOURNAMENTS.c.state == RUNNING) & (TOURNAMENTS.c.lasts_ms > 0)
    return connection.execute(select(TOURNAMENTS.c.tournament_id).where(running, or_(is_over, waiting > 1))).scalars().all()


def find_player(connection: Connection, tournament_id: str, player_id: str) -> Row[Any] | None:
    """Return one who takes part or has left, or None."""
    mine = (_P.tournament_id == tournament_id) & (_P.player_id == player_id)
    return connection.execute(select(TOURNAMENT_PLAYERS).where(mine)).first()


def count_players(connection: Connection, tournament_id: str, *, active: bool = False) -> int:
    """Return how many have joined: all, or those who are not on pause."""
    query = select(func.count()).select_from(TOURNAMENT_PLAYERS).where(_P.tournament_id == tournament_id)
    count: int = connection.execute(query.where(_P.left_after.is_(None)) if active else query).scalar_one()
    return count


def free(connection: Connection, tournament_id: str, limit: int) -> Sequence[Row[Any]]:
    """Return those who wait for an opponent: those who have waited longest, and among equals the best."""
    query = select(TOURNAMENT_PLAYERS).where(_P.tournament_id == tournament_id, _IS_FREE)
    order = (_P.free_since_ms, _P.points.desc(), _P.rating.desc(), _P.number)
    return connection.execute(query.order_by(*order).limit(limit)).all()


def number_all(connection: Connection, tournament_id: str, players: Sequence[dict[str, object]]) -> None:
    """Note numbers and ratings at the start. `players`: of each their id, number, rating and whether that is provisional."""
    changing = (
        update(TOURNAMENT_PLAYERS)
        .where(_P.tournament_id == tournament_id, _P.player_id == bindparam("id"))
        .values(number=bindparam("at"), rating=bindparam("strength"), provisional=bindparam("unsure"))
    )
    if players:
        connection.execute(changing, players)


def wait_all(connection: Connection, tournament_id: str, now_ms: int) -> None:
    """Note that everybody waits from now on."""
    connection.execute(update(TOURNAMENT_PLAYERS).where(_P.tournament_id == tournament_id).values(free_since_ms=now_ms))


def last_board(connection: Connection, tournament_id: str) -> int:
    """Return the number of the newest table; 0 for none."""
    query = select(func.max(PAIRINGS.c.board)).where(PAIRINGS.c.tournament_id == tournament_id, PAIRINGS.c.round == 1)
    return connection.execute(query).scalar_one_or_none() or 0


def add_pairings(connection: Connection, tournament_id: str, pairings: Sequence[dict[str, object]]) -> None:
    """Store pairings, and that their players are at these tables. Each has its board, first, second and arrangement_id."""
    connection.execute(PAIRINGS.insert(), [{"tournament_id": tournament_id, "round": 1, **one} for one in pairings])
    seating = (
        update(TOURNAMENT_PLAYERS)
        .where(_P.tournament_id == tournament_id, _P.number == bindparam("who"))
        .values(board=bindparam("at"), last_opponent=bindparam("other"), seat_balance=_P.seat_balance + bindparam("seat"))
    )
    seats = [
        {"who": one[own], "other": one[other], "at": one["board"], "seat": seat}
        for one in pairings
        for own, other, seat in (("first", "second", 1), ("second", "first", -1))
    ]
    connection.execute(seating, seats)


def games_of(connection: Connection, tournament_id: str, numbers: Collection[int]) -> list[Game]:
    """Return the games of some players that count, in their order."""
    mine = or_(PAIRINGS.c.first.in_(numbers), PAIRINGS.c.second.in_(numbers))
    counted = PAIRINGS.c.first_points.is_not(None) & PAIRINGS.c.uncounted.is_(False)
    query = select(PAIRINGS).where(PAIRINGS.c.tournament_id == tournament_id, mine, counted)
    return [game(row) for row in connection.execute(query.order_by(PAIRINGS.c.board))]


def note_tally(connection: Connection, tournament_id: str, number: int, tally: Tally) -> None:
    """Note how a player stands."""
    values = {"points": tally.points, "games": tally.games, "wins": tally.wins, "streak": tally.streak}
    mine = (_P.tournament_id == tournament_id) & (_P.number == number)
    connection.execute(update(TOURNAMENT_PLAYERS).where(mine).values(**values))


def set_free(connection: Connection, tournament_id: str, board: int, now_ms: int) -> None:
    """Note that the game of a table is over, and its players wait for the next one."""
    there = (_P.tournament_id == tournament_id) & (_P.board == board)
    connection.execute(update(TOURNAMENT_PLAYERS).where(there).values(board=None, free_since_ms=now_ms))


def pause(connection: Connection, tournament_id: str, numbers: Collection[int]) -> None:
    """Put players on pause."""
    mine = (_P.tournament_id == tournament_id) & _P.number.in_(numbers)
    connection.execute(update(TOURNAMENT_PLAYERS).where(mine, _P.left_after.is_(None)).values(left_after=1))


def count_out(connection: Connection, tournament_id: str) -> None:
    """Note that games which are not over do not count, and that nobody is at a table."""
    mine = PAIRINGS.c.tournament_id == tournament_id
    connection.execute(update(PAIRINGS).where(mine, PAIRINGS.c.first_points.is_(None)).values(uncounted=True))
    seated = (_P.tournament_id == tournament_id) & _P.board.is_not(None)
    connection.execute(update(TOURNAMENT_PLAYERS).where(seated).values(board=None))


def standings(connection: Connection, tournament_id: str, skip: int, limit: int, numbers: Collection[int]) -> Sequence[Row[Any]]:
    """Return a page of players, and some others, with their `place` and where they are `listed`, from 1; the best first.

    Those who are equal in everything share the place.
    """
    listed = func.row_number().over(order_by=(*_STANDING, _P.number)).label("listed")
    place = func.rank().over(order_by=_STANDING).label("place")
    placed = select(_P.number.label("who"), place, listed).where(_P.tournament_id == tournament_id).subquery()
    wanted = or_(placed.c.listed.between(skip + 1, skip + limit), placed.c.who.in_(numbers))
    mine = and_(_P.tournament_id == tournament_id, _P.number == placed.c.who)
    query = select(TOURNAMENT_PLAYERS, placed.c.place, placed.c.listed).join_from(placed, TOURNAMENT_PLAYERS, mine)
    return connection.execute(query.where(wanted).order_by(placed.c.listed)).all()


def joined(connection: Connection, tournament_id: str, skip: int, limit: int) -> Sequence[Row[Any]]:
    """Return who has joined before the start, in the order in which they did."""
    query = select(TOURNAMENT_PLAYERS).where(_P.tournament_id == tournament_id)
    return connection.execute(query.order_by(_P.joined_at_ms, _P.player_id).offset(skip).limit(limit)).all()


def newest(connection: Connection, tournament_id: str, limit: int, number: int | None = None) -> Sequence[Row[Any]]:
    """Return the newest pairings, the newest first; of all, or of a player."""
    query = select(PAIRINGS).where(PAIRINGS.c.tournament_id == tournament_id)
    if number is not None:
        query = query.where(or_(PAIRINGS.c.first == number, PAIRINGS.c.second == number))
    return connection.execute(query.order_by(PAIRINGS.c.board.desc()).limit(limit)).all()
