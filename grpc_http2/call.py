"""A gRPC call at its server: from the headers that begin it to the trailers that end it."""

import asyncio
import base64
import binascii
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias
from urllib.parse import quote

import grpc
from google.protobuf.message import DecodeError

from services.runtime.call_scope import explained
from services.runtime.channel import MESSAGE_BYTES
from services.runtime.link import bounds, status
from grpc_http2.connection import Connection
from grpc_http2.inbox import Inbox
from grpc_http2.stream import Headers, Stream
from services.runtime.logs import logger
from services.runtime.refusal import Refused, cut, internal, malformed, status_details

log = logger(__name__)

Metadata: TypeAlias = Sequence[tuple[str, str | bytes]]

REQUEST_S = 30.0
"""How long the request of a call may take to come; the messages of a request stream may take any time."""
LINGER_S = 30.0
"""How long a call that has ended waits for its client to take the rest."""
ENCODINGS: Mapping[bytes, int] = {b"gzip": 31, b"deflate": 15}
"""How messages may be compressed, and zlib's `wbits` for each."""
_UNEARNED = frozenset(
    {
        grpc.StatusCode.OK,  # its messages have earned it
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.UNIMPLEMENTED,
    }
)
"""Answers that leave their calls counted as frames that bring nothing; the rates of players count all others."""
_PIECE_BYTES = 64 * 1024
_PAID_BYTES = 16 * 1024
"""So many bytes that were compressed count as much as a frame that brings nothing."""
_NO_METADATA = (b":", b"grpc-encoding", b"grpc-timeout", b"grpc-accept-encoding", b"content-type", b"te")


