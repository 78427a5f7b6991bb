"""The archive as an outbox: finished sessions wait in it, in order, until the players service has marked them as delivered.

The mark is the truth and messages are hints: whatever happens to a message, a session without the mark is delivered again. Calls
are synchronous; a service makes them in threads (access.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Select, select, tuple_, update

from services.archive.access import Access
from services.archive.archive import unpacked
from services.archive.changes import Changes
from services.archive.database import open_engine
from services.archive.entry import Cursor
from services.archive.migrations import ARCHIVE
from services.archive.tables import SESSIONS

MAX_READ = 500
"""Sessions of one answer."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A session to deliver."""

    session_id: str
    finished_at_ms: int


@dataclass(frozen=True, slots=True)
class Finished:
    """A session that is over: as everybody may see it (a Session message), and its Record."""

    session_id: str
    game: str
    public: bool
    finished_at_ms: int
    session: bytes = field(repr=False)
    packed_record: bytes = field(repr=False)

    @property
    def record(self) -> bytes:
        """The Record message. Raises Refused (RECORD_DAMAGED)."""
        return unpacked(self.packed_record)

    @property
    def cursor(self) -> Cursor:
        """The place after this session."""
        return Cursor(self.finished_at_ms, self.session_id)


class Outbox:
    """The sessions of an archive to deliver, oldest first. Every method raises what SQLAlchemy raises."""

    def __init__(self, access: Access) -> None:
        self._access = access

    @classmethod
    def open(cls, url: str) -> "Outbox":
        """Return the outbox at a SQLAlchemy URL. Raises ValueError for an invalid URL."""
        return cls(Access(open_engine(url), ARCHIVE, "archive"))

    def close(self) -> None:
        """Close all connections."""
        self._access.close()

    def wait(self) -> None:
        """Return when the archive's tables are up to date, however long that takes."""
        self._access.wait()

    def changes(self) -> Changes:
        """Return what tells one caller whether anything may have been written."""
        return self._access.changes()

    def undelivered(self, limit: int) -> list[Waiting]:
        """Return the oldest sessions that have not been delivered yet."""
        query = (
            select(SESSIONS.c.session_id, SESSIONS.c.finished_at_ms)
            .where(SESSIONS.c.delivered.is_(None))
            .order_by(SESSIONS.c.finished_at_ms, SESSIONS.c.session_id)
            .limit(limit)
        )
        return self._access.run_here(lambda connection: [Waiting(*row) for row in connection.execute(query)])

    def read(self, session_ids: Sequence[str]) -> list[Finished]:
        """Return sessions by their ids, oldest first; those that are not there are left out."""
        query = select(SESSIONS).where(SESSIONS.c.session_id.in_(session_ids[:MAX_READ]))
        return self._access.run_here(lambda connection: _read(connection, query))

    def page(self, after: Cursor | None, limit: int) -> list[Finished]:
        """Return all sessions, delivered or not, oldest first, a page at a time."""
        query = select(SESSIONS)
        if after is not None:
            query = query.where(
                tuple_(SESSIONS.c.finished_at_ms, SESSIONS.c.session_id) > tuple_(after.finished_at_ms, after.session_id)
            )
        return self._access.run_here(lambda connection: _read(connection, query.limit(min(limit, MAX_READ))))

    def mark_delivered(self, session_ids: Sequence[str]) -> None:
        """Mark sessions as delivered."""
        marked = update(SESSIONS).where(SESSIONS.c.session_id.in_(session_ids), SESSIONS.c.delivered.is_(None))
        self._access.run_here(lambda connection: connection.execute(marked.values(delivered=True)))

    def unmark_all(self) -> None:
        """Make all sessions be delivered again."""
        self._access.run_here(lambda connection: connection.execute(update(SESSIONS).values(delivered=None)))


def _read(connection: Connection, query: Select[Any]) -> list[Finished]:
    ordered = query.order_by(SESSIONS.c.finished_at_ms, SESSIONS.c.session_id)
    return [
        Finished(row.session_id, row.game, row.public, row.finished_at_ms, row.session, row.record)
        for row in connection.execute(ordered)
    ]
