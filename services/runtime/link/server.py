"""The server of links, beside a process's gRPC server: it takes connections, and streams on them from callers that it knows."""

import asyncio
import contextlib
import os
import ssl
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from brettwerk.internal.v1 import link_pb2
from brettwerk.v1 import errors_pb2
from grpc_http2 import Call, Connection, Listener, Visit, Visitors
from grpc_http2.connection import all_lost
from grpc_http2.status import ACCEPTED, Headers
from services.runtime import server_socket, trace
from services.runtime.call_scope import status_of, status_of_error
from services.runtime.identity import Identity
from services.runtime.inner_calls import HEADER, Callers, service_of
from services.runtime.link import addresses, bounds
from services.runtime.link.link import OPEN_BY_ALL_NAMES
from services.runtime.link.server_stream import Method, Methods, ServerStream, answer_stream, count_stream
from services.runtime.logs import logger
from services.runtime.refusal import Refused

log = logger(__name__)

_HOSTS = 1000
"""How many hosts that called without a valid token are remembered: each is named in the logs once."""


class LinkServer:
    """Offers `methods` over links, and their long streams. A call of another method is answered UNIMPLEMENTED."""

    def __init__(self, methods: Methods, callers: Callers | None = None) -> None:
        """`callers` tells who may call; None: everybody."""
        self._methods = methods
        self._callers = callers
        self._connections: set[Connection] = set()
        self._listener = Listener(Visitors(bounds.CONNECTIONS, bounds=bounds.HTTP2), self._connection)
        self._answering: dict[Connection, list[ServerStream]] = {}
        self._streaming: set[Call] = set()
        self._path = ""
        self._inode = 0
        self._renewal: asyncio.Task[None] | None = None
        self._strangers: set[str] = set()
        self._shards: link_pb2.Shards | None = None
        self._is_leaving = False

    async def listen(self, address: str, own: Identity | None = None) -> str:
        """Take connections at an address, whose port may be 0, and return it. Unix sockets are not encrypted.

        Raises OSError when it is taken, ValueError when it is no address.
        """
        (parsed,) = addresses.parse(address).given
        if parsed.path:
            addresses.remove_stale(parsed.path)
            self._listener.add(server_socket.bind_path(parsed.path))
            self._path, self._inode = parsed.path, os.stat(parsed.path).st_ino
        else:
            context: ssl.SSLContext | None = None
            if own is not None:
                context = own.listener_context()
                self._renewal = asyncio.get_running_loop().create_task(own.keep_fresh(context))
            bound = server_socket.bind(address.removeprefix("dns:///"))
            self._listener.add(bound, context)
            port = bound.getsockname()[1]
            address = f"[{parsed.host}]:{port}" if ":" in parsed.host else f"{parsed.host}:{port}"
        self._listener.open()
        return address

    def announce(self, shards: Mapping[int, int]) -> None:
        """Tell all callers, now and when they come, which shards are owned here, and with which epochs; none is said, too.

        Answers that are not sent yet go out after it. A server that never announces anything gets calls of any shard. Raises
        ValueError for a shard that there cannot be.
        """
        owned = [link_pb2.ShardEpoch(shard=shard, epoch=epoch) for shard, epoch in sorted(shards.items())]
        if not all(one.shard < bounds.MAX_SHARDS for one in owned):
            raise ValueError(f"shards have numbers from 0 to {bounds.MAX_SHARDS - 1}")
        self._shards = link_pb2.Shards(owned=owned)
        for many in self._answering.values():
            for answering in many:
                answering.announce(self._shards)

    def callers(self) -> int:
        """Return how many processes have a link to this one for calls."""
        return len(self._answering)

    def drain(self) -> None:
        """Take no more connections and calls, and tell all callers."""
        self._is_leaving = True
        self._close_listener()
        for connection in self._connections:
            for answering in self._answering.get(connection, ()):
                answering.leave()
            connection.say_goodbye()

    async def stop(self, grace: float) -> None:
        """Let open calls end within `grace` seconds, then end all connections."""
        self.drain()
        until = time.monotonic() + grace
        while not self._is_idle() and time.monotonic() < until:  # noqa: ASYNC110 - it is about to end
            await asyncio.sleep(0.01)
        for connection in list(self._connections):
            connection.close()
        await all_lost(lambda: self._connections, bounds.HTTP2.closing_s)
        if self._renewal is not None:
            self._renewal.cancel()
        tasks = [one.task for one in self._streaming if one.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _is_idle(self) -> bool:
        return not self._streaming and all(one.is_idle for many in self._answering.values() for one in many)

    def _close_listener(self) -> None:
        self._listener.close()
        with contextlib.suppress(OSError):
            if self._path and os.stat(self._path).st_ino == self._inode:  # another may have taken our place
                Path(self._path).unlink()
            self._path = ""

    def _connection(self, visit: Visit) -> Connection:
        return Connection(self, bounds.HTTP2, is_client=False, visit=visit)

    # The events of connections.

    def made(self, connection: Connection) -> None:
        """Keep it."""
        self._connections.add(connection)

    def ready(self, connection: Connection) -> None:
        """Nothing to do: the caller opens streams."""

    def leaving(self, connection: Connection, code: int) -> None:
        """Nothing to do: the caller closes the connection when it has its answers."""

    def lost(self, connection: Connection, why: str) -> None:
        """Forget it."""
        self._connections.discard(connection)
        self._answering.pop(connection, None)

    def requested(self, connection: Connection, number: int, headers: Headers) -> None:
        """Take a stream, or answer why not."""
        received = dict(headers)
        path = received.get(b":path", b"").decode("ascii", "replace")
        if received.get(b":method") != b"POST" or not received.get(b"content-type", b"").startswith(b"application/grpc"):
            connection.refuse(number, [(b":status", b"415")])
            return
        try:
            service = self._known(connection, path, received.get(HEADER.encode(), b"").decode("ascii", "replace"))
            handler = self._stream_handler(path)
        except Refused as refused:
            connection.refuse(number, [*ACCEPTED, *status_of(refused).trailers()])
            return
        if self._callers is not None and connection.visit is not None and HEADER.encode() in received:
            connection.visit.trust()  # its token is good
        if handler is None:
            answering = ServerStream(self._reachable(service), self._shards)
            answering.begin(connection.accept(number, ACCEPTED, answering))
            self._answering.setdefault(connection, []).append(answering)
            return
        call = Call(connection, number, headers, status_of_error, partial(count_stream, self._methods.service))
        call.begin(answer_stream(handler, received.get(trace.HEADER.encode(), b"").decode("ascii", "replace")))
        self._streaming.add(call)
        if call.task is not None:
            call.task.add_done_callback(lambda _: self._streaming.discard(call))

    def _stream_handler(self, path: str) -> Any:
        """Return the handler of a long stream; None for the stream that carries unary calls. Raises Refused."""
        if self._is_leaving:
            raise Refused(errors_pb2.REASON_UNAVAILABLE, "this server is shutting down", retry_after_ms=1000)
        if path in OPEN_BY_ALL_NAMES:
            return None
        handler = self._methods.streams.get(path)
        if handler is None:
            raise Refused(errors_pb2.REASON_NO_SUCH_METHOD, "there is no such stream here")
        return handler

    def _reachable(self, service: str) -> dict[str, Method]:
        if service:
            return self._methods.unary.get(service, {})
        return {path: method for methods in self._methods.unary.values() for path, method in methods.items()}

    def _known(self, connection: Connection, path: str, token: str) -> str:
        """Return the service that the caller may call; empty for all that there are. Raises Refused (UNKNOWN_CALLER).

        A token is for one service, whichever is offered here: with it a link carries calls of that service only.
        """
        if self._callers is None:
            return ""
        services = sorted(self._methods.services) if path in OPEN_BY_ALL_NAMES else [service_of(path)]
        refused: Refused | None = None
        for service in services:
            try:
                self._callers.check(f"/{service}/", [(HEADER, token)] if token else ())
            except Refused as error:
                refused = refused or error.alone()
            else:
                return service if token else ""
        if connection.peer not in self._strangers and len(self._strangers) < _HOSTS:
            self._strangers.add(connection.peer)
            log.warning("unknown caller", host=connection.peer, reason="" if refused is None else refused.refusal.message)
        raise refused or Refused(errors_pb2.REASON_UNKNOWN_CALLER, "this server knows no callers")
