"""The rest before the clock jumps: nothing is under way then that would have begun before the jump and ended after it.

A message that is being sent while the clock jumps would come at a time that nobody had chosen, in quiet hours or hours late.
So a jump waits until nothing is due, and keeps the players service from taking anything while the clock is set. That is looked
up in its database and in the store, for the pace only.
"""

import asyncio
import contextlib
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from loadtests.club.bell import Bell
from loadtests.club.clock import Clock
from loadtests.club.receivers import Receivers
from loadtests.club.server import Server
from services.sharding.shards import SHARDS, shard_key

_STILL_S = 0.15
"""So long nothing was due and nothing has come when it is still: what happens at tables becomes news in a tenth of a second."""
_LOOK_S = 0.02
_SOON_MS = 15_000
"""Pauses between two messages are shorter: the clock jumps past them first, or they would last a whole step."""
_MAX_S = 120.0
"""When something is due for so long, nothing delivers it."""
_TABLES_S = 5.0
"""So long it is waited for tables that are due."""
_WAYS = ("players_devices", "players_mailboxes", "players_webhooks")


class Rest:
    """The rest. It makes the clock jump."""

    def __init__(self, server: Server, clock: Clock, receivers: Receivers, bell: Bell) -> None:
        self._server, self._clock, self._receivers, self._bell = server, clock, receivers, bell
        self._file = server.deployment.data / "players.sqlite3"

    async def jump(self, to_ms: int) -> None:
        """Let the clock jump to a moment as soon as it is still; first past the pauses that end soon.

        Raises RuntimeError when what is due is not delivered.
        """
        while (now_ms := self._clock.now_ms()) < to_ms:
            await self._be_still()
            with _frozen(self._file) as players:
                now_ms = self._clock.now_ms()
                due_ms = _next_due_ms(players)
                if due_ms <= now_ms:
                    continue  # it has come since
                self._clock.jump(min(to_ms, now_ms + _SOON_MS) if due_ms < now_ms + _SOON_MS else to_ms, self._server.store)
                is_any_due = due_ms <= self._clock.now_ms()
            if is_any_due:
                await self._bell.ring()

    async def _be_still(self) -> None:
        """Wait until nothing is due and nothing comes. Raises RuntimeError when that takes too long."""
        began_s = since_s = time.monotonic()
        count = self._receivers.count
        while (now_s := time.monotonic()) - since_s < _STILL_S:
            if self._receivers.count != count or self._is_anything_due(now_s - began_s):
                count, since_s = self._receivers.count, now_s
                if now_s - began_s > _MAX_S:
                    raise RuntimeError("what is due is not delivered")
            await asyncio.sleep(_LOOK_S)

    def _is_anything_due(self, waited_s: float) -> bool:
        now_ms = self._clock.now_ms()
        with contextlib.closing(sqlite3.connect(f"file:{self._file}?mode=ro", uri=True)) as players:
            if _next_due_ms(players) <= now_ms:
                return True
        if waited_s > _TABLES_S:
            return False
        counting = self._server.store.pipeline(transaction=False)
        for shard in range(SHARDS):
            counting.zcount(shard_key(shard, "due"), "-inf", now_ms)
        return any(counting.execute())


@contextlib.contextmanager
def _frozen(file: Path) -> Iterator[sqlite3.Connection]:
    """Yield the players' database while nobody else can write to it: nothing is taken to be sent meanwhile."""
    with contextlib.closing(sqlite3.connect(file, timeout=10, isolation_level=None)) as players:
        players.execute("BEGIN IMMEDIATE")
        try:
            yield players
        finally:
            players.execute("ROLLBACK")


def _next_due_ms(players: sqlite3.Connection) -> int:
    """Return when the next message is due; what has been taken stays due until it has come."""
    rows = [players.execute(f"SELECT min(due_at_ms) FROM {table}").fetchone() for table in _WAYS]  # noqa: S608 - names of ours
    return min((row[0] for row in rows if row[0] is not None), default=sys.maxsize)
