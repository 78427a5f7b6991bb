"""Writes of sessions, and their commits in groups: all writes of a tick, and those that came meanwhile, go with one script.

Each write succeeds or fails on its own. A cluster gets one script for each slot, because a script's keys must share one there.
"""

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any, NamedTuple, TypeAlias, cast

from redis.exceptions import NoScriptError, OutOfMemoryError, ResponseError

from brettwerk.v1 import errors_pb2
from services.runtime import metrics
from services.runtime.refusal import Refused
from services.runtime.tasks import PromptFuture, end
from services.session.domain.ids import session_key
from services.sharding.leases import LEASE_KEYS, Token
from services.sharding.shards import shard_key, shard_of


class Head(NamedTuple):
    """A version of a session as the store has it: its number, and the SHA-1 of the log's element that made it.

    The number alone is not enough: a store that was set back may have made another version of the same number.
    """

    version: int
    tip: str


def head_of(version: int, element: bytes) -> Head:
    """Return the head of a log that ends with an element."""
    return Head(version, hashlib.sha1(element, usedforsecurity=False).hexdigest())


@dataclass(frozen=True, slots=True)
class Kept:
    """A state that the store keeps, so that a log need not be read from its beginning."""

    version: int
    state: bytes = field(repr=False)
    logged: int
    """The bytes of the log up to that version."""


@dataclass(slots=True)
class Write:
    """One write of a session. A part that is empty stays as it is.

    Nobody changes one. It is not frozen since to make a frozen one takes three times as long, and each action does.
    """

    session_id: str
    before: Head | None
    """The version that it goes on from; None for a new session."""
    elements: Sequence[bytes] = field(repr=False)
    due_ms: int | None = None
    score: int = 0
    place: str = ""
    players: Mapping[str, bool] = field(default_factory=dict)
    """Players whose lists change: whether each still plays here."""
    reopens: bool = False
    is_over: bool | None = None
    kept: Kept | None = None
    secrets: bytes = field(default=b"", repr=False)
    """The secrets that the log does not know (StoredSecrets)."""
    orders: tuple[str, bytes] | None = field(default=None, repr=False)
    """The mark of the orders that it goes on from (orders.py in services/session/domain), and the new ones; None as before."""
    landed: Callable[["Write", Head], None] | None = field(default=None, repr=False)
    """Is called with it once it is stored, whether anybody still waits for that or not. It must neither wait nor raise.

    It must not hold the write, which holds it: both would stay until the garbage collector finds them.
    """
    failed: Callable[[], None] | None = field(default=None, repr=False)
    """Is called in the same way when it is not stored, or nobody knows whether it is."""
    has_former: bool = False
    """Whether the store has what release 0.1.0 kept of the session, and what can go now."""

    @property
    def version(self) -> int:
        """The version that it makes."""
        return len(self.elements) + (0 if self.before is None else self.before.version)

    @property
    def size(self) -> int:
        """Its bytes, about."""
        return sum(map(len, self.elements)) + len(self.secrets) + (0 if self.kept is None else len(self.kept.state))


class Unwritten(Enum):
    """Why a write was not stored, in the words of scripts/commit.lua."""

    MOVED = "moved"
    """Another process owns the session's shard."""
    LOST = "lost"
    """Another writer was faster, or the store was set back."""
    GONE = "gone"
    """There is no such session, or not any more."""
    ARCHIVED = "archived"
    """The session is in the archive and cannot go on."""


Result: TypeAlias = Head | Unwritten
"""The head that a write has made, or why there is none."""

FLYING = 2
"""Groups under way at once; with more they were smaller."""
WRITES = 128
"""Writes in a group."""
BYTES = 4 * 1024 * 1024
"""Bytes of a group, unless its only write has more."""
LISTS = ("open", "running", "finished", "offered")
NO_MARK = "-"
"""Stands for the mark of no orders."""
OVER = "over"
"""The key of a shard's sessions that are over, by the second of their end; the archive's are at infinity."""

_Send: TypeAlias = "Callable[[str, Sequence[str], Sequence[Any], bool], asyncio.Future[Any]]"
TokenOf = Callable[[int], Token | None]
"""Returns what writes to a shard must show; None if another process owns it."""
_Waiting: TypeAlias = "tuple[Write, PromptFuture[Result]]"

_NO_ROOM_MS = 30_000
"""When to retry creating a session: sessions end, and the oldest ones leave the store."""


