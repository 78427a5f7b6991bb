"""How the web endpoint reads HTTP: a client's request must arrive in time, and may ask for a WebSocket."""

import asyncio
import functools
from collections.abc import Callable
from typing import Any, cast

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gateway.upgrade import WebSocketEndpoint, handshake

HEADERS_S = 10.0
"""A connection whose first request, or the rest of a request that has begun, is not there after this time is cut."""

CUT = "cut"
"""What the state of a request has to cut its connection with, for a client that does not read."""


class TimedHttpProtocol(HttpToolsProtocol):
    """uvicorn's protocol, which waits for a client's headers only so long: it has no limit of its own for them.

    A handshake goes to the WebSocket endpoint, with the socket and what came behind it; uvicorn would write the request anew for
    another parser, and drop what came behind.
    """

    _waiting: asyncio.TimerHandle | None = None

    def __init__(self, *arguments: Any, endpoint: WebSocketEndpoint, **named: Any) -> None:
        """Take the endpoint, and what uvicorn gives."""
        super().__init__(*arguments, **named)
        self._endpoint = endpoint

    @classmethod
    def with_endpoint(cls, endpoint: WebSocketEndpoint) -> type[asyncio.Protocol]:
        """Return what uvicorn makes its protocols by."""
        made: Callable[..., TimedHttpProtocol] = functools.partial(cls, endpoint=endpoint)
        return cast(type[asyncio.Protocol], made)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._enough()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what the client has sent."""
        self._unset_keepalive_if_required()
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            if self._should_upgrade():
                self._enter(data[upgrade.args[0] :])
        except httptools.HttpParserError:
            self.send_400_response("Invalid HTTP request received.")

    def on_message_begin(self) -> None:
        """Begin to wait for the headers of a further request; those of the first have had their time from the beginning."""
        super().on_message_begin()
        self.scope["state"][CUT] = self.transport.abort
        if self._waiting is None:
            self._wait()

    def on_headers_complete(self) -> None:
        """Wait no more."""
        self._enough()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Wait no more."""
        self._enough()
        super().send_400_response(msg)

    def _should_upgrade_to_ws(self) -> bool:
        return True

    def _enter(self, early: bytes) -> None:
        """Let the WebSocket endpoint answer; from here on the connection is its own."""
        self.connections.discard(self)
        request = handshake(self.scope["method"], self.parser.get_http_version(), self.url, self.headers)
        self._endpoint.enter(request, self.client[0] if self.client else "", early, self.transport, self.server_state)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(HEADERS_S, self._cut)

    def _enough(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _cut(self) -> None:
        self._waiting = None
        self.transport.abort()
