"""Where the calls of a channel go: to the owner of a call's shard, or to any server when it has none.

A call names its shard in its metadata, or is told by a server that it belongs to one (`moved` in the details of its refusal);
then it is sent on, since nothing was done. While nobody owns the shard it waits. As long as no server tells what it owns, all
servers are alike.
"""

import asyncio
from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any, Generic, TypeAlias, TypeVar

from services.runtime.link import bounds
from services.runtime.link.addresses import Place
from services.runtime.link.calls import Moved, OpenCalls, Pending
from services.runtime.link.link import Link
from services.runtime.logs import logger
from services.runtime.refusal import Refused, unavailable

log = logger(__name__)

SHARD = "brettwerk-shard"
"""The metadata that names the shard of a call, in decimal digits."""
_SHARDS = {str(shard): shard for shard in range(bounds.MAX_SHARDS)}
Metadata: TypeAlias = tuple[tuple[str, str], ...]
_Server = TypeVar("_Server")


def metadata_for_shard(shard: int) -> Metadata:
    """Return the metadata that name a shard."""
    return ((SHARD, str(shard)),)


def shard_in(metadata: Iterable[tuple[str, Any]]) -> int | None:
    """Return the shard that metadata name, if any. Raises ValueError for one that there cannot be."""
    for name, value in metadata:
        if name == SHARD:
            if value not in _SHARDS:
                raise ValueError(f"{value!r} is no shard")
            return _SHARDS[value]
    return None


class Owners(Generic[_Server]):
    """The owner of a shard is the server that claims it with the highest epoch; of equal ones who owned it before.

    Nothing is remembered of servers that are gone.
    """

    def __init__(self) -> None:
        self.owners: list[_Server | None] = [None] * bounds.MAX_SHARDS
        """The owner of each shard; None while nobody claims it."""
        self.epochs = [-1] * bounds.MAX_SHARDS
        """By which they own them."""
        self._claims: dict[_Server, Mapping[int, int]] = {}
        self.are_known = False
        """Whether any server tells what it owns, be it nothing."""

    def tell(self, server: _Server, claims: Mapping[int, int]) -> bool:
        """Note which shards a server claims from now on, with which epochs. Returns whether that changes anything."""
        before = self._claims.get(server)
        if before == claims:
            return False
        self._claims[server] = claims
        self.are_known = True
        changed = [self._judge(shard) for shard in {*(before or ()), *claims}]
        return before is None or any(changed)

    def forget(self, server: _Server) -> bool:
        """Note that a server is gone. Returns whether that changes anything."""
        before = self._claims.pop(server, None)
        if before is None:
            return False
        self.are_known = bool(self._claims)
        for shard in before:
            self._judge(shard)
        return True

    def overtaken(self) -> set[tuple[_Server, int, int]]:
        """Return the claims (server, shard, epoch) that a higher epoch has made void: who makes them does not know that yet."""
        return {
            (server, shard, epoch)
            for server, claims in self._claims.items()
            for shard, epoch in claims.items()
            if epoch < self.epochs[shard]
        }

    def _judge(self, shard: int) -> bool:
        """Find the owner anew. Returns whether it is another, or the same by another epoch."""
        before = owner, _ = self.owners[shard], self.epochs[shard]
        best, newest = None, -1
        for server, claims in self._claims.items():
            epoch = claims.get(shard)
            if epoch is not None and (epoch > newest or (epoch == newest and server is owner)):
                best, newest = server, epoch
        self.owners[shard], self.epochs[shard] = best, newest
        return before != (best, newest)


