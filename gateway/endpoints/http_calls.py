"""The common parts of calls over HTTP, whatever their format: who is calling, and how they are traced, counted and refused."""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from gateway.calls.handler import Handler
from gateway.identity.caller import Addresses, Caller
from services.runtime import trace
from services.runtime.call_scope import Entry
from services.runtime.refusal import Refused


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
