"""A long stream of the contract at its server: the servicer's method, fed from the connection.

The method may yield messages, or what is encoded already.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from grpc_http2 import Inbox, Stream
from grpc_http2.status import Headers
from services.runtime import metrics, trace
from services.runtime.link import bounds
from services.runtime.link.status import status_of
from services.runtime.logs import logger
from services.runtime.refusal import Refused, internal, malformed

log = logger(__name__)


class Streaming:
    """Runs the method in a task, which is cancelled when the caller goes."""

    def __init__(self, service: str, path: str, handler: Any, timeout: float | None, traceparent: str) -> None:
        """Take what generated code has registered, and how many seconds the caller gives it."""
        self._service = service
        self._method = path.rpartition("/")[2]
        self._handler = handler
        self._timeout = timeout
        self._traceparent = traceparent
        self._inbox = Inbox(bounds.HTTP2.inbox_bytes)
        self._stream: Stream | None = None
        self._has_room = asyncio.Event()
        self._has_room.set()
        self.task: asyncio.Task[None] | None = None

    def begin(self, stream: Stream) -> None:
        """Run it over this stream."""
        self._stream = stream
        self.task = asyncio.get_running_loop().create_task(self._run(stream))

    def message(self, data: bytes) -> None:
        """Keep a request for the method."""
        if self._stream is not None:
            self._inbox.put(self._stream, data)

    def flush_pending(self) -> None:
        """Let the method go on."""
        self._has_room.set()

    def ended(self, headers: Headers | None) -> None:
        """The caller has no more requests."""
        self._inbox.end()

    def broken(self, why: str) -> None:
        """The caller is gone."""
        self._inbox.end()
        if self.task is not None:
            self.task.cancel()

    async def _run(self, stream: Stream) -> None:
        trace.begin(self._traceparent)
        refused: Refused | None = None
        code = grpc.StatusCode.OK.name
        try:
            async with asyncio.timeout(self._timeout):
                # The method's own clean-up must happen now, not when the garbage collector comes by.
                requests = _Requests(self._inbox, stream, self._handler.request_deserializer)
                async with contextlib.aclosing(self._handler.stream_stream(requests, None)) as responses:
                    async for response in responses:
                        stream.send(response if isinstance(response, bytes) else self._handler.response_serializer(response))
                        if stream.is_full:
                            self._has_room.clear()
                            await self._has_room.wait()
        except asyncio.CancelledError:
            code = grpc.StatusCode.CANCELLED.name
            raise
        except TimeoutError:
            code = grpc.StatusCode.DEADLINE_EXCEEDED.name
        except Refused as error:
            refused, code = error.alone(), error.code.name
        except Exception as error:
            log.error("call failed", method=self._method, exc_info=error)
            refused, code = internal(), grpc.StatusCode.INTERNAL.name
        finally:
            metrics.CALLS.of(self._service, self._method, code).add_stream()
            if code == grpc.StatusCode.DEADLINE_EXCEEDED.name and refused is None:
                stream.reset()  # the caller has counted the same seconds
            else:
                stream.finish(status_of(refused).trailers())


class _Requests(AsyncIterator[Any]):
    """What the method reads."""

    def __init__(self, inbox: Inbox, stream: Stream, read: Callable[[bytes], Any]) -> None:
        self._inbox = inbox
        self._stream = stream
        self._read = read

    async def __anext__(self) -> Any:
        data = await self._inbox.take(self._stream)
        if data is None:
            raise StopAsyncIteration
        try:
            return self._read(data)
        except DecodeError:
            raise malformed("", "the message cannot be read") from None
