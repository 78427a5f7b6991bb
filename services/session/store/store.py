"""Sessions in Redis. Everything that a session is lies in one slot, so every write is one script (scripts/)."""

import asyncio
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import redis.asyncio
from redis.exceptions import NoScriptError, OutOfMemoryError

from brettwerk.v1 import errors_pb2
from services.runtime.refusal import Refused
from services.session.domain.bounds import (
    EVENTS_BYTES,
    LOG_BYTES,
    POSITIONS_BYTES,
    POSITIONS_KEPT,
    REQUESTS_BYTES,
    REQUESTS_KEPT,
    REQUESTS_KEPT_S,
    SHARDS,
    UPDATES_BYTES,
    UPDATES_KEPT,
)
from services.session.domain.clocks import Outage
from services.session.domain.ids import session_key, shard_key, shard_of
from services.session.store.coalescer import Coalescer
from services.session.store.lua import scripts
from services.session.store.write import Archived, Committed, Full, Gone, Known, Lost, Result, Write

OUTAGE_MS = 5_000
"""A silence of all sweepers that is an outage."""
OUTAGES_KEPT = 16
_LISTS = ("open", "running", "finished")
_CLAIMED_AT_ONCE = 200
_LOOKED_AT = 200
"""Sessions of an address that are looked at when it is full: the cost of a refusal."""
_NO_ROOM_MS = 30_000
"""When to come again for a new session: sessions end, and the oldest ones leave the store."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A session as it is stored: its revision, its state, and the archive's mark (archiving, archived or nothing).

    A revision is the version and a random mark, so that a version that was lost and made anew is another one.
    """

    revision: str
    state: bytes = field(repr=False)
    archived: str = ""

    @property
    def version(self) -> int:
        """The version."""
        return _version(self.revision)


