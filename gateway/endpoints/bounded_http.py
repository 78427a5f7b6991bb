"""How the web endpoint reads HTTP/1.1 (RFC 9112): bounded in bytes and in time. A request can ask for a WebSocket.

The parser keeps what it has not understood yet, and uvicorn what it has, both without a bound. So they are given a piece at a
time, and a client from which too much has come for what came of it is refused and cut.
"""

import asyncio
from collections import deque
from functools import partial
from typing import Any, cast

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from gateway.endpoints.http_calls import BODY_S
from gateway.http.responses import Misfit
from gateway.limits.entrance import Leave
from gateway.websocket.upgrade import WebSocketEndpoint, handshake, refuse

HEAD_BYTES = 32 * 1024
"""The most bytes of a request line with its header fields (431), of the trailer fields after a body, and of what surrounds a
chunk (400)."""
FIELDS = 100
"""The most header fields, and the most trailer fields, which are ignored."""
PIPELINED = 16
"""How many requests of a connection may wait for those before them to be answered; one more, and it is cut."""
HEADERS_S = 10.0
"""A connection is cut if its first request, or the rest of one that has begun, has not arrived after this time."""
REQUEST_S = BODY_S + 5.0
"""The same for a body: what reads it has its own time limit, and answers."""
READ_S = 20.0
READ_BYTES = 8 * 1024
"""A client that reads fewer bytes in this time, though more are waiting for it, is cut."""
LAST_WORD_S = 1.0
"""How long a client that is refused here may take to read why."""

CUT = "cut"
"""The key under which a request's state has the function that cuts its connection, for clients that do not read."""
REPLACE = "replace"
"""The key under which it has the function that gives the response another value of a header that every response has."""

_PIECE_BYTES = 16 * 1024
_AROUND_FIELD = len(b": \r\n")
_OF_OFFERS = (b"upgrade", b"http2-settings")


