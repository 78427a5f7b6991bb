"""How long a client of the web door may take to say what it wants."""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADERS_S = 10.0
"""A connection whose first request, or the rest of a request that has begun, is not there after this time is cut."""


class PatientProtocol(HttpToolsProtocol):
    """uvicorn's protocol, which waits for a client's headers only so long: it has no limit of its own for them."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._enough()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Begin to wait for the headers of a further request; those of the first have had their time from the beginning."""
        super().on_message_begin()
        if self._waiting is None:
            self._wait()

    def on_headers_complete(self) -> None:
        """Wait no more."""
        self._enough()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Wait no more."""
        self._enough()
        super().send_400_response(msg)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(HEADERS_S, self._cut)

    def _enough(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _cut(self) -> None:
        self._waiting = None
        self.transport.abort()
