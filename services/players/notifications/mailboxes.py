"""The mail addresses of players: an address gets nothing but the question until its owner has confirmed it."""

import secrets
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update

from brettwerk.v1 import errors_pb2
from brettwerk.v1 import notifications_pb2 as pb
from services.archive.access import Access
from services.archive.upsert import insert_into
from services.players.accounts import rows
from services.players.accounts.secrets_kept import digest, new_code
from services.players.accounts.tables import TICKETS
from services.players.calls import Caller
from services.players.news import backlog
from services.players.news.tables import MAILBOXES
from services.players.notifications import mail_counts
from services.players.notifications.delivery import Outcome, Sent, not_set_up
from services.players.notifications.mail_delivery import MailDelivery, reader_of
from services.players.notifications.mail_server import is_address
from services.players.notifications.mail_texts import Reader, confirmation_mail, test_mail
from services.players.notifications.words import spoken
from services.runtime import metrics
from services.runtime.refusal import Refused, malformed, unknown

CONFIRM = "mail"
"""The kind of ticket that a link in a mail carries."""
CONFIRM_MS = 2 * 3_600_000
"""How long such a link is valid."""
ANSWER_S = 4.0
"""How long a waiting caller waits for the mail server."""


class Mailboxes:
    """The addresses. Its calls raise Refused: NO_TOKEN for callers who are not players, UNKNOWN for what does not exist."""

    def __init__(self, store: Access, key: bytes, mail: MailDelivery | None, now_ms: Callable[[], int]) -> None:
        """`key`: of hashes of addresses; `mail`: None where nobody gets mail."""
        self._store = store
        self._key = key
        self._mail = mail
        self._now_ms = now_ms

    async def start(self, address: str, language: str, caller: Caller) -> None:
        """Send a link to an address. An earlier confirmed address keeps getting mail until this one is confirmed.

        Raises Refused: MALFORMED for no address, TOO_MANY_REQUESTS, UNAVAILABLE while the mail server takes nothing.
        """
        caller.require_player()
        mail, code, now_ms, address = self._given(), new_code(), self._now_ms(), address.strip()
        if not is_address(address):
            raise malformed("address", "this is not a mail address")

        def write(connection: Connection) -> None:
            rows.own(connection, caller)
            mail_counts.count(connection, self._key, caller.player_id, caller.address, address, now_ms)
            mine = (TICKETS.c.player_id == caller.player_id) & (TICKETS.c.kind == CONFIRM) & TICKETS.c.used_at_ms.is_(None)
            connection.execute(delete(TICKETS).where(mine | (TICKETS.c.expires_at_ms < now_ms - mail_counts.DAY_MS)))
            ticket = {"digest": digest(code), "kind": CONFIRM, "player_id": caller.player_id, "payload": address.encode()}
            connection.execute(TICKETS.insert().values(**ticket, expires_at_ms=now_ms + CONFIRM_MS))
            waits = insert_into(connection, MAILBOXES).values(_fresh(caller.player_id, address, now_ms))
            # an address that is not confirmed is replaced at once
            changed = {"address": address, "asked_at_ms": now_ms}
            other = MAILBOXES.c.confirmed_at_ms.is_(None)
            connection.execute(waits.on_conflict_do_update(index_elements=[MAILBOXES.c.player_id], set_=changed, where=other))

        await self._store.run(write)
        reader = Reader(caller.player_id, caller.name, address, spoken(language), "", "")
        message = confirmation_mail(mail.server.sender, reader, code, mail.links, now_ms)
        _check(await mail.server.send(message, ANSWER_S))

    async def confirm(self, code: str) -> str:
        """Return the address that gets mail from now on. Raises Refused (UNKNOWN) for a link that is invalid, used or too old."""
        now_ms = self._now_ms()

        def write(connection: Connection) -> str | Refused:
            ticket = (TICKETS.c.digest == digest(code)) & (TICKETS.c.kind == CONFIRM)
            using = update(TICKETS).where(ticket, TICKETS.c.used_at_ms.is_(None), TICKETS.c.expires_at_ms > now_ms)
            used = connection.execute(using.values(used_at_ms=now_ms).returning(TICKETS)).first()
            if used is None:
                return _no_link(connection.execute(select(TICKETS).where(ticket)).first())
            address, player_id = bytes(used.payload).decode(), used.player_id
            head = backlog.head_of(connection, player_id)
            confirmed = _fresh(player_id, address, now_ms) | {"confirmed_at_ms": now_ms, "sent_version": head}
            # what is on its way to the address before goes nowhere any more
            connection.execute(delete(MAILBOXES).where(MAILBOXES.c.player_id == player_id))
            connection.execute(MAILBOXES.insert().values(confirmed))
            return address

        address = await self._store.run(write)
        if isinstance(address, Refused):
            raise address
        return address

    async def remove(self, caller: Caller) -> None:
        """Remove the caller's address, and the link that would confirm one."""

        def write(connection: Connection) -> None:
            rows.own(connection, caller)
            connection.execute(delete(MAILBOXES).where(MAILBOXES.c.player_id == caller.player_id))
            connection.execute(delete(TICKETS).where(TICKETS.c.player_id == caller.player_id, TICKETS.c.kind == CONFIRM))

        await self._store.run(write)

    async def unsubscribe(self, code: str) -> None:
        """Unsubscribe an address and delete it. Raises Refused (UNKNOWN) for a code that is invalid or used."""

        def write(connection: Connection) -> bool:
            there = MAILBOXES.c.stop_code == code
            return connection.execute(delete(MAILBOXES).where(there)).rowcount > 0

        if not code or not await self._store.run(write):
            raise Refused(
                errors_pb2.REASON_UNKNOWN, "no mail goes to this address, or it has a newer link", details={"what": "mail_link"}
            )

    async def test(self, caller: Caller) -> None:
        """Send a test mail to the caller's confirmed address. Raises Refused (UNAVAILABLE) while the server accepts nothing."""
        mail, now_ms = self._given(), self._now_ms()

        def find(connection: Connection) -> tuple[Row[Any] | None, Any]:
            rows.own(connection, caller)
            mine = (MAILBOXES.c.player_id == caller.player_id) & MAILBOXES.c.confirmed_at_ms.is_not(None)
            row = connection.execute(select(MAILBOXES).where(mine)).first()
            if row is not None:
                mail_counts.count(connection, self._key, caller.player_id, caller.address, row.address, now_ms)
            return row, backlog.preferences_of(connection, caller.player_id)

        row, preferences = await self._store.run(find)
        if row is None:
            raise unknown("mail_address")
        message = test_mail(mail.server.sender, reader_of(row, caller.name, preferences), mail.links, now_ms)
        _check(await mail.server.send(message, ANSWER_S))

    def _given(self) -> MailDelivery:
        if self._mail is None:
            raise not_set_up("mail")
        return self._mail


