"""Takes finished sessions out of the archive into the tables of players: each once, whoever does it and however often.

A session is stored, with all that follows from it, in one transaction of the players' database, and marked in the archive after
that. Who dies in between leaves a session that comes again, and that changes nothing then.
"""

from collections.abc import Sequence

from google.protobuf.message import DecodeError
from sqlalchemy import Connection, delete, func, select
from sqlalchemy.dialects import postgresql, sqlite

from brettwerk.v1 import record_pb2, sessions_pb2
from services.archive.access import Access
from services.archive.entry import Cursor
from services.archive.outbox import Finished, Outbox
from services.players.results.reading import UNREADABLE, Summary, summary_of
from services.players.tables import ACCOUNTS, GAMES, RESULTS, SIGN_OUTS
from services.runtime.logs import logger
from services.runtime.refusal import Refused

AT_ONCE = 100
"""Sessions that are taken in one transaction; a record may have megabytes."""

log = logger(__name__)


class Taking:
    """Takes sessions. Its methods block, may be repeated, and raise what SQLAlchemy raises."""

    def __init__(self, outbox: Outbox, store: Access) -> None:
        self._outbox = outbox
        self._store = store

    def take(self, session_ids: Sequence[str]) -> int:
        """Take sessions, those that are not in the archive left out; return how many were new."""
        return self._take(self._outbox.read(session_ids))

    def rebuild(self) -> int:
        """Forget all that came of finished games, and take the whole archive anew; return how many sessions that are.

        What finishes meanwhile may be taken by a worker at the same time. When it is broken off, whatever is left is delivered
        as usual, once the service runs.
        """
        self._store.run_here(_forget)
        self._outbox.unmark_all()
        after: Cursor | None = None
        while found := self._outbox.page(after, AT_ONCE):
            self._take(found)
            after = found[-1].cursor
        return self._store.run_here(lambda connection: connection.execute(select(func.count()).select_from(GAMES)).scalar_one())

    def _take(self, found: Sequence[Finished]) -> int:
        summaries = [(one, _read(one)) for one in found]
        new = self._store.run_here(lambda connection: sum(_store(connection, one, summary) for one, summary in summaries))
        self._outbox.mark_delivered([one.session_id for one in found])
        return new


def _read(one: Finished) -> Summary:
    try:
        return summary_of(sessions_pb2.Session.FromString(one.session), record_pb2.Record.FromString(one.record).entries)
    except (DecodeError, Refused, ValueError, IndexError) as error:
        log.error("a finished session cannot be read", session=one.session_id, error=type(error).__name__)
        return Summary(UNREADABLE)


def _forget(connection: Connection) -> None:
    connection.execute(delete(RESULTS))
    connection.execute(delete(GAMES))


def _store(connection: Connection, one: Finished, summary: Summary) -> bool:
    """Store a session; return whether it is new."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    game = {
        "session_id": one.session_id,
        "game": one.game,
        "finished_at_ms": one.finished_at_ms,
        "seats": summary.seats,
        "plies": summary.plies,
        "rule": summary.rule,
        "public": one.public,
        "competitive": summary.competitive,
        "standing": summary.standing,
    }
    written = connection.execute(insert(GAMES).values(game).on_conflict_do_nothing().returning(GAMES.c.session_id))
    if written.first() is None:
        return False
    gone = _deleted(connection, [result.player_id for result in summary.results if result.player_id])
    rows = [
        {
            "session_id": one.session_id,
            "number": number,
            "seat": result.seat,
            "player_id": result.player_id,
            "level": result.level,
            "result": result.result,
            "place": result.place,
            "side": result.side,
            "began": result.began,
            "game": one.game,
            "finished_at_ms": one.finished_at_ms,
        }
        for number, result in enumerate(summary.results)
        if result.player_id not in gone
    ]
    if rows:
        connection.execute(RESULTS.insert(), rows)
    return True


def _deleted(connection: Connection, players: Sequence[str]) -> set[str]:
    """Return those of some players who have deleted their accounts: their tokens are void, and there is no account."""
    query = (
        select(SIGN_OUTS.c.player_id)
        .outerjoin(ACCOUNTS, ACCOUNTS.c.player_id == SIGN_OUTS.c.player_id)
        .where(SIGN_OUTS.c.player_id.in_(players), ACCOUNTS.c.player_id.is_(None))
    )
    return set(connection.execute(query).scalars())
