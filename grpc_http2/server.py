"""The server: it takes connections, knows what is offered, and gives each call to its handler."""

import asyncio
import logging
import random
import socket
import ssl
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import grpc

from grpc_http2.call import ENCODINGS, Call, Explain
from grpc_http2.connection import Connection, all_lost
from grpc_http2.listener import Listener
from grpc_http2.status import ACCEPTED, CallError, Headers, Status
from grpc_http2.visitors import Visit, Visitors

log = logging.getLogger(__name__)

_ENCODING_NAMES = b",".join((b"identity", *ENCODINGS))


@dataclass(frozen=True, slots=True)
class Lifetime:
    """How long a connection takes new calls (`turn_s`), and how long it exists (`most_s`), in seconds."""

    turn_s: float = float("inf")
    most_s: float = float("inf")


FOREVER = Lifetime()


def explained(error: Exception, path: str) -> Status:
    """Return how a call ends that has failed: as a CallError says, or without details, which go to the logs only."""
    if isinstance(error, CallError):
        return error.status
    log.error("call failed", exc_info=error, extra={"method": path})
    return Status(grpc.StatusCode.INTERNAL, "the call has failed")


class Server:
    """Generated code registers servicers here as at a server of grpcio."""

    def __init__(
        self,
        visitors: Visitors,
        interceptor: grpc.aio.ServerInterceptor | None = None,
        *,
        calls: int,
        calls_per_address: int | None = None,
        lifetime: Lifetime = FOREVER,
        explain: Explain = explained,
        is_trusted: Callable[[Call], bool] | None = None,
    ) -> None:
        """Take who may come, what happens around each call, and the bounds.

        `calls`: how many may be open, in all and of an address. `lifetime`: how long connections are used.
        The frames and resets of a connection are no longer counted once `is_trusted` has said so of one of its calls.
        """
        self._visitors = visitors
        self._interceptor = interceptor
        self._most_calls = calls
        self._most_of_address = calls if calls_per_address is None else calls_per_address
        self._lifetime = lifetime
        self._explain = explain
        self._is_trusted = is_trusted
        self._generic: list[grpc.GenericRpcHandler] = []
        self._handlers: dict[str, Any] = {}
        self._connections: dict[Connection, list[asyncio.TimerHandle]] = {}
        self._calls: set[Call] = set()
        self._listener = Listener(visitors, self._connection)
        self._is_leaving = False

    # The methods for generated code.

    def add_generic_rpc_handlers(self, handlers: Sequence[grpc.GenericRpcHandler]) -> None:
        """Offer the methods of services."""
        self._generic += handlers

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Any]) -> None:
        """Do nothing: what comes this way comes by `add_generic_rpc_handlers`, too."""

    # Its life.

    def add_socket(self, bound: socket.socket, context: ssl.SSLContext | None = None) -> None:
        """Take a socket that listens, encrypted with a context whose ALPN is h2. Connections wait until `start`."""
        self._listener.add(bound, context)

    def start(self) -> None:
        """Take connections from now on."""
        self._listener.open()

    def leave(self) -> None:
        """Take no more connections, and tell clients to make their next calls elsewhere (GOAWAY); what is open goes on."""
        self._is_leaving = True
        self._listener.close()
        for connection in list(self._connections):
            self._retire(connection)

    async def stop(self, grace: float | None) -> None:
        """Take nothing more, let open calls end within `grace` seconds, refuse the rest (UNAVAILABLE), and close everything."""
        self.leave()
        until = asyncio.get_running_loop().time() + (grace or 0)
        while self._calls and asyncio.get_running_loop().time() < until:  # noqa: ASYNC110 - it is about to end
            await asyncio.sleep(0.01)
        for call in list(self._calls):
            call.fail(CallError(grpc.StatusCode.UNAVAILABLE, "this server is shutting down"))
        for connection in list(self._connections):
            connection.close()
        await all_lost(lambda: list(self._connections), self._visitors.bounds.closing_s)

    # The events of connections.

    def _connection(self, visit: Visit) -> Connection:
        return Connection(self, self._visitors.bounds, is_client=False, visit=visit)

    def made(self, connection: Connection) -> None:
        """Look after its age."""
        loop = asyncio.get_running_loop()
        timers = self._connections[connection] = []
        if self._lifetime.turn_s < float("inf"):  # spread, so that those that came together do not come again together
            timers.append(loop.call_later(self._lifetime.turn_s * random.uniform(0.9, 1.1), self._retire, connection))  # noqa: S311
        if self._lifetime.most_s < float("inf"):
            timers.append(loop.call_later(self._lifetime.most_s, connection.close))

    def ready(self, connection: Connection) -> None:
        """The client opens streams, unless it has come too late."""
        if self._is_leaving:
            self._retire(connection)

    def leaving(self, connection: Connection, code: int) -> None:
        """Nothing to do: the client closes the connection when it has its answers."""

    def lost(self, connection: Connection, why: str) -> None:
        """Forget it."""
        for timer in self._connections.pop(connection, ()):
            timer.cancel()

    def requested(self, connection: Connection, number: int, headers: Headers) -> None:
        """Begin a call, or answer why not."""
        received = dict(headers)
        if not received.get(b"content-type", b"").startswith(b"application/grpc"):
            connection.refuse(number, [(b":status", b"415")])
            return
        if received.get(b":method") != b"POST":
            connection.refuse(number, [(b":status", b"405")])
            return
        if received.get(b"grpc-encoding", b"identity") not in (b"identity", *ENCODINGS):
            unknown = [(b"grpc-status", b"12"), (b"grpc-accept-encoding", _ENCODING_NAMES)]
            connection.refuse(number, [*ACCEPTED, *unknown])
            return
        address = None if connection.visit is None else connection.visit.address
        is_full = len(self._calls) >= self._most_calls
        if is_full or (address is not None and address.is_bounded and address.calls >= self._most_of_address):
            whose = "server" if is_full else "address"
            error = CallError(grpc.StatusCode.RESOURCE_EXHAUSTED, f"this {whose} has too many calls open")
            path = received.get(b":path", b"").decode("ascii", "replace")
            connection.refuse(number, [*ACCEPTED, *self._explain(error, path).trailers()])
            return
        call = Call(connection, number, headers, self._explain, self._done)
        self._calls.add(call)
        if address is not None:
            address.calls += 1
        call.begin(self._answer)

    def _done(self, call: Call) -> None:
        self._calls.discard(call)
        connection = call.connection
        if connection.visit is not None:
            connection.visit.address.calls -= 1
        if connection.is_leaving:
            asyncio.get_running_loop().call_later(connection.bounds.closing_s, self._close_if_idle, connection)

    def _retire(self, connection: Connection) -> None:
        """Let a connection take no new calls, and close it after its last one."""
        connection.say_goodbye()
        asyncio.get_running_loop().call_later(connection.bounds.closing_s, self._close_if_idle, connection)

    def _close_if_idle(self, connection: Connection) -> None:
        if not connection.streams:
            connection.close()

    # Calls.

    async def _answer(self, call: Call) -> None:
        details = _Details(call.path, call.invocation_metadata())
        handler = self._find(details)
        visit = call.connection.visit
        if self._is_trusted is not None and visit is not None and not visit.is_trusted and self._is_trusted(call):
            visit.trust()
        if self._interceptor is not None:
            handler = await self._interceptor.intercept_service(partial(_found, handler), details)
        if handler is None:
            await call.abort(grpc.StatusCode.UNIMPLEMENTED, "there is no such method here")
        await call.serve(handler)

    def _find(self, details: "_Details") -> Any:
        handler = self._handlers.get(details.method)
        if handler is None:
            found = (generic.service(details) for generic in self._generic)
            handler = next((one for one in found if one is not None), None)
            if handler is not None:
                self._handlers[details.method] = handler
        return handler


class _Details(grpc.HandlerCallDetails):
    """Which method is called, and with what metadata."""

    def __init__(self, method: str, metadata: Any) -> None:
        self.method = method
        self.invocation_metadata = metadata


async def _found(handler: Any, _details: object) -> Any:
    return handler
