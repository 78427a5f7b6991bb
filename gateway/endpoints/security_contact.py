"""The contact for weaknesses of this installation: /.well-known/security.txt (RFC 9116)."""

import re
import time

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.http.responses import web_refusal
from gateway.messages.contract import no_such_method
from services.runtime.refusal import malformed

PATH = "/.well-known/security.txt"
VALID_S = 30 * 86_400
"""How long the file says that it can be relied on: it is written anew for every day."""
_CONTACT = re.compile(r"mailto:[^\s@]+@[^\s@]+|tel:\+[0-9-]+|https://[^\s/]+(/\S*)?")


class SecurityContact:
    """Serves the file."""

    def __init__(self, contacts: str) -> None:
        """Take the addresses, separated by commas, those to try first in front (RFC 9116 section 2.5.3); empty for no file.

        Raises ValueError for anything but mailto:, tel: and https:.
        """
        self._contacts = [contact.strip() for contact in contacts.split(",") if contact.strip()]
        for contact in self._contacts:
            if not _CONTACT.fullmatch(contact):
                raise ValueError(f"BRETTWERK_SECURITY_CONTACT: {contact!r} is no address (mailto:, tel:+ or https://)")

    def route(self) -> Route:
        """Return where it is."""
        return Route(PATH, self._handle, methods=["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

    async def _handle(self, request: Request) -> Response:
        if not self._contacts:
            return web_refusal(no_such_method(PATH).refusal)
        if request.method not in ("GET", "HEAD"):
            return web_refusal(malformed("", "this file is read by GET").refusal, 405, {"allow": "GET, HEAD"})
        until = time.time() // 86_400 * 86_400 + VALID_S
        expires = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(until))
        text = "".join(f"Contact: {contact}\n" for contact in self._contacts) + f"Expires: {expires}\n"
        return Response(text, headers={"cache-control": "max-age=3600"}, media_type="text/plain")
