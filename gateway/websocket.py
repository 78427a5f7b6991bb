"""The WebSocket at /v1/connect: every binary frame is a ConnectRequest, every reply a ConnectResponse.

Pages of other origins are turned away before the handshake, unless they are listed as friends. Text is refused. A client that
does not read, even though it lives, is parted from hard: nothing of it may pile up here.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

from brettwerk.v1 import errors_pb2
from gateway import headers
from gateway.contract import RECORD_BYTES, no_such_method
from gateway.conversation import Conversation, Conversations
from gateway.visitor import Addresses, Visitor
from gateway.web_refusal import body_of, headers_of, status_of
from services.runtime import trace
from services.runtime.refusal import Refused, malformed

DOOR = "websocket"

FRAME_BYTES = RECORD_BYTES + 1024
"""The largest frame; a larger one closes the connection (1009)."""

GOING_AWAY, NOT_UNDERSTOOD, TRY_AGAIN_LATER = 1001, 1003, 1013
"""Close codes of RFC 6455 section 7.4.1 and of its registry."""

_PART = "brettwerk.part"
_LAST_WORD_S = 3.0


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's protocol, which can also leave a client that does not read, and keeps no frame longer than it must."""

    def handle_connect(self, event: Request) -> None:
        """Let the application have `part`."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[_PART] = self.part

    def handle_bytes(self, event: Frame) -> None:
        """Pass a frame on. The parser keeps the last one until the next one comes, which may be long: keep its data from it."""
        super().handle_bytes(event)
        event.data = b""

    def handle_cont(self, event: Frame) -> None:
        """Pass a further piece on, likewise."""
        super().handle_cont(event)
        event.data = b""

    def part(self, code: int, reason: str) -> None:
        """Say why, behind what the client has not read, and cut the line a little later, read or not."""
        if self.disconnected or self.close_sent or self.transport.is_closing():
            return
        self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.stop_keepalive()
        self.loop.call_later(_LAST_WORD_S, self.transport.abort)


class WebSocketDoor:
    """The endpoint, as an ASGI application."""

    def __init__(self, house: Conversations, addresses: Addresses, allowed_origins: str) -> None:
        """Take the origins of friends, divided by commas."""
        self._house = house
        self._addresses = addresses
        self._origins = {origin.strip().lower().rstrip("/") for origin in allowed_origins.split(",") if origin.strip()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection from its handshake to its end."""
        trace.begin()
        await receive()
        part = scope["extensions"][_PART]
        try:
            visitor = self._visitor(scope)
            conversation = self._house.begin(visitor, DOOR, lambda refused: part(TRY_AGAIN_LATER, refused.refusal.message))
        except Refused as refused:
            await turn_away(send, refused)
            return
        try:
            await send({"type": "websocket.accept"})
            await _converse(conversation, receive, send)
        except OSError:
            return  # the client is gone
        finally:
            conversation.close()

    def _visitor(self, scope: Scope) -> Visitor:
        given = Headers(scope=scope)
        self._check_origin(given)
        client = scope.get("client")
        address = self._addresses.of(client[0] if client else "", given.get("x-forwarded-for", ""))
        return self._house.desk.visitor(address, given.get("authorization", ""))

    def _check_origin(self, given: Headers) -> None:
        """Return for programs, which send no origin, for our own pages and for those of friends."""
        origin = given.get("origin")
        if origin is None or origin.lower() in self._origins:
            return
        if urlsplit(origin.lower()).netloc != given.get("host", "").lower():
            raise Refused(errors_pb2.REASON_NOT_YOUR_SEAT, "pages of this origin may not open a WebSocket here")


async def _converse(conversation: Conversation, receive: Receive, send: Send) -> None:
    reader = asyncio.create_task(conversation.read(_frames(conversation, receive)))
    try:
        async for batch in conversation.outbox.batches():
            for frame in batch:
                await send({"type": "websocket.send", "bytes": frame})
        ending = conversation.outbox.ending
        if ending is not None and ending.reason != errors_pb2.REASON_FULL:
            code = NOT_UNDERSTOOD if ending.reason == errors_pb2.REASON_MALFORMED else GOING_AWAY
            await send({"type": "websocket.close", "code": code, "reason": ending.refusal.message})
    finally:
        reader.cancel()


async def _frames(conversation: Conversation, receive: Receive) -> AsyncIterator[bytes]:
    while True:
        message = await receive()
        if message["type"] == "websocket.disconnect":
            conversation.close()
            return
        data = message.get("bytes")
        if data is None:
            raise malformed("", "frames are binary: encoded ConnectRequests")
        del message
        yield data
        del data  # a client that has sent something large and then nothing more holds nothing here


class NoWebSocket:
    """What is at all other addresses, as an ASGI application."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Turn everybody away."""
        await receive()
        await turn_away(send, no_such_method("this address"))


async def turn_away(send: Send, refused: Refused, status: int = 0) -> None:
    """Refuse a handshake by an HTTP response; `status` is given where HTTP has a better one than that of the refusal's code."""
    start = headers.raw(headers.SECURITY, headers_of(refused.refusal), {"content-type": "application/json"})
    await send({"type": "websocket.http.response.start", "status": status or status_of(refused.refusal), "headers": start})
    await send({"type": "websocket.http.response.body", "body": body_of(refused.refusal)})
