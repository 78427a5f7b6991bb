"""Takes finished sessions out of the archive into the tables of players: each once, whoever does it and however often.

A session is stored and counted for ratings in one transaction of the players' database, and marked in the archive after that. A
process that dies in between leaves a session that comes again, and that changes nothing then. Where a game comes late there may
be more to count than one transaction takes; what is left then is counted by whoever takes the next.
"""

import re
from collections.abc import Sequence
from functools import cache, partial

from google.protobuf.message import DecodeError
from sqlalchemy import Connection, func, select

from brettwerk.v1 import record_pb2, sessions_pb2
from services.archive.access import Access
from services.archive.entry import Cursor
from services.archive.outbox import Finished, Outbox
from services.players.conduct.conduct_rows import Noted
from services.players.conduct.departures import marks_of, pace_of
from services.players.intake.app import RESULTS, app
from services.players.intake.finished_games import forget_all, store
from services.players.intake.publisher import IN_A_MESSAGE
from services.players.ratings import rated_games
from services.players.results.summary import UNREADABLE, Summary, summary_of
from services.players.results.tables import GAMES
from services.players.store import open_store
from services.runtime.logs import logger
from services.runtime.refusal import Refused
from services.runtime.settings import settings

AT_ONCE = 100
"""Sessions that are taken in one transaction; a record may have megabytes."""
_SESSION_ID = re.compile(r"[0-9a-f]{2}[a-z2-7]{22}", re.ASCII)

log = logger(__name__)


class Intake:
    """Takes sessions. Its methods block, may be repeated, and raise what SQLAlchemy raises."""

    def __init__(self, outbox: Outbox, store: Access) -> None:
        self._outbox = outbox
        self._store = store

    def take(self, session_ids: Sequence[str]) -> int:
        """Take sessions, those that are not in the archive left out; return how many were new."""
        return self._take(self._outbox.read(session_ids))

    def rebuild(self) -> int:
        """Forget all that came of finished games, and take the whole archive anew; return how many sessions that are.

        A game that finishes meanwhile may be taken by a worker at the same time. When it is broken off, whatever is left is
        delivered as usual, once the service runs.
        """
        self._store.run_here(forget_all)
        self._outbox.unmark_all()
        after: Cursor | None = None
        while found := self._outbox.page(after, AT_ONCE):
            self._take(found)
            after = found[-1].cursor
        return self._store.run_here(lambda connection: connection.execute(select(func.count()).select_from(GAMES)).scalar_one())

    def _take(self, found: Sequence[Finished]) -> int:
        read = [(one, *_read(one)) for one in found]
        summaries = [(one, summary) for one, summary, _ in read]
        behaved = {one.session_id: noted for one, _, noted in read if noted is not None}

        def write(connection: Connection) -> int:
            new, pools = store(connection, summaries, behaved)
            rated_games.step(connection, pools)
            return new

        new = self._store.run_here(write)
        while pools := self._store.run_here(rated_games.waiting):
            self._store.run_here(partial(rated_games.step, pools=pools))
        self._outbox.mark_delivered([one.session_id for one in found])
        return new


def _read(one: Finished) -> tuple[Summary, Noted | None]:
    """Return what a session came to, and what its players did where that counts."""
    try:
        session = sessions_pb2.Session.FromString(one.session)
        entries = record_pb2.Record.FromString(one.record).entries
        summary = summary_of(session, entries)
        marks = marks_of(session, entries, summary.course)
    except (DecodeError, Refused, ValueError, IndexError) as error:
        log.error("a finished session cannot be read", session=one.session_id, error=type(error).__name__)
        return Summary(UNREADABLE), None
    return summary, Noted(one.finished_at_ms, pace_of(session.clock), marks) if marks else None


@app.task(name=RESULTS)
def take(session_ids: list[str]) -> None:
    """Take sessions that are over. They may come more than once, and to several workers; what are no ids is logged and left."""
    if not isinstance(session_ids, list) or not all(isinstance(one, str) and _SESSION_ID.fullmatch(one) for one in session_ids):
        log.warning("no sessions in a message of finished games")
        return
    new = _taking().take(session_ids[:IN_A_MESSAGE])
    log.debug("sessions taken", new=new)


@cache
def _taking() -> Intake:
    return Intake(Outbox.open(settings().database_url), open_store(settings().players_database_url))
