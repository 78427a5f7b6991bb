"""The devices that get push messages: added by their browsers, removed by their owners, or when they are gone."""

import hashlib
from collections.abc import Callable
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from sqlalchemy import Connection, Row, delete, select

from brettwerk.v1 import errors_pb2
from brettwerk.v1 import notifications_pb2 as pb
from services.archive.access import Access
from services.archive.upsert import insert_into
from services.players.accounts import rows
from services.players.calls import Caller
from services.players.news import backlog
from services.players.news.tables import DEVICES
from services.players.notifications.delivery import Outcome, not_set_up
from services.players.notifications.push_delivery import PushDelivery, test_message
from services.players.notifications.push_keys import Subscription
from services.players.notifications.words import spoken
from services.runtime.player_text import NAME_BYTES, clean_text
from services.runtime.refusal import Refused, malformed, unknown

MAX_DEVICES = 10
"""How many devices a player can have; one more replaces the oldest."""
KEY_BYTES, SECRET_BYTES = 65, 16


class Devices:
    """The devices. Its calls raise Refused: NO_TOKEN for callers who are not players, UNKNOWN for another's device."""

    def __init__(self, store: Access, push: PushDelivery | None, now_ms: Callable[[], int]) -> None:
        """`push`: None where nobody gets push messages."""
        self._store = store
        self._push = push
        self._now_ms = now_ms

    async def add(self, request: pb.AddPushDeviceRequest, caller: Caller) -> None:
        """Add a device, or change it. Raises Refused (MALFORMED) for a push service that is not allowed, or for no key."""
        caller.require_player()
        if self._push is None:
            raise not_set_up("push")
        subscription = Subscription(request.endpoint, request.key, request.secret)
        label = clean_text(request.label, "label", NAME_BYTES, may_be_empty=True)
        self._push.check(subscription.endpoint)
        _check_keys(subscription)
        digest, now_ms = hashlib.sha256(request.endpoint.encode()).digest(), self._now_ms()
        changed = {
            "player_id": caller.player_id,
            "subscription": self._push.keys.newest.sealed(subscription),
            "label": label,
            "language": spoken(request.language),
            "attempts": 0,
            "failing_since_ms": None,
        }

        def write(connection: Connection) -> None:
            rows.own(connection, caller)
            found = connection.execute(select(DEVICES.c.player_id).where(DEVICES.c.digest == digest)).scalar_one_or_none()
            if found != caller.player_id:
                # It is told what happens from now on; of whoever had it before nothing stays.
                connection.execute(delete(DEVICES).where(DEVICES.c.digest == digest))
            head = backlog.head_of(connection, caller.player_id)
            fresh = {"digest": digest, **changed, "created_at_ms": now_ms, "sent_version": head, "claimed_until_ms": 0}
            adding = insert_into(connection, DEVICES).values(fresh)
            connection.execute(adding.on_conflict_do_update(index_elements=[DEVICES.c.digest], set_=changed))
            mine = select(DEVICES.c.digest).where(DEVICES.c.player_id == caller.player_id)
            spare = mine.order_by(DEVICES.c.created_at_ms.desc(), DEVICES.c.digest).offset(MAX_DEVICES)
            connection.execute(delete(DEVICES).where(DEVICES.c.digest.in_(list(connection.execute(spare).scalars()))))

        await self._store.run(write)

    async def remove(self, device_id: str, caller: Caller) -> None:
        """Remove a device; nothing happens if it is already gone."""
        digest = _digest(device_id)

        def write(connection: Connection) -> None:
            rows.own(connection, caller)
            connection.execute(delete(DEVICES).where(DEVICES.c.player_id == caller.player_id, DEVICES.c.digest == digest))

        await self._store.run(write)

    async def test(self, device_id: str, caller: Caller) -> None:
        """Send a test message. Raises Refused: UNKNOWN when the device has left, UNAVAILABLE while its push service is down."""
        digest = _digest(device_id)

        def find(connection: Connection) -> Row[Any] | None:
            rows.own(connection, caller)
            mine = (DEVICES.c.player_id == caller.player_id) & (DEVICES.c.digest == digest)
            return connection.execute(select(DEVICES).where(mine)).first()

        row = await self._store.run(find)
        if row is None:
            raise unknown("device", "device_id", device_id)
        if self._push is None:
            raise not_set_up("push")
        sent = await self._push.send(row, test_message(row.language), "test", ttl_s=600)
        if sent.outcome is Outcome.GONE:
            message = "this device gets no push messages any more; switch them on there again"
            raise Refused(errors_pb2.REASON_UNKNOWN, message, details={"what": "gone_device"})
        if sent.outcome is Outcome.FAILED:
            message = f"the device's push service does not take the message now ({sent.why})"
            details = {"service": "push service", "what": "push"}
            raise Refused(errors_pb2.REASON_UNAVAILABLE, message, details=details, retry_after_ms=30_000)

    def of(self, connection: Connection, player_id: str) -> list[pb.PushDevice]:
        """Return a player's devices, oldest first."""
        query = select(DEVICES).where(DEVICES.c.player_id == player_id).order_by(DEVICES.c.created_at_ms, DEVICES.c.digest)
        return [
            pb.PushDevice(
                id=row.digest.hex(),
                label=row.label,
                created_at_ms=row.created_at_ms,
                failing_since_ms=row.failing_since_ms or 0,
            )
            for row in connection.execute(query.limit(MAX_DEVICES))
        ]


def _digest(device_id: str) -> bytes:
    try:
        return bytes.fromhex(device_id)
    except ValueError:
        raise unknown("device", "device_id", device_id) from None


def _check_keys(subscription: Subscription) -> None:
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), subscription.key)
    except ValueError:
        raise malformed("key", "this is not the public key of a push subscription") from None
    if len(subscription.key) != KEY_BYTES:
        raise malformed("key", "this is not the public key of a push subscription")
    if len(subscription.secret) != SECRET_BYTES:
        raise malformed("secret", f"the secret of a push subscription has {SECRET_BYTES} bytes")
