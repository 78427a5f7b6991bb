"""Calls as JSON over HTTP: POST /v1/<Method> with the request in proto3 JSON, answered by the response in proto3 JSON.

https://protobuf.dev/programming-guides/json/: fields are in lowerCamelCase, 64-bit numbers are strings, an `Any` names its type
in `@type`. Fields of value 0 are written out, so that a seat 0 can be seen.
"""

import time

from starlette.requests import Request
from starlette.responses import Response

from brettwerk.v1 import play_pb2
from gateway.body import read_body
from gateway.caller import Addresses, Caller
from gateway.calls import Handler, count, explained
from gateway.compression import accepts
from gateway.contract import METHODS, Method, no_such_method
from gateway.headers import NEVER_STORED
from gateway.streams import Streams
from gateway.web_refusal import Misfit, web_refusal
from services.runtime import spans, trace
from services.runtime.refusal import malformed


class JsonCalls:
    """Answers the calls of HTTP clients."""

    def __init__(self, handler: Handler, streams: Streams, addresses: Addresses) -> None:
        """Take the count of what is open, which keeps the number of bodies that arrive at the same time in bounds, too."""
        self._handler = handler
        self._streams = streams
        self._addresses = addresses

    async def handle(self, request: Request) -> Response:
        """Return the response to any request below /v1/ that is not something else."""
        name = request.path_params["method"]
        method = METHODS.get(name)
        span = spans.begin(method.name if method else "unknown", request.headers.get(trace.HEADER, ""))
        try:
            return await self._handle(request, name, method)
        finally:
            span.end()

    async def _handle(self, request: Request, name: str, method: Method | None) -> Response:
        if method is None:
            return web_refusal(no_such_method(f"/v1/{name}"[:100]).refusal)
        if request.method != "POST":
            refused = malformed("", f"{name} is called by POST")
            return web_refusal(refused.refusal, 405, {"allow": "POST"})
        began = time.perf_counter()
        try:
            response = await self._call(method, request)
        except Exception as error:  # noqa: BLE001 - the edge of the process: nothing may leave it unexplained
            refused = explained(error, name)
            count(name, refused.code.name, began)
            return web_refusal(refused.refusal, refused.status if isinstance(refused, Misfit) else 0)
        count(name, "OK", began)
        return response

    def caller(self, request: Request) -> Caller:
        """Return who calls. Raises Refused (NO_TOKEN) for a token that is not good."""
        peer = request.client.host if request.client else ""
        address = self._addresses.of(peer, request.headers.get("x-forwarded-for", ""))
        return self._handler.caller(address, request.headers.get("authorization", ""))

    async def _call(self, method: Method, request: Request) -> Response:
        caller = self.caller(request)
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise Misfit(415, "the content-type is not application/json")
        with self._streams.one(caller):
            return await self._answer(method, request, caller)

    async def _answer(self, method: Method, request: Request, caller: Caller) -> Response:
        body = await read_body(request, method.name, method.most_bytes)
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
