"""The channel of a generated stub whose calls go over links."""

import asyncio
import functools
from collections.abc import Callable, Iterable
from typing import Any, Self

import grpc

from services.runtime.identity import identity
from services.runtime.inner_calls import InnerKeys, Tokens, inner_keys, on_the_wire, service_of
from services.runtime.link import addresses, bounds
from services.runtime.link.calls import LongCall, OpenCalls, Pending
from services.runtime.link.link import Link, Terms
from services.runtime.link.routing import Routing, shard_in
from services.runtime.link.servers import Servers
from services.runtime.refusal import unavailable


class LinkChannel(grpc.aio.Channel):
    """The channel interface that a stub uses: `RulesServiceStub(LinkChannel(...))`. Calls raise Refused, and no gRPC errors.

    A call goes to the owner of its shard, or else to the server with the fewest open ones (routing.py). If a server refuses one
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

        Only the shard in the metadata matters (routing.SHARD): the call goes to its owner.
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
