"""The Connect protocol over HTTP (https://connectrpc.com/docs/protocol): calls and watches at /brettwerk.v1.PlayService/Act.

A call is a POST of its request, encoded or in JSON, answered by its response in the same form. A response that is the same for
everybody is available by GET, too, and is not sent again to browsers that have it. A watch is a POST of one message in an
envelope, answered by a stream of them, which ends with the reason. Watches in JSON are written out here, which takes time; a
client that requests much of it waits, and one that does not read is cut off, as at the other endpoints.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Mapping
from functools import lru_cache
from typing import cast

from google.protobuf.message import DecodeError, Message
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from brettwerk.v1 import errors_pb2, play_pb2
from gateway.calls.requests import SPELLED_BYTES
from gateway.endpoints import connect_format
from gateway.endpoints.bounded_http import CUT
from gateway.endpoints.http_calls import HttpCalls, read_body
from gateway.http.responses import ASK_EACH_TIME, NEVER_STORED, File, Misfit
from gateway.identity.caller import Addresses, Caller
from gateway.limits.rates import StreamCharges
from gateway.messages import framing, offload
from gateway.messages.compression import WORTH_BYTES, accepts, gzipped, gzipped_to_keep
from gateway.messages.contract import METHODS, SERVICE, SMALL_BYTES, WATCH_METHODS, Method, WatchMethod, no_such_method
from gateway.streams.connection import Connections
from gateway.streams.send_queue import SendQueue
from services.runtime import limits
from services.runtime.refusal import Refused, malformed

ENDPOINT = "connect_http"
_BOTH_WAYS = "Connect"
_VARY = {**NEVER_STORED, "vary": "accept-encoding"}
_GZIPPED = {**NEVER_STORED, "connect-content-encoding": "gzip"}


class ConnectCalls:
    """Answers all requests in this protocol."""

    def __init__(self, connections: Connections, addresses: Addresses) -> None:
        self._connections = connections
        self._handler = connections.handler
        self._http = HttpCalls(self._handler, addresses, _refusal)

    async def handle(self, request: Request) -> Response:
        """Return the response to any request below the service's name."""
        name = request.path_params["method"]
        counted = name if name in METHODS or name in WATCH_METHODS else "unknown"
        return await self._http.answer(request, counted, lambda: self._answer(name, request), is_call=name in METHODS)

    async def _answer(self, name: str, request: Request) -> Response:
        method, watching = METHODS.get(name), WATCH_METHODS.get(name)
        if method is None and watching is None and name != _BOTH_WAYS:
            raise no_such_method(f"/{SERVICE}/{name}"[:100])
        if request.method == "GET" and method is not None and method.is_kept:
            return await self._kept(method, request)
        if request.method != "POST":
            raise Misfit(405, f"{name} is called by POST")
        if name == _BOTH_WAYS:
            raise Misfit(505, "a stream in both directions needs HTTP/2: use gRPC, or the WebSocket at /v1/connect")
        content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        known = connect_format.UNARY if method else connect_format.STREAMS
        if content_type not in known:
            raise Misfit(415, f"the content-type of {name} is {' or '.join(known)}")
        if request.headers.get("content-encoding" if method else "connect-content-encoding", "identity") != "identity":
            raise Refused(errors_pb2.REASON_NO_SUCH_METHOD, "compressed requests are not accepted here")
        if watching is not None:
            try:
                return await self._watch(watching, request, content_type)
            except Refused as refused:
                if isinstance(refused, Misfit):
                    raise
                return Response(connect_format.end(refused.refusal), headers=NEVER_STORED, media_type=content_type)
        assert method is not None  # it is no watch, and no stream in both directions
        return await self._call(method, request, is_json=known[content_type])

    async def _call(self, method: Method, request: Request, *, is_json: bool) -> Response:
        caller, handler = self._http.caller(request), self._handler
        timeout = connect_format.seconds(request.headers.get("connect-timeout-ms", ""))
        if timeout == 0:
            raise Refused(errors_pb2.REASON_DEADLINE, "the call had no time left")
        with self._connections.streams.one(caller):
            body = await read_body(request, method.name, method.max_bytes)
            handler.admit(method, caller, len(body))
            with handler.charged(caller):
                reader = handler.reader
                incoming = await (reader.read_json(method, body, caller) if is_json else reader.read(method, body, caller))
                answer = await handler.carry_out(incoming, caller, timeout)
                may_gzip = accepts(request.headers.get("accept-encoding", ""), "gzip")
                if not is_json:
                    return await self._encoded(framing.inner(answer), caller, may_gzip=may_gzip)
                response = getattr(play_pb2.Answer.FromString(answer), method.field)
                spelled = await reader.spell(method, response, caller, may_gzip=may_gzip)
        headers = _VARY | ({"content-encoding": "gzip"} if spelled.is_gzipped else {})
        return Response(spelled.body, headers=headers, media_type="application/json")

    async def _encoded(self, body: bytes, caller: Caller, *, may_gzip: bool) -> Response:
        squeezed = await self._handler.reader.squeeze(body, caller) if may_gzip else None
        headers = _VARY | ({} if squeezed is None else {"content-encoding": "gzip"})
        return Response(body if squeezed is None else squeezed, headers=headers, media_type="application/proto")

    async def _kept(self, method: Method, request: Request) -> Response:
        """Return the response to a call by GET, as if nobody had signed it, with a name (ETag) made from its content."""
        caller, handler = self._http.caller(request), self._handler
        with self._connections.streams.one(caller):
            message, is_json = connect_format.message_in(request.query_params)
            handler.admit(method, caller, len(message))
            with handler.charged(caller):
                reader = handler.reader
                incoming = await (reader.read_json(method, message, caller) if is_json else reader.read(method, message, caller))
                answer = await handler.carry_out(incoming, Caller(caller.address))
                response = getattr(play_pb2.Answer.FromString(answer), method.field)
                if not is_json:
                    # Maps have no order, and equal answers must have equal names, whichever process gave them.
                    file = _file(response.SerializeToString(deterministic=True), "application/proto")
                else:
                    file = _file((await reader.spell(method, response, caller, may_gzip=False)).body, "application/json")
                return file.response(request, ASK_EACH_TIME)

    async def _watch(self, method: WatchMethod, request: Request, content_type: str) -> Response:
        caller, is_json = self._http.caller(request), connect_format.STREAMS[content_type]
        timeout = connect_format.seconds(request.headers.get("connect-timeout-ms", ""))
        self._handler.rates.check(caller)
        with contextlib.ExitStack() as held:
            held.enter_context(self._connections.streams.one(caller))
            message = connect_format.only_message(await read_body(request, method.name, SMALL_BYTES))
            wanted = _watch_request(method, message, is_json=is_json)
            limits.check(wanted)
            cut = cast(Callable[[], None], getattr(request.state, CUT))
            queue = SendQueue(lambda _: cut())
            held.callback(queue.release)  # what reads it may be left standing until it is collected as garbage
            may_gzip = accepts(request.headers.get("connect-accept-encoding", ""), "gzip")
            watch = self._connections.watches[method.name].begin(
                wanted, caller, ENDPOINT, _Sink(queue, is_bare=is_json or may_gzip)
            )
            held.callback(watch.leave)
            if timeout is not None:
                late = Refused(errors_pb2.REASON_DEADLINE, "the client's time limit for the watch has passed")
                held.callback(asyncio.get_running_loop().call_later(timeout, queue.close, late).cancel)
            messages = self._messages(queue, caller, method if is_json else None, may_gzip=may_gzip)
            return _Stream(messages, held.pop_all(), content_type, _GZIPPED if may_gzip else NEVER_STORED)

    async def _messages(
        self, queue: SendQueue, caller: Caller, spelled_for: WatchMethod | None, *, may_gzip: bool
    ) -> AsyncIterator[bytes]:
        """Yield the stream of a watch, with its end; `spelled_for`: the method whose messages are spelled out in JSON."""
        charges = StreamCharges(self._handler.rates)
        async for message in queue.messages():
            if not (spelled_for or may_gzip):
                yield message
                continue
            with charges.measured():
                text = offload.spelled_watch(spelled_for, message) if spelled_for else message
                squeezed = _squeezed(text) if may_gzip and WORTH_BYTES <= len(text) <= SPELLED_BYTES else None
            if may_gzip and len(text) > SPELLED_BYTES:
                with self._handler.charged(caller):
                    squeezed = await self._handler.reader.squeeze(text, caller)
            if squeezed is None:
                yield connect_format.head(len(text)) + text
            else:
                yield connect_format.head(len(squeezed), is_compressed=True) + squeezed
            pause_s = charges.pause_s(caller)
            if pause_s is not None:
                # Messages that arrive meanwhile wait in its bounded queue.
                await asyncio.sleep(pause_s)
        yield connect_format.end(queue.ending.refusal if queue.ending else None)


