"""Reads the shards' event streams: every update that any process has committed, as soon as it is stored."""

import asyncio
from collections.abc import Callable
from typing import Any

import redis.asyncio
from redis.exceptions import RedisError

from brettwerk.v1 import session_state_pb2
from services.runtime.logs import logger
from services.session.domain.bounds import SHARDS
from services.session.domain.ids import shard_key

log = logger(__name__)

_READ_AT_ONCE = 64
"""Events of each shard; an update can have some 30 KB."""
_BLOCK_MS = 1000
_PAUSE_S = 0.3


class Events:
    """Reads from where the streams ended when it began. What it misses (a store that was away) it says."""

    def __init__(
        self,
        client: "redis.asyncio.Redis",
        wanted: Callable[[str], bool],
        deliver: Callable[[str, session_state_pb2.PackedUpdate], None],
        missed: Callable[[], None],
    ) -> None:
        """Use a client whose connections may block. `wanted` tells whether a session is followed here.

        `missed` is called when events may have gone by unseen; the store may have been set back, too, while it was away.
        """
        self._client = client
        self._wanted = wanted
        self._deliver = deliver
        self._missed = missed
        self._ready = asyncio.Event()
        self._numbers: dict[bytes, int] = {}
        """The number of the last event that was read, by stream."""

    async def ready(self) -> None:
        """Return when no event goes by unseen any more."""
        await self._ready.wait()

    async def run(self) -> None:
        """Read until cancelled."""
        while True:
            try:
                places = await self._ends()
                self._missed()
                self._ready.set()
                while True:
                    await self._read(places)
            except (RedisError, OSError) as error:
                log.warning("events out of reach", error=type(error).__name__)
                await asyncio.sleep(_PAUSE_S)

    async def _ends(self) -> dict[str, bytes]:
        """Return where every stream ends now."""
        places: dict[str, bytes] = {}
        self._numbers.clear()
        for shard in range(SHARDS):
            key = shard_key(shard, "events")
            last: Any = await self._client.xrevrange(key, count=1)
            places[key] = last[0][0] if last else b"0-0"
            if last:
                self._has_gap(key.encode(), last[0][1])
        return places

    async def _read(self, places: dict[str, bytes]) -> None:
        streams: dict[Any, Any] = dict(places)
        found: Any = await self._client.xread(streams, count=_READ_AT_ONCE, block=_BLOCK_MS)
        has_gap = False
        for key, entries in found or ():
            for place, fields in entries:
                has_gap |= self._has_gap(key, fields)
                session_id = fields[b"s"].decode()
                if self._wanted(session_id):
                    self._deliver(session_id, session_state_pb2.PackedUpdate.FromString(fields[b"u"]))
                places[key.decode()] = place
        if has_gap:
            log.warning("events were thrown away before they were read")
            self._missed()

    def _has_gap(self, key: bytes, fields: dict[bytes, bytes]) -> bool:
        """Note the number of an event; return whether others came before it that were not read."""
        number = int(fields.get(b"n", 0))  # version 0.1.0 gave them none
        before = self._numbers.get(key)
        if number:
            self._numbers[key] = number
        return bool(number) and before is not None and number != before + 1
