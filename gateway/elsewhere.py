"""Ways to other session processes than those that the gateway usually talks to, while releases run side by side.

A channel looks names up when it loses a server, so a process that was just added is not known to it yet. What another process
shall answer goes over a channel of its own: each stream over it leads to the next process that it knows, and one that is
opened a while later begins with a channel that has looked the names up anew.
"""

import asyncio
import time
from typing import Any

import grpc

from brettwerk.v1 import session_pb2_grpc
from services.runtime.channel import open_channel

FRESH_S = 1.0
"""How long the names that a channel has looked up are good enough for one more try."""
CLOSING_S = 120.0
"""How long a channel that is left may take for its last answers."""


class Elsewhere:
    """Opens streams to other session processes, one at a time."""

    def __init__(self, address: str) -> None:
        """Take the name of the session service; nothing is opened yet."""
        self._address = address
        self._channel: grpc.aio.Channel | None = None
        self._opened = 0.0
        self._closing: set[asyncio.Task[None]] = set()

    def link(self, **options: Any) -> Any:
        """Open a LinkSession stream."""
        return self._stub().LinkSession(**options)

    def tail(self, **options: Any) -> Any:
        """Open a TailSessions stream."""
        return self._stub().TailSessions(**options)

    async def close(self) -> None:
        """Close everything."""
        for task in self._closing:
            task.cancel()
        await asyncio.gather(*self._closing, return_exceptions=True)
        if self._channel is not None:
            await self._channel.close()

    def _stub(self) -> Any:
        now = time.monotonic()
        if self._channel is not None and now - self._opened > FRESH_S:
            task = asyncio.create_task(self._channel.close(CLOSING_S))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
            self._channel = None
        if self._channel is None:
            self._channel, self._opened = open_channel(self._address, "gateway"), now
        return session_pb2_grpc.SessionServiceStub(self._channel)
