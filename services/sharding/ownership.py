"""Which shards this process owns, as far as it knows, and how they come and go.

A process keeps the leases of its shards, claims its share of free ones, and hands over those due to others. A shard is served
from the moment its outages are known until its lease is lost or given away. In between, the lease may be uncertain, because the
store has not answered for a while: then sessions are verified with the store before they are believed, and writes are refused
there if somebody else owns the shard by now (commit.lua).
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.refusal import Refused, moved, unavailable
from services.runtime.tasks import ends_within
from services.sharding.leases import Lease, Leases, Peer, Token
from services.sharding.shards import SHARDS, Member, shard_if_any, shard_of, share


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


log = logger(__name__)

BEAT_S = 1.0
"""How often leases are renewed; sooner when there is something to do."""
FINDABLE_S = 5.0
"""How long a process that has come is given no shards that others serve, if it does not say how many callers have found it.

Callers look for new ones every two seconds, and names may take longer to lead there; calls for a shard whose owner nobody has
found wait.
"""
FOUND_S = 20.0
"""How long it is given none if fewer have found it than this process: a caller may have ended, or need this process only."""
_SOONEST_S = 0.02
_READY_S = 2.0
"""How long a call waits for the first beat."""
_SILENT_S = 1.75
"""How long all servers are waited for once one has answered: leases there have to be renewed before they run out."""
_UNCERTAIN = 0.15
"""The share of a lease's time during which it is no longer relied on, as a margin for clocks and answers."""