class BoundedHttpProtocol(HttpToolsProtocol):
    """uvicorn's protocol with the bounds that it does not have.

    A handshake goes to the WebSocket endpoint, with the socket and anything that followed; uvicorn would rewrite the request for
    another parser, and drop what followed.
    """

    def __init__(self, endpoint: WebSocketEndpoint, leave: Leave, **named: Any) -> None:
        """Take the endpoint, what is to be called when the connection has ended, and uvicorn's own arguments."""
        super().__init__(**named)
        self._endpoint = endpoint
        self._leave = leave
        self._waiting: asyncio.TimerHandle | None = None
        """Cuts the connection if the client does not go on."""
        self._reading: asyncio.TimerHandle | None = None
        """Cuts it if the client does not read."""
        self._unanswered: deque[RequestResponseCycle] = deque()
        """The requests that have no whole answer yet, in their order; the first one is being answered."""
        self._parts_begun = 0
        """How many heads and bodies have begun."""
        self._begin(is_in_body=False)

    # --- the connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._enough()
        self._no_more_reading()
        self._leave()
        self._stop_answering()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait for the client to read."""
        super().pause_writing()
        self._expect_reading()

    def resume_writing(self) -> None:
        """Go on writing: the client has read."""
        self._no_more_reading()
        super().resume_writing()

    def on_response_complete(self) -> None:
        """Forget what is left of the body, and let an answer that is the last one be read."""
        self._unanswered.popleft().body.clear()
        super().on_response_complete()
        if self.transport.is_closing():
            self._expect_reading()

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection that is not used."""
        super().timeout_keep_alive_handler()
        self._expect_reading()

    # --- what comes in

    def data_received(self, data: bytes) -> None:
        """Take what the client has sent."""
        self._unset_keepalive_if_required()
        while data and not self.transport.is_closing():
            piece, data = data[:_PIECE_BYTES], data[_PIECE_BYTES:]
            try:
                self._give(piece)
            except httptools.HttpParserUpgrade as upgrade:
                data = piece[upgrade.args[0] :] + data
                if self._should_upgrade():
                    self._enter(data)
                    return
                if not self._offers_another_protocol():
                    return
                data = self._without_offer() + data
            except httptools.HttpParserError as error:
                is_ours = isinstance(error.__context__, Misfit)
                self._refuse(cast(Misfit, error.__context__) if is_ours else Misfit(400, "the request is not HTTP/1.1"))
            except Misfit as misfit:
                self._refuse(misfit)
        if self._waiting is None and (self._is_in_body or self._surroundings):
            self._wait()

    def on_url(self, url: bytes) -> None:
        """Take a part of the request's target."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a field of the header; those of a trailer are ignored."""
        self._fields += 1
        self._count(len(name) + len(value) + _AROUND_FIELD)
        if not self._is_in_body:
            super().on_header(name, value)

    def on_message_begin(self) -> None:
        """Begin a request."""
        super().on_message_begin()
        self.scope["state"][CUT] = self._cut

    def on_headers_complete(self) -> None:
        """Begin to answer, unless the request is to be read once more. Raises Misfit if too many wait for answers."""
        self._begin(is_in_body=True)
        if self._offers_another_protocol():
            return
        before = self.cycle
        super().on_headers_complete()
        if self.cycle is not before:  # a handshake has none
            self._unanswered.append(self.cycle)
            self.scope["state"][REPLACE] = partial(_replace, self.cycle)
        if len(self.pipeline) > PIPELINED:
            raise Misfit(429, f"more than {PIPELINED} requests wait for the answers to those before them")

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Let the request be answered, unless it is to be read once more."""
        self._begin(is_in_body=False)
        if not self._offers_another_protocol():
            super().on_message_complete()

    def _begin(self, *, is_in_body: bool) -> None:
        """Begin to count what comes of a head, or of a body, and to wait for its end."""
        self._enough()
        self._is_in_body = is_in_body
        self._parts_begun += 1
        self._fields = self._field_bytes = 0
        self._body_bytes = self._surroundings = self._unused = 0

    def _give(self, piece: bytes) -> None:
        """Give the parser a piece. Raises Misfit if too much has come of which nothing came."""
        parts_begun, body_bytes = self._parts_begun, self._body_bytes
        self.parser.feed_data(piece)
        if self._parts_begun != parts_begun:
            return  # how much of it belongs to the new part is not known
        used = self._body_bytes - body_bytes
        self._surroundings += len(piece) - used
        self._unused = 0 if used else self._unused + len(piece)
        if self._unused > HEAD_BYTES or self._surroundings > HEAD_BYTES + self._body_bytes:
            raise self._too_much()

    def _count(self, size: int) -> None:
        """Count a part of a head or of a trailer. Raises Misfit."""
        self._field_bytes += size
        if self._field_bytes > HEAD_BYTES or self._fields > FIELDS:
            raise self._too_much()

    def _too_much(self) -> Misfit:
        if self._is_in_body:
            return Misfit(400, f"what surrounds a body has at most {HEAD_BYTES} bytes, and as many again as the body")
        return Misfit(431, f"a request line and its header have at most {HEAD_BYTES} bytes, and the header {FIELDS} fields")

    def _refuse(self, misfit: Misfit) -> None:
        """Say why if an answer to this request can be given now, and cut the connection."""
        self._enough()
        is_first = len(self._unanswered) == 1 and self._is_in_body and not self.cycle.response_started
        if is_first or not self._unanswered:
            refuse(self.transport, self.server_state, misfit)
            self._stop_answering()
            self._reading = self._reading or self.loop.call_later(LAST_WORD_S, self._cut)
        else:
            self._cut()

    def _cut(self) -> None:
        self._stop_answering()
        self.transport.abort()

    def _stop_answering(self) -> None:
        """Let what is being answered go nowhere: uvicorn does so for the last request only, and a closed transport raises."""
        if self._unanswered:
            self._unanswered[0].disconnected = True
            self._unanswered[0].message_event.set()

    # --- other protocols

    def _should_upgrade_to_ws(self) -> bool:
        return True

    def _enter(self, early: bytes) -> None:
        """Let the WebSocket endpoint answer; from here on the connection is its business."""
        self.connections.discard(self)
        request = handshake(self.scope["method"], self.parser.get_http_version(), self.url, self.headers)
        peer = self.client[0] if self.client else ""
        self._endpoint.enter(request, peer, early, self.transport, self.server_state, self._leave)

    def _offers_another_protocol(self) -> bool:
        """Return whether a request may be answered in a protocol that is not spoken here, as Java's client offers HTTP/2."""
        return self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT" and not self._should_upgrade()

    def _without_offer(self) -> bytes:
        """Return the head of a request as if it had offered nothing (RFC 9110, 7.8): the parser has stopped before its body."""
        head = self.parser.get_method() + b" " + self.url + b" HTTP/" + self.parser.get_http_version().encode() + b"\r\n"
        for name, value in self.headers:
            if name == b"connection":
                value = b", ".join(token for token in value.split(b",") if token.strip().lower() not in _OF_OFFERS)
            if name not in _OF_OFFERS:
                head += name + b": " + value + b"\r\n"
        self.parser = httptools.HttpRequestParser(self)
        self._begin(is_in_body=False)
        return head + b"\r\n"

    # --- clients that are slow

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(REQUEST_S if self._is_in_body else HEADERS_S, self._cut)

    def _enough(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _expect_reading(self) -> None:
        """Cut the connection if the client does not read what waits for it."""
        if self._reading is None:
            waiting = self.transport.get_write_buffer_size()
            self._reading = self.loop.call_later(READ_S, self._look, waiting)

    def _look(self, waiting_before: int) -> None:
        self._reading = None
        if self.transport.get_write_buffer_size() > waiting_before - READ_BYTES:
            self._cut()
        else:
            self._expect_reading()

    def _no_more_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None


def _replace(cycle: RequestResponseCycle, name: str, value: str) -> None:
    """Let a response have this value of a header, and none that every response has."""
    others = [pair for pair in cycle.default_headers if pair[0] != name.encode()]
    cycle.default_headers = [*others, (name.encode(), value.encode())]
