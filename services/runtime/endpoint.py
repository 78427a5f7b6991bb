"""The gRPC server of a process: grpc_http2's, which explains what fails by the catalogue of refusals and knows our own services.

It stands in for grpcio's asynchronous server: grpc_http2/README.md says why, with the figures. Its interceptor does what is the
same for every call of every service: trace, bounds, metrics, and refusals turned into statuses.
"""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias

import grpc
from google.protobuf.message import Message

from brettwerk.v1 import errors_pb2
from grpc_http2 import FOREVER, Bounds, Call, Lifetime, Server, Visitors
from services.runtime import limits, metrics, server_socket, trace
from services.runtime.call_scope import Entry, explained, status_of_error, traced
from services.runtime.channel import MESSAGE_BYTES
from services.runtime.inner_calls import Callers
from services.runtime.logs import logger
from services.runtime.refusal import Refused, cut, status_details

log = logger(__name__)

_Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
_Next: TypeAlias = "Callable[[grpc.HandlerCallDetails], Awaitable[_Handler | None]]"
SOON_MS = 10_000
"""Channels do not retry what can succeed only after this time: it would do everything once more, and be refused again."""
_HEALTH = "/grpc.health."
_INFRASTRUCTURE = (_HEALTH, "/grpc.reflection.")
_HOSTS = 1000
"""How many hosts that called without a valid token are remembered: each is named in the logs once."""


