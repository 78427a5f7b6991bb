"""Sends news to webhooks: one message for each table, and the newest only; and the turns of tables to theirs."""

import json
import os
import random
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import Connection, Row, delete, update

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import errors_pb2, news_pb2
from brettwerk.v1 import webhooks_pb2 as pb
from services.archive.access import Access
from services.players.accounts.sign_in_origins import first_origin
from services.players.news import backlog, feed, schedule
from services.players.news.schedule import Item, Preferences
from services.players.news.tables import WEBHOOKS
from services.players.notifications import webhook_messages
from services.players.notifications.allowed_hosts import AllowedHosts
from services.players.notifications.delivery import Delivery, Outcome, Sent
from services.players.notifications.links import Links
from services.players.notifications.outer_posts import OuterPosts
from services.players.notifications.seen_tables import SeenTable, SeenTables
from services.players.notifications.webhook_messages import Message
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.refusal import Refused
from services.runtime.settings import Settings
from services.runtime.token_buckets import Buckets
from services.runtime.version import VERSION
from services.runtime.wall_clock import wall_ms

AT_ONCE = 16
"""Webhooks that are taken at a time."""
TIMEOUT_S = 8.0
MAX_MESSAGES = 5
"""Messages that a webhook gets in one go; of more tables one message says how many there are."""
PAUSE_MS = 10_000
"""At least so long lies between two goes: nobody's server is flooded by fast games."""
FIRST_WAIT_MS, MAX_WAIT_MS = 30_000, 6 * 3_600_000
"""How long it is waited after a failure: first, and at most, since the wait grows fourfold."""
OFF_MS = 2 * 86_400_000
"""A webhook that has failed for so long is turned off."""
HOST_PER_S, HOST_BURST = 10.0, 50.0
"""Messages that one host gets from a process."""
LOOK_MS, MAX_LOOK_MS = 10_000, 120_000
"""How often a table is looked at: the more rarely, the longer nothing has happened there."""
FORMER_MS = 86_400_000
"""For how long a secret that was replaced signs beside the new one."""
CHANNEL = "webhook"
_NONCE = 12
_CHATS = (pb.WEBHOOK_FORM_DISCORD, pb.WEBHOOK_FORM_SLACK)
_PICTURED = (pb.WEBHOOK_FORM_DISCORD, pb.WEBHOOK_FORM_JSON)
"""Forms that take a picture along; others want the address of one."""
log = logger(__name__)


@dataclass(frozen=True, slots=True)
class Target:
    """Where a webhook is, and what signs its messages."""

    url: str
    secret: bytes
    """Empty for chats."""
    former: bytes = b""
    former_until_ms: int = 0

    def secrets(self, now_ms: int) -> Sequence[bytes]:
        """Return the secrets that sign now."""
        return [self.secret, self.former] if now_ms < self.former_until_ms else [self.secret]


