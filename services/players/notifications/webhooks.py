"""The webhooks of players: added, changed and removed by their owners, off when nothing reaches them."""

import hashlib
import secrets
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import ColumnElement, Connection, Row, delete, func, select, update

from brettwerk.v1 import errors_pb2
from brettwerk.v1 import webhooks_pb2 as pb
from services.archive.access import Access
from services.archive.upsert import insert_into
from services.players.accounts import rows
from services.players.accounts.tables import ACCOUNTS
from services.players.calls import Caller
from services.players.news import backlog
from services.players.news.tables import WEBHOOKS
from services.players.notifications import webhook_messages
from services.players.notifications.delivery import Outcome, not_set_up
from services.players.notifications.webhook_delivery import FORMER_MS, Target, WebhookDelivery
from services.players.notifications.words import spoken
from services.runtime.player_text import NAME_BYTES, clean_text
from services.runtime.refusal import Refused, unknown

MAX_WEBHOOKS = 5
"""How many webhooks a player can have for news, and how many for tables."""


class Webhooks:
    """The webhooks. Its calls raise Refused: NO_TOKEN for callers who are not players, UNKNOWN for another's webhook."""

    def __init__(self, store: Access, hooks: WebhookDelivery | None, now_ms: Callable[[], int]) -> None:
        """`hooks`: None where this server sends to no webhooks."""
        self._store = store
        self._hooks = hooks
        self._now_ms = now_ms

    async def list(self, caller: Caller) -> pb.ListWebhooksResponse:
        """Return the caller's webhooks, oldest first."""

        def read(connection: Connection) -> pb.ListWebhooksResponse:
            rows.own(connection, caller)
            mine = select(WEBHOOKS).where(WEBHOOKS.c.player_id == caller.player_id)
            found = connection.execute(mine.order_by(WEBHOOKS.c.created_at_ms, WEBHOOKS.c.webhook_id)).all()
            return pb.ListWebhooksResponse(is_offered=self._hooks is not None, webhooks=map(_shown, found))

        return await self._store.run(read)

    async def add(self, request: pb.AddWebhookRequest, caller: Caller) -> pb.AddWebhookResponse:
        """Add a webhook; return it with its secret. Raises Refused: MALFORMED for a URL that is not allowed, FULL.

        For the turns of a table: UNKNOWN, NOT_YOUR_SEAT for one that another player has created, GAME_OVER.
        """
        caller.require_player()
        hooks, now_ms = self._given(), self._now_ms()
        hooks.check(request.url)
        title = await self._title_of(request.session_id, caller, hooks) if request.session_id else ""
        form, host = webhook_messages.form_of(request.form, request.url), urlsplit(request.url).hostname or ""
        is_signed = form == pb.WEBHOOK_FORM_JSON
        secret = secrets.token_bytes(webhook_messages.SECRET_BYTES) if is_signed else b""
        named = [caller.player_id, request.url, *filter(None, [request.session_id])]
        webhook_id = hashlib.sha256("\0".join(named).encode()).hexdigest()[:32]
        changed = {
            "sealed": hooks.sealed(Target(request.url, secret)),
            "host": host,
            "label": _label(request.label, title or host),
            "session_id": request.session_id,
            "form": form,
            "unsent": backlog.bits_of(request.unsent),
            "language": spoken(request.language),
        }

        def write(connection: Connection) -> Row[Any]:
            rows.keep(connection, caller, now_ms)
            # two calls at once count one after the other
            connection.execute(select(ACCOUNTS.c.player_id).where(ACCOUNTS.c.player_id == caller.player_id).with_for_update())
            alike = WEBHOOKS.c.session_id != "" if request.session_id else WEBHOOKS.c.session_id == ""
            others = (WEBHOOKS.c.player_id == caller.player_id) & (WEBHOOKS.c.webhook_id != webhook_id) & alike
            count = connection.execute(select(func.count()).select_from(WEBHOOKS).where(others)).scalar_one()
            if count >= MAX_WEBHOOKS:
                message = f"a player can have {MAX_WEBHOOKS} webhooks for {'tables' if request.session_id else 'news'}"
                raise Refused(errors_pb2.REASON_FULL, message, details={"bound": "webhooks"})
            on = changed | self._from_now_on(connection, caller.player_id, request.session_id)
            fresh = {"webhook_id": webhook_id, "player_id": caller.player_id, "created_at_ms": now_ms, **on}
            adding = insert_into(connection, WEBHOOKS).values(fresh)
            connection.execute(adding.on_conflict_do_update(index_elements=[WEBHOOKS.c.webhook_id], set_=on))
            return _find(connection, webhook_id, caller)

        row = await self._store.run(write)
        return pb.AddWebhookResponse(webhook=_shown(row), secret=webhook_messages.shown(secret) if is_signed else "")

    async def change(self, request: pb.ChangeWebhookRequest, caller: Caller) -> pb.ChangeWebhookResponse:
        """Change a webhook; return it, with its new secret where one was asked for."""
        hooks, now_ms = self._given(), self._now_ms()
        fresh = secrets.token_bytes(webhook_messages.SECRET_BYTES)

        def write(connection: Connection) -> tuple[Row[Any], bool]:
            rows.own(connection, caller)
            row = _find(connection, request.id, caller)
            changed: dict[str, object] = {
                "label": _label(request.label, row.host),
                "unsent": backlog.bits_of(request.unsent),
            }
            if request.is_on != (row.off_at_ms is None):
                off = {"off_at_ms": now_ms, "due_at_ms": None, "claimed_until_ms": 0}
                changed |= self._from_now_on(connection, caller.player_id, row.session_id) if request.is_on else off
            target = hooks.opened(row.sealed) if request.renew_secret else None
            is_renewed = target is not None and bool(target.secret)
            if target is not None and is_renewed:
                changed["sealed"] = hooks.sealed(Target(target.url, fresh, target.secret, now_ms + FORMER_MS))
            connection.execute(update(WEBHOOKS).where(WEBHOOKS.c.webhook_id == row.webhook_id).values(changed))
            return _find(connection, request.id, caller), is_renewed

        row, is_renewed = await self._store.run(write)
        return pb.ChangeWebhookResponse(webhook=_shown(row), secret=webhook_messages.shown(fresh) if is_renewed else "")

    async def remove(self, webhook_id: str, caller: Caller) -> None:
        """Remove a webhook; nothing happens if it is already gone."""

        def write(connection: Connection) -> None:
            rows.own(connection, caller)
            connection.execute(delete(WEBHOOKS).where(_is(webhook_id, caller)))

        await self._store.run(write)

    async def test(self, webhook_id: str, caller: Caller) -> None:
        """Send a test message. Raises Refused (UNAVAILABLE) that says why it was not accepted."""
        hooks = self._given()

        def find(connection: Connection) -> Row[Any]:
            rows.own(connection, caller)
            return _find(connection, webhook_id, caller)

        row = await self._store.run(find)
        message = webhook_messages.of_test(webhook_id, row.language, hooks.links, self._now_ms())
        sent = await hooks.send(row, message)
        if sent.outcome is not Outcome.SENT:
            said = f"the webhook does not accept messages ({sent.why})"
            details = {"service": "webhook", "what": "webhook", "why": sent.why}
            raise Refused(errors_pb2.REASON_UNAVAILABLE, said, details=details, retry_after_ms=30_000)

    async def _title_of(self, session_id: str, caller: Caller, hooks: WebhookDelivery) -> str:
        """Return what a table is called, that the caller has created; empty where it has no title."""
        table = await hooks.tables.find(session_id, caller)
        if not table.is_own:
            raise Refused(errors_pb2.REASON_NOT_YOUR_SEAT, "only its creator can have a webhook for a table", field="session_id")
        if table.is_over:
            raise Refused(errors_pb2.REASON_GAME_OVER, "the game is over", field="session_id")
        return table.title

    def _from_now_on(self, connection: Connection, player_id: str, session_id: str) -> dict[str, object]:
        """Return the columns of a webhook that is turned on: it is told what happens after this, and whose turn it is now."""
        head = backlog.head_of(connection, player_id)
        due_at_ms = self._now_ms() if session_id else None
        on: dict[str, object] = {"off_at_ms": None, "why": "", "sent_version": head, "sent_seats": 0, "due_at_ms": due_at_ms}
        return on | {"claimed_until_ms": 0, "attempts": 0, "failing_since_ms": None}

    def _given(self) -> WebhookDelivery:
        if self._hooks is None:
            raise not_set_up("webhooks")
        return self._hooks


def _is(webhook_id: str, caller: Caller) -> ColumnElement[bool]:
    return (WEBHOOKS.c.player_id == caller.player_id) & (WEBHOOKS.c.webhook_id == webhook_id)


def _find(connection: Connection, webhook_id: str, caller: Caller) -> Row[Any]:
    row = connection.execute(select(WEBHOOKS).where(_is(webhook_id, caller))).first()
    if row is None:
        raise unknown("webhook", "id", webhook_id)
    return row


def _label(given: str, host: str) -> str:
    return clean_text(given, "label", NAME_BYTES, may_be_empty=True) or host[:NAME_BYTES]


def _shown(row: Row[Any]) -> pb.Webhook:
    return pb.Webhook(
        id=row.webhook_id,
        label=row.label,
        host=row.host,
        form=row.form,
        unsent=sorted(backlog.kinds_in(row.unsent)),  # type: ignore[arg-type]
        created_at_ms=row.created_at_ms,
        failing_since_ms=row.failing_since_ms or 0,
        off_at_ms=row.off_at_ms or 0,
        why=row.why,
        session_id=row.session_id,
    )
