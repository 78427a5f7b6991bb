"""Calls over HTTP: what is the same in every format, and those in JSON.

All say who is calling, and are traced, counted and refused in one way. POST /v1/<Method> takes the request in proto3 JSON, and is
answered by the response in proto3 JSON (https://protobuf.dev/programming-guides/json/): fields are in lowerCamelCase, 64-bit
numbers are strings, an `Any` names its type in `@type`. Fields of value 0 are written out, so that a seat 0 can be seen.
"""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from brettwerk.v1 import play_pb2
from gateway.calls.handler import Handler
from gateway.http.responses import NEVER_STORED, Misfit, web_refusal
from gateway.identity.caller import Addresses, Caller
from gateway.limits.concurrency import Arrival, OpenStreams
from gateway.messages.compression import accepts
from gateway.messages.contract import METHODS, Method, no_such_method
from services.runtime import trace
from services.runtime.call_scope import Entry
from services.runtime.refusal import Refused

BODY_S = 30.0
"""How long a body may take to arrive."""


class HttpCalls:
    """Where calls over HTTP come in."""

    def __init__(self, handler: Handler, addresses: Addresses, refusal_response: Callable[[Refused], Response]) -> None:
        """`told` returns the response for a refusal."""
        self._handler = handler
        self._addresses = addresses
        self._refusal_response = refusal_response

    def caller(self, request: Request) -> Caller:
        """Return who is calling. Raises Refused (NO_TOKEN) for an invalid token."""
        peer = request.client.host if request.client else ""
        address = self._addresses.of(peer, request.headers.getlist(self._addresses.header))
        return self._handler.caller(address, request.headers.get("authorization", ""))

    async def answer(
        self, request: Request, name: str, respond: Callable[[], Awaitable[Response]], *, is_call: bool = True
    ) -> Response:
        """Return the response to a request, or the reason why there is none, in its client's trace or its own.

        It is counted under `name`; anything that is not a call, only if it fails.
        """
        entry = Entry("gateway", name)
        entry.trace(name, request.headers.get(trace.HEADER, ""))
        try:
            response = await respond()
        except asyncio.CancelledError:
            entry.end("CANCELLED", is_counted=False)
            raise
        except Exception as error:  # noqa: BLE001 - the edge of the process: nothing may leave it unexplained
            return self._refusal_response(entry.fail(error))
        entry.end(is_counted=is_call)
        return response


class JsonCalls:
    """Answers the calls of HTTP clients."""

    def __init__(self, handler: Handler, streams: OpenStreams, addresses: Addresses) -> None:
        """Take the count of open streams, which also bounds the number of bodies that arrive at the same time."""
        self._handler = handler
        self._streams = streams
        self._http = HttpCalls(handler, addresses, _refusal)

    async def handle(self, request: Request) -> Response:
        """Return the response to any request below /v1/ that is not something else."""
        name = request.path_params["method"]
        method = METHODS.get(name)
        return await self._http.answer(request, method.name if method else "unknown", lambda: self._call(name, method, request))

    async def _call(self, name: str, method: Method | None, request: Request) -> Response:
        if method is None:
            raise no_such_method(f"/v1/{name}"[:100])
        if request.method != "POST":
            raise Misfit(405, f"{name} is called by POST")
        caller = self._http.caller(request)
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise Misfit(415, "the content-type is not application/json")
        if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
            raise Misfit(415, "compressed requests are not accepted here")
        with self._streams.one(caller):
            return await self._answer(method, request, caller)

    async def _answer(self, method: Method, request: Request, caller: Caller) -> Response:
        body = await read_body(request, method.name, method.max_bytes)
        self._handler.admit(method, caller, len(body))
        with self._handler.charged(caller):
            incoming = await self._handler.reader.read_json(method, body, caller)
            answer = await self._handler.carry_out(incoming, caller)
            response = getattr(play_pb2.Answer.FromString(answer), method.field)
            may_gzip = accepts(request.headers.get("accept-encoding", ""), "gzip")
            spelled = await self._handler.reader.spell(method, response, caller, may_gzip=may_gzip)
        headers = {**NEVER_STORED, "vary": "accept-encoding"}
        if spelled.is_gzipped:
            headers["content-encoding"] = "gzip"
        return Response(spelled.body, headers=headers, media_type="application/json")


def _refusal(refused: Refused) -> Response:
    status = refused.status if isinstance(refused, Misfit) else 0
    return web_refusal(refused.refusal, status, {"allow": "POST"} if status == 405 else None)


async def read_body(request: Request, name: str, max_bytes: int) -> bytes:
    """Return the body of a call of the method `name`. Raises Misfit (413, 408 and 400), and Refused (FULL)."""
    too_large = Misfit(413, f"the body is larger than the {max_bytes} bytes that {name} takes")
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:20]) > max_bytes:
        raise too_large
    body, arrival = bytearray(), Arrival()
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > max_bytes:
                    raise too_large
                arrival.keep(len(body))
    except TimeoutError:
        raise Misfit(408, "the body did not arrive in time") from None
    except ClientDisconnect:
        raise Misfit(400, "the body is not complete") from None
    finally:
        arrival.end()
    return bytes(body)
