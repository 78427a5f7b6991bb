"""Where connections to the web endpoint come in: counted before anything is done for them, then encrypted if that is wanted.

An address may have so many at a time, and begin so many in a row. Proxies that are trusted may have as many as there are, since
many clients come from them. The last quarter of what the process can have is kept for addresses that have only a few.
"""

import asyncio
import contextlib
import resource
import ssl
from collections import Counter
from collections.abc import Callable
from typing import TypeAlias, cast

from uvicorn.protocols.utils import get_remote_addr

from gateway.identity.caller import Addresses
from services.runtime import metrics
from services.runtime.refusal import Refused
from services.runtime.settings import Settings
from services.runtime.token_buckets import Buckets

HANDSHAKE_S = 10.0
"""How long the handshake of TLS may take."""
HANDSHAKES, HANDSHAKES_PER_ADDRESS = 1000, 64
"""How many handshakes may go on, in all and of an address, some 60 kB each; for one more the oldest is cut."""
GOODBYE_S = 5.0
"""How long a client may take to say that it has read everything (close_notify)."""
FEW = 8
"""How many connections an address may have when there are nearly as many as there may be: about as many as a browser begins."""
MAX_FILES = 1_048_576
"""How many open files are enough."""
SHARE_OF_FILES = 0.75
"""How much of what the process may have open may be connections of this endpoint."""

Leave: TypeAlias = Callable[[], None]
"""To be called when a connection has ended."""


class Entrance:
    """Counts the connections."""

    def __init__(self, config: Settings, addresses: Addresses) -> None:
        """Take the bounds from the settings, and from what the system allows."""
        self._addresses = addresses
        self._per_address = config.web_connections_per_address
        self._most = min(config.web_connections, int(open_files() * SHARE_OF_FILES))
        self._begun = Buckets("connections", config.address_rate_per_s, 2 * self._per_address)
        self._in_all = 0
        self._by_address: Counter[str] = Counter()
        self._handshakes: dict[asyncio.Transport, str] = {}
        """Those that go on, the oldest first, by whose they are."""

    def enter(self, peer: str) -> Leave | None:
        """Count one more connection from an address. Returns what is to be called when it has ended, None if it must not be."""
        address, most = self._addresses.of(peer), self._most
        if not self._addresses.is_proxy(peer):
            try:
                self._begun.take(address, 1)
            except Refused:
                return None
            most = FEW if self._in_all >= self._most * 3 // 4 else self._per_address
        if self._in_all >= self._most or self._by_address[address] >= most:
            metrics.RATE_LIMITED.labels("open_connections").inc()
            return None
        self._in_all += 1
        self._by_address[address] += 1
        return lambda: self._leave(address)

    def begin_handshake(self, transport: asyncio.Transport, peer: str) -> None:
        """Count a handshake, and cut another one if there are too many."""
        address = self._addresses.of(peer)
        others = [one for one, whose in self._handshakes.items() if whose == address]
        if len(others) >= HANDSHAKES_PER_ADDRESS and not self._addresses.is_proxy(peer):
            self._cut(others[0])
        elif len(self._handshakes) >= HANDSHAKES:
            self._cut(next(iter(self._handshakes)))
        self._handshakes[transport] = address

    def end_handshake(self, transport: asyncio.Transport) -> None:
        """Count it no more."""
        self._handshakes.pop(transport, None)

    def _cut(self, transport: asyncio.Transport) -> None:
        self.end_handshake(transport)
        transport.abort()

    def _leave(self, address: str) -> None:
        self._in_all -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]


class Newcomer(asyncio.Protocol):
    """The protocol of a connection that has just been accepted, until it is let in."""

    def __init__(self, entrance: Entrance, tls: ssl.SSLContext | None, inside: Callable[[Leave], asyncio.Protocol]) -> None:
        """`inside` makes the protocol that follows; it says when the connection has ended."""
        self._entrance, self._tls, self._inside = entrance, tls, inside
        self._leave: Leave | None = None
        self._early = b""
        self._encrypting: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let it in or cut it."""
        transport = cast(asyncio.Transport, transport)
        host, _ = get_remote_addr(transport) or ("", 0)
        self._leave = self._entrance.enter(host)
        if self._leave is None:
            transport.abort()
        elif self._tls is None:
            self._let_in(transport, self._leave)
        else:
            self._entrance.begin_handshake(transport, host)
            self._encrypting = asyncio.get_running_loop().create_task(self._encrypt(transport, self._tls, self._leave))

    def data_received(self, data: bytes) -> None:
        """Keep what comes before the handshake has begun, or with its last message."""
        self._early += data

    async def _encrypt(self, transport: asyncio.Transport, tls: ssl.SSLContext, leave: Leave) -> None:
        loop = asyncio.get_running_loop()
        handshake = loop.create_task(
            loop.start_tls(
                transport, self, tls, server_side=True, ssl_handshake_timeout=HANDSHAKE_S, ssl_shutdown_timeout=GOODBYE_S
            )
        )
        await asyncio.sleep(0)  # it has begun
        if self._early:
            _give(cast(asyncio.BufferedProtocol, transport.get_protocol()), self._early)
            self._early = b""
        try:
            encrypted = await handshake
        except OSError:  # what is no TLS, and what takes too long
            encrypted = None
        finally:
            self._entrance.end_handshake(transport)
        if encrypted is None or encrypted.is_closing():
            transport.abort()
            leave()
        else:
            self._let_in(encrypted, leave)

    def _let_in(self, transport: asyncio.Transport, leave: Leave) -> None:
        protocol = self._inside(leave)
        transport.set_protocol(protocol)
        protocol.connection_made(transport)
        if self._early:
            protocol.data_received(self._early)


def _give(protocol: asyncio.BufferedProtocol, data: bytes) -> None:
    """Give a protocol what has come for it before it was that of the transport: uvloop reads at once, also when it is paused."""
    memoryview(protocol.get_buffer(len(data)))[: len(data)] = data
    protocol.buffer_updated(len(data))


def open_files() -> int:
    """Return how many files this process may have open, after asking for as many as it is allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    if soft < wanted:
        with contextlib.suppress(OSError, ValueError):  # systems may allow fewer than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
    return soft
