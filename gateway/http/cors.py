"""Pages of which other origins may use this gateway: only those that its operator lists.

Programs send no Origin and are not affected. There are no cookies here, so a page can do no more than any program with its own
tokens; but a user's browser may reach gateways that the page's author cannot.

Pages of listed origins may read the answers to calls (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol). Others are
answered as if there were no CORS, and their browsers keep the answers from them.
"""

import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.messages.contract import SERVICE

_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#@\s,]+")
_ANY, _FILES = "*", "null"
CALLS = ("/v1/", f"/{SERVICE}/")
"""Addresses at which programs make calls: all others are pages."""
KEPT_S = 7200
"""How long a browser may remember the answer to a preflight."""
_PREFLIGHT = {
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": "authorization, content-type, connect-protocol-version, connect-timeout-ms",
    "access-control-max-age": str(KEPT_S),
}


class Origins:
    """Knows the origins of friends."""

    def __init__(self, listed: str) -> None:
        """Take origins, separated by commas: `https://play.example`, `null` for pages from files, or `*` for any.

        Raises ValueError for anything that is not an origin, such as an address with a path.
        """
        self._listed = {origin.strip().lower().rstrip("/") for origin in listed.split(",") if origin.strip()}
        for origin in sorted(self._listed - {_ANY, _FILES}):
            if not _ORIGIN.fullmatch(origin):
                raise ValueError(f"BRETTWERK_ALLOWED_ORIGINS: {origin!r} is no origin (scheme, host and port only)")

    def lists(self, origin: str) -> bool:
        """Return whether pages of an origin, as an Origin header names it, may come in."""
        return bool(origin) and (_ANY in self._listed or origin.lower() in self._listed)


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