class Call:
    """The owner of a call's stream, and the context of its handler."""

    def __init__(self, connection: Connection, number: int, headers: Headers, done: Callable[["Call"], None]) -> None:
        """`done` is told when the call is over, before its own callbacks."""
        self.path = ""
        self.connection = connection
        self._number = number
        self._inbox = Inbox()
        self._stream: Stream | None = None
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._has_answered = False
        self._is_over = False
        self._callbacks: list[Callable[[Any], None]] = []
        self._done = done
        self._loop = asyncio.get_running_loop()
        self._until: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._read: Callable[[bytes], Any] | None = None
        self._write: Callable[[Any], bytes] | None = None
        self._metadata: list[tuple[str, str | bytes]] = []
        self._wbits = 0
        for name, value in headers:
            if name == b":path":
                self.path = value.decode("ascii", "replace")
            elif name == b"grpc-timeout":
                timeout = status.seconds(value)
                if timeout is not None:
                    self._until = self._loop.time() + timeout
            elif name == b"grpc-encoding":
                self._wbits = ENCODINGS.get(value, 0)
            elif not name.startswith(_NO_METADATA):
                self._metadata.append(_metadatum(name, value))

    def begin(self, run: Callable[["Call"], Awaitable[None]]) -> None:
        """Accept the call's stream, and let `run` answer it in a task of its own."""
        self._stream = self.connection.accept(self._number, None, self)
        self._stream.on_unreadable = lambda why: self.refuse(malformed("", why))
        if self._wbits:
            self._stream.inflate = self._inflate
        if self._until is not None:
            self._timer = self._loop.call_at(self._until, self._expire)
        self._task = self._loop.create_task(self._run(run))

    async def _run(self, run: Callable[["Call"], Awaitable[None]]) -> None:
        try:
            await run(self)
            self.end(grpc.StatusCode.OK)
        except grpc.aio.AbortError:
            pass  # it has ended
        except asyncio.CancelledError:
            self.end(grpc.StatusCode.CANCELLED)
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer
            self.refuse(explained(error, self.path))

    async def serve(self, handler: Any) -> None:
        """Answer by a handler of generated code's kind; none has a request stream and a single answer."""
        self._read, self._write = handler.request_deserializer, handler.response_serializer
        if handler.unary_unary is not None:
            self._send(await handler.unary_unary(await self._request(), self))
            return
        if handler.unary_stream is not None:
            answers = handler.unary_stream(await self._request(), self)
        else:
            answers = handler.stream_stream(_Requests(self), self)
        if not isinstance(answers, AsyncIterator):  # one that calls `write` by itself
            await answers
            return
        async for answer in answers:
            await self.write(answer)

    # What handlers see: the part of grpc.aio.ServicerContext that is used.

    def invocation_metadata(self) -> Metadata:
        """Return the client's metadata, in order."""
        return self._metadata

    def peer(self) -> str:
        """Return where the client is, as gRPC writes it: ipv4:192.0.2.1:5000."""
        host, port = self.connection.peer, self.connection.port
        if ":" in host:
            return f"ipv6:%5B{host}%5D:{port}"
        return f"ipv4:{host}:{port}" if port else "unix:"

    def time_remaining(self) -> float | None:
        """Return how many seconds the client still waits; None if it does not say."""
        return None if self._until is None else max(0.0, self._until - self._loop.time())

    def add_done_callback(self, callback: Callable[[Any], None]) -> None:
        """Call this when the call is over."""
        self._callbacks.append(callback)

    def done(self) -> bool:
        """Return whether it is over."""
        return self._is_over

    async def read(self) -> Any:
        """Return the next message of a request stream; grpc.aio.EOF at its end."""
        if self._stream is None:
            return grpc.aio.EOF
        data = await self._inbox.take(self._stream)
        return grpc.aio.EOF if data is None else self._parsed(data)

    async def write(self, answer: Any) -> None:
        """Send a message of a response stream, and wait while the client does not take what was sent."""
        self._send(answer)
        if self._stream is not None and self._stream.is_full:
            self._has_room.clear()
            await self._has_room.wait()

    async def abort(
        self, code: grpc.StatusCode, details: str = "", trailing_metadata: Sequence[tuple[str, str | bytes]] = ()
    ) -> NoReturn:
        """End the call with a status. Raises grpc.aio.AbortError; a handler that runs in another task is cancelled."""
        self.end(code, details, trailing_metadata)
        if self._task is not None and asyncio.current_task() is not self._task:
            self._task.cancel()
        raise grpc.aio.AbortError

    # What its server says.

    def refuse(self, refused: Refused) -> None:
        """End it with a refusal, and stop whatever is being done for it."""
        details = status_details(refused.refusal)
        self.end(refused.code, cut(refused.refusal.message, 300), [("grpc-status-details-bin", details)])
        if self._task is not None and not self._task.done() and asyncio.current_task() is not self._task:
            self._task.cancel()

    def end(self, code: grpc.StatusCode, details: str = "", metadata: Metadata = ()) -> None:
        """End it with a status, after what was sent before; nothing happens if it is over."""
        if self._is_over:
            return
        trailers: Headers = [] if self._has_answered else list(status.ACCEPTED)
        trailers.append((b"grpc-status", str(code.value[0]).encode()))
        if details:
            trailers.append((b"grpc-message", quote(details, safe=" !#$&'()*+,/:;=?@[]").encode()))
        trailers += [_header(name, value) for name, value in metadata]
        stream = self._stream
        if stream is not None:
            if code not in _UNEARNED and self.connection.visit is not None:
                self.connection.visit.earn(bounds.EARNED)
            stream.finish(trailers)
        self._is_gone()
        if stream is not None and not stream.is_gone:
            self._timer = self._loop.call_later(LINGER_S, stream.reset)

    # What its stream says.

    def message(self, data: bytes) -> None:
        """Keep a message for the handler."""
        if self._stream is not None and not self._is_over:
            self._inbox.put(self._stream, data)

    def flush_pending(self) -> None:
        """Let the handler go on."""
        self._has_room.set()

    def ended(self, headers: Headers | None) -> None:
        """The client has no more messages."""
        self._inbox.end()

    def broken(self, why: str) -> None:
        """The client is gone."""
        self._is_gone()
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            self._task.cancel()

    # By itself.

    def _send(self, answer: Any) -> None:
        data: bytes = answer if self._write is None else self._write(answer)
        if len(data) > MESSAGE_BYTES:
            log.error("answer is too large", method=self.path, size=len(data))
            raise internal()
        if self._stream is not None and not self._is_over:
            if not self._has_answered:
                self._has_answered = True
                self._stream.answer(status.ACCEPTED)
            self._stream.send(data)

    async def _request(self) -> Any:
        assert self._stream is not None
        try:
            async with asyncio.timeout(REQUEST_S):
                data = await self._inbox.take(self._stream)
        except TimeoutError:
            raise malformed("", f"the request did not come within {REQUEST_S:.0f} s") from None
        if data is None:
            raise malformed("", "the call has no request")
        return self._parsed(data)

    def _parsed(self, data: bytes) -> Any:
        if self._read is None:
            return data
        try:
            return self._read(data)
        except DecodeError:
            raise malformed("", "the message cannot be read") from None

    def _inflate(self, data: bytes) -> bytes:
        """Return a message that was compressed. Raises ValueError, and Fault for a client that sends too much of this kind."""
        reader, pieces, size = zlib.decompressobj(self._wbits), [], 0
        try:
            while data and not reader.eof:
                self.connection.pay(_PIECE_BYTES // _PAID_BYTES)
                pieces.append(reader.decompress(data, _PIECE_BYTES))
                size += len(pieces[-1])
                data = reader.unconsumed_tail
                if size > MESSAGE_BYTES:
                    raise ValueError(f"of more than {MESSAGE_BYTES} bytes")
        except zlib.error:
            raise ValueError("compressed in a way that cannot be read") from None
        if not reader.eof:
            raise ValueError("compressed and cut off")
        return b"".join(pieces)

    def _expire(self) -> None:
        self.end(grpc.StatusCode.DEADLINE_EXCEEDED, "the deadline is over")
        if self._task is not None:
            self._task.cancel()

    def _is_gone(self) -> None:
        if self._is_over:
            return
        self._is_over = True
        if self._timer is not None:
            self._timer.cancel()
        self._has_room.set()
        self._inbox.discard()
        self._done(self)
        for callback in self._callbacks:
            callback(self)


class _Requests(AsyncIterator[Any]):
    """The messages of a request stream. It keeps none of them."""

    def __init__(self, call: Call) -> None:
        self._call = call

    async def __anext__(self) -> Any:
        message = await self._call.read()
        if message is grpc.aio.EOF:
            raise StopAsyncIteration
        return message


Context = Call
"""What a handler gets as its context."""


def _metadatum(name: bytes, value: bytes) -> tuple[str, str | bytes]:
    if not name.endswith(b"-bin"):
        return name.decode("ascii", "replace"), value.decode("ascii", "replace")
    try:
        return name.decode("ascii", "replace"), base64.b64decode(value + b"=" * (-len(value) % 4))
    except (binascii.Error, ValueError):
        return name.decode("ascii", "replace"), b""


def _header(name: str, value: str | bytes) -> tuple[bytes, bytes]:
    if isinstance(value, str):
        return name.encode(), value.encode()
    return name.encode(), base64.b64encode(value).rstrip(b"=")
