"""The gRPC door: PlayService, its unary methods made from the contract, Watch and Connect by hand.

Watch and Connect hand bytes on as they are: their messages are encoded already.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias

import grpc
from google.protobuf.message import DecodeError, Message

from brettwerk.v1 import errors_pb2, play_pb2
from gateway import framing
from gateway.contract import METHODS, SERVICE, SMALL_BYTES, Method
from gateway.conversation import Conversations
from gateway.outbox import Outbox
from gateway.visitor import Addresses, Visitor, peer_address
from services.runtime.interceptor import abort
from services.runtime.logs import logger
from services.runtime.refusal import Refused, malformed

log = logger(__name__)

DOOR = "grpc"

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"


class GrpcDoor:
    """Serves PlayService."""

    def __init__(self, house: Conversations, addresses: Addresses) -> None:
        self._house = house
        self._addresses = addresses
        self._ending: set[asyncio.Task[None]] = set()

    def open(self, server: grpc.aio.Server) -> None:
        """Add the service to the server."""
        handlers: dict[str, Any] = {
            name: grpc.unary_unary_rpc_method_handler(self._unary(method)) for name, method in METHODS.items()
        }
        handlers["Watch"] = grpc.unary_stream_rpc_method_handler(self.watch, _read_watch)
        handlers["Connect"] = grpc.stream_stream_rpc_method_handler(self.connect)
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))

    def _unary(self, method: Method) -> Callable[[bytes, Context], Awaitable[bytes]]:
        async def call(request: bytes, context: Context) -> bytes:
            visitor, desk = self.visitor(context), self._house.desk
            desk.admit(method, visitor, len(request))
            with desk.charged(visitor):
                incoming = await desk.reader.read(method, request, visitor)
                answer = await desk.carry_out(incoming, visitor, context.time_remaining())
            return framing.inner(answer)

        return call

    async def watch(self, request: Message, context: Context) -> AsyncIterator[bytes]:
        """Yield encoded WatchResponses. Raises Refused in the end, unless the client left."""
        _raise_unreadable(request)
        assert isinstance(request, play_pb2.WatchRequest)
        visitor = self.visitor(context)
        self._house.desk.rates.check(visitor)

        def part(refused: Refused) -> None:
            self._house.watches.end(watch)
            self._end(context, refused)

        outbox = Outbox(part)
        with contextlib.ExitStack() as held:
            held.enter_context(self._house.streams.one(visitor))
            watch = self._house.watches.begin(request, visitor, DOOR, _Sink(outbox))
            held.callback(self._house.watches.end, watch)
            # A client may leave while this waits for it to read: then only the callback is told.
            _when_done(context, held.close)
            async for message in outbox.messages():
                yield message
        if outbox.ending is not None:
            raise outbox.ending

    async def connect(self, _requests: AsyncIterator[bytes], context: Context) -> AsyncIterator[bytes]:
        """Yield encoded ConnectResponses. Raises Refused when this side ends the stream."""
        conversation = self._house.begin(self.visitor(context), DOOR, lambda refused: self._end(context, refused))
        reader = asyncio.create_task(conversation.read(_frames(context)))

        def close() -> None:
            reader.cancel()
            conversation.close()

        _when_done(context, close)
        try:
            async for message in conversation.outbox.messages():
                yield message
        finally:
            ending = conversation.outbox.ending
            close()
        if ending is not None:
            raise ending

    def visitor(self, context: Context) -> Visitor:
        """Return who calls. Raises Refused (NO_TOKEN) for a token that is not good."""
        authorization = forwarded = ""
        for key, value in context.invocation_metadata() or ():
            if key == "authorization":
                authorization = str(value)
            elif key == "x-forwarded-for":
                forwarded = str(value)
        return self._house.desk.visitor(self._addresses.of(peer_address(context.peer()), forwarded), authorization)

    def _end(self, context: Context, refused: Refused) -> None:
        # The stream's own task waits for the client to read, so the end has to come from another one.
        async def end() -> None:
            try:
                await abort(context, refused)
            except Exception:  # noqa: BLE001 - abort always raises; the client may be gone, too
                log.debug("stream ended", reason=refused.refusal.message)

        task = asyncio.create_task(end())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)


class _Sink:
    """Puts the messages of one watch into an outbox of its own."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox

    def message(self, data: bytes) -> None:
        self._outbox.put(data)

    def ended(self, refusal: errors_pb2.Refusal) -> None:
        self._outbox.close(Refused.of(refusal))


async def _frames(context: Context) -> AsyncIterator[bytes]:
    """Yield what the client sends. gRPC's own iterator keeps each message until the next one comes, which may be long."""
    while True:
        frame = await context.read()
        if frame is grpc.aio.EOF:
            return
        yield frame
        del frame


def _when_done(context: Context, act: Callable[[], None]) -> None:
    context.add_done_callback(lambda _: act())  # type: ignore[arg-type] # typeshed has a protocol of its own there


def _read_watch(data: bytes) -> Message:
    # What a deserializer raises, gRPC tells as UNKNOWN; as a refusal it comes through to the handler.
    try:
        if len(data) > SMALL_BYTES:
            raise DecodeError
        return play_pb2.WatchRequest.FromString(data)
    except DecodeError:
        return malformed("", "the message is not a WatchRequest").refusal


def _raise_unreadable(request: Message) -> None:
    if isinstance(request, errors_pb2.Refusal):
        raise Refused.of(request)
