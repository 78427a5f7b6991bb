"""POST requests to hosts outside: bounded in time, in connections and in what is read of an answer. No redirect is followed."""

import asyncio
import ssl
from collections.abc import Mapping
from functools import cached_property

import httpcore2

from services.players.notifications.allowed_hosts import AllowedHosts, PublicBackend
from services.players.notifications.delivery import Outcome, Sent

AT_ONCE = 16
"""Connections that are open at the same time."""
ANSWER_BYTES = 4096
"""Of an answer no more is read: nothing in it is needed."""
MAX_WAIT_S = 6 * 3600.0
_GONE = (404, 410)


class OuterPosts:
    """The way to all hosts that the operator allows."""

    def __init__(self, hosts: AllowedHosts, trusted: ssl.SSLContext | None = None) -> None:
        """`trusted`: whose certificates count, where not the system's."""
        self._hosts, self._trusted = hosts, trusted

    @cached_property
    def _pool(self) -> httpcore2.AsyncConnectionPool:
        """The connections, from the first message on: the system's certificates take a megabyte."""
        return httpcore2.AsyncConnectionPool(
            ssl_context=self._trusted or ssl.create_default_context(),
            max_connections=AT_ONCE,
            max_keepalive_connections=AT_ONCE // 2,
            keepalive_expiry=30,
            network_backend=PublicBackend(self._hosts),
        )

    async def post(
        self, url: str, headers: Mapping[str, str], body: bytes, timeout_s: float, gone: tuple[int, ...] = _GONE
    ) -> Sent:
        """Post a body to a URL that was checked, for at most `timeout_s`; return what came of it: GONE for a status in `gone`."""
        try:
            async with asyncio.timeout(timeout_s):
                return await self._post(url, headers, body, gone)
        except (httpcore2.NetworkError, httpcore2.TimeoutException, httpcore2.ProtocolError, OSError, TimeoutError) as error:
            return Sent(Outcome.FAILED, type(error).__name__)

    async def close(self) -> None:
        """Close the connections."""
        if "_pool" in self.__dict__:
            await self._pool.aclose()

    async def _post(self, url: str, headers: Mapping[str, str], body: bytes, gone: tuple[int, ...]) -> Sent:
        async with self._pool.stream("POST", url, headers=list(headers.items()), content=body) as response:
            read = 0
            async for chunk in response.aiter_stream():
                read += len(chunk)
                if read > ANSWER_BYTES:
                    break
            if 200 <= response.status < 300:
                return Sent(Outcome.SENT)
            if response.status in gone:
                return Sent(Outcome.GONE, str(response.status))
            asked = dict(response.headers).get(b"retry-after", b"")
            wait_s = min(float(asked), MAX_WAIT_S) if asked.isdigit() else 0.0
            return Sent(Outcome.FAILED, str(response.status), wait_s)
