"""Commits in groups: all writes of a tick, and those that came while others were under way, go with one script.

Each write succeeds or fails for itself. A store that is a cluster gets one script for each slot, since a script's keys must be in
one there.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

from redis.exceptions import ResponseError

from services.session.domain.ids import session_key, shard_key, shard_of
from services.session.store.notices import Notices
from services.session.store.write import Archived, Committed, Gone, Lost, Result, Write, head_of

FLYING = 2
"""Groups under way at once; with more they were smaller."""
WRITES = 128
"""Writes in a group."""
BYTES = 4 * 1024 * 1024
"""Bytes of a group, unless its only write has more."""
LISTS = ("open", "running", "finished")

_Run = Callable[[str, Sequence[str], Sequence[Any]], Awaitable[Any]]
_Waiting: TypeAlias = tuple[Write, "asyncio.Future[Result]"]


class Commits:
    """Groups writes."""

    def __init__(self, run: _Run, notices: Notices) -> None:
        """`run` runs a script: its name, keys and arguments."""
        self._run = run
        self._notices = notices
        self._waiting: list[_Waiting] = []
        self._is_scheduled = False
        self._flying: set[asyncio.Task[None]] = set()
        self._is_cluster = False

    def commit(self, write: Write) -> "asyncio.Future[Result]":
        """Return what becomes of a write, once it has. Raises Refused (UNAVAILABLE, FULL) in there."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._waiting.append((write, future))
        self._schedule(loop)
        return future

    async def close(self) -> None:
        """Wait for what is under way."""
        while self._flying or self._waiting:
            await asyncio.gather(*self._flying, return_exceptions=True)
            await asyncio.sleep(0)

    def _schedule(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._waiting and not self._is_scheduled and len(self._flying) < FLYING:
            self._is_scheduled = True
            loop.call_soon(self._begin)

    def _begin(self) -> None:
        self._is_scheduled = False
        group = self._next_group()
        if group:
            task = asyncio.create_task(self._store(group))
            self._flying.add(task)
            task.add_done_callback(self._landed)
        self._schedule(asyncio.get_running_loop())

    def _landed(self, task: "asyncio.Task[None]") -> None:
        self._flying.discard(task)
        self._schedule(task.get_loop())

    def _next_group(self) -> list[_Waiting]:
        """Take what goes together with the oldest write that waits."""
        if not self._waiting:
            return []
        kind, size = self._kind(self._waiting[0][0]), 0
        group: list[_Waiting] = []
        left: list[_Waiting] = []
        for one in self._waiting:
            own = one[0].size
            fits = not group or (len(group) < WRITES and size + own <= BYTES)
            if fits and self._kind(one[0]) == kind:
                group.append(one)
                size += own
            else:
                left.append(one)
        self._waiting = left
        return group

    def _kind(self, write: Write) -> tuple[bool, int]:
        """Return what writes of a group have in common: new sessions are refused when memory is short, and others are not."""
        return write.before is None, shard_of(write.session_id) if self._is_cluster else 0

    async def _store(self, group: list[_Waiting]) -> None:
        writes = [write for write, _ in group]
        name = "found" if writes[0].before is None else "commit"
        try:
            answers = await self._run(name, *_arguments(writes, self._notices))
        except ResponseError as error:
            if not self._is_cluster and str(error).startswith("CROSSSLOT"):
                self._is_cluster = True
                self._waiting[:0] = group
                return
            _fail(group, error)
        except Exception as error:  # noqa: BLE001 - whoever waits for the writes hears it
            _fail(group, error)
        else:
            for (write, future), answer in zip(group, answers, strict=True):
                result = _result(write, answer.decode())
                if isinstance(result, Committed) and write.landed is not None:
                    write.landed(result.head)
                if future.done():
                    continue  # whoever waited for it has gone
                if isinstance(result, Exception):
                    future.set_exception(result)
                else:
                    future.set_result(result)


def _fail(group: Sequence[_Waiting], error: Exception) -> None:
    for _, future in group:
        if not future.done():
            future.set_exception(error)


def _result(write: Write, answer: str) -> Result | Exception:
    match answer:
        case "done":
            version = 0 if write.before is None else write.before.version
            return Committed(head_of(version + len(write.elements), write.elements[-1]))
        case "lost":
            return Lost()
        case "gone":
            return Gone()
        case "archived":
            return Archived()
    return ResponseError(answer)


def _arguments(writes: Sequence[Write], notices: Notices) -> tuple[list[str], list[Any]]:
    """Return the keys and arguments of scripts/commit.lua."""
    keys: list[str] = []
    arguments: list[Any] = [notices.channel, notices.moved(writes), len(writes)]
    for write in writes:
        name, before, kept = write.session_id, write.before, write.kept
        shard = shard_of(name)
        keys += (session_key(name, "log"), session_key(name, "state"), shard_key(shard, "due"), session_key(name, "updates"))
        if write.place:
            keys += (shard_key(shard, listed) for listed in LISTS)
        for player in write.players:
            keys += (player_key(shard, "player", player), player_key(shard, "playing", player))
        arguments += (
            name,
            0 if before is None else before.version,
            "" if before is None else before.tip,
            "" if write.due_ms is None else write.due_ms,
            write.place,
            write.score,
            "1" if write.reopens else "",
            "" if write.is_over is None else int(write.is_over),
            b"" if kept is None else kept.state,
            "" if kept is None else kept.version,
            "" if kept is None else kept.logged,
            write.secrets,
            "1" if write.has_former else "",
            len(write.elements),
            len(write.players),
            *write.elements,
            *("1" if plays else "0" for plays in write.players.values()),
        )
    return keys, arguments


def player_key(shard: int, name: str, player_id: str) -> str:
    """Return the key of a player's list in a shard (player, playing)."""
    return shard_key(shard, f"{name}:{player_id}")
