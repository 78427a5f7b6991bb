"""How the web endpoint reads HTTP: a client's request must arrive in time, and can ask for a WebSocket."""

import asyncio
import functools
from collections.abc import Callable
from typing import Any, cast

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gateway.upgrade import WebSocketEndpoint, handshake

HEADERS_S = 10.0
"""A connection is cut if its first request, or the rest of one that has begun, has not arrived after this time."""

CUT = "cut"
"""The key under which a request's state has the function that cuts its connection, for clients that do not read."""

_OF_OFFERS = (b"upgrade", b"http2-settings")


class TimedHttpProtocol(HttpToolsProtocol):
    """uvicorn's protocol with a time limit for a client's headers, which uvicorn does not have.

    A handshake goes to the WebSocket endpoint, with the socket and anything that followed; uvicorn would rewrite the request for
    another parser, and drop what followed.
    """

    _waiting: asyncio.TimerHandle | None = None

    def __init__(self, *arguments: Any, endpoint: WebSocketEndpoint, **named: Any) -> None:
        """Take the endpoint, and uvicorn's own arguments."""
        super().__init__(*arguments, **named)
        self._endpoint = endpoint

    @classmethod
    def with_endpoint(cls, endpoint: WebSocketEndpoint) -> type[asyncio.Protocol]:
        """Return uvicorn's factory of protocols."""
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
            rest = data[upgrade.args[0] :]
            if self._should_upgrade():
                self._enter(rest)
            elif self._offers_another_protocol():
                self._go_on_without_it(rest)
        except httptools.HttpParserError:
            self.send_400_response("Invalid HTTP request received.")

    def on_message_begin(self) -> None:
        """Start waiting for the headers of another request; those of the first have been timed from the beginning."""
        super().on_message_begin()
        self.scope["state"][CUT] = self.transport.abort
        if self._waiting is None:
            self._wait()

    def on_headers_complete(self) -> None:
        """Wait no more."""
        self._enough()
        if not self._offers_another_protocol():
            super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Let the request be answered, unless it is to be read once more."""
        if not self._offers_another_protocol():
            super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Wait no more."""
        self._enough()
        super().send_400_response(msg)

    def _should_upgrade_to_ws(self) -> bool:
        return True

    def _enter(self, early: bytes) -> None:
        """Let the WebSocket endpoint answer; from here on the connection is its business."""
        self.connections.discard(self)
        request = handshake(self.scope["method"], self.parser.get_http_version(), self.url, self.headers)
        self._endpoint.enter(request, self.client[0] if self.client else "", early, self.transport, self.server_state)

    def _offers_another_protocol(self) -> bool:
        """Return whether a request may be answered in a protocol that is not spoken here, as Java's client offers HTTP/2."""
        return self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT" and not self._should_upgrade()

    def _go_on_without_it(self, rest: bytes) -> None:
        """Read the request as if it had offered nothing (RFC 9110, 7.8): the parser has stopped before its body."""
        head = self.parser.get_method() + b" " + self.url + b" HTTP/" + self.parser.get_http_version().encode() + b"\r\n"
        for name, value in self.headers:
            if name == b"connection":
                value = b", ".join(token for token in value.split(b",") if token.strip().lower() not in _OF_OFFERS)
            if name not in _OF_OFFERS:
                head += name + b": " + value + b"\r\n"
        self.parser = httptools.HttpRequestParser(self)
        self.data_received(head + b"\r\n" + rest)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(HEADERS_S, self._cut)

    def _enough(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _cut(self) -> None:
        self._waiting = None
        self.transport.abort()
