"""Ends mails through a mail program's button (RFC 8058): a POST to an address in each mail; a GET shows a page that asks first.

Anyone with the code may do this, and nothing else follows from it, so no origin, cookie or token is required.
"""

from starlette.requests import Request
from starlette.responses import Response

from brettwerk.v1 import errors_pb2, notifications_pb2, play_pb2
from gateway.calls.handler import Handler
from gateway.calls.requests import Incoming
from gateway.endpoints.http_calls import HttpCalls, read_body
from gateway.http.responses import NEVER_STORED, Misfit, web_refusal
from gateway.identity.caller import Addresses
from gateway.limits.concurrency import OpenStreams
from gateway.messages.contract import METHODS
from services.runtime.refusal import Refused

PATH = "/unsubscribe/{code}"
BODY_BYTES = 1024
"""Of `List-Unsubscribe=One-Click`, as a form of either kind."""


class Unsubscription:
    """Answers such requests."""

    def __init__(self, handler: Handler, streams: OpenStreams, addresses: Addresses) -> None:
        self._handler = handler
        self._streams = streams
        self._http = HttpCalls(handler, addresses, _refusal)
        self._method = METHODS["UnsubscribeMail"]

    async def handle(self, request: Request) -> Response:
        """Return the response to a POST."""
        return await self._http.answer(request, self._method.name, lambda: self._unsubscribe(request))

    async def _unsubscribe(self, request: Request) -> Response:
        caller = self._http.caller(request)
        with self._streams.one(caller):
            body = await read_body(request, self._method.name, BODY_BYTES)
            self._handler.admit(self._method, caller, len(body))
            asked = notifications_pb2.UnsubscribeMailRequest(code=request.path_params["code"])
            call = play_pb2.Call(unsubscribe_mail=asked).SerializeToString()
            with self._handler.charged(caller):
                try:
                    await self._handler.carry_out(Incoming(self._method, asked, call), caller)
                except Refused as refused:
                    if refused.reason != errors_pb2.REASON_UNKNOWN:
                        raise
                    # already done: mail programs may ask twice
        return Response("No mail goes to this address any more.\n", headers=dict(NEVER_STORED), media_type="text/plain")


def _refusal(refused: Refused) -> Response:
    return web_refusal(refused.refusal, refused.status if isinstance(refused, Misfit) else 0)
