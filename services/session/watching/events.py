"""Listens to what other session processes tell: which sessions have new versions, and who is connected."""

import asyncio
from collections.abc import Callable
from typing import Any

import redis.asyncio
from google.protobuf.message import DecodeError
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError

from brettwerk.v1 import session_state_pb2
from services.runtime.logs import logger
from services.runtime.refusal import Refused
from services.session.store.notices import CHANNEL
from services.session.store.store import Store

log = logger(__name__)

Notice = session_state_pb2.Notice

COUNT_S = 2.0
"""How often it is asked whether anybody else listens, and whether the connection lives."""
_PAUSE_S = 0.3


class Events:
    """Listens. What it misses (a store that was away) it says."""

    def __init__(
        self,
        client: "redis.asyncio.Redis",
        store: Store,
        moved: Callable[[str, int], None],
        deliver: Callable[[str, session_state_pb2.PackedUpdate], None],
        present: Callable[[str, int], None],
        missed: Callable[[], None],
    ) -> None:
        """Use a connection like those of a client. `moved`, `deliver` and `present` are told what others tell of a session.

        `missed` is called when something may have gone by unheard; the store may have been set back, too, while it was away.
        """
        self._client = client
        self._store = store
        self._moved = moved
        self._deliver = deliver
        self._present = present
        self._missed = missed
        self._ready = asyncio.Event()

    async def ready(self) -> None:
        """Return when nothing goes by unheard any more."""
        await self._ready.wait()

    async def run(self) -> None:
        """Listen until cancelled."""
        while True:
            line: AbstractConnection = self._client.connection_pool.make_connection()  # type: ignore[no-untyped-call]
            line.protocol = 2  # what is told comes as ordinary answers then
            try:
                await line.connect()  # type: ignore[no-untyped-call]
                await self._listen(line)
            except (RedisError, OSError, TimeoutError, Refused) as error:
                log.warning("notices out of reach", error=type(error).__name__)
                self._store.notices.has_others = True
                await asyncio.sleep(_PAUSE_S)
            finally:
                await line.disconnect(nowait=True)

    async def _listen(self, line: AbstractConnection) -> None:
        await line.send_command("SUBSCRIBE", CHANNEL)
        await line.read_response()
        await self._store.tell(self._store.notices.new())
        self._missed()
        await self._store.forget_events()
        await self._count()
        self._ready.set()
        is_asked = False
        while True:
            said: Any = await line.read_response(timeout=COUNT_S)
            if said is None:
                if is_asked:
                    raise TimeoutError
                is_asked = True
                await line.send_command("PING")
                await self._count()
                continue
            is_asked = False
            if said[0] == b"message" and self._hear(said[2]):
                await self._store.tell(self._store.notices.untold())

    async def _count(self) -> None:
        """Find out whether there is anybody to tell something."""
        self._store.notices.has_others = await self._store.count_listeners() > 1

    def _hear(self, data: bytes) -> bool:
        """Take in a notice. Returns whether another process listens from now on."""
        try:
            notice = Notice.FromString(data)
        except DecodeError:
            return False
        if notice.session_id:
            self._present(notice.session_id, notice.present)
        if notice.origin == self._store.notices.origin:
            return False
        for moved in notice.moved:
            for packed in moved.updates:
                self._deliver(moved.session_id, packed)
            self._moved(moved.session_id, moved.version)
        return notice.is_new