class Commits:
    """Groups writes."""

    def __init__(self, send: _Send, token: TokenOf, *, is_cluster: bool = False) -> None:
        """`send` runs a script, with its text if Redis does not know it; in a cluster, the keys of one must be in one slot."""
        self._send = send
        self._token = token
        self._waiting: list[_Waiting] = []
        self._is_scheduled = False
        self._flying: set[asyncio.Future[None]] = set()
        """Of each group that is under way, what is done when it is not any more."""
        self._is_cluster = is_cluster

    def commit(self, write: Write) -> PromptFuture[Result]:
        """Return what becomes of a write, once it has. Raises Refused (UNAVAILABLE, FULL) or what Redis says in there."""
        loop = asyncio.get_running_loop()
        future: PromptFuture[Result] = PromptFuture(loop=loop)
        self._waiting.append((write, future))
        self._schedule(loop)
        return future

    async def drain_writes(self) -> None:
        """Return when all writes that have begun by now have ended, whether they are under way or wait for others."""
        before, flying = list(self._waiting), set(self._flying)
        # Later writes are not waited for, or a busy process would never hand over a shard.
        while any(one is other for one in self._waiting for other in before):
            await (asyncio.wait(self._flying, return_when=asyncio.FIRST_COMPLETED) if self._flying else asyncio.sleep(0))
            flying |= self._flying
        if flying:
            await asyncio.wait(flying)

    async def close(self) -> None:
        """Wait for what is under way."""
        while self._flying or self._waiting:
            await asyncio.gather(*self._flying)
            await asyncio.sleep(0)

    def _schedule(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._waiting and not self._is_scheduled and len(self._flying) < FLYING:
            self._is_scheduled = True
            loop.call_soon(self._begin)

    def _begin(self) -> None:
        self._is_scheduled = False
        group, tokens = self._owned(self._next_group())
        if group:
            over = asyncio.get_running_loop().create_future()
            self._flying.add(over)
            self._try(group, tokens, over)
        self._schedule(asyncio.get_running_loop())

    def _next_group(self) -> list[_Waiting]:
        """Take what goes together with the oldest waiting write."""
        if not self._waiting:
            return []
        # The oldest write leads; what does not fit with it waits for the next group, in its order.
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

    def _try(self, group: list[_Waiting], tokens: list[Token], over: "asyncio.Future[None]", *, whole: bool = False) -> None:
        writes = [write for write, _ in group]
        name = "found" if writes[0].before is None else "commit"
        keys, arguments = _arguments(writes, tokens)
        self._send(name, keys, arguments, whole).add_done_callback(partial(self._landed, group, tokens, over))

    def _landed(
        self, group: list[_Waiting], tokens: list[Token], over: "asyncio.Future[None]", answering: "asyncio.Future[Any]"
    ) -> None:
        error = answering.exception()
        # Redis forgot the script (a restart, a new replica); its text is sent with this call, and kept there again.
        if isinstance(error, NoScriptError):
            self._try(group, tokens, over, whole=True)
            return
        self._flying.discard(over)
        if isinstance(error, OutOfMemoryError):  # only the script of new sessions lets Redis refuse it for that
            error = no_memory()
        if error is not None:
            for write, future in group:
                _tell(write, future, cast(Exception, error))
        else:
            for (write, future), answer in zip(group, answering.result(), strict=True):
                _tell(write, future, _result(write, answer.decode()))
        over.set_result(None)
        self._schedule(over.get_loop())

    def _owned(self, group: list[_Waiting]) -> tuple[list[_Waiting], list[Token]]:
        """Return the writes in shards that this process owns, and what each has to show; the others have moved."""
        owned: list[_Waiting] = []
        tokens: list[Token] = []
        for write, future in group:
            token = self._token(shard_of(write.session_id))
            if token is None:
                _tell(write, future, Unwritten.MOVED)
            else:
                owned.append((write, future))
                tokens.append(token)
        return owned, tokens


def _tell(write: Write, future: PromptFuture[Result], result: Result | Exception) -> None:
    if isinstance(result, Head):
        if write.landed is not None:
            write.landed(write, result)
    elif write.failed is not None:
        write.failed()
    if result is Unwritten.MOVED:
        metrics.COMMITS_MOVED.inc()
    end(future, result)


def _result(write: Write, answer: str) -> Result | Exception:
    if answer == "done":
        return head_of(write.version, write.elements[-1])
    try:
        return Unwritten(answer)
    except ValueError:
        return ResponseError(answer)


def _arguments(writes: Sequence[Write], tokens: Sequence[Token]) -> tuple[list[str], list[Any]]:
    """Return the keys and arguments of scripts/commit.lua."""
    keys: list[str] = []
    arguments: list[Any] = [tokens[0].owner, len(writes)]
    for write, token in zip(writes, tokens, strict=True):
        name, before, kept = write.session_id, write.before, write.kept
        shard = shard_of(name)
        keys += (session_key(name, "log"), session_key(name, "state"), shard_key(shard, "due"), session_key(name, "updates"))
        keys.append(LEASE_KEYS[shard])
        if write.is_over is not None:
            keys.append(shard_key(shard, OVER))
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
            token.epoch,
            *(("", b"") if write.orders is None else (write.orders[0] or NO_MARK, write.orders[1])),
            *write.elements,
            *("1" if plays else "0" for plays in write.players.values()),
        )
    return keys, arguments


def no_room(bound: str, sentence: str) -> Refused:
    """Return the refusal of a new session by one of the bounds on all of them."""
    return Refused(errors_pb2.REASON_FULL, sentence, details={"bound": bound}, retry_after_ms=_NO_ROOM_MS)


def no_memory() -> Refused:
    """Return the refusal of a new session for which Redis has no memory."""
    return no_room("memory", "there is no memory for more sessions now")


def player_key(shard: int, name: str, player_id: str) -> str:
    """Return the key of a player's list in a shard (player, playing)."""
    return shard_key(shard, f"{name}:{player_id}")