class Routing:
    """Knows the servers that there are now, and what they own."""

    def __init__(self, calls: OpenCalls) -> None:
        self.links: list[Link] = []
        """Servers that take calls now."""
        self.owners: Owners[Link] = Owners()
        self.changed: Callable[[], None] | None = None
        """Called after a tick in which shards got other owners, or lost them."""
        self._calls = calls
        self._next: asyncio.Future[None] | None = None
        self._is_due = False
        self._looking: asyncio.TimerHandle | None = None
        self._turns = 0
        self._silent: set[Link] = set()
        """Servers that others have replaced, and which know nothing of it: they hang, or can do nothing."""

    # Calls.

    def send(self, call: Pending) -> None:
        """Send a call to a server, or let it wait for one: for another than the one that has sent it away, if any has."""
        shard = call.shard
        if shard is None or not self.owners.are_known:
            link, epoch = self._any(), -1
        else:
            link, epoch = self.owners.owners[shard], self.owners.epochs[shard]
        moved = call.moved
        if link is not None and (moved is None or link is not moved.link or epoch != moved.epoch):
            call.epoch = epoch
            link.send(call)
        elif not call.is_ownerless and (self.owners.are_known or moved is not None):
            call.is_ownerless = True
            call.looks_left = round(bounds.OWNERLESS_S / bounds.SWEEP_S)

    def move(self, call: Pending, link: Link, shard: int, refused: Refused) -> None:
        """Send a call to the owner of a shard which a server that it was sent to does not own."""
        moves = 1 if call.moved is None else call.moved.count + 1
        if shard >= bounds.MAX_SHARDS or moves > bounds.MOVES:
            call.set_exception(refused)
            return
        # It may claim the shard since: what it said was true when it was asked.
        call.moved = Moved(link, call.epoch if call.shard in (None, shard) else -1, moves)
        call.shard = shard
        self._calls.again(call)
        self.send(call)

    def pass_on(self, call: Pending, place: Place, refused: Refused) -> None:
        """Ask another server than one of an older release, which has refused a call; not if the call is for an owner."""
        asked = call.asked = call.asked or set()
        asked.add(place)
        link = None
        if len(asked) < bounds.ASKED and (call.shard is None or not self.owners.are_known):
            link = self._any(asked)
        if link is None:
            call.set_exception(refused)
        else:
            self._calls.again(call)
            link.send(call)

    # Servers.

    def came(self, link: Link) -> None:
        """Take a server that can be reached now."""
        self.links.append(link)
        self._go_on()

    def went(self, link: Link) -> None:
        """Forget a server that takes no more calls."""
        if link in self.links:
            self.links.remove(link)
            self._calls.alone_since = asyncio.get_running_loop().time()
        self._silent.discard(link)
        if self.owners.forget(link):
            self._schedule_rerouting()

    def owning(self) -> set[Place]:
        """Return where the servers are that own a shard."""
        return {link.place for link in self.owners.owners if link is not None}

    def note_claims(self, link: Link, claims: Mapping[int, int]) -> None:
        """Take what a server owns, by its own account."""
        self._silent.discard(link)
        if link.is_usable and self.owners.tell(link, claims):
            self._schedule_rerouting()

    def _schedule_rerouting(self) -> None:
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._reroute)

    def _reroute(self) -> None:
        """Do what follows from a change of owners, once for all changes of a tick."""
        self._is_due = False
        self._go_on()
        if self._looking is None:
            self._look_again()
        if self.changed is not None:
            self.changed()

    def _look_again(self) -> None:
        """Look a little later whether servers that were replaced still claim what they have lost."""
        overtaken = self.owners.overtaken()
        self._looking = None
        if overtaken:
            self._looking = asyncio.get_running_loop().call_later(bounds.HAND_OVER_S, self._refuse, overtaken)

    def _refuse(self, overtaken: set[tuple[Link, int, int]]) -> None:
        """Refuse calls that are open at servers which others have replaced long enough ago, and which know nothing of it.

        Calls for shards that nobody has taken from them are left there, since they may still be carried out.
        """
        replaced: set[tuple[Link, int | None]] = {(link, shard) for link, shard, _ in overtaken & self.owners.overtaken()}
        self._silent |= {link for link, _ in replaced}
        replaced |= {(link, None) for link in self._silent}
        calls = [call for call in self._calls.all() if call.link is not None and (call.link, call.shard) in replaced]
        for call in calls:
            self._calls.abandon(call, unavailable(self._calls.service))
        if calls:
            log.warning("a server was replaced that does not answer", peer=self._calls.service, calls=len(calls))
        if self.owners.overtaken() - overtaken:
            self._look_again()
        else:
            self._looking = None

    def _go_on(self) -> None:
        for call in self._calls.homeless():
            self.send(call)
        if self._next is not None and not self._next.done():
            self._next.set_result(None)

    # Long streams, and the end.

    def for_stream(self, owner: object | None) -> Link | None:
        """Return the server for a long stream: this one, or that with the fewest. Raises Refused when this one is gone."""
        if owner is not None:
            if owner not in self.links:
                raise unavailable(self._calls.service)
            return owner
        return min(self.links, key=self._long_calls, default=None)

    async def next_change(self) -> None:
        """Return when another server can be reached."""
        if self._next is None or self._next.done():
            self._next = asyncio.get_running_loop().create_future()
        await asyncio.shield(self._next)

    def close(self) -> None:
        """Do nothing more."""
        self.changed = None
        if self._looking is not None:
            self._looking.cancel()

    def _any(self, but: Container[Place] = ()) -> Link | None:
        """Return the server with the fewest open calls, not at these places; one that hangs only where there is no other.

        Of several it is the one that was taken least recently: while there is little to do, none has any open calls.
        """
        if len(self.links) == 1 and not but:
            return self.links[0]
        link = min((link for link in self.links if link.place not in but), key=self._open_calls, default=None)
        if link is not None:
            self._turns += 1
            link.turn = self._turns
        return link

    def _open_calls(self, link: Link) -> tuple[bool, int, int]:
        return link in self._silent, link.open, link.turn

    def _long_calls(self, link: Link) -> tuple[bool, int]:
        return link in self._silent, link.long_calls
