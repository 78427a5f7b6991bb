"""A gRPC call at its server: from the headers that begin it to the trailers that end it."""

import asyncio
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, NoReturn, TypeAlias

import grpc

from grpc_http2.connection import Connection
from grpc_http2.status import ACCEPTED, CallError, Headers, Metadata, Status, metadata_in, seconds
from grpc_http2.stream import Inbox, Stream

Explain: TypeAlias = Callable[[Exception, str], Status]
"""Returns how a call (its path) ends that has failed."""
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


class Call:
    """The owner of a call's stream, and the context of its handler."""

    def __init__(
        self, connection: Connection, number: int, headers: Headers, explain: Explain, done: Callable[["Call"], None]
    ) -> None:
        """`done` is told when the call is over, before its own callbacks."""
        self.path = ""
        self.connection = connection
        self.status: Status | None = None
        """How it has ended; None while it is open, and where its client has broken it off."""
        self.task: asyncio.Task[None] | None = None
        """In which it is answered."""
        self._bounds = connection.bounds
        self._explain = explain
        self._number = number
        self._inbox = Inbox(connection.bounds.inbox_bytes)
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
        self._read: Callable[[bytes], Any] | None = None
        self._write: Callable[[Any], bytes] | None = None
        self._metadata = metadata_in(headers)
        self._wbits = 0
        for name, value in headers:
            if name == b":path":
                self.path = value.decode("ascii", "replace")
            elif name == b"grpc-timeout":
                timeout = seconds(value)
                if timeout is not None:
                    self._until = self._loop.time() + timeout
            elif name == b"grpc-encoding":
                self._wbits = ENCODINGS.get(value, 0)

    def begin(self, run: Callable[["Call"], Awaitable[None]]) -> None:
        """Accept the call's stream, and let `run` answer it in a task of its own."""
        self._stream = self.connection.accept(self._number, None, self)
        self._stream.on_unreadable = lambda why: self.fail(_unreadable(why))
        if self._wbits:
            self._stream.inflate = self._inflate
        if self._until is not None:
            self._timer = self._loop.call_at(self._until, self._expire)
        self.task = self._loop.create_task(self._run(run))

    async def _run(self, run: Callable[["Call"], Awaitable[None]]) -> None:
        try:
            await run(self)
            self.end(Status())
        except grpc.aio.AbortError:
            pass  # it has ended
        except asyncio.CancelledError:
            self.end(Status(grpc.StatusCode.CANCELLED))
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer
            self.fail(error)

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
        try:
            async for answer in answers:
                await self.write(answer)
        finally:
            if isinstance(answers, AsyncGenerator):  # its clean-up happens now, not when the garbage collector comes by
                await answers.aclose()

    # The methods for handlers: the part of grpc.aio.ServicerContext that is used.

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
        """Return the next message of a request stream; grpc.aio.EOF at its end. One that cannot be read ends the call."""
        if self._stream is None:
            return grpc.aio.EOF
        data = await self._inbox.take(self._stream)
        if data is None:
            return grpc.aio.EOF
        try:
            return self._parsed(data)
        except CallError as error:
            self.fail(error)  # what reads may be another task than the one that answers
            raise

    async def write(self, answer: Any) -> None:
        """Send a message of a response stream, and wait while the client does not take what was sent."""
        self._send(answer)
        if self._stream is not None and self._stream.is_full:
            self._has_room.clear()
            await self._has_room.wait()

    async def abort(self, code: grpc.StatusCode, details: str = "", trailing_metadata: Metadata = ()) -> NoReturn:
        """End the call with a status. Raises grpc.aio.AbortError; a handler that runs in another task is cancelled."""
        self.end(Status(code, details, trailing_metadata))
        if self.task is not None and asyncio.current_task() is not self.task:
            self.task.cancel()
        raise grpc.aio.AbortError

    # The events of its server.

    def fail(self, error: Exception) -> None:
        """End it with the status that an error is explained by, and stop whatever is being done for it."""
        self.end(self._explain(error, self.path))
        if self.task is not None and not self.task.done() and asyncio.current_task() is not self.task:
            self.task.cancel()

    def end(self, status: Status) -> None:
        """End it with a status, after what was sent before; nothing happens if it is over."""
        if self._is_over:
            return
        self.status = status
        stream = self._stream
        if stream is not None:
            if status.code not in _UNEARNED and self.connection.visit is not None:
                self.connection.visit.earn(self._bounds.earned)
            trailers = status.trailers()
            stream.finish(trailers if self._has_answered else [*ACCEPTED, *trailers])
        self._is_gone()
        if stream is not None and not stream.is_gone:
            self._timer = self._loop.call_later(self._bounds.linger_s, stream.reset)

    # The events of its stream.

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
        if self.task is not None:
            self.task.cancel()

    # By itself.

    def _send(self, answer: Any) -> None:
        data: bytes = answer if self._write is None else self._write(answer)
        if len(data) > self._bounds.message_bytes:
            raise ValueError(f"an answer of {len(data)} bytes is too large")
        if self._stream is not None and not self._is_over:
            if not self._has_answered:
                self._has_answered = True
                self._stream.answer(ACCEPTED)
            self._stream.send(data)

    async def _request(self) -> Any:
        assert self._stream is not None
        try:
            async with asyncio.timeout(self._bounds.request_s):
                data = await self._inbox.take(self._stream)
        except TimeoutError:
            raise _unreadable(f"the request did not come within {self._bounds.request_s:.0f} s") from None
        if data is None:
            raise _unreadable("the call has no request")
        return self._parsed(data)

    def _parsed(self, data: bytes) -> Any:
        if self._read is None:
            return data
        try:
            return self._read(data)
        except Exception:  # noqa: BLE001 - the exceptions of a deserializer are its own
            raise _unreadable("the message cannot be read") from None

    def _inflate(self, data: bytes) -> bytes:
        """Return a message that was compressed. Raises ValueError, and Fault for a client that sends too much of this kind."""
        reader, pieces, size = zlib.decompressobj(self._wbits), [], 0
        try:
            while data and not reader.eof:
                self.connection.pay(_PIECE_BYTES // _PAID_BYTES)
                pieces.append(reader.decompress(data, _PIECE_BYTES))
                size += len(pieces[-1])
                data = reader.unconsumed_tail
                if size > self._bounds.message_bytes:
                    raise ValueError(f"of more than {self._bounds.message_bytes} bytes")
        except zlib.error:
            raise ValueError("compressed in a way that cannot be read") from None
        if not reader.eof:
            raise ValueError("compressed and cut off")
        return b"".join(pieces)

    def _expire(self) -> None:
        self.end(Status(grpc.StatusCode.DEADLINE_EXCEEDED, "the deadline is over"))
        if self.task is not None:
            self.task.cancel()

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
"""The context of a handler."""


def _unreadable(why: str) -> CallError:
    return CallError(grpc.StatusCode.INVALID_ARGUMENT, why)
