"""Sessions in Redis, with talk and viewings. Everything about one is in one slot, so every write is one script (scripts/)."""

import asyncio
import math
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any, NamedTuple

from redis.exceptions import OutOfMemoryError

from brettwerk.internal.v1.session_state_pb2 import StoredViewing
from services.runtime.redis_client.coalescer import Scripts
from services.runtime.redis_client.scripts import GOES_ON, READS, read_script
from services.runtime.redis_client.servers import Server, close_client, servers_of
from services.runtime.redis_url import AnyRedis
from services.runtime.refusal import moved, unavailable, unknown
from services.runtime.tasks import PromptFuture
from services.session.domain.bounds import REQUESTS_KEPT, VIEWING_KEPT_S, VIEWINGS, VIEWINGS_PER_PLAYER
from services.session.domain.clocks import Outage
from services.session.domain.ids import REQUEST_BYTES, session_key
from services.session.domain.storage_format import entry_of
from services.session.store.commits import (
    LISTS,
    NO_MARK,
    OVER,
    Commits,
    Head,
    Kept,
    Result,
    TokenOf,
    Write,
    no_memory,
    no_room,
    player_key,
)
from services.sharding.leases import LEASE_KEYS, LEASE_MS, Leases
from services.sharding.shards import SHARDS, lease_key, shard_key, shard_of

OUTAGE_MS = 2_000
"""A silence of a shard's sweeper that is an outage: when its owner hangs, it takes longer until another one serves it."""
OUTAGES_KEPT = 16
_STATE_FIELDS = ("over", "secrets", "revision")
"""Fields of a session's hash: every session has some of them."""
_CLAIMED_AT_ONCE = 200
TALK_KEPT_S = 180 * 86_400
"""Talk of a session that goes on, and to which nobody has added anything for so long, is forgotten."""
_LOOKED_AT = 200
"""Sessions of an address that are looked at when it is full: the cost of a refusal."""
_ALL_VIEWINGS = shard_key(0, "viewings")

_READ = partial(read_script, "services.session.store")
# When Redis has reached its maxmemory all goes on but new sessions, so that nobody's game stands still for them.
_SCRIPTS = {
    "found": _READ(("commit",)),
    **{name: _READ((name,)) for name in ("admit", "reserve", "talk", "conditional", "orders", "viewing", "count_in")},
    **{name: _READ((name,), GOES_ON) for name in ("commit", "claim", "postpone", "retire", "remove", "absent")},
    **{name: _READ((name,), READS) for name in ("read", "head", "count")},
}


@dataclass(frozen=True, slots=True)
class Stored:
    """A session as it is stored."""

    version: int
    archived: str
    """The archive's mark: archiving, archived or nothing."""
    kept: Kept | None
    """The newest state that is kept, without its bytes where only the end was read; None when there is none yet."""
    secrets: bytes = field(repr=False)
    """The secrets that the log does not know; empty where release 0.1.0 kept it with the state."""
    has_former: bool
    """Whether release 0.1.0 kept it."""
    after: int
    """The version before the first of the elements."""
    elements: Sequence[bytes] = field(repr=False)
    """The end of the log: all after the state that is kept, and those before it that may answer repeated requests."""
    former_requests: Mapping[bytes, bytes] = field(repr=False)
    """Answers to requests, as release 0.1.0 kept them."""
    conditional: bytes = field(default=b"", repr=False)
    """The conditional moves (StoredConditionalMoves); empty where there are none."""
    orders: bytes = field(default=b"", repr=False)
    """The orders (StoredOrders); empty where there are none."""


class Admission(Enum):
    """Whether there is room for a session, in the words of scripts/admit.lua."""

    DONE = "done"
    THERE = "there"
    """It exists already."""
    PLAYER = "player"
    """Its player has too many."""
    ADDRESS = "address"
    """Too many come from its address."""


class Claim(NamedTuple):
    """The chores of a shard."""

    outages: Sequence[Outage]
    due: Sequence[str]
    next_ms: float
    """When the next session is due, in milliseconds since 1970; infinite without one."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The sessions of a shard."""

    unfinished: int
    """Sessions that are not over. (One that ended under a release that did not note it counts until it leaves the store.)"""
    unarchived: int
    """Finished sessions that the archive does not have yet."""
    oldest_end_s: float | None
    """When the first of these ended, in seconds since 1970 by the store's clock."""


