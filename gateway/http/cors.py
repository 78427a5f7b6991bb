"""Lets pages of listed origins read the answers to calls (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol).

Other pages are answered as if there were no CORS, and their browsers keep the answers from them.
"""

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.http.origins import Origins
from gateway.messages.contract import SERVICE

CALLS = ("/v1/", f"/{SERVICE}/")
"""Addresses at which programs make calls: all others are pages."""
KEPT_S = 7200
"""How long a browser may remember the answer to a preflight."""
_PREFLIGHT = {
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": "authorization, content-type, connect-protocol-version, connect-timeout-ms",
    "access-control-max-age": str(KEPT_S),
}


class Cors:
    """An ASGI application around the web endpoint's."""

    def __init__(self, inner: ASGIApp, origins: Origins) -> None:
        self._inner, self._origins = inner, origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a preflight of a listed origin, or serve the request and say that its page may read the answer."""
        if scope["type"] != "http" or not scope["path"].startswith(CALLS):
            await self._inner(scope, receive, send)
            return
        given = Headers(scope=scope)
        origin = given.get("origin", "")
        if not self._origins.lists(origin):
            await self._inner(scope, receive, send)
            return

        async def send_open(message: Message) -> None:
            if message["type"] == "http.response.start":
                fields = MutableHeaders(scope=message)
                fields["access-control-allow-origin"] = origin
                fields["access-control-expose-headers"] = "retry-after"
                fields.add_vary_header("origin")
            await send(message)

        if scope["method"] == "OPTIONS" and "access-control-request-method" in given:
            await Response(status_code=204, headers=_PREFLIGHT)(scope, receive, send_open)
        else:
            await self._inner(scope, receive, send_open)
