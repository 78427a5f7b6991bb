"""The archive as others call it. Its database calls are synchronous and run in threads (asyncio.to_thread).

A call costs about a millisecond once per game, far from the path of an action, so two asynchronous drivers (one for each
database) and greenlets would gain nothing; SQLite has no asynchronous calls anyway. Sessions that are to be kept while others are
being kept go together, in one transaction.
"""

import asyncio
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self, TypeAlias, TypeVar

from sqlalchemy import Connection, Engine, Row, Select, select, text, tuple_

from brettwerk.v1 import errors_pb2
from services.archive.access import Access
from services.archive.changes import Changes
from services.archive.database import open_engine
from services.archive.entry import MAX_LISTED, RECORD_BYTES, Cursor, Kept, Listed
from services.archive.migrations import ARCHIVE
from services.archive.tables import PLAYERS, SESSIONS
from services.archive.upsert import insert_into
from services.runtime import metrics
from services.runtime.places import places, winners
from services.runtime.refusal import Refused
from services.runtime.tasks import end

T = TypeVar("T")
_ToKeep: TypeAlias = "tuple[Kept, asyncio.Future[bool]]"

_LISTED = (
    SESSIONS.c.session_id,
    SESSIONS.c.game,
    SESSIONS.c.rules_version,
    SESSIONS.c.public,
    SESSIONS.c.title,
    SESSIONS.c.winners,
    SESSIONS.c.places,
    SESSIONS.c.scores,
    SESSIONS.c.finished_at_ms,
    SESSIONS.c.session,
)


KEPT_AT_ONCE = 50
"""Sessions that are kept in one transaction."""