class Store:
    """Reads and writes. Every method raises Refused (UNAVAILABLE) while Redis cannot be reached."""

    def __init__(self, client: AnyRedis, replicas: int, token: TokenOf) -> None:
        """Use a client that returns bytes; writes wait for so many replicas, and show what `token` returns for their shard."""
        self._client = client
        self._servers = servers_of(client, replicas)
        self._scripts = Scripts(self._servers.send, _SCRIPTS)
        self._commits = Commits(self._scripts.send, token, is_cluster=self._servers.is_cluster)
        self.drain_writes = self._commits.drain_writes
        self._token = token
        self.due_changed: Callable[[], None] = lambda: None
        """Is called before a session gets another time at which it is due."""

    async def close(self) -> None:
        """Wait for what is under way and close the connections."""
        await self._commits.close()
        await self._servers.close()
        await close_client(self._client)

    def leases(self, place: str, format_: int, lease_ms: int = LEASE_MS) -> Leases:
        """Return the leases as a process at this place uses them, which reads sessions of this format."""
        return Leases(self._servers.send, place, format_, lease_ms)

    def place_of(self, shard: int) -> Server | None:
        """Return where writes to a shard go now; None when it is not known, or there is only one server."""
        return self._servers.place_of(LEASE_KEYS[shard])

    async def is_ready(self) -> bool:
        """Return whether Redis answers."""
        return bool(await self._servers.everywhere("PING"))

    async def read(self, session_id: str, after: int | None = None) -> Stored | None:
        """Return a session, or None. With the version that is known already only what the log has after it."""
        keys = [session_key(session_id, name) for name in ("log", "state", "requests")]
        found = await self._run("read", keys, ["" if after is None else after, REQUESTS_KEPT])
        version, archived, at, state, logged, secrets, former, first, elements, requests, conditional, orders = found
        if not version:
            return None
        flat = iter(requests)
        return Stored(
            version=version,
            archived=archived.decode(),
            kept=Kept(at, state, int(logged)) if at else None,
            secrets=secrets,
            has_former=former == b"1",
            after=first,
            elements=elements,
            conditional=conditional,
            orders=orders,
            former_requests={name: answer for name, answer in zip(flat, flat, strict=True) if len(name) == REQUEST_BYTES},
        )

    async def head(self, session_id: str) -> Head | None:
        """Return the newest version of a session, or None."""
        version, tip = await self._run("head", [session_key(session_id, "log")], [])
        return Head(version, tip.decode()) if version else None

    async def version(self, session_id: str) -> int | None:
        """Return a session's version, or None."""
        length: int = await self._servers.send("LLEN", session_key(session_id, "log"))
        return length or None

    async def require_absent(self, session_id: str) -> None:
        """Return when a session that was not found is certainly not there. Raises Refused (UNAVAILABLE).

        A server reads as if it were the master while it is a replica that has just come back with nothing, or a former master
        that was cut off from the others. That it lacks a session means nothing then, and clients that hear it go for good.
        """
        if not await self._run("absent", [session_key(session_id, "log")], []):
            raise unavailable("store")

    async def log(self, session_id: str, after_version: int = 0, last_version: int = 0) -> list[bytes]:
        """Return the entries of a session that came after a version, as far as to the last one, or to a given one."""
        elements = await self._servers.send("LRANGE", session_key(session_id, "log"), after_version, last_version - 1)
        return [entry_of(element) for element in elements]

    async def entry(self, session_id: str, version: int) -> bytes | None:
        """Return the entry that made a version of a session; None when there is none."""
        element: bytes | None = await self._servers.send("LINDEX", session_key(session_id, "log"), version - 1)
        return None if element is None else entry_of(element)

    def commit(self, write: Write) -> PromptFuture[Result]:
        """Begin to store a write, and return what becomes of it: whoever awaits that is told at once."""
        if write.due_ms is not None:
            self.due_changed()
        return self._commits.commit(write)

    async def claim(
        self, shard: int, now_ms: int, again_ms: int, left: Sequence[str] = (), limit: int = _CLAIMED_AT_ONCE
    ) -> Claim:
        """Return what is due in a shard, without the sessions `left`, and at most `limit`: it is due again after `again_ms`."""
        keys = [shard_key(shard, name) for name in ("due", "swept", "outages")]
        arguments = [now_ms, now_ms + again_ms, limit, OUTAGE_MS, OUTAGES_KEPT, *left]
        outages, ids, next_ms = await self._run("claim", keys, arguments)
        spans = (line.decode().split() for line in outages)
        return Claim(
            [Outage(int(begin), int(end)) for begin, end in spans],
            [session_id.decode() for session_id in ids],
            float(next_ms) if next_ms else float("inf"),
        )

    async def due_until(self, shard: int, until_ms: int) -> list[str]:
        """Return all sessions of a shard that are due until a moment, the first one first; they stay due."""
        found = await self._servers.send("ZRANGE", shard_key(shard, "due"), "-inf", until_ms, "BYSCORE")
        return [session_id.decode() for session_id in found]

    async def postpone(self, session_id: str, version: int, due_ms: int) -> bool:
        """Set when a session is due. Returns whether it was still at that version."""
        self.due_changed()
        keys = [session_key(session_id, "log"), shard_key(shard_of(session_id), "due")]
        return bool(await self._run("postpone", keys, [session_id, version, due_ms]) == 0)

    async def forget_events(self, shard: int) -> None:
        """Remove the event streams that release 0.1.0 kept of a shard."""
        for name in ("events", "flow"):
            await self._servers.send("DEL", shard_key(shard, name))

    async def give_back(self, session_id: str, now_ms: int) -> None:
        """Let a session that was claimed be due at once."""
        self.due_changed()
        await self._servers.send("ZADD", shard_key(shard_of(session_id), "due"), "XX", now_ms, session_id)

    async def forget_due(self, session_id: str) -> None:
        """Remove a session that is gone from what is due."""
        await self._servers.send("ZREM", shard_key(shard_of(session_id), "due"), session_id)

    async def retire(self, session_id: str, version: int, mark: str, due_ms: int | None = None) -> bool:
        """Mark a session for the archive, and set when it is due. Returns whether it was still at that version."""
        self.due_changed()
        shard = shard_of(session_id)
        keys = [*(session_key(session_id, name) for name in ("log", "state"))]
        keys += (shard_key(shard, name) for name in ("due", OVER))
        return bool(await self._run("retire", keys, [session_id, version, mark, "" if due_ms is None else due_ms]))

    async def remove(self, session_id: str, version: int, players: Iterable[str]) -> bool:
        """Remove an archived session. Returns whether it was still at that version."""
        shard = shard_of(session_id)
        keys = [
            *(session_key(session_id, name) for name in ("log", "state")),
            shard_key(shard, "due"),
            *(session_key(session_id, name) for name in ("updates", "requests", "attempts", "talk")),
            *(shard_key(shard, name) for name in (*LISTS, OVER)),
            *(player_key(shard, name, player) for player in players for name in ("player", "playing")),
        ]
        return bool(await self._run("remove", keys, [session_id, version]))

    async def talk(self, session_id: str) -> list[bytes]:
        """Return what was said at a session's table, oldest first."""
        return list(await self._servers.send("LRANGE", session_key(session_id, "talk"), 0, -1))

    async def add_talk(self, session_id: str, line: bytes, goes: Sequence[bytes]) -> None:
        """Add a line to what was said, in the place of others. Raises Refused: UNAVAILABLE (moved, too), FULL, UNKNOWN."""
        await self._write_beside(session_id, "talk", "talk", line, TALK_KEPT_S, *goes)

    async def keep_conditional(self, session_id: str, data: bytes) -> None:
        """Keep the conditional moves of a session in place of those that it has. Raises Refused as `add_talk` does."""
        await self._write_beside(session_id, "conditional", "state", data)

    async def keep_orders(self, session_id: str, mark: str, data: bytes) -> bool:
        """Keep the orders of a session in place of those of a mark, or do nothing and return False where it has others.

        Raises Refused as `add_talk` does.
        """
        answer: bytes = await self._write_beside(session_id, "orders", "state", mark or NO_MARK, data)
        return answer != b"lost"

    async def _write_beside(self, session_id: str, script: str, key: str, *arguments: Any) -> Any:
        """Write something of a session that is not in its log, under this process's lease; return what the script answers."""
        keys = [session_key(session_id, "log"), session_key(session_id, key)]
        answer = await self._run_leased(shard_of(session_id), script, keys, *arguments)
        if answer == b"gone":
            raise unknown("session", "session_id", session_id)
        return answer

    async def _run_leased(self, shard: int, script: str, keys: Sequence[str], *arguments: Any) -> Any:
        """Return what a script answers that writes to a shard under this process's lease. Raises Refused: moved, FULL."""
        token = self._token(shard)
        answer = b"moved" if token is None else await self._run(script, [lease_key(shard), *keys], [*token, *arguments])
        if answer == b"moved":
            raise moved(shard)
        return answer

    async def viewing(self, session_id: str, viewing_id: str) -> StoredViewing | None:
        """Return a viewing of a session; None if there is none, or it is over."""
        data: bytes | None = await self._servers.send("GET", _viewing_key(session_id, viewing_id))
        return None if data is None else StoredViewing.FromString(data)

    async def keep_viewing(self, session_id: str, viewing: StoredViewing) -> None:
        """Keep a viewing as it is now, for some minutes. Raises Refused: FULL without memory, UNAVAILABLE (moved, too)."""
        await self._write_viewing(session_id, viewing.id, viewing.SerializeToString(deterministic=True))

    async def remove_viewing(self, session_id: str, viewing: StoredViewing) -> None:
        """Remove a viewing, and count it no more."""
        await self._write_viewing(session_id, viewing.id, b"")
        for key in (_ALL_VIEWINGS, _starter_key(viewing.starter_id)):
            await self._servers.send("ZREM", key, viewing.id)

    async def prolong_viewing(self, session_id: str, viewing: StoredViewing, now_ms: int) -> None:
        """Keep a viewing for some more minutes, and count it for as long."""
        await self._servers.send("EXPIRE", _viewing_key(session_id, viewing.id), VIEWING_KEPT_S)
        await self._count_viewing(_ALL_VIEWINGS, viewing.id, VIEWINGS, now_ms)
        await self._count_viewing(_starter_key(viewing.starter_id), viewing.id, VIEWINGS_PER_PLAYER, now_ms)

    async def admit_viewing(self, viewing_id: str, starter_id: str, now_ms: int) -> None:
        """Count a new viewing for all, and for the player who starts it. Raises Refused (FULL) if there is no room."""
        if not await self._count_viewing(_starter_key(starter_id), viewing_id, VIEWINGS_PER_PLAYER, now_ms):
            raise no_room("player", f"a player has at most {VIEWINGS_PER_PLAYER} viewings at a time")
        if not await self._count_viewing(_ALL_VIEWINGS, viewing_id, VIEWINGS, now_ms):
            raise no_room("total", f"there are at most {VIEWINGS} viewings at a time")

    async def _write_viewing(self, session_id: str, viewing_id: str, data: bytes) -> None:
        await self._run_leased(shard_of(session_id), "viewing", [_viewing_key(session_id, viewing_id)], data, VIEWING_KEPT_S)

    async def _count_viewing(self, key: str, viewing_id: str, limit: int, now_ms: int) -> bool:
        arguments = [viewing_id, now_ms, now_ms + VIEWING_KEPT_S * 1000, limit, VIEWING_KEPT_S]
        return bool(await self._run("count_in", [key], arguments))

    async def unfinished(self, player_id: str) -> int:
        """Return how many unfinished sessions a player has a seat in, or has created."""
        return await self._count("SCARD", _playing(player_id))

    async def count_sessions(self) -> int:
        """Return how many sessions there are, with those that are over and have not left yet."""
        return await self._count("ZCARD", [shard_key(shard, "due") for shard in range(SHARDS)])

    async def count_shard(self, shard: int) -> "Counted":
        """Return how many sessions of a shard are not over, and how many wait for the archive."""
        due, over = shard_key(shard, "due"), shard_key(shard, OVER)
        stored, ended, waiting, oldest = await asyncio.gather(
            self._servers.send("ZCARD", due),
            self._servers.send("ZCARD", over),
            self._servers.send("ZCOUNT", over, "-inf", "(inf"),
            self._servers.send("ZRANGEBYSCORE", over, "-inf", "(inf", "WITHSCORES", "LIMIT", 0, 1),
        )
        return Counted(max(0, stored - ended), waiting, _scored(oldest)[0][1] if oldest else None)

    async def memory(self) -> tuple[int, int]:
        """Return the bytes of memory that the store uses and may use; 0 if it has no bound, or does not report it.

        Of several servers, those of the fullest: sessions are spread by chance, and one that is full refuses them.
        """
        reports = [(int(one.get("used_memory", 0)), int(one.get("maxmemory", 0))) for one in await self.info("memory") if one]
        return max(reports, key=lambda one: one[0] / (one[1] or math.inf))

    async def info(self, *sections: str) -> list[dict[str, str]]:
        """Return what each server says of itself (INFO); nothing for one that cannot be reached, if another one can."""
        reports = await self._servers.everywhere("INFO", *sections)
        return [{} if report is None else _facts(report.decode()) for report in reports]

    async def admit(self, session_id: str, player_id: str, most: int, address: str, limit: int, kept_s: int) -> Admission:
        """Return whether there is room for a new session, of whose player there are `most`; if so, `reserve` it for the address.

        Nothing is reserved for an address that is empty.
        """
        if self._servers.is_cluster:
            if await self.version(session_id) is not None:
                return Admission.THERE
            if await self.unfinished(player_id) >= most:
                return Admission.PLAYER
            is_reserved = not address or await self.reserve(address, session_id, limit, kept_s)
            return Admission.DONE if is_reserved else Admission.ADDRESS
        log = session_key(session_id, "log")
        keys = [log, _address_key(address) if address else log, *_playing(player_id)]
        answer: bytes = await self._run("admit", keys, [session_id, most, limit if address else "", kept_s])
        return Admission(answer.decode())

    async def reserve(self, address: str, session_id: str, limit: int, kept_s: int) -> bool:
        """Count a session for an address, which is remembered for a while. Returns whether there was room for it."""
        return bool(await self._run("reserve", [_address_key(address)], [session_id, limit, kept_s]))

    async def forget_over(self, address: str) -> bool:
        """Look at some of an address's sessions and take out those that are over or not there. Returns whether any were."""
        ids = await self._servers.send("SRANDMEMBER", _address_key(address), _LOOKED_AT)
        keys = [session_key(session_id.decode(), "state") for session_id in ids]
        found = await asyncio.gather(*(self._servers.send("HMGET", key, *_STATE_FIELDS) for key in keys))
        over = [one for one, (is_over, *others) in zip(ids, found, strict=True) if is_over == b"1" or not any(others)]
        return bool(over) and bool(await self._servers.send("SREM", _address_key(address), *over))

    async def listed(self, key: str, shard: int, before: int, count: int) -> list[tuple[str, int]]:
        """Return ids and scores of a shard's list, newest first, from the score `before` on."""
        found = await self._servers.send(
            "ZRANGE", shard_key(shard, key), before, "-inf", "BYSCORE", "REV", "LIMIT", 0, count, "WITHSCORES"
        )
        return [(name.decode(), int(score)) for name, score in _scored(found)]

    async def playing(self, player_id: str, shard: int) -> list[tuple[str, int]]:
        """Return ids and scores of a player's unfinished sessions in a shard, newest first."""
        found = await self._servers.send("SMEMBERS", player_key(shard, "playing", player_id))
        if not found:
            return []
        ids = sorted(found)
        scores = await self._servers.send("ZMSCORE", player_key(shard, "player", player_id), *ids)
        listed = [(each.decode(), int(float(score))) for each, score in zip(ids, scores, strict=True) if score is not None]
        return sorted(listed, key=lambda each: (each[1], each[0]), reverse=True)

    async def _count(self, command: str, keys: Sequence[str]) -> int:
        """Return how many members sets of all shards have together: one question to a server that has all of them."""
        if not self._servers.is_cluster:
            count: int = await self._run("count", keys, [command])
            return count
        return sum(await asyncio.gather(*(self._servers.send(command, key) for key in keys)))

    async def _run(self, name: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        try:
            return await self._scripts.run(name, keys, arguments)
        except OutOfMemoryError:  # only the scripts of new sessions let Redis refuse them for that
            raise no_memory() from None


def _scored(found: Sequence[Any]) -> list[tuple[bytes, float]]:
    """Return members and scores: with RESP3 an answer has a pair of each, with RESP2 all are one list."""
    pairs = found if found and isinstance(found[0], list | tuple) else zip(found[::2], found[1::2], strict=True)
    return [(member, float(score)) for member, score in pairs]


def _facts(report: str) -> dict[str, str]:
    return {name: value for name, _, value in (line.partition(":") for line in report.splitlines()) if value}


def _playing(player_id: str) -> list[str]:
    return [player_key(shard, "playing", player_id) for shard in range(SHARDS)]


def _address_key(address: str) -> str:
    # The word in it is an older one for "created": keys that are stored keep their names.
    return shard_key(int(address[0], 16), f"founded:{address}")


def _viewing_key(session_id: str, viewing_id: str) -> str:
    return session_key(session_id, f"viewing:{viewing_id}")


def _starter_key(player_id: str) -> str:
    return shard_key(zlib.crc32(player_id.encode()) % SHARDS, f"viewings:{player_id}")
