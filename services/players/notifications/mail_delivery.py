"""Mails news: one mail for all tables at which something happened while it waited for more."""

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row, update

from services.archive.access import Access
from services.players.accounts.names import names_of
from services.players.accounts.sign_in_origins import first_origin
from services.players.news import backlog, schedule
from services.players.news.schedule import Item, Preferences
from services.players.news.tables import MAILBOXES
from services.players.notifications.delivery import Delivery, Outcome, Sent
from services.players.notifications.links import Links
from services.players.notifications.mail_server import MailServer
from services.players.notifications.mail_texts import Reader, news_mail
from services.players.notifications.words import spoken
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.settings import Settings
from services.runtime.wall_clock import wall_ms

AT_ONCE = 4
"""How many mails are on their way at the same time."""
FIRST_WAIT_MS, MAX_WAIT_MS = 60_000, 2 * 3_600_000
"""How long to wait after a failure: at first, and at most, since the wait doubles."""
DROPPED_MS = 3 * 86_400_000
"""After how long news that could not be mailed is dropped; the next news is tried again."""
REFUSED_WAIT_MS = 6 * 3_600_000
CHANNEL = "mail"
log = logger(__name__)


class MailDelivery(Delivery):
    """Delivers news to mail addresses."""

    channel = CHANNEL
    table = MAILBOXES
    at_once = AT_ONCE

    def __init__(self, store: Access, server: MailServer, links: Links, now_ms: Callable[[], int]) -> None:
        super().__init__(store, now_ms)
        self.server = server
        self.links = links

    @classmethod
    def of(cls, config: Settings, store: Access) -> "MailDelivery | None":
        """Return the way to mail addresses; None where there is none. Raises ValueError for settings that cannot be."""
        server, origin = MailServer.of(config), first_origin(config.sign_in_origins)
        if server is None:
            return None
        if not origin:
            raise ValueError("BRETTWERK_MAIL_SERVER needs BRETTWERK_SIGN_IN_ORIGINS: links in mail lead to the first of them")
        return cls(store, server, Links(origin), wall_ms)

    async def _deliver(self, row: Row[Any]) -> None:
        read, preferences, news, name = await self._store.run(partial(_read, row=row))
        now_ms = self._now_ms()
        items = schedule.to_tell(news, row.sent_version, preferences.unmailed, now_ms)
        due_ms = schedule.mailed_at_ms(items, preferences) if items else now_ms
        due_ms = max(due_ms, schedule.after_quiet_hours(now_ms, preferences)) if items else due_ms
        if due_ms > now_ms:
            await self._store.run(partial(backlog.rest, table=MAILBOXES, row=row, read=read, due_at_ms=due_ms))
            return
        if items:
            reader = reader_of(row, name, preferences)
            message = news_mail(self.server.sender, reader, items, items[-1].version, self.links, now_ms)
            sent = await self.server.send(message)
            metrics.NOTIFICATIONS.labels(CHANNEL, sent.outcome).inc()
            if sent.outcome is not Outcome.SENT:
                await self._store.run(partial(self._fail, row=row, sent=sent, read=read))
                return
        await self._store.run(partial(_finish, row=row, read=read, was_sent=bool(items)))

    def _fail(self, connection: Connection, row: Row[Any], sent: Sent, read: int) -> None:
        now_ms = self._now_ms()
        log.warning("a mail was not taken", why=sent.why, attempts=row.attempts + 1)
        if sent.outcome is Outcome.GONE:
            refusing = update(MAILBOXES).where(MAILBOXES.c.player_id == row.player_id, MAILBOXES.c.address == row.address)
            connection.execute(refusing.values(refusals=row.refusals + 1))
            if row.refusals + 1 >= backlog.MAX_REFUSALS:
                connection.execute(refusing.values(due_at_ms=None, claimed_until_ms=0))
                return
        if row.failing_since_ms is not None and now_ms - row.failing_since_ms > DROPPED_MS:
            metrics.NOTIFICATIONS.labels(CHANNEL, "dropped").inc()
            backlog.note_sent(connection, MAILBOXES, row, read)
            backlog.rest(connection, MAILBOXES, row, read, None)
            return
        wait_ms = min(MAX_WAIT_MS, FIRST_WAIT_MS << min(row.attempts, 20))
        wait_ms = REFUSED_WAIT_MS if sent.outcome is Outcome.GONE else wait_ms
        spread = int(wait_ms * random.uniform(0.9, 1.1))  # noqa: S311 - so that not all come back at the same moment
        backlog.failed(connection, MAILBOXES, row, now_ms, spread)


def reader_of(row: Row[Any], name: str, preferences: Preferences) -> Reader:
    """Return the reader of an address."""
    return Reader(row.player_id, name, row.address, spoken(preferences.language), preferences.time_zone, row.stop_code)


def _read(connection: Connection, row: Row[Any]) -> tuple[int, Preferences, Sequence[Item], str]:
    read = backlog.head_of(connection, row.player_id)
    news = [item for item in backlog.news_of(connection, row.player_id, row.sent_version) if item.version <= read]
    name = names_of(connection, [row.player_id]).get(row.player_id, row.address.partition("@")[0])
    return read, backlog.preferences_of(connection, row.player_id), news, name


def _finish(connection: Connection, row: Row[Any], read: int, *, was_sent: bool) -> None:
    if backlog.note_sent(connection, MAILBOXES, row, read) and was_sent:
        mine = update(MAILBOXES).where(MAILBOXES.c.player_id == row.player_id, MAILBOXES.c.address == row.address)
        connection.execute(mine.values(refusals=0))
    backlog.rest(connection, MAILBOXES, row, read, None)