class _Stream(StreamingResponse):
    """A stream that releases what it holds however it ends, even if its client left before it began."""

    def __init__(
        self, messages: AsyncIterator[bytes], held: contextlib.ExitStack, content_type: str, headers: Mapping[str, str]
    ) -> None:
        super().__init__(messages, headers=headers, media_type=content_type)
        self._held = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        with self._held:
            await super().__call__(scope, receive, send)


class _Sink:
    """Puts the messages of a watch into its queue: in their envelopes, or bare if they will be written as JSON or compressed."""

    def __init__(self, queue: SendQueue, *, is_bare: bool) -> None:
        self._queue, self._is_bare = queue, is_bare

    def message(self, data: bytes) -> None:
        self._queue.put(b"" if self._is_bare else connect_format.head(len(data)), data)

    def ended(self, refusal: errors_pb2.Refusal) -> None:
        self._queue.close(Refused.of(refusal))


def _watch_request(method: WatchMethod, message: bytes, *, is_json: bool) -> Message:
    wanted = method.request()
    if is_json:
        offload.fill_from_json(wanted, message)
        return wanted
    try:
        wanted.MergeFromString(message)
    except DecodeError:
        raise malformed("", f"the message is not a {method.request.DESCRIPTOR.name}") from None
    return wanted


@lru_cache(maxsize=32)
def _squeezed(message: bytes) -> bytes:
    """Return a message of a watch compressed, shared by all who watch the same."""
    return gzipped(message)


@lru_cache(maxsize=32)
def _file(body: bytes, media_type: str) -> File:
    """Return an answer that browsers keep. It is compressed once for everybody."""
    return File.of(body, media_type, {"gzip": gzipped_to_keep(body)} if len(body) >= WORTH_BYTES else {})


def _refusal(refused: Refused) -> Response:
    """Return the response to a request whose call was refused, or that is no call."""
    status = refused.status if isinstance(refused, Misfit) else connect_format.status_of(refused.refusal)
    headers = {**NEVER_STORED, **({"allow": "POST"} if status == 405 else {})}
    body = json.dumps(connect_format.error(refused.refusal), ensure_ascii=False)
    return Response(body, status, headers, "application/json")
