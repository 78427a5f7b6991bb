"""Hands messages to push services (RFC 8030)."""

import base64
import hashlib
import ssl
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from services.players.notifications.allowed_hosts import AllowedHosts
from services.players.notifications.delivery import Outcome, Sent
from services.players.notifications.outer_posts import OuterPosts
from services.players.notifications.push_encryption import encrypted, padded
from services.players.notifications.push_keys import PushKey, Subscription
from services.runtime.refusal import Refused

TIMEOUT_S = 8.0


class PushService:
    """The way to all push services that the operator allows."""

    def __init__(
        self, hosts: AllowedHosts, contact: str, now_s: Callable[[], float] = time.time, trusted: ssl.SSLContext | None = None
    ) -> None:
        """`contact`: where a push service can reach the operator; `trusted`: whose certificates count, where not the system's."""
        self._hosts = hosts
        self._contact = contact
        self._now_s = now_s
        self._posts = OuterPosts(hosts, trusted)

    def check(self, endpoint: str) -> None:
        """Return when messages may go to an endpoint. Raises Refused (MALFORMED)."""
        self._hosts.check(endpoint)

    async def send(self, message: bytes, subscription: Subscription, key: PushKey, topic: str, ttl_s: int) -> Sent:
        """Hand a message over, encrypted (RFC 8291); return what came of it.

        Of those with the same topic that a device has not got yet, it gets the last. After `ttl_s` seconds it gets none (RFC
        8030, 5.2).
        """
        parts = urlsplit(subscription.endpoint)
        headers = {
            "authorization": key.authorization(f"https://{parts.netloc}", self._contact, self._now_s()),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(ttl_s),
            "topic": base64.urlsafe_b64encode(hashlib.sha256(topic.encode()).digest()[:24]).decode(),
            "urgency": "normal",
        }
        try:
            self._hosts.check(subscription.endpoint)
            body = encrypted(padded(message), subscription.key, subscription.secret)
        except (Refused, ValueError):
            return Sent(Outcome.GONE, "not allowed here")
        return await self._posts.post(subscription.endpoint, headers, body, TIMEOUT_S)

    async def close(self) -> None:
        """Close the connections."""
        await self._posts.close()