class CallInterceptor(grpc.aio.ServerInterceptor):
    """Wraps the handlers of one service.

    The bounds of a single request are checked here. The messages of a request stream are checked by its reader, so that one bad
    call of many need not end the stream (limits.check).
    """

    def __init__(self, service: str, callers: Callers | None = None) -> None:
        """`callers` decides who may call anything but health; None: everybody."""
        self.callers = callers
        self._service = service
        self._strangers: set[str] = set()

    async def intercept_service(self, continuation: "_Next", handler_call_details: grpc.HandlerCallDetails) -> "_Handler | None":
        """Return the wrapped handler; for an unknown method, one that says so.

        Raises NotImplementedError for a method with a request stream and a single answer: the contract has none.
        """
        handler: Any = await continuation(handler_call_details)
        path: str = handler_call_details.method
        if self.callers is not None and not path.startswith(_HEALTH):
            try:
                self.callers.check(path, handler_call_details.invocation_metadata or ())
            except Refused as refused:
                # Neither read nor answered any further: to a stranger all methods look alike.
                return grpc.stream_stream_rpc_method_handler(self._stream(self._strange(refused), "unknown", ""))
        if handler is None:
            return grpc.stream_stream_rpc_method_handler(self._stream(_no_such_method, "unknown", ""))
        if path.startswith(_INFRASTRUCTURE):
            return handler  # type: ignore[no-any-return]
        method = path.rpartition("/")[2]
        parent = next((v for k, v in handler_call_details.invocation_metadata or () if k == trace.HEADER), "")
        if handler.unary_unary:
            wrapped = self._unary(handler.unary_unary, method, str(parent))
            return grpc.unary_unary_rpc_method_handler(wrapped, handler.request_deserializer, handler.response_serializer)
        if handler.unary_stream:
            wrapped_stream = self._stream(handler.unary_stream, method, str(parent))
            return grpc.unary_stream_rpc_method_handler(wrapped_stream, handler.request_deserializer, handler.response_serializer)
        if handler.stream_stream:
            wrapped_stream = self._stream(handler.stream_stream, method, str(parent))
            return grpc.stream_stream_rpc_method_handler(
                wrapped_stream, handler.request_deserializer, handler.response_serializer
            )
        raise NotImplementedError(path)

    def _unary(self, handle: Callable[..., Awaitable[Message]], method: str, parent: str) -> Callable[..., Awaitable[Message]]:
        async def call(request: Message | bytes, context: grpc.aio.ServicerContext[Any, Any]) -> Message:
            entry = Entry(self._service, method)
            entry.trace(method, parent)
            code = grpc.StatusCode.OK
            try:
                if isinstance(request, Message):  # the gateway gets requests as bytes, which it parses itself
                    await _check(request, method)
                return await handle(request, context)
            except asyncio.CancelledError:
                code = grpc.StatusCode.CANCELLED
                raise
            except Exception as error:
                refused = traced(explained(error, method))
                code = refused.code
                del request  # the context keeps what abort raises, and that this frame, which holds the context
                await abort(context, refused)
                raise AssertionError("abort always raises") from error
            finally:
                entry.end(code.name)

        return call

    def _stream(
        self, handle: Callable[..., AsyncIterator[Message]], method: str, parent: str
    ) -> Callable[..., AsyncIterator[Message]]:
        async def call(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> AsyncIterator[Message]:
            trace.begin(parent)
            code = grpc.StatusCode.OK
            try:
                if isinstance(request, Message):
                    limits.check(request)
                # The handler's own clean-up must happen now, not when the garbage collector comes by.
                async with contextlib.aclosing(handle(request, context)) as responses:  # type: ignore[type-var]
                    async for response in responses:
                        yield response
            except (asyncio.CancelledError, GeneratorExit):
                code = grpc.StatusCode.CANCELLED
                raise
            except Exception as error:  # noqa: BLE001 - the edge of the process: nothing may leave it unexplained
                refused = traced(explained(error, method))
                code = refused.code
                del request
                await abort(context, refused)
            finally:
                metrics.CALLS.of(self._service, method, code.name).add_stream()

        return call

    def _strange(self, refused: Refused) -> Callable[..., AsyncIterator[Message]]:
        """Return the handler of a call that is refused because its caller is unknown."""

        async def call(_requests: object, context: grpc.aio.ServicerContext[Any, Any]) -> AsyncIterator[Message]:
            host = context.peer().rpartition(":")[0]
            if host not in self._strangers and len(self._strangers) < _HOSTS:
                self._strangers.add(host)
                log.warning("unknown caller", host=host, reason=refused.refusal.message)
            for _ in ():
                yield errors_pb2.Refusal()  # makes this a stream
            raise refused

        return call


async def _check(request: Message, method: str) -> None:
    if request.ByteSize() > limits.LARGE_BYTES:
        await asyncio.to_thread(limits.check_call, method, request)
    else:
        limits.check_call(method, request)


async def _no_such_method(_requests: object, _context: object) -> AsyncIterator[Message]:
    for _ in ():
        yield errors_pb2.Refusal()  # makes this a stream
    raise Refused(errors_pb2.REASON_NO_SUCH_METHOD, "there is no such method here")


async def abort(context: "grpc.aio.ServicerContext[Any, Any]", refused: Refused) -> None:
    """End a call with the refusal as status, message (truncated: it is sent percent-encoded) and details. Always raises."""
    trailers: list[tuple[str, str | bytes]] = [("grpc-status-details-bin", status_details(refused.refusal))]
    if refused.refusal.retry_after_ms > SOON_MS:
        trailers.append(("grpc-retry-pushback-ms", "-1"))  # no client retries it automatically
    await context.abort(refused.code, cut(refused.refusal.message, 300), tuple(trailers))


BOUNDS = Bounds(message_bytes=MESSAGE_BYTES)
"""The bounds on a client."""
_IPV4 = "0.0.0.0"  # noqa: S104 - compared with
"""Stands for all addresses of both families here, as it does in other servers of gRPC."""


class GrpcServer(Server):
    """Generated code registers servicers here as at a server of grpcio."""

    def __init__(
        self,
        visitors: Visitors,
        interceptor: CallInterceptor | None = None,
        *,
        calls: int,
        calls_per_address: int | None = None,
        lifetime: Lifetime = FOREVER,
    ) -> None:
        """Take what a Server takes; connections that the interceptor's callers have made go uncounted."""
        callers = None if interceptor is None else interceptor.callers

        def is_trusted(call: Call) -> bool:
            with contextlib.suppress(Refused):  # the interceptor says so
                return callers is not None and bool(callers.check(call.path, call.invocation_metadata()))
            return False

        super().__init__(
            visitors,
            interceptor,
            calls=calls,
            calls_per_address=calls_per_address,
            lifetime=lifetime,
            explain=status_of_error,
            is_trusted=is_trusted,
        )

    def bind(self, address: str, context: ssl.SSLContext | None = None) -> int:
        """Take host:port for this server, encrypted with a context, and return the port. Connections wait until `start`.

        Raises OSError when it is taken or no address of ours, ValueError when it is no address.
        """
        host, port = server_socket.split(address)
        bound = server_socket.bind(f"[{server_socket.EVERYWHERE}]:{port}" if host == _IPV4 else address)
        self.add_socket(bound, context)
        taken: int = bound.getsockname()[1]
        return taken
