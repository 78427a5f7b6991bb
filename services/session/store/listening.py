"""Hears what is told on the channel of shards, over a connection whose end says that the store may have been set back.

An answer is always awaited on it, so that it is seen at once when the server dies, or is replaced by another one.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import redis.asyncio
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError

from services.runtime.logs import logger
from services.session.store.leases import CHANNEL

log = logger(__name__)

PING_S = 2.0
"""How often it is asked whether the connection lives."""
_PAUSE_S = 0.3


class Listening:
    """Listens."""

    def __init__(
        self,
        client: "redis.asyncio.Redis",
        heard: Callable[[bytes], None],
        back: Callable[[], None],
    ) -> None:
        """Use a connection like those of a client. `heard` is told what is told on the channel.

        `back` is called when there is a connection again, the first one, too: before that something may have gone by unheard,
        and the store may have been set back.
        """
        self._client = client
        self._heard = heard
        self._back = back
        self.is_there = False
        """Whether there is a connection."""
        self._ready = asyncio.Event()

    async def ready(self) -> None:
        """Return once no message can be missed any more."""
        await self._ready.wait()

    async def run(self) -> None:
        """Listen until cancelled."""
        while True:
            connection: AbstractConnection = self._client.connection_pool.make_connection()  # type: ignore[no-untyped-call]
            connection.protocol = 2  # what is told comes as ordinary answers then
            try:
                await connection.connect()  # type: ignore[no-untyped-call]
                await self._listen(connection)
            except (RedisError, OSError, TimeoutError) as error:
                log.warning("channel of shards out of reach", error=type(error).__name__)
            finally:
                self.is_there = False
                await connection.disconnect(nowait=True)
            await asyncio.sleep(_PAUSE_S)

    async def _listen(self, connection: AbstractConnection) -> None:
        await connection.send_command("SUBSCRIBE", CHANNEL)
        await connection.read_response()
        self._back()
        self.is_there = True
        self._ready.set()
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
