"""Which shards this process owns, as far as it knows, and who is told when one comes or goes.

A shard is served from the moment its outages are known until its lease is lost or given away. In between, the lease may be
uncertain, because the store has not answered for a while: then sessions are verified with the store before they are believed, and
writes are refused there if somebody else owns the shard by now (commit.lua).
"""

import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field

from services.runtime import metrics
from services.runtime.refusal import moved
from services.sharding.leases import Token
from services.sharding.shards import SHARDS, shard_if_any


@dataclass(frozen=True, slots=True)
class ShardEvents:
    """The listeners for shards, in their order. Listeners must not raise, and wait only before a shard is served."""

    coming: list[Callable[[int], Awaitable[None]]] = field(default_factory=list)
    """Told of a shard before it is served, to find out what must be known by then. Each may raise Refused (UNAVAILABLE)."""
    begun: list[Callable[[Collection[int]], None]] = field(default_factory=list)
    """Told of shards that are served from now on. Earlier knowledge about them must not be believed."""
    ended: list[Callable[[Collection[int]], None]] = field(default_factory=list)
    """Told of shards that are no longer this process's."""
    doubted: list[Callable[[Collection[int]], None]] = field(default_factory=list)
    """Told of shards that may have been set back: everything that was believed of them is verified with the store."""

    def doubt(self, shards: Collection[int]) -> None:
        """Tell of shards that may have been set back."""
        for tell in self.doubted:
            tell(shards)


class OwnedShards:
    """The shards of this process."""

    def __init__(self, events: ShardEvents, now_s: Callable[[], float] = time.monotonic) -> None:
        """`now_s` is a clock that nobody sets."""
        self._events = events
        self.now_s = now_s
        self._served: dict[int, Token] = {}
        """The shards that are served, and what writes show there."""
        self._certain_until_s = [0.0] * SHARDS
        """Until when a lease that was this process's is so for certain: a shard's server may be away while others are not."""
        self._announce: Callable[[Mapping[int, int]], None] | None = None

    def owns(self, shard: int) -> bool:
        """Return whether nobody else can have written to a shard since this process began to serve it."""
        return shard in self._served and self.now_s() < self._certain_until_s[shard]

    def serves(self, shard: int) -> bool:
        """Return whether a shard is this process's as far as it knows."""
        return shard in self._served

    @property
    def served(self) -> list[int]:
        """The shards that are served."""
        return sorted(self._served)

    def owned(self) -> list[int]:
        """Return the shards that are this process's for certain."""
        return [shard for shard in self.served if self.owns(shard)]

    def token(self, shard: int) -> Token | None:
        """Return what a write to a shard must show; None if the shard is another process's."""
        return self._served.get(shard)

    def check(self, session_id: str) -> None:
        """Return if a session's shard is this process's, or if no session can have the id. Raises Refused (moved)."""
        shard = shard_if_any(session_id)
        if shard is not None and shard not in self._served:
            raise moved(shard)

    def announce(self, announce: Callable[[Mapping[int, int]], None]) -> None:
        """Inform callers of the shards that are served, with their epochs, now and whenever that changes."""
        self._announce = announce
        self._tell()

    def confirm(self, shard: int, until_s: float) -> None:
        """Take in that a lease of this process's holds until a moment of `now_s`."""
        self._certain_until_s[shard] = until_s

    def begin(self, tokens: Mapping[int, Token], how: str) -> None:
        """Serve some shards; `how` they came, for metrics."""
        for tell in self._events.begun:
            tell(tokens)
        self._served.update(tokens)
        self._count(len(tokens), how)

    def end(self, shards: Collection[int], how: str) -> None:
        """Serve some shards no longer; `how` they went, for metrics."""
        if not shards:
            return
        for shard in shards:
            del self._served[shard]
        # Callers first: whoever is sent away by what follows must not be sent here again.
        self._count(len(shards), how)
        for tell in self._events.ended:
            tell(shards)

    def _count(self, changes: int, how: str) -> None:
        metrics.SHARD_CHANGES.labels(how).inc(changes)
        self._tell()

    def _tell(self) -> None:
        metrics.SHARDS_OWNED.set(len(self._served))
        if self._announce is not None:
            self._announce({shard: token.epoch for shard, token in self._served.items()})
