"""Viewings in Redis: each in the slot of its session, and counted for all and for the player who started it."""

import zlib
from collections.abc import Awaitable, Callable
from typing import Any

from brettwerk.internal.v1.session_state_pb2 import StoredViewing
from services.runtime.redis_client.servers import Servers
from services.session.domain.bounds import VIEWING_KEPT_S, VIEWINGS, VIEWINGS_PER_PLAYER
from services.session.domain.ids import session_key
from services.session.store.commits import no_room
from services.sharding.shards import SHARDS, shard_key, shard_of

_ALL = shard_key(0, "viewings")


class StoredViewings:
    """Reads and writes. Every method raises Refused (UNAVAILABLE) while Redis cannot be reached."""

    def __init__(
        self,
        servers: Servers,
        run: Callable[..., Awaitable[Any]],
        run_leased: Callable[..., Awaitable[Any]],
        now_ms: Callable[[], int],
    ) -> None:
        """Use the store's servers, and what runs its scripts: any, and those of a shard under this process's lease."""
        self._servers = servers
        self._run = run
        self._run_leased = run_leased
        self._now_ms = now_ms

    async def find(self, session_id: str, viewing_id: str) -> StoredViewing | None:
        """Return a viewing; None if there is none, or it is over."""
        data: bytes | None = await self._servers.send("GET", _key(session_id, viewing_id))
        return None if data is None else StoredViewing.FromString(data)

    async def keep(self, session_id: str, viewing: StoredViewing) -> None:
        """Keep a viewing as it is now, for some minutes. Raises Refused: FULL without memory, UNAVAILABLE (moved, too)."""
        await self._write(session_id, viewing.id, viewing.SerializeToString(deterministic=True))

    async def remove(self, session_id: str, viewing: StoredViewing) -> None:
        """Remove a viewing, and count it no more."""
        await self._write(session_id, viewing.id, b"")
        for key in (_ALL, _starter_key(viewing.starter_id)):
            await self._servers.send("ZREM", key, viewing.id)

    async def prolong(self, session_id: str, viewing: StoredViewing) -> None:
        """Keep a viewing for some more minutes, and count it for as long."""
        await self._servers.send("EXPIRE", _key(session_id, viewing.id), VIEWING_KEPT_S)
        await self._count(_ALL, viewing.id, VIEWINGS)
        await self._count(_starter_key(viewing.starter_id), viewing.id, VIEWINGS_PER_PLAYER)

    async def admit(self, viewing_id: str, starter_id: str) -> None:
        """Count a new viewing. Raises Refused (FULL) if there is no room."""
        if not await self._count(_starter_key(starter_id), viewing_id, VIEWINGS_PER_PLAYER):
            raise no_room("player", f"a player has at most {VIEWINGS_PER_PLAYER} viewings at a time")
        if not await self._count(_ALL, viewing_id, VIEWINGS):
            raise no_room("total", f"there are at most {VIEWINGS} viewings at a time")

    async def _count(self, key: str, viewing_id: str, limit: int) -> bool:
        now_ms = self._now_ms()
        arguments = [viewing_id, now_ms, now_ms + VIEWING_KEPT_S * 1000, limit, VIEWING_KEPT_S]
        return bool(await self._run("count_in", [key], arguments))

    async def _write(self, session_id: str, viewing_id: str, data: bytes) -> None:
        await self._run_leased(shard_of(session_id), "viewing", [_key(session_id, viewing_id)], data, VIEWING_KEPT_S)


def _key(session_id: str, viewing_id: str) -> str:
    return session_key(session_id, f"viewing:{viewing_id}")


def _starter_key(player_id: str) -> str:
    return shard_key(zlib.crc32(player_id.encode()) % SHARDS, f"viewings:{player_id}")
