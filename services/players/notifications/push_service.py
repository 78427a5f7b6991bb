"""Hands messages to push services (RFC 8030)."""

import asyncio
import base64
import hashlib
import ssl
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import httpcore2

from services.players.notifications.allowed_hosts import AllowedHosts, PublicBackend
from services.players.notifications.delivery import Outcome, Sent
from services.players.notifications.push_encryption import encrypted, padded
from services.players.notifications.push_keys import PushKey, Subscription
from services.runtime.logs import logger
from services.runtime.refusal import Refused

TIMEOUT_S = 8.0
AT_ONCE = 16
"""Connections that are open at the same time."""
ANSWER_BYTES = 4096
"""Of an answer no more is read: nothing in it is needed."""
MAX_WAIT_S = 6 * 3600.0
_GONE = (404, 410)
log = logger(__name__)


class PushService:
    """The way to all push services that the operator allows."""

    def __init__(
        self, hosts: AllowedHosts, contact: str, now_s: Callable[[], float] = time.time, trusted: ssl.SSLContext | None = None
    ) -> None:
        """`contact`: where a push service can reach the operator; `trusted`: whose certificates count, where not the system's."""
        self._hosts = hosts
        self._contact = contact
        self._now_s = now_s
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=trusted or ssl.create_default_context(),
            max_connections=AT_ONCE,
            max_keepalive_connections=AT_ONCE // 2,
            keepalive_expiry=30,
            network_backend=PublicBackend(hosts),
        )

    def check(self, endpoint: str) -> None:
        """Return when messages may go to an endpoint. Raises Refused (MALFORMED)."""
        self._hosts.check(endpoint)

    async def send(self, message: bytes, subscription: Subscription, key: PushKey, topic: str, ttl_s: int) -> Sent:
        """Hand a message over, encrypted (RFC 8291); return what came of it.

        Of those with the same topic that a device has not got yet, it gets the last. After `ttl_s` seconds it gets none (RFC
        8030, 5.2).
        """
        parts = urlsplit(subscription.endpoint)
        headers: dict[bytes | str, bytes | str] = {
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
        try:
            async with asyncio.timeout(TIMEOUT_S):
                return await self._post(subscription.endpoint, headers, body)
        except (httpcore2.NetworkError, httpcore2.TimeoutException, httpcore2.ProtocolError, OSError, TimeoutError) as error:
            return Sent(Outcome.FAILED, type(error).__name__)

    async def close(self) -> None:
        """Close the connections."""
        await self._pool.aclose()

    async def _post(self, endpoint: str, headers: dict[bytes | str, bytes | str], body: bytes) -> Sent:
        async with self._pool.stream("POST", endpoint, headers=headers, content=body) as response:
            read = 0
            async for chunk in response.aiter_stream():
                read += len(chunk)
                if read > ANSWER_BYTES:
                    break
            if 200 <= response.status < 300:
                return Sent(Outcome.SENT)
            if response.status in _GONE:
                return Sent(Outcome.GONE, str(response.status))
            asked = dict(response.headers).get(b"retry-after", b"")
            wait_s = min(float(asked), MAX_WAIT_S) if asked.isdigit() else 0.0
            return Sent(Outcome.FAILED, str(response.status), wait_s)
