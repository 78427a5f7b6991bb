"""Moderation that nobody asks for: mutes and suspensions end, lines reported at tables come in, and old things go."""

import asyncio
from collections.abc import Callable

from sqlalchemy import Connection

from brettwerk.v1 import moderation_pb2
from services.archive.access import Access
from services.archive.changes import Changes
from services.players.accounts import restrictions
from services.players.moderation import acts, measures, report_rows, talk_rules
from services.players.moderation.reports import Reports
from services.players.news import feed
from services.runtime.logs import logger
from services.runtime.refusal import Refused
from services.runtime.restriction import TALK
from services.runtime.wall_clock import wall_ms
from services.runtime.word_list import WordFile

EVERY_S = 5.0
"""How often it is looked whether anything is due."""
_CLEAN_EVERY = 720
"""Looks after which what is old is removed."""
log = logger(__name__)


class Upkeep:
    """Keeps moderation in order."""

    def __init__(
        self,
        store: Access,
        archive_changes: Changes,
        reports: Reports,
        words: WordFile,
        wake: Callable[[dict[str, int]], None],
        now_ms: Callable[[], int] = wall_ms,
    ) -> None:
        """`words`: those that this process checks, to which those of the moderators are added; `wake`: as in Moderation."""
        self._store = store
        self._changes, self._archive_changes = store.changes(), archive_changes
        self._reports = reports
        self._words = words
        self._wake = wake
        self._now_ms = now_ms
        self._next_end_ms = 0
        self._known = 0

    async def run(self) -> None:
        """Look again and again, until cancelled."""
        looks = 0
        while True:
            try:
                if self._archive_changes.may_have_come():
                    await self._reports.take_from_archive()
                is_due = 0 < self._next_end_ms <= self._now_ms()
                if self._changes.may_have_come() or is_due:
                    await self.look()
                if looks % _CLEAN_EVERY == 0:
                    await self._store.run(self.forget_old)
            except Refused:
                pass  # a database is away, and its access has said so
            except Exception as error:
                log.error("moderation could not be kept", exc_info=error)
            looks += 1
            await asyncio.sleep(EVERY_S)

    async def look(self) -> None:
        """End what is over, with news to the players, and learn which words nobody may say. Raises Refused (UNAVAILABLE)."""
        now_ms = self._now_ms()

        def write(connection: Connection) -> dict[str, int]:
            notes = []
            # Asked first: whatever writes, makes others wait.
            is_due = 0 < restrictions.next_end_ms(connection) <= now_ms
            for row in restrictions.take_ended(connection, now_ms) if is_due else ():
                act = moderation_pb2.MODERATION_ACT_UNMUTE if row.what == TALK else moderation_pb2.MODERATION_ACT_UNSUSPEND
                number = acts.note(connection, act, acts.SERVER, now_ms, player_id=row.player_id)
                notes.append(measures.news(row.player_id, act, number, now_ms))
                if row.what == TALK:
                    talk_rules.changed(connection)
            self._next_end_ms = restrictions.next_end_ms(connection)
            version = talk_rules.version(connection)
            if version != self._known:
                self._words.extend(talk_rules.words(connection))
                self._known = version
            return feed.note(connection, notes)

        if heads := await self._store.run(write):
            self._wake(heads)

    def forget_old(self, connection: Connection) -> None:
        """Remove reports and acts that have been kept long enough. In a transaction."""
        now_ms = self._now_ms()
        report_rows.forget_old(connection, now_ms)
        acts.forget_old(connection, now_ms)
