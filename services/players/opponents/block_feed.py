"""Tells session processes which players have blocked somebody or are blocked, so that they need not ask about all others.

Whoever makes a block is answered once every session process that waits here has come again after it heard of it: from then on
they bring nobody together who is not to meet. A process that does not come keeps nobody waiting for long. Where several
processes share a database (PostgreSQL), each looks there for what the others have made, and the answer waits for that.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from brettwerk.internal.v1 import players_pb2
from services.archive.access import Access
from services.players.opponents import blocks
from services.players.opponents.blocks import Extent
from services.runtime.refusal import Refused

MAX_LISTED = 5_000
"""Blocks; where there are more, nobody is listed, and session processes ask about everybody."""
LOOK_S, LONE_LOOK_S = 0.4, 2.0
"""How often it is looked for blocks that other processes have made, while somebody waits: on SQLite there hardly are any."""
ACKNOWLEDGED_WITHIN_S = 1.0
MAX_WAIT_S = 5.0
_GONE_S = MAX_WAIT_S + 5.0
"""A process that has not come for so long is not waited for any more."""
MAX_PROCESSES = 1000
"""How many are remembered."""


@dataclass(slots=True)
class _Process:
    """A session process that follows."""

    seen_s: float
    sent: int = 0
    """How many blocks of this process's were told with the last answer."""
    known: int = 0
    """How many it knows for certain, since it has come again."""


class BlockFeed:
    """Those who are told. Methods that read the database raise Refused (UNAVAILABLE)."""

    def __init__(self, store: Access, now_s: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._now_s = now_s
        self._made = 0
        """How many blocks were made here."""
        self._turn = 0
        """How often those who wait were woken."""
        self._found: Extent | None = None
        self._processes: dict[str, _Process] = {}
        self._waiting = 0
        self._somebody_waits = asyncio.Event()
        self._changed = asyncio.Event()
        self._known = asyncio.Event()
        self._is_closing = False

    async def page(self, request: players_pb2.ListPlayersWithBlocksRequest) -> players_pb2.ListPlayersWithBlocksResponse:
        """Return the players, once there is another version than the request's, or it has waited as long as that says."""
        process = self._heard(request.process)
        first = made = self._made
        turn, until_s = self._turn, self._now_s() + min(MAX_WAIT_S, request.wait_ms / 1000)
        try:
            found = await self._read(request.version)
            # A block that was made here is told, even if nothing else is than before: its maker waits for that.
            while found.version == request.version and made == first and self._now_s() < until_s and not self._is_closing:
                if turn == self._turn:  # else something has turned up while that was read
                    await self._wait(until_s - self._now_s())
                made, turn = self._made, self._turn
                found = await self._read(request.version)
        except asyncio.CancelledError:
            self._processes.pop(request.process, None)  # it has gone, and believes nothing until it has come again
            raise
        process.sent, process.seen_s = made, self._now_s()
        return found

    async def tell(self) -> None:
        """Return when all who follow know of the block that has just been made, or after ACKNOWLEDGED_WITHIN_S."""
        self._made += 1
        made, began = self._made, self._now_s()
        self._wake()
        try:
            async with asyncio.timeout(ACKNOWLEDGED_WITHIN_S):
                while not self._is_closing and not all(self._knows(one, made) for one in self._processes.values()):
                    await self._known.wait()
        except TimeoutError:
            pass
        if self._store.is_shared:
            await asyncio.sleep(max(0.0, began + LOOK_S + 0.2 - self._now_s()))

    async def run(self) -> None:
        """Look for blocks that others have made while somebody waits, until `close`."""
        changes = self._store.changes()
        while True:
            await self._somebody_waits.wait()
            if self._is_closing:
                return
            if changes.may_have_come():
                await self._look()
            await asyncio.sleep(LOOK_S if self._store.is_shared else LONE_LOOK_S)

    def close(self) -> None:
        """Let nobody wait any more."""
        self._is_closing = True
        self._somebody_waits.set()
        self._wake()
        self._note_known()

    async def _look(self) -> None:
        try:
            found = await self._store.run(lambda connection: blocks.extent(connection, MAX_LISTED))
        except Refused:
            return  # the database is away, and its access has said so
        if found != self._found:
            self._found = found
            self._wake()

    async def _read(self, known: str) -> players_pb2.ListPlayersWithBlocksResponse:
        def read(connection: Connection) -> players_pb2.ListPlayersWithBlocksResponse:
            extent = blocks.extent(connection, MAX_LISTED)
            version = f"{extent.blocks} {extent.newest_ms}"
            is_too_much = extent.blocks > MAX_LISTED
            listed = [] if version == known or is_too_much else blocks.everybody(connection)
            return players_pb2.ListPlayersWithBlocksResponse(version=version, players=listed, too_many=is_too_much)

        return await self._store.run(read)

    async def _wait(self, wait_s: float) -> None:
        self._waiting += 1
        self._somebody_waits.set()
        try:
            async with asyncio.timeout(wait_s):
                await self._changed.wait()
        except TimeoutError:
            pass
        finally:
            self._waiting -= 1
            if not self._waiting and not self._is_closing:
                self._somebody_waits.clear()

    def _heard(self, name: str) -> _Process:
        """Note that a process has come: it has what it was sent."""
        process = self._processes.get(name)
        if process is None:
            gone = [other for other, one in self._processes.items() if self._now_s() - one.seen_s > _GONE_S]
            for other in gone:
                del self._processes[other]
            process = _Process(self._now_s())
            if name and len(self._processes) < MAX_PROCESSES:
                self._processes[name] = process
        process.seen_s, process.known = self._now_s(), process.sent
        self._note_known()
        return process

    def _knows(self, process: _Process, made: int) -> bool:
        return process.known >= made or self._now_s() - process.seen_s > _GONE_S

    def _wake(self) -> None:
        self._turn += 1
        self._changed.set()
        self._changed = asyncio.Event()

    def _note_known(self) -> None:
        self._known.set()
        self._known = asyncio.Event()
