"""Leases of shards, and which processes are alive. Only the clock of the Redis server decides how long either holds."""

import asyncio
import json
import secrets
import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from services.runtime.redis_client.coalescer import Scripts
from services.runtime.redis_client.scripts import GOES_ON, read_script
from services.runtime.settings import Settings
from services.sharding.shards import SHARDS, Holding, Member, lease_key

LEASE_MS = 3_000
"""How long a lease holds: a process that is silent for that long is replaced."""
MEMBERS = "bw:members"
"""The key of what processes report about themselves."""
CHANNEL = "bw:shards"
"""Where a process is told that it was given a shard (its name), and all that there is something to share (nothing)."""


def place_of(config: Settings) -> str:
    """Return where this process is: no other one accepts links there at the same time."""
    return f"{socket.gethostname()} {config.link_listen or config.session_link_address}"


_SCRIPTS = {name: read_script("services.sharding", (name,), GOES_ON) for name in ("lease", "members")}


class Token(NamedTuple):
    """The proof of a write: the lease under which it was begun."""

    owner: str
    epoch: int


class Lease(NamedTuple):
    """The owner of a shard."""

    owner: str
    """A process; empty if nobody does."""
    epoch: int
    """How often the shard has changed hands."""
    left_ms: int
    """How long the lease still holds; 0: whoever wants may claim it."""
    format: int
    """The format of its last owner."""

    @property
    def holding(self) -> Holding:
        """Return the part of it that sharing needs."""
        return Holding(self.owner, is_free=not self.owner or not self.left_ms, format=self.format)


@dataclass(frozen=True, slots=True)
class Peer:
    """The report of a process on itself."""

    member: Member
    place: str
    """Where it can be reached. No two processes are at one place at the same time: a later one knows that the first is dead."""
    callers: int | None = None
    """How many processes have a link to it; None where its release does not say."""

    def encode(self) -> str:
        """Return it as it is stored."""
        member = self.member
        data = {
            "format": member.format,
            "leaving": member.is_leaving,
            "unreadable": sorted(member.unreadable),
            "place": self.place,
            "callers": self.callers,
        }
        return json.dumps(data)

    @classmethod
    def decode(cls, data: bytes) -> "Peer":
        """Return what `encode` has made of it. Raises ValueError, KeyError or TypeError."""
        values = json.loads(data)
        member = Member(
            int(values["format"]), is_leaving=bool(values["leaving"]), unreadable=frozenset(map(int, values["unreadable"]))
        )
        callers = values.get("callers")
        return cls(member, str(values["place"]), None if callers is None else int(callers))


LEASE_KEYS = tuple(map(lease_key, range(SHARDS)))
"""The key of each shard's lease, in the slot of all that is the shard's."""


class Leases:
    """The leases as one process uses them. Every method raises Refused (UNAVAILABLE) while Redis cannot be reached."""

    def __init__(self, send: Callable[..., asyncio.Future[Any]], place: str, format_: int, lease_ms: int = LEASE_MS) -> None:
        """`send` sends a command to Redis. `format_` is that of the sessions that this process reads."""
        self.own = secrets.token_hex(8)
        """The unique name of this process."""
        self.place = place
        self.format = format_
        self.lease_ms = lease_ms
        self._run = Scripts(send, _SCRIPTS).run

    async def look_at(self, shard: int) -> Lease:
        """Return a shard's lease; it is renewed if it is this process's."""
        return await self._do(shard, "look")

    async def claim(self, shard: int, known_epoch: int) -> Lease:
        """Take a lease, if it is free, and return it as it is now. Its epoch is greater than the one that is known."""
        return await self._do(shard, "claim", known_epoch)

    async def seize(self, shard: int, known_epoch: int) -> Lease:
        """Take a lease as `claim` does, from a dead process of the same place, too, and return it as it is now."""
        return await self._do(shard, "seize", known_epoch)

    async def give(self, shard: int, epoch: int, to: str, peer: Peer) -> Lease:
        """Hand a lease of this process's, of that epoch, to another process, and inform it. Returns the lease as it is now."""
        return await self._do(shard, "give", epoch, epoch, to, peer.place, peer.member.format)

    async def release(self, shard: int, epoch: int) -> Lease:
        """Release a lease of this process's, of that epoch, and inform everybody. Returns the lease as it is now."""
        return await self._do(shard, "release", epoch, epoch)

    async def say(self, peer: Peer, dead: Iterable[str] = ()) -> dict[str, Peer]:
        """Announce that this process is alive, and that others are not. Returns all live ones.

        A process is believed for less time than its leases hold, so that it is out of the way when these become free.
        """
        return _peers(await self._run("members", [MEMBERS], [self.own, peer.encode(), self.lease_ms * 4 // 5, CHANNEL, *dead]))

    async def go(self) -> None:
        """Announce that this process is no longer alive."""
        await self._run("members", [MEMBERS], [self.own, "", 0, CHANNEL])

    async def _do(
        self, shard: int, what: str, known: int = 0, epoch: int = 0, to: str = "", place: str = "", format_: int = 0
    ) -> Lease:
        arguments = [self.own, what, self.lease_ms, self.place, self.format, known, epoch, to, place, format_, CHANNEL]
        owner, number, left, last = await self._run("lease", [lease_key(shard)], arguments)
        return Lease(owner.decode(), number, left, last)


def _peers(data: Sequence[bytes]) -> dict[str, Peer]:
    flat = iter(data)
    found: dict[str, Peer] = {}
    for name, said in zip(flat, flat, strict=True):
        try:
            found[name.decode()] = Peer.decode(said)
        except (ValueError, KeyError, TypeError):
            continue  # of a release that says it otherwise: its leases hold all the same
    return found
