"""Series in SQL. In a transaction; whatever changes a series holds its row first, and only then one of its tournaments."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, exists, func, or_, select, update

from brettwerk.v1 import series_pb2 as pb
from services.archive.upsert import insert_into
from services.players.tournaments.series_table import Result
from services.players.tournaments.series_tables import SERIES, SERIES_PLAYERS, SERIES_RESULTS
from services.players.tournaments.tables import TOURNAMENTS
from services.players.tournaments.tournament_rows import KEPT_MS, LIVE, OPEN

RUNNING, FINISHED, CANCELLED = pb.Series.STATE_RUNNING, pb.Series.STATE_FINISHED, pb.Series.STATE_CANCELLED
LISTED = 50
_AT_ONCE = 50


def find(connection: Connection, series_id: str) -> Row[Any] | None:
    """Return a series, or None."""
    return connection.execute(select(SERIES).where(SERIES.c.series_id == series_id)).first()


def find_asked(connection: Connection, owner_id: str, request_id: str) -> Row[Any] | None:
    """Return the series that a request has made, or None."""
    mine = (SERIES.c.owner_id == owner_id) & (SERIES.c.request_id == request_id)
    return connection.execute(select(SERIES).where(mine)).first()


def hold(connection: Connection, series_id: str) -> Row[Any] | None:
    """Return a series, which nobody else changes until the transaction ends; None where there is none."""
    # A write takes the lock in both databases; SQLite knows no SELECT … FOR UPDATE.
    mine = update(SERIES).where(SERIES.c.series_id == series_id)
    return connection.execute(mine.values(made=SERIES.c.made).returning(SERIES)).first()


def add(connection: Connection, series: dict[str, object]) -> None:
    """Store a series; nothing happens where its request has made one."""
    connection.execute(insert_into(connection, SERIES).values(**series).on_conflict_do_nothing())


def change(connection: Connection, series_id: str, **changes: object) -> None:
    """Change a series."""
    connection.execute(update(SERIES).where(SERIES.c.series_id == series_id).values(**changes))


def count_running(connection: Connection, owner_id: str = "") -> int:
    """Return how many series are not over: of an owner, or all."""
    query = select(func.count()).select_from(SERIES).where(SERIES.c.state == RUNNING)
    if owner_id:
        query = query.where(SERIES.c.owner_id == owner_id)
    count: int = connection.execute(query).scalar_one()
    return count


def count_joined(connection: Connection, player_id: str) -> int:
    """Return how many series a player has joined that are not over."""
    running = (SERIES.c.series_id == SERIES_PLAYERS.c.series_id) & (SERIES.c.state == RUNNING)
    query = (
        select(func.count()).select_from(SERIES_PLAYERS).where(SERIES_PLAYERS.c.player_id == player_id, exists().where(running))
    )
    count: int = connection.execute(query).scalar_one()
    return count


def players(connection: Connection, series_id: str) -> Sequence[Row[Any]]:
    """Return who has joined a series as a whole, in that order."""
    query = select(SERIES_PLAYERS).where(SERIES_PLAYERS.c.series_id == series_id)
    return connection.execute(query.order_by(SERIES_PLAYERS.c.joined_at_ms, SERIES_PLAYERS.c.player_id)).all()


def join(connection: Connection, series_id: str, player_id: str, name: str, now_ms: int) -> None:
    """Store one who joins a series; nothing happens where they have."""
    row = {"series_id": series_id, "player_id": player_id, "name": name, "joined_at_ms": now_ms}
    connection.execute(insert_into(connection, SERIES_PLAYERS).values(**row).on_conflict_do_nothing())


def leave(connection: Connection, series_id: str, player_id: str) -> None:
    """Remove one who has joined a series."""
    mine = (SERIES_PLAYERS.c.series_id == series_id) & (SERIES_PLAYERS.c.player_id == player_id)
    connection.execute(delete(SERIES_PLAYERS).where(mine))


def tournaments(connection: Connection, series_id: str) -> Sequence[Row[Any]]:
    """Return the tournaments of a series that are kept, the newest first."""
    query = select(TOURNAMENTS).where(TOURNAMENTS.c.series_id == series_id)
    return connection.execute(query.order_by(TOURNAMENTS.c.series_number.desc())).all()


def open_tournaments(connection: Connection, series_id: str) -> Sequence[str]:
    """Return the tournaments of a series that have not started."""
    query = select(TOURNAMENTS.c.tournament_id).where(TOURNAMENTS.c.series_id == series_id, TOURNAMENTS.c.state == OPEN)
    return connection.execute(query.order_by(TOURNAMENTS.c.series_number)).scalars().all()


def note_results(connection: Connection, series_id: str, names: dict[str, str], results: Sequence[Result]) -> None:
    """Store what a tournament counts for its players."""
    for one in results:
        row = {"series_id": series_id, "number": one.number, "player_id": one.player, "name": names[one.player]}
        row_of = insert_into(connection, SERIES_RESULTS).values(**row, place=one.place, points=one.points)
        connection.execute(row_of.on_conflict_do_nothing())


def results(connection: Connection, series_id: str) -> tuple[list[Result], dict[str, str]]:
    """Return what the tournaments of a series have counted, and the newest names of the players."""
    query = select(SERIES_RESULTS).where(SERIES_RESULTS.c.series_id == series_id).order_by(SERIES_RESULTS.c.number)
    found = connection.execute(query).all()
    names = {row.player_id: row.name for row in found}
    return [Result(row.player_id, row.number, row.place, row.points) for row in found], names


def due(connection: Connection, now_ms: int) -> Sequence[str]:
    """Return the series of which a tournament is to be made, or all of whose tournaments are over."""
    is_live = exists().where(TOURNAMENTS.c.series_id == SERIES.c.series_id, TOURNAMENTS.c.state.in_(LIVE))
    makes = (SERIES.c.make_at_ms > 0) & (SERIES.c.make_at_ms <= now_ms)
    query = select(SERIES.c.series_id).where(SERIES.c.state == RUNNING, or_(makes, (SERIES.c.make_at_ms == 0) & ~is_live))
    return connection.execute(query.order_by(SERIES.c.make_at_ms).limit(_AT_ONCE)).scalars().all()


def listed(connection: Connection, request: pb.ListSeriesRequest, player_id: str) -> Sequence[Row[Any]]:
    """Return the newest series as a request wants them."""
    joined = exists().where(SERIES_PLAYERS.c.series_id == SERIES.c.series_id, SERIES_PLAYERS.c.player_id == player_id)
    own = or_(SERIES.c.owner_id == player_id, joined) if player_id else SERIES.c.public
    query = select(SERIES).where(SERIES.c.state != RUNNING if request.over else SERIES.c.state == RUNNING)
    if request.mine:
        query = query.where(own)
    if request.club_id:
        query = query.where(SERIES.c.club_id == request.club_id)
    elif not request.mine:
        query = query.where(or_(SERIES.c.public, own))
    return connection.execute(query.order_by(SERIES.c.created_at_ms.desc(), SERIES.c.series_id.desc()).limit(LISTED)).all()


def forget_old(connection: Connection, now_ms: int) -> None:
    """Remove the series that have been over long enough."""
    over = select(SERIES.c.series_id).where(SERIES.c.state != RUNNING, SERIES.c.ended_at_ms < now_ms - KEPT_MS)
    old = connection.execute(over.limit(_AT_ONCE)).scalars().all()
    for table in (SERIES_RESULTS, SERIES_PLAYERS, SERIES):
        connection.execute(delete(table).where(table.c.series_id.in_(old)))


def forget(connection: Connection, player_id: str, mark: str, now_ms: int) -> None:
    """Put the mark in the place of a player who is gone; a series of theirs ends."""
    mine = SERIES.c.owner_id == player_id
    ends = {"state": CANCELLED, "make_at_ms": 0, "ended_at_ms": now_ms}
    connection.execute(update(SERIES).where(mine, SERIES.c.state == RUNNING).values(**ends))
    connection.execute(update(SERIES).where(mine).values(owner_id=mark, owner_name=""))
    results_of = update(SERIES_RESULTS).where(SERIES_RESULTS.c.player_id == player_id)
    connection.execute(results_of.values(player_id=mark, name=""))
