"""Which puzzle a game has on a day: once it is chosen it stays, and is the same for everybody. In a transaction.

A puzzle of this server's own games goes before those that come with the game, and none comes again until all have had a day. Days
on which nobody asked get theirs later, so that there is no gap; a new server begins with a few earlier ones.
"""

import hashlib
import time
import zlib
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update

from brettwerk.internal.v1 import puzzles_made_pb2
from services.archive.upsert import insert_into
from services.players.puzzles.collection import id_of, rules_versions, shipped
from services.players.puzzles.tables import PUZZLE_DAYS, PUZZLE_PROGRESS, PUZZLES

BEGINS_DAYS = 7
"""Days that a new server has at once, today among them."""
CATCHES_UP_DAYS = 30
"""Days without a puzzle that get one when somebody asks again."""
KEEP_DAYS = 400
"""How long a day, its puzzle and what players did with it are kept."""


def today() -> date:
    """Return the day that it is in UTC."""
    return datetime.fromtimestamp(time.time(), UTC).date()


def chosen(connection: Connection, game: str, until: date) -> None:
    """Choose puzzles for all days of a game up to this one that have none; nothing where there are no puzzles."""
    last = connection.execute(select(func.max(PUZZLE_DAYS.c.day)).where(PUZZLE_DAYS.c.game == game)).scalar()
    if last is not None and last >= until.isoformat():
        return
    first = until - timedelta(BEGINS_DAYS - 1)
    if last is not None:
        first = max(date.fromisoformat(last) + timedelta(1), until - timedelta(CATCHES_UP_DAYS))
    add(connection, shipped(game).values(), 0)
    for number in range((until - first).days + 1):
        _choose(connection, game, (first + timedelta(number)).isoformat())
    _forget(connection, until)


def add(connection: Connection, puzzles: Iterable[puzzles_made_pb2.MadePuzzle], now_ms: int) -> int:
    """Keep puzzles; return how many are new."""
    made = [
        {
            "puzzle_id": id_of(one),
            "game": one.game,
            "rules_version": one.rules_version,
            "made_at_ms": now_ms,
            "made": zlib.compress(one.SerializeToString(deterministic=True), 9),
        }
        for one in puzzles
    ]
    if not made:
        return 0
    fresh = insert_into(connection, PUZZLES).on_conflict_do_nothing().returning(PUZZLES.c.puzzle_id)
    return len(connection.execute(fresh, made).all())


def read(connection: Connection, puzzle_id: str) -> puzzles_made_pb2.MadePuzzle | None:
    """Return a puzzle that has had a day, or None."""
    query = select(PUZZLES.c.made).where(PUZZLES.c.puzzle_id == puzzle_id, PUZZLES.c.last_day != "")
    made = connection.execute(query).scalar_one_or_none()
    return None if made is None else puzzles_made_pb2.MadePuzzle.FromString(zlib.decompress(made))


def day_of(connection: Connection, game: str, day: str) -> Row[Any] | None:
    """Return a day of a game, or None."""
    query = select(PUZZLE_DAYS).where(PUZZLE_DAYS.c.game == game, PUZZLE_DAYS.c.day == day)
    return connection.execute(query).one_or_none()


def last_of(connection: Connection, puzzle_id: str) -> Row[Any] | None:
    """Return the last day that a puzzle was for, or None."""
    query = select(PUZZLE_DAYS).where(PUZZLE_DAYS.c.puzzle_id == puzzle_id).order_by(PUZZLE_DAYS.c.day.desc()).limit(1)
    return connection.execute(query).one_or_none()


def neighbours(connection: Connection, game: str, day: str) -> tuple[str, str]:
    """Return the closest days before and after one; empty where there is none."""
    column = PUZZLE_DAYS.c.day
    before = select(func.max(column)).where(PUZZLE_DAYS.c.game == game, column < day)
    after = select(func.min(column)).where(PUZZLE_DAYS.c.game == game, column > day)
    return connection.execute(before).scalar() or "", connection.execute(after).scalar() or ""


def listed(connection: Connection, game: str, before: date, days: int) -> Sequence[Row[Any]]:
    """Return so many days of a game before one, newest first."""
    column = PUZZLE_DAYS.c.day
    query = select(PUZZLE_DAYS).where(
        PUZZLE_DAYS.c.game == game, column < before.isoformat(), column >= (before - timedelta(days)).isoformat()
    )
    return connection.execute(query.order_by(column.desc())).all()


def _choose(connection: Connection, game: str, day: str) -> None:
    columns = (PUZZLES.c.puzzle_id, PUZZLES.c.last_day, PUZZLES.c.made_at_ms)
    query = select(*columns).where(PUZZLES.c.game == game, PUZZLES.c.rules_version.in_(rules_versions(game)))
    found = connection.execute(query).all()
    if not found:
        return
    one = min(found, key=lambda row: (row.last_day, not row.made_at_ms, row.made_at_ms, _mixed(row.puzzle_id)))
    made = connection.execute(select(PUZZLES.c.made).where(PUZZLES.c.puzzle_id == one.puzzle_id)).scalar_one()
    seat = puzzles_made_pb2.MadePuzzle.FromString(zlib.decompress(made)).seat
    row = {"game": game, "day": day, "puzzle_id": one.puzzle_id, "seat": seat}
    fresh = insert_into(connection, PUZZLE_DAYS).values(row).on_conflict_do_nothing().returning(PUZZLE_DAYS.c.day)
    if connection.execute(fresh).first() is not None:
        connection.execute(update(PUZZLES).where(PUZZLES.c.puzzle_id == one.puzzle_id).values(last_day=day))


def _mixed(puzzle_id: str) -> str:
    """Return what mixes puzzles that have had no day: those of one game come side by side otherwise."""
    return hashlib.sha256(puzzle_id.encode()).hexdigest()


def _forget(connection: Connection, now: date) -> None:
    """Forget what is too old."""
    oldest = (now - timedelta(KEEP_DAYS)).isoformat()
    connection.execute(delete(PUZZLE_DAYS).where(PUZZLE_DAYS.c.day < oldest))
    connection.execute(delete(PUZZLE_PROGRESS).where(PUZZLE_PROGRESS.c.day < oldest))
    connection.execute(delete(PUZZLES).where(PUZZLES.c.last_day != "", PUZZLES.c.last_day < oldest))