class Archive:
    """Finished sessions. Every method raises Refused (UNAVAILABLE) while the database cannot be reached, and may be repeated."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._access = Access(engine, ARCHIVE, "archive")
        self._to_keep: list[_ToKeep] = []
        self._keeping: asyncio.Task[None] | None = None

    @classmethod
    def open(cls, url: str) -> Self:
        """Return the archive at a SQLAlchemy URL. Raises ValueError for an invalid URL.

        The database need not be there yet; its tables are brought up to date when it is first reached.
        """
        return cls(open_engine(url))

    def wait(self) -> None:
        """Return when the tables are up to date, however long that takes. Raises what SQLAlchemy raises."""
        self._access.wait()

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    @property
    def folder(self) -> Path | None:
        """The folder that the database is in; None if that is not this process's business."""
        url = self._engine.url
        return Path(url.database).parent if url.get_backend_name() == "sqlite" and url.database else None

    def changes(self) -> Changes:
        """Return what tells one caller whether anything may have been written."""
        return self._access.changes()

    async def is_ready(self) -> bool:
        """Return whether the database can be reached and its tables are up to date."""
        try:
            await self.run(lambda connection: connection.execute(text("SELECT 1")))
        except Refused:
            return False
        return True

    async def keep(self, entry: Kept) -> bool:
        """Keep a session. Returns whether it is new; an existing one stays unchanged."""
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._to_keep.append((entry, future))
        if self._keeping is None:
            self._keeping = asyncio.create_task(self._keep_waiting())
        new = await future
        if new:
            metrics.ARCHIVED.labels(entry.game).inc()
        return new

    async def _keep_waiting(self) -> None:
        """Keep what waits, and what comes meanwhile."""
        try:
            while self._to_keep:
                some, self._to_keep = self._to_keep[:KEPT_AT_ONCE], self._to_keep[KEPT_AT_ONCE:]
                await self._keep_together(some)
        finally:
            self._keeping = None

    async def _keep_together(self, some: Sequence[_ToKeep]) -> None:
        try:
            new = await self.run(lambda connection: _write(connection, [entry for entry, _ in some]))
        except Exception as error:  # noqa: BLE001 - whoever waits hears it
            if len(some) > 1 and not isinstance(error, Refused):
                for one in some:  # one of them cannot be kept, which the others must not suffer for
                    await self._keep_together([one])
                return
            for _, future in some:
                end(future, error)
            return
        for entry, future in some:
            end(future, entry.session_id in new)
            new.discard(entry.session_id)

    async def find(self, session_id: str) -> bytes | None:
        """Return the Record message of a session, or None. Raises Refused (RECORD_DAMAGED) if it cannot be unpacked."""
        query = select(SESSIONS.c.record).where(SESSIONS.c.session_id == session_id)
        packed = await self.run(lambda connection: connection.execute(query).scalar_one_or_none())
        return None if packed is None else unpacked(packed)

    async def has(self, session_id: str) -> bool:
        """Return whether a session was kept."""
        query = select(SESSIONS.c.session_id).where(SESSIONS.c.session_id == session_id)
        return await self.run(lambda connection: connection.execute(query).first() is not None)

    async def list_player(
        self, player_id: str, *, game: str = "", limit: int = MAX_LISTED, before: Cursor | None = None
    ) -> list[Listed]:
        """Return the sessions in which a player has or had a seat, newest first, at most MAX_LISTED."""
        query = (
            select(*_LISTED).join(PLAYERS, PLAYERS.c.session_id == SESSIONS.c.session_id).where(PLAYERS.c.player_id == player_id)
        )
        if before:
            query = query.where(
                tuple_(PLAYERS.c.finished_at_ms, PLAYERS.c.session_id) < tuple_(before.finished_at_ms, before.session_id)
            )
        query = query.order_by(PLAYERS.c.finished_at_ms.desc(), PLAYERS.c.session_id.desc())
        return await self._list(query, game, limit)

    async def list_finished(self, *, game: str = "", limit: int = MAX_LISTED, before: Cursor | None = None) -> list[Listed]:
        """Return the public sessions, newest first, at most MAX_LISTED."""
        query = select(*_LISTED).where(SESSIONS.c.public.is_(True))
        if before:
            query = query.where(
                tuple_(SESSIONS.c.finished_at_ms, SESSIONS.c.session_id) < tuple_(before.finished_at_ms, before.session_id)
            )
        query = query.order_by(SESSIONS.c.finished_at_ms.desc(), SESSIONS.c.session_id.desc())
        return await self._list(query, game, limit)

    async def _list(self, query: Select[Any], game: str, limit: int) -> list[Listed]:
        if game:
            query = query.where(SESSIONS.c.game == game)
        query = query.limit(max(1, min(limit, MAX_LISTED)))
        return await self.run(lambda connection: [_listed(row) for row in connection.execute(query)])

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` returns, called in a thread within one transaction. Raises Refused (UNAVAILABLE)."""
        return await self._access.run(work)


def _write(connection: Connection, entries: Sequence[Kept]) -> set[str]:
    """Keep sessions, and return the ids of those that are new."""
    by_id = {entry.session_id: entry for entry in reversed(entries)}
    ordered = [by_id[session_id] for session_id in sorted(by_id)]  # two processes wait for each other, and none for ever
    inserted = insert_into(connection, SESSIONS).on_conflict_do_nothing().returning(SESSIONS.c.session_id)
    new = set(connection.execute(inserted, [_row(entry) for entry in ordered]).scalars())
    players = [
        {
            "player_id": player.id,
            "session_id": entry.session_id,
            "finished_at_ms": entry.finished_at_ms,
            "seats": list(player.seats),
        }
        for entry in ordered
        if entry.session_id in new
        for player in entry.players
    ]
    if players:
        connection.execute(insert_into(connection, PLAYERS).on_conflict_do_nothing(), players)
    return new


def _row(entry: Kept) -> dict[str, object]:
    return {
        "session_id": entry.session_id,
        "game": entry.game,
        "rules_version": entry.rules_version,
        "public": entry.public,
        "title": entry.title.replace("\0", ""),  # PostgreSQL's texts cannot hold it
        "winners": list(entry.winners),
        "places": list(entry.places),
        "scores": list(entry.scores),
        "finished_at_ms": entry.finished_at_ms,
        "session": entry.session,
        "record": zlib.compress(entry.record),
    }


def _listed(row: Row[Any]) -> Listed:
    has_places = row.places is not None
    return Listed(
        session_id=row.session_id,
        game=row.game,
        rules_version=row.rules_version,
        public=row.public,
        title=row.title,
        winners=tuple(row.winners) if has_places else winners(row.scores),
        places=tuple(row.places) if has_places else places(row.scores),
        scores=tuple(row.scores),
        finished_at_ms=row.finished_at_ms,
        session=row.session,
    )


def unpacked(packed: bytes) -> bytes:
    """Return the Record message that was kept. Raises Refused (RECORD_DAMAGED) if it cannot be unpacked."""
    unpacker = zlib.decompressobj()
    try:
        record = unpacker.decompress(packed, RECORD_BYTES + 1)
    except zlib.error as error:
        raise Refused(errors_pb2.REASON_RECORD_DAMAGED, "the archived record is damaged") from error
    if not unpacker.eof or len(record) > RECORD_BYTES:
        raise Refused(errors_pb2.REASON_RECORD_DAMAGED, "the archived record is truncated or too large")
    return record
