"""Hears what is told on the channel of shards, over connections whose end says that the store may have been set back.

An answer is always awaited on each, so that it is seen at once when a server dies, or is replaced by another one. In a cluster
there is a connection to each master, and its end casts doubt on the shards that are there, and on no others.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError

from services.runtime.logs import logger
from services.runtime.redis_client.servers import Server, connection_to, places_of
from services.runtime.redis_url import AnyRedis
from services.runtime.tasks import ended
from services.sharding.leases import CHANNEL, LEASE_KEYS
from services.sharding.shards import SHARDS

log = logger(__name__)

PING_S = 2.0
"""How often it is asked whether the connection lives."""
_PAUSE_S = 0.3


@dataclass(eq=False, repr=False)
class ShardChannel:
    """Listens, over connections like those of a client."""

    _client: AnyRedis
    _heard: Callable[[bytes], None]
    """Is told what is told on the channel, once by each server."""
    _back: Callable[[Collection[int]], None]
    """Is called with shards whose server is heard again, the first time, too: before that something may have gone by unheard, and
    they may have been set back."""
    _place_of: Callable[[int], Server | None] = lambda _shard: None
    """Says where writes to a shard go now, if that is known."""

    def __post_init__(self) -> None:
        self._places: Mapping[int, Server] = {}
        """The shards' servers, when last looked at."""
        self._ears: dict[Server, asyncio.Task[None]] = {}
        self._open: set[Server] = set()
        """The servers that are heard."""
        self._there: set[int] = set()
        """The shards of which nothing has gone by unheard since `back` was called with them."""
        self._look_again = asyncio.Event()
        self._ready = asyncio.Event()

    @property
    def is_there(self) -> bool:
        """Whether there is a connection to the server of each shard."""
        return len(self._there) == SHARDS

    def hears(self, shard: int) -> bool:
        """Return whether there is a connection to a shard's server, and was ever since `back` was called with it."""
        if shard not in self._there:
            return False
        place = self._place_of(shard)
        if place is not None and place != self._places[shard]:  # its slot has moved
            self._look_again.set()
            return False
        return True

    async def ready(self) -> None:
        """Return once no message can be missed any more."""
        await self._ready.wait()

    async def run(self) -> None:
        """Listen until cancelled."""
        try:
            while True:
                self._look_again.clear()
                try:
                    places = enumerate(await places_of(self._client, LEASE_KEYS))
                    self._follow({shard: place for shard, place in places if place is not None})
                except (RedisError, OSError, TimeoutError) as error:
                    log.warning("channel of shards out of reach", error=type(error).__name__)
                    self._look_again.set()
                await asyncio.sleep(_PAUSE_S)  # servers that go together are looked for together
                await self._look_again.wait()
        finally:
            await ended(*self._ears.values())

    def _follow(self, places: Mapping[int, Server]) -> None:
        """Listen where the shards are now, and nowhere else."""
        self._there = {shard for shard in self._there if places.get(shard) == self._places[shard]}
        self._places = places
        servers = set(places.values())
        for server in self._ears.keys() - servers:
            self._ears[server].cancel()
        for server in servers - self._ears.keys():
            self._ears[server] = asyncio.create_task(self._listen(server))
        for server in servers & self._open:
            self._came(server)

    def _came(self, server: Server) -> None:
        """Tell which shards are heard again now that a server is."""
        new = self._shards_at(server) - self._there
        if new:
            self._back(new)
            self._there |= new
        if self.is_there:
            self._ready.set()

    def _shards_at(self, server: Server) -> set[int]:
        return {shard for shard, place in self._places.items() if place == server}

    async def _listen(self, server: Server) -> None:
        """Listen to a server until its connection ends."""
        connection = connection_to(self._client, server)
        try:
            await _subscribed(connection)
            self._open.add(server)
            self._came(server)
            await self._hear(connection)
        except (RedisError, OSError, TimeoutError) as error:
            log.warning("channel of shards out of reach", error=type(error).__name__, server=server)
        finally:
            self._open.discard(server)
            self._there -= self._shards_at(server)
            del self._ears[server]
            self._look_again.set()
            await connection.disconnect(nowait=True)

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
