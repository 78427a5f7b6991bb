"""Pushes news to devices: one message for each table, and the newest only."""

import json
import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row, delete

from services.archive.access import Access
from services.players.accounts.sign_in_origins import first_origin
from services.players.news import backlog, schedule
from services.players.news.schedule import Item, Preferences
from services.players.news.tables import DEVICES
from services.players.notifications.allowed_hosts import AllowedHosts
from services.players.notifications.delivery import Delivery, Outcome, Sent
from services.players.notifications.mail_texts import table_name
from services.players.notifications.push_keys import PushKeys
from services.players.notifications.push_service import PushService
from services.players.notifications.words import say, sentence
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.settings import Settings
from services.runtime.wall_clock import wall_ms

AT_ONCE = 32
"""Devices that are taken at a time."""
MAX_MESSAGES = 5
"""Messages that a device gets in one go; of more tables one message says how many there are."""
PAUSE_MS = 5_000
"""At least so long lies between two goes: a device is not flooded by fast games."""
FIRST_WAIT_MS, MAX_WAIT_MS = 30_000, 6 * 3_600_000
"""How long it is waited after a failure: first, and at most, since the wait grows fourfold."""
LOST_MS = 7 * 86_400_000
"""A device that could not be reached for so long is removed."""
TTL_S = 3 * 86_400
"""How long a push service keeps a message for a device that is off, unless the player's clock runs out before."""
CHANNEL = "push"
log = logger(__name__)


class PushDelivery(Delivery):
    """The way of news to devices."""

    channel = CHANNEL
    table = DEVICES
    at_once = AT_ONCE

    def __init__(self, store: Access, keys: PushKeys, service: PushService, now_ms: Callable[[], int]) -> None:
        super().__init__(store, now_ms)
        self.keys = keys
        self._service = service

    @classmethod
    def of(cls, config: Settings, store: Access) -> "PushDelivery | None":
        """Return the way to devices; None where there is none. Raises ValueError for settings that cannot be."""
        keys, hosts = PushKeys.of(config), AllowedHosts(config.push_hosts)
        if keys is None:
            return None
        contact = config.push_contact.strip() or first_origin(config.sign_in_origins)
        if not contact.startswith(("mailto:", "https://", "http://localhost", "http://127.0.0.1")):
            log.warning("push services cannot reach you: set BRETTWERK_PUSH_CONTACT, or an https address as sign-in origin")
        return cls(store, keys, PushService(hosts, contact), wall_ms)

    def check(self, endpoint: str) -> None:
        """Return when messages may go to an endpoint. Raises Refused (MALFORMED)."""
        self._service.check(endpoint)

    async def close(self) -> None:
        """Close the connections."""
        await self._service.close()

    async def send(self, row: Row[Any], message: bytes, topic: str, ttl_s: int = TTL_S) -> Sent:
        """Hand one message over for at most `ttl_s` seconds; return what came of it. A device that is gone is removed."""
        opened = self.keys.opened(row.subscription)
        sent = Sent(Outcome.GONE, "another key") if opened is None else await self._service.send(message, *opened, topic, ttl_s)
        metrics.NOTIFICATIONS.labels(CHANNEL, sent.outcome).inc()
        if sent.outcome is Outcome.GONE:
            log.info("a device is gone", why=sent.why)
            await self._store.run(lambda connection: connection.execute(delete(DEVICES).where(DEVICES.c.digest == row.digest)))
        return sent

    async def _deliver(self, row: Row[Any]) -> None:
        read, preferences, news = await self._store.run(partial(_read, row=row))
        now_ms = self._now_ms()
        items = schedule.to_tell(news, row.sent_version, preferences.unpushed, now_ms)
        begins_ms = schedule.after_quiet_hours(now_ms, preferences)
        if items and begins_ms > now_ms:
            await self._store.run(partial(backlog.rest, table=DEVICES, row=row, read=read, due_at_ms=begins_ms))
            return
        for item in _as_messages(items):
            sent = await self._send(row, item, len(items), now_ms)
            if sent.outcome is Outcome.GONE:
                return
            if sent.outcome is Outcome.FAILED:
                await self._store.run(partial(self._fail, row=row, sent=sent))
                return
            if not await self._store.run(partial(backlog.note_sent, table=DEVICES, row=row, version=item.version)):
                return
        again_ms = now_ms + PAUSE_MS if items else None
        await self._store.run(partial(_finish, row=row, read=read, due_at_ms=again_ms))

    async def _send(self, row: Row[Any], item: Item, count: int, now_ms: int) -> Sent:
        message = _many(row.language, count) if count > MAX_MESSAGES else _one(row.language, item)
        left_s = (item.until_ms - now_ms) // 1000 if item.until_ms else TTL_S
        return await self.send(row, message, item.subject if count <= MAX_MESSAGES else "many", max(60, min(TTL_S, left_s)))

    def _fail(self, connection: Connection, row: Row[Any], sent: Sent) -> None:
        now_ms = self._now_ms()
        if row.failing_since_ms is not None and now_ms - row.failing_since_ms > LOST_MS:
            connection.execute(delete(DEVICES).where(DEVICES.c.digest == row.digest))
            metrics.NOTIFICATIONS.labels(CHANNEL, "dropped").inc()
            return
        wait_ms = min(MAX_WAIT_MS, FIRST_WAIT_MS << min(2 * row.attempts, 20))
        spread = int(wait_ms * random.uniform(0.9, 1.1))  # noqa: S311 - so that not all come back at the same moment
        log.info("a push message was not taken", why=sent.why, attempts=row.attempts + 1)
        backlog.failed(connection, DEVICES, row, now_ms, max(spread, int(sent.wait_s * 1000)))


def test_message(language: str) -> bytes:
    """Return the message that says that messages arrive."""
    return _message(say(language, "push.test.title"), say(language, "push.test.body"), "test", "/account")


def _read(connection: Connection, row: Row[Any]) -> tuple[int, Preferences, Sequence[Item]]:
    read = backlog.head_of(connection, row.player_id)
    news = backlog.news_of(connection, row.player_id, row.sent_version)
    return read, backlog.preferences_of(connection, row.player_id), [item for item in news if item.version <= read]


def _finish(connection: Connection, row: Row[Any], read: int, due_at_ms: int | None) -> None:
    backlog.note_sent(connection, DEVICES, row, read)
    backlog.rest(connection, DEVICES, row, read, due_at_ms)


def _as_messages(items: Sequence[Item]) -> Sequence[Item]:
    return items if len(items) <= MAX_MESSAGES else items[-1:]


def _one(language: str, item: Item) -> bytes:
    return _message(table_name(language, item), sentence(language, item), item.subject, item.path)


def _many(language: str, count: int) -> bytes:
    return _message("Brettwerk", say(language, "push.many", count=count), "many", "/")


def _message(title: str, body: str, tag: str, path: str) -> bytes:
    """Return what the service worker shows: of the same tag a device shows one notification at a time."""
    return json.dumps({"title": title[:100], "body": body[:300], "tag": tag, "path": path}, ensure_ascii=False).encode()
