"""The gRPC endpoint: PlayService, its unary methods generated from the contract, watches and Connect written out.

Watches and Connect pass bytes on unchanged: their messages are already encoded.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any, TypeAlias

import grpc
from google.protobuf.message import DecodeError, Message

from brettwerk.v1 import errors_pb2
from gateway.identity.caller import Addresses, Caller, peer_address
from gateway.messages import framing
from gateway.messages.contract import METHODS, SERVICE, SMALL_BYTES, WATCH_METHODS, Method, WatchMethod
from gateway.streams.connection import Connections
from gateway.streams.send_queue import SendQueue
from services.runtime.endpoint import abort
from services.runtime.logs import logger
from services.runtime.refusal import Refused, malformed

log = logger(__name__)

ENDPOINT = "grpc"

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"


class GrpcEndpoint:
    """Serves PlayService."""

    def __init__(self, connections: Connections, addresses: Addresses) -> None:
        self._connections = connections
        self._addresses = addresses
        self._ending: set[asyncio.Task[None]] = set()

    def open(self, server: grpc.aio.Server) -> None:
        """Add the service to the server."""
        handlers: dict[str, Any] = {
            name: grpc.unary_unary_rpc_method_handler(self._unary(method)) for name, method in METHODS.items()
        }
        for name, watching in WATCH_METHODS.items():
            handlers[name] = grpc.unary_stream_rpc_method_handler(partial(self._watch, name), partial(_read_watch, watching))
        handlers["Connect"] = grpc.stream_stream_rpc_method_handler(self.connect)
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))

    def _unary(self, method: Method) -> Callable[[bytes, Context], Awaitable[bytes]]:
        async def call(request: bytes, context: Context) -> bytes:
            caller, handler = self.caller(context), self._connections.handler
            handler.admit(method, caller, len(request))
            with handler.charged(caller):
                incoming = await handler.reader.read(method, request, caller)
                answer = await handler.carry_out(incoming, caller, context.time_remaining())
            return framing.inner(answer)

        return call

    async def _watch(self, name: str, request: Message, context: Context) -> AsyncIterator[bytes]:
        """Yield the encoded messages of a watch. Raises Refused at the end, unless the client left."""
        if isinstance(request, errors_pb2.Refusal):  # it could not be read
            raise Refused.of(request)
        caller = self.caller(context)
        self._connections.handler.rates.check(caller)

        def disconnect(refused: Refused) -> None:
            watch.leave()
            self._end(context, refused)

        send_queue = SendQueue(disconnect)
        with contextlib.ExitStack() as held:
            held.enter_context(self._connections.streams.one(caller))
            watch = self._connections.watches[name].begin(request, caller, ENDPOINT, _Sink(send_queue))
            held.callback(watch.leave)
            held.callback(send_queue.release)
            # If a client leaves while this is waiting for it to read, only the callback is called.
            _when_done(context, held.close)
            async for message in send_queue.messages():
                yield message
        if send_queue.ending is not None:
            raise send_queue.ending

    async def connect(self, requests: AsyncIterator[bytes], context: Context) -> AsyncIterator[bytes]:
        """Yield encoded ConnectResponses. Raises Refused if this side ends the stream."""
        connection = self._connections.begin(self.caller(context), ENDPOINT, lambda refused: self._end(context, refused))
        reader = asyncio.create_task(connection.read(requests))

        def close() -> None:
            reader.cancel()
            connection.close()
            connection.send_queue.release()

        _when_done(context, close)
        try:
            async for message in connection.send_queue.messages():
                yield message
        finally:
            ending = connection.send_queue.ending
            close()
        if ending is not None:
            raise ending

    def caller(self, context: Context) -> Caller:
        """Return who is calling. Raises Refused (NO_TOKEN) for an invalid token."""
        fields = context.invocation_metadata() or ()
        authorization = next((str(value) for key, value in fields if key == "authorization"), "")
        stated = [str(value) for key, value in fields if key == self._addresses.header]
        return self._connections.handler.caller(self._addresses.of(peer_address(context.peer()), stated), authorization)

    def _end(self, context: Context, refused: Refused) -> None:
        # The stream's own task waits for the client to read, so the end must come from another one.
        async def end() -> None:
            try:
                await abort(context, refused)
            except Exception:  # noqa: BLE001 - abort always raises; the client may be gone, too
                log.debug("stream ended", reason=refused.refusal.message)

        task = asyncio.create_task(end())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)


class _Sink:
    """Puts the messages of one watch into its own send queue."""

    def __init__(self, send_queue: SendQueue) -> None:
        self._send_queue = send_queue

    def message(self, data: bytes) -> None:
        self._send_queue.put(data)

    def ended(self, refusal: errors_pb2.Refusal) -> None:
        self._send_queue.close(Refused.of(refusal))


def _when_done(context: Context, act: Callable[[], None]) -> None:
    context.add_done_callback(lambda _: act())  # type: ignore[arg-type] # typeshed has a protocol of its own there


def _read_watch(method: WatchMethod, data: bytes) -> Message:
    # gRPC reports a deserializer's exception as UNKNOWN; a refusal gets through to the handler.
    try:
        if len(data) > SMALL_BYTES:
            raise DecodeError
        return method.request.FromString(data)
    except DecodeError:
        return malformed("", f"the message is not a {method.request.DESCRIPTOR.name}").refusal