def mail_address_of(connection: Connection, player_id: str) -> pb.MailAddress | None:
    """Return a player's address, if there is one."""
    row = connection.execute(select(MAILBOXES).where(MAILBOXES.c.player_id == player_id)).first()
    if row is None:
        return None
    return pb.MailAddress(
        address=row.address,
        is_confirmed=row.confirmed_at_ms is not None,
        failing_since_ms=row.failing_since_ms or 0,
        is_refused=row.refusals >= backlog.MAX_REFUSALS,
    )


def _fresh(player_id: str, address: str, now_ms: int) -> dict[str, object]:
    return {
        "player_id": player_id,
        "address": address,
        "asked_at_ms": now_ms,
        "stop_code": secrets.token_urlsafe(16),
        "refusals": 0,
        "sent_version": 0,
        "claimed_until_ms": 0,
        "attempts": 0,
    }


def _no_link(row: Row[Any] | None) -> Refused:
    what = "mail_link" if row is None else "used_mail_link" if row.used_at_ms is not None else "old_mail_link"
    return Refused(errors_pb2.REASON_UNKNOWN, _MESSAGES[what], details={"what": what}, field="code")


def _check(sent: Sent) -> None:
    metrics.NOTIFICATIONS.labels("mail", sent.outcome).inc()
    if sent.outcome is Outcome.GONE:
        raise malformed("address", "the mail server does not accept this address")
    if sent.outcome is Outcome.FAILED:
        message = "the mail server does not take mail now; try again later"
        details = {"service": "mail server", "what": "mail_server"}
        raise Refused(errors_pb2.REASON_UNAVAILABLE, message, details=details, retry_after_ms=30_000)


_MESSAGES = {
    "mail_link": "this link confirms nothing",
    "used_mail_link": "this link was used already",
    "old_mail_link": "this link is too old; ask for another one",
}
