"""The names by which this gateway is reached: a page under any other name gets nothing from the web endpoint.

A page of evil.example whose name suddenly resolves to this machine (DNS rebinding) has the same origin as the endpoint, both to
the browser and when Origin and Host are compared. It is given away by the name in Host, which a page cannot choose. So addresses
are accepted, because no name was resolved; names must be known: localhost, this machine's own, and those of the setting.
"""

import ipaddress
import re
import socket
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.http.responses import NEVER_STORED, Misfit, web_refusal
from gateway.messages.contract import SERVICE

MISDIRECTED = 421
"""The status of a request for a name that is not served here (RFC 9110 section 15.5.20)."""
HEALTH = "/v1/health"
"""The paths that everybody may request: load balancers do so under their own names, and it reveals nothing."""
_NAME = re.compile(r"(\*\.)?[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?\.?")


class AllowedHosts:
    """Knows the names of this gateway."""

    def __init__(self, names: str) -> None:
        """Take names, separated by commas: `play.example.org`, `*.example.org`, or `*` for any name at all.

        Raises ValueError for anything that is not a name, such as an address with a scheme or a port.
        """
        given = [name.strip().lower() for name in names.split(",") if name.strip()]
        for name in given:
            if name != "*" and not _NAME.fullmatch(name):
                raise ValueError(f"BRETTWERK_OWN_HOSTS: {name!r} is no host name (names only, without scheme and port)")
        self._is_any = "*" in given
        given = [name.rstrip(".") for name in given]
        self._names = {"localhost", *_names_of_this_machine(), *(name for name in given if not name.startswith("*"))}
        self._endings = (".localhost", *(name[1:] for name in given if name.startswith("*.")))

    def knows(self, host: str) -> bool:
        """Return whether a Host header (name or address, with or without port) names this gateway. Browsers always send one."""
        name = host.strip().lower()
        if self._is_any or not name:
            return True
        name = name[1:].partition("]")[0] if name.startswith("[") else name.partition(":")[0]
        try:
            ipaddress.ip_address(name)
        except ValueError:
            name = name.rstrip(".")
            return name in self._names or name.endswith(self._endings)
        return True


class AllowedHostsOnly:
    """An ASGI application around the web endpoint's, which receives requests under our names, and for health."""

    def __init__(self, inner: ASGIApp, own: AllowedHosts) -> None:
        self._inner, self._own = inner, own

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or refuse it with 421."""
        if scope["type"] != "http" or scope["path"] == HEALTH:
            await self._inner(scope, receive, send)
            return
        host = Headers(scope=scope).get("host", "")
        if self._own.knows(host):
            await self._inner(scope, receive, send)
            return
        refused = misdirected(host)
        if scope["path"] == "/v1" or scope["path"].startswith(("/v1/", f"/{SERVICE}/")):
            await web_refusal(refused.refusal, refused.status)(scope, receive, send)
        else:
            await Response(f"{refused.refusal.message}\n", MISDIRECTED, NEVER_STORED, "text/plain")(scope, receive, send)


def misdirected(host: str) -> Misfit:
    """Return the refusal of a request for a name that is not served here."""
    ways = "use its address, or let its operator add the name to BRETTWERK_OWN_HOSTS"
    return Misfit(MISDIRECTED, f"this gateway is not reached as {host[:100]}: {ways}", field="host")


def _names_of_this_machine() -> Iterable[str]:
    """Return the name of this machine, whole and short, and as its neighbours call it (multicast DNS, RFC 6762)."""
    whole = socket.gethostname().lower().rstrip(".")
    short = whole.partition(".")[0]
    return {whole, short, f"{short}.local"} - {"", ".local"}
