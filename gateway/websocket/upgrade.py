"""The endpoint of WebSockets: takes handshakes over from the HTTP server, and refuses them or makes WebSockets of them.

Pages of other origins are turned away before the handshake, unless they are listed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote, urlsplit

from uvicorn.server import ServerState
from websockets.datastructures import Headers
from websockets.frames import Opcode
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from brettwerk.v1 import errors_pb2
from gateway.http.allowed_hosts import AllowedHosts, misdirected
from gateway.http.cors import Origins
from gateway.http.responses import Misfit, body_of, headers_of, status_of
from gateway.identity.caller import Addresses, Caller
from gateway.limits.entrance import Leave
from gateway.messages.contract import no_such_method
from gateway.streams.connection import Connections
from gateway.websocket import json_connection
from gateway.websocket.json_connection import JsonConnection
from gateway.websocket.websocket import WebSocket
from services.runtime import trace
from services.runtime.call_scope import explained
from services.runtime.refusal import Refused

ENDPOINT = "websocket"
PATH = "/v1/connect"
SUBPROTOCOLS = (Subprotocol("brettwerk.v1"), Subprotocol(json_connection.SUBPROTOCOL))
"""Binary messages, which is also what clients get that ask for none, and JSON."""


class WebSocketEndpoint:
    """Lets clients in."""

    def __init__(self, connections: Connections, addresses: Addresses, allowed_hosts: AllowedHosts, origins: Origins) -> None:
        """Take what decides whom to let in."""
        self._connections = connections
        self._addresses = addresses
        self._allowed_hosts = allowed_hosts
        self._origins = origins

    def enter(
        self, request: Request, peer: str, early: bytes, transport: asyncio.Transport, state: ServerState, leave: Leave
    ) -> None:
        """Answer a handshake from the address `peer`; `early` is what the client sent after it.

        If it is refused, the transport is closed after the answer. If not, `leave` is called when the connection has ended.
        """
        trace.begin()
        response = ServerProtocol(select_subprotocol=_subprotocol).accept(request)
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            _answer(transport, state, response.status_code, list(response.headers.raw_items()), bytes(response.body))
            return
        is_json = response.headers.get("sec-websocket-protocol") == json_connection.SUBPROTOCOL
        opcode = Opcode.TEXT if is_json else Opcode.BINARY
        socket = WebSocket(transport, state.connections, leave, opcode)  # type: ignore[arg-type] # uvicorn asks for no more than `shutdown`
        try:
            caller = self._caller(request, peer)
            connection = self._connections.begin(caller, ENDPOINT, socket.too_slow)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer
            refuse(transport, state, explained(error, "handshake"))
            return
        transport.write(response.serialize())
        socket.begin(JsonConnection(connection, self._connections.handler) if is_json else connection, early)

    def _caller(self, request: Request, peer: str) -> Caller:
        host = _first(request.headers, "host")
        if not self._allowed_hosts.knows(host):
            raise misdirected(host)
        if unquote(request.path.partition("?")[0]) != PATH:
            raise no_such_method("this address")
        self._check_origin(request.headers, host)
        address = self._addresses.of(peer, request.headers.get_all(self._addresses.header))
        return self._connections.handler.caller(address, _first(request.headers, "authorization"))

    def _check_origin(self, given: Headers, host: str) -> None:
        """Return for programs, which send no origin, for our own pages and for those of listed origins."""
        if "origin" not in given:
            return
        origin = _first(given, "origin").lower()
        if not self._origins.lists(origin) and urlsplit(origin).netloc != host.lower():
            raise Refused(errors_pb2.REASON_NOT_YOUR_SEAT, "pages of this origin may not open a WebSocket here")


def handshake(method: str, version: str, target: bytes, fields: Sequence[tuple[bytes, bytes]]) -> Request:
    """Return the request of a handshake as it was read: the names of its header fields are tokens, their values any bytes."""
    given = Headers([(name.decode("ascii", "replace"), value.decode("latin-1")) for name, value in fields])
    return Request(target.decode("latin-1"), given, method, f"HTTP/{version}")


def _subprotocol(_: ServerProtocol, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """Return the first of those offered that is spoken here. None is spoken as the binary one."""
    return next((one for one in offered if one in SUBPROTOCOLS), None)


def _first(given: Headers, name: str) -> str:
    return next(iter(given.get_all(name)), "")


def refuse(transport: asyncio.Transport, state: ServerState, refused: Refused) -> None:
    """Answer a request by a refusal before it reaches the application, and hang up."""
    status = refused.status if isinstance(refused, Misfit) else status_of(refused.refusal)
    fields = [*headers_of(refused.refusal).items(), ("content-type", "application/json")]
    _answer(transport, state, status, fields, body_of(refused.refusal))


def _answer(
    transport: asyncio.Transport, state: ServerState, status: int, fields: Sequence[tuple[str, str]], body: bytes
) -> None:
    """Answer by an HTTP response, with the headers of all responses, and hang up."""
    own = [(name, value) for name, value in fields if name.lower() not in ("date", "connection", "content-length")]
    shared = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in state.default_headers]
    every: Any = [*shared, *own, ("connection", "close"), ("content-length", str(len(body)))]
    transport.write(Response(status, HTTPStatus(status).phrase, Headers(every), body).serialize())
    transport.close()
