"""Hears what is told on the channel of shards, over connections whose end says that the store may have been set back.

An answer is always awaited on each, so that it is seen at once when a server dies, or is replaced by another one. In a cluster
there is a connection to each master.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError

from services.runtime.ending import ended
from services.runtime.logs import logger
from services.runtime.redis_url import AnyRedis
from services.session.store.leases import CHANNEL
from services.session.store.servers import connections_to

log = logger(__name__)

PING_S = 2.0
"""How often it is asked whether the connection lives."""
_PAUSE_S = 0.3


class Listening:
    """Listens."""

    def __init__(
        self,
        client: AnyRedis,
        heard: Callable[[bytes], None],
        back: Callable[[], None],
    ) -> None:
        """Use connections like those of a client. `heard` is told what is told on the channel, once by each server.

        `back` is called when there is a connection to all servers again, the first time, too: before that something may have gone
        by unheard, and the store may have been set back.
        """
        self._client = client
        self._heard = heard
        self._back = back
        self.is_there = False
        """Whether there is a connection to each server."""
        self._ready = asyncio.Event()

    async def ready(self) -> None:
        """Return once no message can be missed any more."""
        await self._ready.wait()

    async def run(self) -> None:
        """Listen until cancelled."""
        while True:
            connections: Sequence[AbstractConnection] = ()
            try:
                connections = await connections_to(self._client)
                for failed in await asyncio.gather(*map(_subscribed, connections), return_exceptions=True):
                    if isinstance(failed, BaseException):  # raised only once no other one is on its way any more
                        raise failed
                self._back()
                self.is_there = True
                self._ready.set()
                await self._listen(connections)
            except (RedisError, OSError, TimeoutError) as error:
                log.warning("channel of shards out of reach", error=type(error).__name__)
            finally:
                self.is_there = False
                for connection in connections:
                    await connection.disconnect(nowait=True)
            await asyncio.sleep(_PAUSE_S)

    async def _listen(self, connections: Sequence[AbstractConnection]) -> None:
        """Listen until a connection ends. Raises redis' errors, OSError and TimeoutError."""
        listening = [asyncio.create_task(self._hear(connection)) for connection in connections]
        try:
            await asyncio.wait(listening, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            await ended(*listening)
        for one in listening:
            if not one.cancelled():
                one.result()

    async def _hear(self, connection: AbstractConnection) -> None:
        is_asked = False
        while True:
            said: Any = await connection.read_response(timeout=PING_S)
            if said is None:
                if is_asked:
                    raise TimeoutError
                is_asked = True
                await connection.send_command("PING")
                continue
            is_asked = False
            if said[0] == b"message":
                self._heard(said[2])


async def _subscribed(connection: AbstractConnection) -> None:
    connection.protocol = 2  # what is told comes as ordinary answers then
    await connection.connect()  # type: ignore[no-untyped-call]
    await connection.send_command("SUBSCRIBE", CHANNEL)
    await connection.read_response()