class Store:
    """Reads and writes. Every method raises Refused (UNAVAILABLE) while Redis cannot be reached."""

    def __init__(self, client: "redis.asyncio.Redis", replicas: int = 0) -> None:
        """Use a client whose connections have timeouts and return bytes; what is written waits for so many replicas."""
        self._client = client
        self._coalescer = Coalescer(client, replicas)
        self._scripts = scripts()

    async def close(self) -> None:
        """Wait for what is under way and close the connections."""
        await self._coalescer.close()
        await self._client.aclose()

    async def is_ready(self) -> bool:
        """Return whether Redis answers."""
        return bool(await self._coalescer.send("PING"))

    async def read(self, session_id: str) -> Stored | None:
        """Return a session, or None."""
        revision, state, archived = await self._coalescer.send(
            "HMGET", session_key(session_id, "state"), "revision", "state", "archived"
        )
        return None if revision is None else Stored(revision.decode(), state, (archived or b"").decode())

    async def version(self, session_id: str) -> int | None:
        """Return a session's version, or None."""
        revision = await self.revision(session_id)
        return None if revision is None else _version(revision)

    async def revision(self, session_id: str) -> str | None:
        """Return a session's revision, or None."""
        revision = await self._coalescer.send("HGET", session_key(session_id, "state"), "revision")
        return None if revision is None else revision.decode()

    async def position(self, session_id: str, plies: int) -> bytes | None:
        """Return the position of the line after so many plies, when it is one of the last that are kept."""
        value: bytes | None = await self._coalescer.send("HGET", session_key(session_id, "state"), _field(plies))
        return value

    async def answer(self, session_id: str, request: bytes) -> bytes | None:
        """Return what was answered to a request, or None."""
        value: bytes | None = await self._coalescer.send("HGET", session_key(session_id, "requests"), request)
        return value

    async def log(self, session_id: str, after_version: int = 0) -> list[bytes]:
        """Return the entries of a session that came after a version."""
        entries: list[bytes] = await self._coalescer.send("LRANGE", session_key(session_id, "log"), after_version, -1)
        return entries

    async def entry(self, session_id: str, version: int) -> bytes | None:
        """Return the entry that made a version of a session; None when there is none."""
        entry: bytes | None = await self._coalescer.send("LINDEX", session_key(session_id, "log"), version - 1)
        return entry

    async def updates(self, session_id: str, count: int) -> list[bytes]:
        """Return the last `count` packed updates of a session, or as many as are kept."""
        packed: list[bytes] = await self._coalescer.send("LRANGE", session_key(session_id, "updates"), -count, -1)
        return packed

    async def count_updates(self, session_id: str) -> int:
        """Return how many of the last packed updates of a session are kept."""
        count: int = await self._coalescer.send("LLEN", session_key(session_id, "updates"))
        return count

    async def commit(self, write: Write) -> Result:
        """Store a write, or return why it was not."""
        keys = [
            *(session_key(write.session_id, name) for name in ("state", "log", "updates", "requests")),
            *(shard_key(shard_of(write.session_id), name) for name in ("due", "events", "flow")),
            session_key(write.session_id, "attempts"),
            *self._list_keys(write.session_id, write.players),
        ]
        revision = f"{write.version}-{secrets.token_hex(4)}"
        dropped = [_field(count) for count in write.dropped if count >= 0]
        arguments: list[Any] = [
            write.session_id,
            write.expected or "0",
            revision,
            write.state,
            write.request,
            write.answer,
            REQUESTS_KEPT,
            REQUESTS_BYTES,
            REQUESTS_KEPT_S,
            write.due_ms,
            EVENTS_BYTES,
            UPDATES_KEPT,
            UPDATES_BYTES,
            POSITIONS_KEPT,
            POSITIONS_BYTES,
            "" if write.is_final else LOG_BYTES,
            write.place,
            write.score,
            "1" if write.asks_anew else "",
            "1" if write.reopens else "",
            "1" if write.is_over else "",
            len(write.entries),
            *write.entries,
            *write.updates,
            len(dropped),
            *dropped,
            len(write.kept),
        ]
        for count, position in write.kept.items():
            arguments += (_field(count), position)
        arguments += ("1" if plays else "0" for plays in write.players.values())
        answer = await self._run("commit" if write.expected else "found", keys, arguments)
        match answer[0]:
            case b"done":
                return Committed(revision)
            case b"known":
                return Known(answer[1])
            case b"lost":
                return Lost(answer[1].decode(), answer[2])
            case b"archived":
                return Archived()
            case b"full":
                return Full()
        return Gone()

    async def claim(self, shard: int, now_ms: int, lease_ms: int, left: Sequence[str] = ()) -> tuple[list[Outage], list[str]]:
        """Return a shard's outages, and the sessions that are due and that this sweeper has for `lease_ms` now.

        The sessions `left` are left to other sweepers.
        """
        keys = [shard_key(shard, name) for name in ("due", "swept", "outages")]
        arguments = [now_ms, now_ms + lease_ms, _CLAIMED_AT_ONCE, OUTAGE_MS, OUTAGES_KEPT, *left]
        outages, ids = await self._run("claim", keys, arguments)
        spans = (line.decode().split() for line in outages)
        return [Outage(int(begin), int(end)) for begin, end in spans], [session_id.decode() for session_id in ids]

    async def postpone(self, session_id: str, version: int, due_ms: int) -> bool:
        """Set when a session is due. Returns whether it was still at that version."""
        keys = [session_key(session_id, "state"), shard_key(shard_of(session_id), "due")]
        return bool(await self._run("postpone", keys, [session_id, version, due_ms]) == 0)

    async def attend(self, session_id: str, process: str, seats: int, now_ms: int, life_ms: int) -> tuple[int | None, int, int]:
        """Note which seats a process is connected to, for `life_ms`. Seats are the bits of a number.

        Returns the session's version, or None, and the seats that all processes are connected to, before and now.
        """
        keys = [session_key(session_id, "state"), session_key(session_id, "present")]
        revision, before, after = await self._run("attend", keys, [process, seats, now_ms, life_ms])
        return None if revision is None else _version(revision.decode()), before, after

    async def tell(self, session_id: str, packed: bytes) -> None:
        """Add to the event stream what is told to all processes and kept by none."""
        keys = [shard_key(shard_of(session_id), name) for name in ("events", "flow")]
        await self._run("tell", keys, [session_id, packed, EVENTS_BYTES])

    async def give_back(self, session_id: str, now_ms: int) -> None:
        """Let another sweeper have a claimed session at once."""
        await self._coalescer.send("ZADD", shard_key(shard_of(session_id), "due"), "XX", now_ms, session_id)

    async def forget_due(self, session_id: str) -> None:
        """Take a session that is not there any more out of what is due."""
        await self._coalescer.send("ZREM", shard_key(shard_of(session_id), "due"), session_id)

    async def retire(self, session_id: str, version: int, mark: str, due_ms: int) -> bool:
        """Mark a session for the archive. Returns whether it was still at that version."""
        keys = [session_key(session_id, "state"), shard_key(shard_of(session_id), "due")]
        return bool(await self._run("retire", keys, [session_id, version, mark, due_ms]))

    async def remove(self, session_id: str, version: int, players: Iterable[str]) -> bool:
        """Remove an archived session. Returns whether it was still at that version."""
        keys = [
            *(session_key(session_id, name) for name in ("state", "log", "updates", "requests")),
            shard_key(shard_of(session_id), "due"),
            session_key(session_id, "attempts"),
            *self._list_keys(session_id, players),
        ]
        return bool(await self._run("remove", keys, [session_id, version]))

    async def unfinished(self, player_id: str) -> int:
        """Return how many unfinished sessions a player has a seat in, or has created."""
        counts = (self._coalescer.send("SCARD", _player_key(shard, "playing", player_id)) for shard in range(SHARDS))
        return sum(await asyncio.gather(*counts))

    async def count_sessions(self) -> int:
        """Return how many sessions there are, with those that are over and have not left yet."""
        counts = (self._coalescer.send("ZCARD", shard_key(shard, "due")) for shard in range(SHARDS))
        return sum(await asyncio.gather(*counts))

    async def memory(self) -> tuple[int, int]:
        """Return the bytes of memory that the store uses and may use; 0 where it has no bound, or does not tell."""
        told = (await self._coalescer.send("INFO", "memory")).decode()
        facts = dict(line.split(":", 1) for line in told.splitlines() if ":" in line)
        return int(facts.get("used_memory", 0)), int(facts.get("maxmemory", 0))

    async def reserve(self, address: str, session_id: str, most: int, kept_s: int) -> bool:
        """Count a session for an address, which is remembered for a while. Returns whether there was room for it."""
        return bool(await self._run("reserve", [_address_key(address)], [session_id, most, kept_s]))

    async def forget_over(self, address: str) -> bool:
        """Look at some of an address's sessions and take out those that are over or not there. Returns whether any were."""
        ids = await self._coalescer.send("SRANDMEMBER", _address_key(address), _LOOKED_AT)
        keys = [session_key(session_id.decode(), "state") for session_id in ids]
        found = await asyncio.gather(*(self._coalescer.send("HMGET", key, "revision", "over") for key in keys))
        over = [session_id for session_id, (revision, is_over) in zip(ids, found, strict=True) if is_over or not revision]
        return bool(over) and bool(await self._coalescer.send("SREM", _address_key(address), *over))

    async def attended(self, session_id: str, now_ms: int) -> bool:
        """Return whether somebody is connected to a seat of a session."""
        _, _, seats = await self.attend(session_id, "", 0, now_ms, 1)
        return bool(seats)

    async def listed(self, key: str, shard: int, before: int, count: int) -> list[tuple[str, int]]:
        """Return ids and scores of a shard's list, newest first, from the score `before` on."""
        found = await self._coalescer.send(
            "ZRANGE", shard_key(shard, key), before, "-inf", "BYSCORE", "REV", "LIMIT", 0, count, "WITHSCORES"
        )
        flat = [part for pair in found for part in pair] if found and isinstance(found[0], list | tuple) else found
        return [(flat[i].decode(), int(float(flat[i + 1]))) for i in range(0, len(flat), 2)]

    def _list_keys(self, session_id: str, players: Iterable[str]) -> list[str]:
        shard = shard_of(session_id)
        keys = [shard_key(shard, name) for name in _LISTS]
        for player in players:
            keys += (_player_key(shard, "player", player), _player_key(shard, "playing", player))
        return keys

    async def _run(self, name: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        text, digest = self._scripts[name]
        try:
            try:
                return await self._coalescer.send("EVALSHA", digest, len(keys), *keys, *arguments)
            except NoScriptError:
                return await self._coalescer.send("EVAL", text, len(keys), *keys, *arguments)
        except OutOfMemoryError:  # only the script of new sessions lets Redis refuse it for that
            raise no_room("memory", "there is no memory for more sessions now") from None


def _address_key(address: str) -> str:
    return shard_key(int(address[0], 16), f"founded:{address}")


def no_room(bound: str, sentence: str) -> Refused:
    """Return the refusal of a new session by one of the bounds on all of them."""
    return Refused(errors_pb2.REASON_FULL, sentence, details={"bound": bound}, retry_after_ms=_NO_ROOM_MS)


def _player_key(shard: int, name: str, player_id: str) -> str:
    return shard_key(shard, f"{name}:{player_id}")


def _version(revision: str) -> int:
    return int(revision.partition("-")[0])


def _field(plies: int) -> str:
    return f"p{plies}"
