"""The reports of players on others' talk, for the operator to read. Bounded; the oldest make room.

`python -m services.archive reports` prints them (__main__.py).
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import Connection, delete, select, true

from services.archive.archive import Archive
from services.archive.tables import TALK_REPORTS
from services.archive.upsert import insert_into

REPORTS = 5_000
"""How many reports are kept in all."""
REPORTS_PER_PLAYER = 50
"""How many reports of one player are kept, so that nobody pushes out others'."""
KEPT_MS = 180 * 86_400_000
"""How long a report is kept."""


@dataclass(frozen=True, slots=True)
class Report:
    """A report."""

    session_id: str
    line_id: str
    reporter_id: str
    game: str
    reported_at_ms: int
    player_id: str
    """The player who said it."""
    name: str
    """Their name at the time."""
    said: str = field(repr=False)
    said_at_ms: int
    room: str
    """The players who heard it: table, watchers or private."""
    comment: str = field(repr=False)
    """The reporter's comment."""
    before: tuple[str, ...] = field(repr=False)
    """The lines just before, as the reporter heard them, oldest first."""


class TalkReports:
    """Keeps reports. Raises Refused (UNAVAILABLE) while the database cannot be reached."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    async def keep(self, report: Report) -> bool:
        """Keep a report. Returns whether it is new: a line that is reported twice counts once."""

        def write(connection: Connection) -> bool:
            row = {**asdict(report), "before": list(report.before)}
            new = connection.execute(
                insert_into(connection, TALK_REPORTS).values(row).on_conflict_do_nothing().returning(TALK_REPORTS.c.line_id)
            ).first()
            if new is not None:
                _make_room(connection, report)
            return new is not None

        return await self._archive.run(write)

    async def since(self, after_ms: int, limit: int) -> list[Report]:
        """Return the oldest reports after a moment, in milliseconds since 1970, oldest first."""
        at = TALK_REPORTS.c.reported_at_ms
        query = select(TALK_REPORTS).where(at > after_ms).order_by(at, TALK_REPORTS.c.line_id).limit(limit)
        found = await self._archive.run(lambda connection: connection.execute(query).mappings().all())
        return [_report(row) for row in found]

    async def list(self, limit: int = 100) -> list[Report]:
        """Return the newest reports, newest first."""
        query = select(TALK_REPORTS).order_by(TALK_REPORTS.c.reported_at_ms.desc(), TALK_REPORTS.c.line_id).limit(limit)
        found = await self._archive.run(lambda connection: connection.execute(query).mappings().all())
        return [_report(row) for row in found]


def _make_room(connection: Connection, report: Report) -> None:
    at = TALK_REPORTS.c.reported_at_ms
    connection.execute(delete(TALK_REPORTS).where(at < report.reported_at_ms - KEPT_MS))
    for bound, whose in ((REPORTS_PER_PLAYER, TALK_REPORTS.c.reporter_id == report.reporter_id), (REPORTS, true())):
        oldest = connection.execute(select(at).where(whose).order_by(at.desc()).offset(bound).limit(1)).scalar_one_or_none()
        if oldest is not None:
            connection.execute(delete(TALK_REPORTS).where(whose, at <= oldest))


def _report(row: Mapping[Any, Any]) -> Report:
    return Report(**{**row, "before": tuple(row["before"])})
