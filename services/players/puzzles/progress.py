"""The progress of players in the puzzles of days. In a transaction."""

from collections.abc import Collection, Mapping
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection, Row, select, update

from brettwerk.v1 import puzzles_pb2 as pb
from services.archive.upsert import insert_into
from services.players.puzzles.tables import PUZZLE_PROGRESS

MAX_ATTEMPTS = 1000
"""More are not counted."""
_MINE = PUZZLE_PROGRESS.c


def of(connection: Connection, player_id: str, game: str, day: str) -> pb.PuzzleProgress:
    """Return what a player has done with the puzzle of a day; nothing where nobody is named."""
    return of_days(connection, player_id, game, [day])[day]


def of_days(connection: Connection, player_id: str, game: str, days: Collection[str]) -> Mapping[str, pb.PuzzleProgress]:
    """Return the same of several days of a game."""
    if not player_id or not days:
        return {day: pb.PuzzleProgress() for day in days}
    query = select(PUZZLE_PROGRESS).where(_MINE.player_id == player_id, _MINE.game == game)
    rows = {row.day: row for row in connection.execute(query)}
    solved = {day for day, row in rows.items() if row.solved}
    return {day: _message(rows.get(day), _streak(solved, day)) for day in days}


def tried(connection: Connection, player_id: str, game: str, day: str, *, right: bool) -> None:
    """Note that a player has tried an action. After the puzzle is solved, or was shown, nothing changes any more."""
    row = _begun(connection, player_id, game, day)
    if row.solved or row.shown:
        return
    _change(connection, row, attempts=min(MAX_ATTEMPTS, row.attempts + 1), solved=right)


def shown(connection: Connection, player_id: str, game: str, day: str) -> None:
    """Note that a player was shown the solution, unless the puzzle was solved before."""
    row = _begun(connection, player_id, game, day)
    if not row.solved:
        _change(connection, row, shown=True)


def _begun(connection: Connection, player_id: str, game: str, day: str) -> Row[Any]:
    place = {"player_id": player_id, "game": game, "day": day}
    connection.execute(insert_into(connection, PUZZLE_PROGRESS).values(**place, attempts=0).on_conflict_do_nothing())
    query = select(PUZZLE_PROGRESS).where(_MINE.player_id == player_id, _MINE.game == game, _MINE.day == day)
    return connection.execute(query.with_for_update()).one()


def _change(connection: Connection, row: Row[Any], **values: object) -> None:
    mine = update(PUZZLE_PROGRESS).where(_MINE.player_id == row.player_id, _MINE.game == row.game, _MINE.day == row.day)
    connection.execute(mine.values(**values))


def _message(row: Row[Any] | None, streak: int) -> pb.PuzzleProgress:
    if row is None:
        return pb.PuzzleProgress()
    return pb.PuzzleProgress(solved=row.solved, attempts=row.attempts, shown=row.shown, streak=streak)


def _streak(solved: Collection[str], day: str) -> int:
    """Return how many days in a row, up to one, are among some."""
    at, count = date.fromisoformat(day), 0
    while at.isoformat() in solved:
        at, count = at - timedelta(1), count + 1
    return count
