"""The effect of a power cut on sessions, without one: the store has what it had before; and what watchers are told of it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from redis.exceptions import RedisError

from brettwerk.v1 import play_pb2
from services.runtime.refusal import Refused
from services.session.domain.updates import message_for
from services.sharding.shards import SHARDS
from tests.services.session.player import Player
from tests.services.session.table import Table
from tests.services.session.watcher import Watcher


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(30):
        while True:
            try:
                if await condition():
                    return
            except (RedisError, OSError, Refused):
                pass  # it is not back yet
            await asyncio.sleep(0.02)


async def until_received(watcher: Watcher, number: int, table: Table, game: str, seat: int | None) -> None:
    """Return when the last thing that a watch was told is the newest version of the log."""

    async def is_known() -> bool:
        newest = (await table.wiring.rebuilds.updates(game, 1, 10_000))[-1]
        last = watcher.responses(number)[-1]
        received = last.resync.update if last.HasField("resync") else last.update
        return received == play_pb2.WatchResponse.FromString(message_for(newest, seat)).update

    await until(is_known)


class Setback:
    """The effect of a power cut on a store: it has what it had when this was made."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._kept: dict[bytes, bytes] = {}

    @property
    def _client(self) -> Any:
        return self._table.wiring.store._client

    async def keep(self) -> None:
        self._kept = {key: await self._client.dump(key) or b"" async for key in self._client.scan_iter("*")}

    async def happen(self, *, unseen: bool = False) -> None:
        """Set the store back. That its connection broke is seen, unless it is `unseen`; watches hear of it when it is back."""
        for key, data in self._kept.items():
            await self._client.restore(key, 0, data, replace=True)
        self._table.clock.pass_s(1)
        if not unseen:
            self._table.wiring.session_cache.validity.doubt(range(SHARDS))

    async def be_noticed(self) -> None:
        """Break all connections, as the end of a server does."""
        listening = self._table.wiring.shard_channel
        listening._ready.clear()
        for kind in ("normal", "pubsub"):
            await self._client.client_kill_filter(_type=kind, skipme=True)
        await listening.ready()


class KeptGame(NamedTuple):
    """A game of two that is on, and a store that can be set back to how it then was."""

    anna: Player
    ben: Player
    id: str
    setback: Setback
