"""The channel of a generated stub whose calls go over links, and where they go: to the owner of a call's shard, or to any server.

A call names its shard in its metadata, or is told by a server that it belongs to one (`moved` in the details of its refusal);
then it is sent on, since nothing was done. While nobody owns the shard it waits. As long as no server tells what it owns, all
servers are alike.
"""

import asyncio
import functools
from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any, Generic, Self, TypeAlias, TypeVar

import grpc

from services.runtime.identity import identity
from services.runtime.inner_calls import InnerKeys, Tokens, inner_keys, on_the_wire, service_of
from services.runtime.link import addresses, bounds
from services.runtime.link.addresses import Place
from services.runtime.link.calls import LongCall, Moved, OpenCalls, Pending
from services.runtime.link.link import Link, Terms
from services.runtime.link.servers import Servers
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


class LinkChannel(grpc.aio.Channel):
    """The channel interface that a stub uses: `RulesServiceStub(LinkChannel(...))`. Calls raise Refused, and no gRPC errors.

    A call goes to the owner of its shard, or else to the server with the fewest open ones (Routing). If a server refuses one
    because its release is older (`newer` in the details), another is tried, until all have refused it; owners have no others.
    What calls cost their servers is charged as services/runtime/call_scope.py says.
    """

    def __init__(
        self,
        address: str,
        service: str,
        caller: str = "other",
        *,
        keys: InnerKeys | None = None,
        timeout_s: float | None = None,
    ) -> None:
        """Lead to `address` (addresses.py); `service` names it in refusals. Nothing is opened before the first call.

        `keys` sign its calls; by default this process's own. `timeout_s`: how long those calls may take that do not say it.
        """
        parsed = addresses.parse(address)
        own = identity()
        keys = keys or inner_keys()
        self._service = service
        self._timeout_s = timeout_s
        self._calls = OpenCalls(service)
        self._routing = Routing(self._calls)
        tokens = None if keys is None else Tokens(caller, keys)
        self._terms = Terms(
            service, self._calls, self._routing, parsed.authority, own is not None and not parsed.given[0].path, tokens
        )
        self._servers = Servers(parsed, self._terms, own)
        self._is_closed = False

    # Calls.

    def call(
        self, path: str, request: bytes, read: Callable[[bytes], Any], timeout: float | None, shard: int | None = None
    ) -> Pending:
        """Begin a unary call and return its response's future."""
        call = self._calls.begin(path, request, read, timeout, shard)
        if not call.done():
            if self._is_closed:
                self._calls.refuse(call, unavailable(self._service))
            else:
                self._routing.send(call)
                if call.link is None:
                    self._servers.start()
        return call

    async def _link(self, owner: object | None = None) -> Link:
        """Return a server for a long stream. Raises Refused (UNAVAILABLE)."""
        now = asyncio.get_running_loop().time()
        until = now + self._calls.time_left_s(now)
        while not self._is_closed:
            link = self._routing.for_stream(owner)
            if link is not None:
                return link
            self._servers.start()
            try:
                async with asyncio.timeout_at(until):
                    await self._routing.next_change()
            except TimeoutError:
                break
        raise unavailable(self._service)

    # The owners of shards.

    @property
    def has_owners(self) -> bool:
        """Whether any server announces what it owns. As long as none does, all are alike."""
        return self._routing.owners.are_known

    def owner(self, shard: int) -> object | None:
        """Return what stands for the server that owns a shard, to compare it and open long streams at it; None for nobody."""
        return self._routing.owners.owners[shard]

    def follow_owners(self, changed: Callable[[], None]) -> None:
        """Call this after shards have got other owners, or lost them: once per tick, from the event loop."""
        self._routing.changed = changed

    # The calls of a stub.

    def unary_unary(self, method: Any, request_serializer: Any = None, response_deserializer: Any = None, _registered_method: Any = False) -> Any:  # noqa: E501 # fmt: skip
        """Return the method of a stub: `method(request, timeout=…, metadata=…)` returns a future.

        Only the shard in the metadata matters (SHARD): the call goes to its owner.
        """
        path = self._serves(method)
        write, read = request_serializer or bytes, response_deserializer or bytes
        return functools.partial(_call, self, path, write, read, timeout=self._timeout_s)

    def stream_stream(self, method: Any, request_serializer: Any = None, response_deserializer: Any = None, _registered_method: Any = False) -> Any:  # noqa: E501 # fmt: skip
        """Return the method of a stub: `method(timeout=…, owner=…)` returns a LongCall, at that owner or at any server."""
        path = self._serves(method)

        def opened(timeout: float | None = None, owner: object | None = None) -> LongCall:
            write, read = request_serializer or bytes, response_deserializer or bytes
            return LongCall(self._service, path, write, read, functools.partial(self._link, owner), timeout)

        return opened

    def unary_stream(self, method: Any, *_arguments: Any, **_options: Any) -> Any:
        """Return a method that cannot be called: links carry no such calls."""
        return functools.partial(_not_carried, method)

    stream_unary = unary_stream

    def _serves(self, method: str) -> str:
        path = on_the_wire(method)
        service = service_of(path)
        if self._terms.grpc_service not in ("", service):
            raise ValueError(f"a channel leads to one service; this one is for {self._terms.grpc_service}, not for {service}")
        self._terms.grpc_service = service
        return path

    # Its life.

    def get_state(self, try_to_connect: bool = False) -> grpc.ChannelConnectivity:
        """Return READY while there is a server."""
        if self._is_closed:
            return grpc.ChannelConnectivity.SHUTDOWN
        if try_to_connect:
            self._servers.start()
        return grpc.ChannelConnectivity.READY if self._routing.links else grpc.ChannelConnectivity.CONNECTING

    async def wait_for_state_change(self, last_observed_state: grpc.ChannelConnectivity) -> None:
        """Return when the state is another."""
        while self.get_state() is last_observed_state:  # noqa: ASYNC110 - the loss of a server has no event
            await asyncio.sleep(bounds.SWEEP_S)

    async def channel_ready(self) -> None:
        """Return when there is a server."""
        self._servers.start()
        while not self._routing.links:
            await self._routing.next_change()

    async def close(self, grace: float | None = None) -> None:
        """End all calls and streams."""
        self._is_closed = True
        self._routing.close()
        self._calls.close()
        await self._servers.close()

    async def __aenter__(self) -> Self:
        """Return itself."""
        return self

    async def __aexit__(self, *_exception: object) -> None:
        """Close it."""
        await self.close()


def _call(
    channel: LinkChannel,
    path: str,
    write: Callable[[Any], bytes],
    read: Callable[[bytes], Any],
    request: Any,
    *,
    timeout: float | None,
    metadata: Iterable[tuple[str, Any]] | None = None,
) -> Pending:
    return channel.call(path, write(request), read, timeout, None if metadata is None else shard_in(metadata))


def _not_carried(method: str, *_request: object, **_terms: object) -> None:
    raise NotImplementedError(f"{method} is of a kind that links do not carry")
