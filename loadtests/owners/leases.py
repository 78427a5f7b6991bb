"""The owners of the shards, as the store has them."""

import asyncio
import math
import time
from collections.abc import Mapping
from typing import Self

import redis.asyncio

from services.sharding.leases import LEASE_KEYS

LOOK_S = 0.02


class Leases:
    """The leases of all shards. Ends with its context."""

    def __init__(self, redis_url: str) -> None:
        self._store = redis.asyncio.Redis.from_url(redis_url)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_exception: object) -> None:
        await self._store.aclose()

    async def owners(self, place: str = "") -> Mapping[int, str]:
        """Return the owner of each shard that has one; with a place (host:port of links) only of shards that are owned there."""
        async with self._store.pipeline(transaction=False) as asked:
            for key in LEASE_KEYS:
                asked.hmget(key, "owner", "place")
            found = await asked.execute()
        return {
            shard: owner.decode()
            for shard, (owner, at) in enumerate(found)
            if owner and (not place or (at or b"").decode().endswith(place))
        }

    async def others_own(self, before: Mapping[int, str], within_s: float) -> float:
        """Return after how many seconds none of these shards has the same owner; infinity when that takes longer than that."""
        began = time.monotonic()
        left = dict(before)
        while left:
            if time.monotonic() - began > within_s:
                return math.inf
            await asyncio.sleep(LOOK_S)
            try:
                now = await self.owners()
            except redis.asyncio.RedisError:
                continue
            left = {shard: owner for shard, owner in left.items() if now.get(shard, owner) == owner}
        return time.monotonic() - began