class WebhookDelivery(Delivery):
    """The way of news to webhooks."""

    channel = CHANNEL
    table = WEBHOOKS
    at_once = AT_ONCE

    def __init__(
        self, store: Access, key: bytes, hosts: AllowedHosts, links: Links, now_ms: Callable[[], int],
        tables: SeenTables, trusted: ssl.SSLContext | None = None,
    ) -> None:  # fmt: skip
        """`key`: 32 bytes that seal URLs and secrets; `trusted`: whose certificates count, where not the system's."""
        super().__init__(store, now_ms)
        self.links = links
        self.tables = tables
        self._rates = Buckets(
            "webhook_host", HOST_PER_S, HOST_BURST, refusal="that host gets many messages; the next one is sent"
        )
        self._hosts = hosts
        self._seal = AESGCM(key)
        self._posts = OuterPosts(hosts, trusted)

    @classmethod
    def of(cls, config: Settings, store: Access, key: bytes) -> "WebhookDelivery | None":
        """Return the way to webhooks; None where there is none. Raises ValueError for settings that cannot be."""
        hosts = AllowedHosts(config.webhook_hosts, "BRETTWERK_WEBHOOK_HOSTS", "url")
        origin = first_origin(config.sign_in_origins)
        if not origin or hosts.is_empty:
            return None
        tables = SeenTables(config.session_address, config.call_timeout_s)
        return cls(store, key, hosts, Links(origin), wall_ms, tables)

    def check(self, url: str) -> None:
        """Return when messages may go to a URL. Raises Refused (MALFORMED)."""
        self._hosts.check(url)

    def sealed(self, target: Target) -> bytes:
        """Return a target as it is stored."""
        plain = json.dumps([target.url, target.secret.hex(), target.former.hex(), target.former_until_ms]).encode()
        nonce = os.urandom(_NONCE)
        return nonce + self._seal.encrypt(nonce, plain, b"")

    def opened(self, sealed: bytes) -> Target | None:
        """Return a stored target; None for one that another key has sealed."""
        try:
            url, secret, former, until_ms = json.loads(self._seal.decrypt(sealed[:_NONCE], sealed[_NONCE:], b""))
        except (InvalidTag, ValueError):
            return None
        return Target(url, bytes.fromhex(secret), bytes.fromhex(former), until_ms)

    async def close(self) -> None:
        """Close the connections."""
        await self._posts.close()
        await self.tables.close()

    async def send(self, row: Row[Any], message: Message) -> Sent:
        """Send one message, and return what came of it. Raises Refused (TOO_MANY_REQUESTS) while its host gets many."""
        self._rates.take(row.host, 1)
        target, now_ms = self.opened(row.sealed), self._now_ms()
        if target is None:
            sent = Sent(Outcome.GONE, "another key")
        else:
            try:
                self.check(target.url)
            except Refused:
                return Sent(Outcome.GONE, "not allowed here")
            headers, body = webhook_messages.request(row.form, message, target.secrets(now_ms), now_ms)
            # Discord and Slack answer 404 once a channel's webhook is deleted; elsewhere that may be a fault of the moment.
            gone = (404, 410) if row.form in _CHATS else (410,)
            headers["user-agent"] = f"Brettwerk/{VERSION}"
            sent = await self._posts.post(target.url, headers, body, TIMEOUT_S, gone)
        metrics.NOTIFICATIONS.labels(CHANNEL, sent.outcome).inc()
        return sent

    async def _deliver(self, row: Row[Any]) -> None:
        try:
            await (self._deliver_turn(row) if row.session_id else self._deliver_news(row))
        except Refused as refused:
            if refused.reason != errors_pb2.REASON_TOO_MANY_REQUESTS:
                raise
            due_at_ms = self._now_ms() + max(1000, refused.refusal.retry_after_ms)
            await self._store.run(partial(backlog.rest, table=WEBHOOKS, row=row, read=0, due_at_ms=due_at_ms))

    async def _deliver_turn(self, row: Row[Any]) -> None:
        """Look at a table, and tell whose turn it is if that was not told yet."""
        now_ms, rest = self._now_ms(), partial(backlog.rest, table=WEBHOOKS, row=row, read=0)
        try:
            table = await self.tables.find(row.session_id)
        except Refused as refused:
            if refused.reason == errors_pb2.REASON_UNKNOWN:  # a table that waited for nobody, and is gone
                await self._store.run(partial(_end, row=row))
            else:
                await self._store.run(partial(rest, due_at_ms=now_ms + MAX_LOOK_MS))
            return
        if table.is_over or (table.to_act and table.to_act != row.sent_seats):
            preferences = await self._store.run(partial(backlog.preferences_of, player_id=row.player_id))
            if (begins_ms := schedule.after_quiet_hours(now_ms, preferences)) > now_ms:
                await self._store.run(partial(rest, due_at_ms=begins_ms))
                return
            message = await self._message_of(row, table)
            sent = await self.send(row, message)
            if sent.outcome is not Outcome.SENT:
                await self._store.run(partial(self._fail, row=row, sent=sent))
                return
            noting = partial(backlog.note_sent, table=WEBHOOKS, row=row, version=table.version, sent_seats=table.to_act)
            if not await self._store.run(noting):
                return
        if table.is_over:
            await self._store.run(partial(_end, row=row))
            return
        idle_ms = max(0, now_ms - table.at_ms)
        await self._store.run(partial(rest, due_at_ms=now_ms + min(MAX_LOOK_MS, max(LOOK_MS, idle_ms // 20))))

    async def _message_of(self, row: Row[Any], table: SeenTable) -> Message:
        picture = await self.tables.picture(table) if row.form in _PICTURED else b""
        return webhook_messages.of_turn(row.webhook_id, row.language, table, picture, self.links)

    async def _deliver_news(self, row: Row[Any]) -> None:
        read, preferences, news = await self._store.run(partial(_read, row=row))
        now_ms = self._now_ms()
        items = schedule.to_tell(news, row.sent_version, backlog.kinds_in(row.unsent), now_ms)
        begins_ms = schedule.after_quiet_hours(now_ms, preferences)
        if items and begins_ms > now_ms:
            await self._store.run(partial(backlog.rest, table=WEBHOOKS, row=row, read=read, due_at_ms=begins_ms))
            return
        for version, message in self._messages(row, items):
            sent = await self.send(row, message)
            if sent.outcome is not Outcome.SENT:
                await self._store.run(partial(self._fail, row=row, sent=sent))
                return
            if not await self._store.run(partial(backlog.note_sent, table=WEBHOOKS, row=row, version=version)):
                return
        await self._store.run(partial(_finish, row=row, read=read, due_at_ms=now_ms + PAUSE_MS if items else None))

    def _messages(self, row: Row[Any], items: Sequence[Item]) -> Sequence[tuple[int, Message]]:
        if len(items) > MAX_MESSAGES:
            return [(items[-1].version, webhook_messages.of_many(row.webhook_id, row.language, items, self.links))]
        return [(one.version, webhook_messages.of_news(row.webhook_id, row.language, one, self.links)) for one in items]

    def _fail(self, connection: Connection, row: Row[Any], sent: Sent) -> None:
        now_ms = self._now_ms()
        there = update(WEBHOOKS).where(WEBHOOKS.c.webhook_id == row.webhook_id)
        connection.execute(there.values(why=sent.why[:40]))
        log.info("a webhook did not take a message", why=sent.why, attempts=row.attempts + 1)
        is_lost = row.failing_since_ms is not None and now_ms - row.failing_since_ms > OFF_MS
        if sent.outcome is Outcome.GONE or is_lost:
            still_on = there.where(WEBHOOKS.c.off_at_ms.is_(None))
            if connection.execute(still_on.values(off_at_ms=now_ms, due_at_ms=None, claimed_until_ms=0)).rowcount == 1:
                news = news_pb2.News(kind=news_pb2.News.KIND_WEBHOOK_OFF, title=row.label, at_ms=now_ms)
                # the moment tells it apart from another time that one is turned off
                noted = players_pb2.NotedNews(player_id=row.player_id, session_version=now_ms, news=news)
                feed.note(connection, [noted])
                metrics.NOTIFICATIONS.labels(CHANNEL, "dropped").inc()
            return
        wait_ms = min(MAX_WAIT_MS, FIRST_WAIT_MS << min(2 * row.attempts, 20))
        spread = int(wait_ms * random.uniform(0.9, 1.1))  # noqa: S311 - so that not all come back at the same moment
        backlog.failed(connection, WEBHOOKS, row, now_ms, max(spread, int(sent.wait_s * 1000)))


def _end(connection: Connection, row: Row[Any]) -> None:
    """Remove the webhook of a table whose game is over."""
    connection.execute(delete(WEBHOOKS).where(WEBHOOKS.c.webhook_id == row.webhook_id))


def _read(connection: Connection, row: Row[Any]) -> tuple[int, Preferences, Sequence[Item]]:
    read = backlog.head_of(connection, row.player_id)
    news = backlog.news_of(connection, row.player_id, row.sent_version)
    return read, backlog.preferences_of(connection, row.player_id), [item for item in news if item.version <= read]


def _finish(connection: Connection, row: Row[Any], read: int, due_at_ms: int | None) -> None:
    backlog.note_sent(connection, WEBHOOKS, row, read)
    backlog.rest(connection, WEBHOOKS, row, read, due_at_ms)