class Ownership:
    """The leases of this process."""

    def __init__(
        self,
        leases: Leases,
        shards: OwnedShards,
        events: ShardEvents,
        drain_writes: Callable[[], Awaitable[None]],
        findable_s: float = FINDABLE_S,
    ) -> None:
        """`events` are told of shards before they are served; `drain_writes` returns when all pending writes have ended."""
        self._leases = leases
        self._shards = shards
        self._events = events
        self._drain_writes = drain_writes
        self._known = [0] * SHARDS
        """The greatest epochs that were seen."""
        self._findable_s = findable_s
        self._came_s: dict[str, float] = {}
        """When the processes that live were first seen."""
        self._callers: Callable[[], int] | None = None
        self._unreadable: frozenset[int] = frozenset()
        self._is_leaving = False
        self._keeps_rest = True
        """Whether shards that nobody takes are still served although this process is leaving."""
        self.newer_runs = False
        """Whether a process of a newer release shared the work at the last beat."""
        self._is_new = True
        self._turn = asyncio.Lock()
        self._was_announced = asyncio.Event()
        self._has_begun = asyncio.Event()

    def count_by(self, callers: Callable[[], int]) -> None:
        """Say from now on how many processes have a link to this one: others give it their shards once it is found."""
        self._callers = callers

    def note_unreadable(self, session_id: str) -> None:
        """Note that this process cannot read a session: its shard goes to a process of a newer release, once there is one."""
        self._unreadable |= {shard_of(session_id)}

    async def ready(self) -> None:
        """Return when it is known which shards this process serves. Raises Refused (UNAVAILABLE)."""
        if self._has_begun.is_set():
            return
        if not await ends_within(_READY_S, self._has_begun.wait()):
            raise unavailable("store")

    def note_announcement(self, whom: bytes) -> None:
        """Handle a message on the channel of shards: it names who was given one, or nobody if there is something to share."""
        if not whom or whom.decode() == self._leases.own:
            self._was_announced.set()

    async def run(self) -> None:
        """Keep the leases until cancelled."""
        pause_s = 0.0
        while True:
            try:
                async with asyncio.timeout(pause_s):
                    await self._was_announced.wait()
            except TimeoutError:
                pass
            self._was_announced.clear()
            try:
                pause_s = await self.beat()
            except Refused:
                pause_s = BEAT_S / 4  # the store is down, and its client has logged that
            except Exception as error:
                log.error("leases could not be kept", exc_info=error)
                pause_s = BEAT_S

    async def beat(self) -> float:
        """Renew the leases, and do this process's part of sharing. Returns after how many seconds to do so again.

        Raises Refused (UNAVAILABLE) while the store cannot be reached; shards that were served still are.
        """
        async with self._turn:
            peers, leases = await self._renew()
            self.newer_runs = any(peer.member.format > self._leases.format for peer in peers.values())
            how = "received"
            # A restarted process finds its own leases under the name of its dead predecessor.
            if self._is_new:
                peers, leases = await self._replace(peers, leases)
                how = "claimed"
            await self._follow(leases, how)
            todo = share(self._leases.own, {name: peer.member for name, peer in peers.items()}, [one.holding for one in leases])
            await self._take(self._leases.claim, todo.claim, leases)
            await self._follow(leases, "claimed")
            findable = self._findable(peers)
            takers = {
                shard: to
                for shard, to in todo.hand_over
                if to in findable or not self._keeps_rest or (to and shard in self._unreadable)
            }
            await self._hand_over(takers, leases, peers)
            self._has_begun.set()
            return self._pause_s(leases)

    async def hand_over(self) -> None:
        """Hand all shards over to other processes, and take no more.

        A shard without a process for it, or with none that callers can have found by now, is still served until there is one.

        Raises Refused (UNAVAILABLE) if the store cannot be reached.
        """
        self._is_leaving = True
        await self.beat()

    async def leave(self) -> None:
        """Hand all shards over to other processes, or leave them free if there is none.

        Raises Refused (UNAVAILABLE) if the store cannot be reached: then the leases run out by themselves.
        """
        self._keeps_rest = False
        await self.hand_over()

    async def close(self) -> None:
        """Leave, and announce that this process is no longer alive. Raises Refused (UNAVAILABLE)."""
        await self.leave()
        await self._leases.go()

    async def _renew(self) -> tuple[dict[str, Peer], list[Lease]]:
        """Return all live processes and all leases; those of this process are renewed.

        Raises Refused (UNAVAILABLE) when a server is away, but not before leases at others were renewed, and lost ones ended.
        """
        saying = asyncio.ensure_future(self._leases.say(self._self()))
        looking = [asyncio.ensure_future(self._look(shard)) for shard in range(SHARDS)]
        try:
            _, silent = await asyncio.wait([saying, *looking], timeout=_SILENT_S)
            if len(silent) > SHARDS:  # nobody answers: whoever does at all is waited for
                await asyncio.wait([saying, *looking])
        finally:
            for one in (saying, *looking):
                one.cancel()
        (said,) = await asyncio.gather(saying, return_exceptions=True)
        found = await asyncio.gather(*looking, return_exceptions=True)
        answered = {shard: lease for shard, lease in enumerate(found) if isinstance(lease, Lease)}
        if isinstance(said, dict) and len(answered) == SHARDS:
            return said, list(answered.values())
        self._end_lost(answered)
        failed = next(one for one in (said, *found) if isinstance(one, BaseException))
        raise unavailable("store") if isinstance(failed, asyncio.CancelledError) else failed

    async def _look(self, shard: int) -> Lease:
        until_s = self._certain_s()
        lease = await self._leases.look_at(shard)
        # At once: the answers about other shards may take longer than a lease holds.
        if lease.owner == self._leases.own and self._shards.token(shard) in (None, lease[:2]):
            self._shards.confirm(shard, until_s)
        return lease

    async def _take(self, take: Callable[[int, int], Awaitable[Lease]], shards: Sequence[int], leases: list[Lease]) -> None:
        """Take the leases of some shards, and put them as they are then in the place of those that were known."""

        async def taken(shard: int) -> None:
            until_s = self._certain_s()
            leases[shard] = await take(shard, self._known[shard])
            self._shards.confirm(shard, until_s)

        await asyncio.gather(*map(taken, shards))

    def _certain_s(self) -> float:
        """Return until when a lease is certain that is asked for now: by its answer, it has run since some moment in between."""
        return self._shards.now_s() + self._leases.lease_ms / 1000 * (1 - _UNCERTAIN)

    async def _replace(self, peers: dict[str, Peer], leases: list[Lease]) -> tuple[dict[str, Peer], list[Lease]]:
        """Take the place of a process at the same address: it is dead, and nobody needs to wait until that is noticed."""
        here = [name for name, peer in peers.items() if name != self._leases.own and peer.place == self._leases.place]
        if here:
            peers = await self._leases.say(self._self(), here)
        if not self._is_leaving:
            seized = [shard for shard, lease in enumerate(leases) if lease.owner and lease.owner not in peers]
            await self._take(self._leases.seize, seized, leases)
        self._is_new = False
        return peers, leases

    async def _follow(self, leases: list[Lease], how: str) -> None:
        """Start and stop serving shards as the leases say."""
        self._end_lost(dict(enumerate(leases)))
        for shard, lease in enumerate(leases):
            # An epoch never decreases, even in a store that was set back, or a former owner's would be valid again.
            self._known[shard] = max(self._known[shard], lease.epoch)
        own = {shard: lease for shard, lease in enumerate(leases) if lease.owner == self._leases.own}
        new = {shard: Token(*lease[:2]) for shard, lease in own.items() if not self._shards.serves(shard)}
        if self._is_leaving or not new:
            return
        # Served only once prepared: a call in between would believe what another owner has changed since.
        await asyncio.gather(*map(self._prepare, new))
        self._shards.begin(new, how)

    async def _prepare(self, shard: int) -> None:
        for prepare in self._events.coming:
            await prepare(shard)

    def _end_lost(self, leases: Mapping[int, Lease]) -> None:
        """Stop serving the shards whose leases are somebody else's by now."""
        lost = [shard for shard, lease in leases.items() if self._shards.token(shard) not in (None, lease[:2])]
        for shard in lost:
            log.warning("lost a shard", shard=shard)
        self._shards.end(lost, "lost")

    async def _hand_over(self, takers: Mapping[int, str], leases: Sequence[Lease], peers: Mapping[str, Peer]) -> None:
        """Hand shards to others. Work under way ends first, and nothing new begins."""
        if not takers:
            return
        # First new writes are refused, then those under way end, and only then does the taker get its epoch: it refuses nothing.
        self._shards.end([shard for shard in takers if self._shards.serves(shard)], "handed_over")
        await self._drain_writes()
        await asyncio.gather(
            *(
                self._leases.give(shard, leases[shard].epoch, to, peers[to])
                if to
                else self._leases.release(shard, leases[shard].epoch)
                for shard, to in takers.items()
            )
        )

    def _findable(self, peers: Mapping[str, Peer]) -> set[str]:
        """Return the processes that callers have found by now, or can have; those that were there before this one are."""
        now_s = self._shards.now_s()
        came_s = now_s if self._came_s else float("-inf")
        self._came_s = {name: self._came_s.get(name, came_s) for name in peers}
        return {name for name, peer in peers.items() if self._is_findable(peer, now_s - self._came_s[name])}

    def _is_findable(self, peer: Peer, age_s: float) -> bool:
        if peer.callers is None or self._callers is None:
            return age_s >= self._findable_s
        return peer.callers >= self._callers() or age_s >= FOUND_S

    def _self(self) -> Peer:
        member = Member(self._leases.format, is_leaving=self._is_leaving, unreadable=self._unreadable)
        return Peer(member, self._leases.place, self._callers() if self._callers else None)

    def _pause_s(self, leases: list[Lease]) -> float:
        """Return after how long to check again: when another process's lease ends, unless a message comes first."""
        others = [lease.left_ms / 1000 for lease in leases if lease.owner != self._leases.own]
        return min([BEAT_S, *(left_s + _SOONEST_S if left_s else BEAT_S / 4 for left_s in others)])
