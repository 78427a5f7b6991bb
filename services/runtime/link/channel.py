"""The channel of a generated stub whose calls go over links."""

import asyncio
import functools
import itertools
from collections.abc import Callable
from typing import Any, Self

import grpc

from services.runtime.identity import identity
from services.runtime.inner_calls import InnerKeys, Tokens, inner_keys, service_of
from services.runtime.link import addresses, bounds
from services.runtime.link.addresses import Place
from services.runtime.link.calls import OpenCalls, Pending
from services.runtime.link.link import Link, Terms
from services.runtime.link.long_call import LongCall
from services.runtime.link.servers import Servers
from services.runtime.refusal import Refused, unavailable


class LinkChannel(grpc.aio.Channel):
    """What a stub asks of a channel: `RulesServiceStub(LinkChannel(...))`. Calls raise Refused, and no gRPC errors.

    A call goes to the server with the fewest open ones. One that a server refuses as of an older release (`newer` in the details)
    is asked of another, until all have refused it. What calls cost their servers is charged as services/runtime/spent.py says.
    """

    def __init__(
        self, address: str, part: str, caller: str = "other", *, is_in_turn: bool = False, keys: InnerKeys | None = None
    ) -> None:
        """Lead to `address` (addresses.py); `part` names it in refusals. Nothing is opened before the first call.

        `is_in_turn`: each call and stream goes to the next server instead, for those who look for one that understands them.
        `keys` sign its calls; this process's own when they are not given.
        """
        parsed = addresses.parse(address)
        own = identity()
        keys = keys or inner_keys()
        self._part = part
        self._calls = OpenCalls(part)
        tokens = None if keys is None else Tokens(caller, keys)
        self._terms = Terms(
            part, self._calls, self._pass_on, parsed.authority, own is not None and not parsed.given[0].path, tokens
        )
        self._servers = Servers(parsed, self._terms, own, self._has_changed)
        self._turns = itertools.count() if is_in_turn else None
        self._changed: asyncio.Future[None] | None = None
        self._is_closed = False

    # Calls.

    def call(self, path: str, request: bytes, read: Callable[[bytes], Any], timeout: float | None) -> Pending:
        """Begin a unary call and return its response's future."""
        call = self._calls.begin(path, request, read, timeout)
        if not call.done():
            if self._is_closed:
                self._calls.refuse(call, unavailable(self._part))
            elif (link := self._route(self._servers.links)) is not None:
                link.send(call)
            else:
                self._servers.start()
        return call

    def _route(self, links: list[Link]) -> Link | None:
        """Return the server for a call: here is decided where calls go."""
        if len(links) == 1:
            return links[0]
        if self._turns is not None and links:
            return links[next(self._turns) % len(links)]
        return min(links, key=_open_calls, default=None)

    def _pass_on(self, call: Pending, place: Place, refused: Refused) -> None:
        """Ask another server than one of an older release, which has refused a call."""
        asked = call.asked = call.asked or set()
        asked.add(place)
        link = None
        if len(asked) < bounds.ASKED:
            link = self._route([one for one in self._servers.links if one.place not in asked])
        if link is None:
            call.set_exception(refused)
        else:
            self._calls.again(call)
            link.send(call)

    def _has_changed(self) -> None:
        for call in self._calls.homeless():
            link = self._route(self._servers.links)
            if link is not None:
                link.send(call)
        if self._changed is not None and not self._changed.done():
            self._changed.set_result(None)

    async def _link(self) -> Link:
        """Return a server for a long stream, the one with the fewest. Raises Refused (UNAVAILABLE)."""
        now = asyncio.get_running_loop().time()
        until = now + self._calls.patience_s(now)
        while not self._is_closed:
            links = self._servers.links
            if links:
                if self._turns is not None:
                    return links[next(self._turns) % len(links)]
                return min(links, key=_long_calls)
            self._servers.start()
            try:
                async with asyncio.timeout_at(until):
                    await self._next_change()
            except TimeoutError:
                break
        raise unavailable(self._part)

    async def _next_change(self) -> None:
        if self._changed is None or self._changed.done():
            self._changed = asyncio.get_running_loop().create_future()
        await asyncio.shield(self._changed)

    # What a stub asks for.

    def unary_unary(self, method: Any, request_serializer: Any = None, response_deserializer: Any = None, _registered_method: Any = False) -> Any:  # noqa: E501 # fmt: skip
        """Return the method of a stub: `method(request, timeout=…)` returns a future."""
        self._serves(method)
        return functools.partial(_call, self, method, request_serializer or bytes, response_deserializer or bytes)

    def stream_stream(self, method: Any, request_serializer: Any = None, response_deserializer: Any = None, _registered_method: Any = False) -> Any:  # noqa: E501 # fmt: skip
        """Return the method of a stub: `method(timeout=…)` returns a LongCall."""
        self._serves(method)

        def opened(request_iterator: None = None, timeout: float | None = None, **_terms: object) -> LongCall:
            write, read = request_serializer or bytes, response_deserializer or bytes
            return LongCall(self._part, method, write, read, self._link, timeout)

        return opened

    def unary_stream(self, method: Any, *_arguments: Any, **_options: Any) -> Any:
        """Return a method that cannot be called: links carry no such calls."""
        return functools.partial(_not_carried, method)

    stream_unary = unary_stream

    def _serves(self, method: str) -> None:
        service = service_of(method)
        if self._terms.service not in ("", service):
            raise ValueError(f"a channel leads to one service; this one is for {self._terms.service}, not for {service}")
        self._terms.service = service

    # Its life.

    def get_state(self, try_to_connect: bool = False) -> grpc.ChannelConnectivity:
        """Return READY while there is a server."""
        if self._is_closed:
            return grpc.ChannelConnectivity.SHUTDOWN
        if try_to_connect:
            self._servers.start()
        return grpc.ChannelConnectivity.READY if self._servers.links else grpc.ChannelConnectivity.CONNECTING

    async def wait_for_state_change(self, last_observed_state: grpc.ChannelConnectivity) -> None:
        """Return when the state is another."""
        while self.get_state() is last_observed_state:  # noqa: ASYNC110 - the loss of a server has no event
            await asyncio.sleep(bounds.SWEEP_S)

    async def channel_ready(self) -> None:
        """Return when there is a server."""
        self._servers.start()
        while not self._servers.links:
            await self._next_change()

    async def close(self, grace: float | None = None) -> None:
        """End all calls and streams."""
        self._is_closed = True
        self._calls.close()
        await self._servers.close()

    async def __aenter__(self) -> Self:
        """Return itself."""
        return self

    async def __aexit__(self, *_exception: object) -> None:
        """Close it."""
        await self.close()


def _open_calls(link: Link) -> int:
    return link.open


def _long_calls(link: Link) -> int:
    return link.long_calls


def _call(
    channel: LinkChannel,
    path: str,
    write: Callable[[Any], bytes],
    read: Callable[[bytes], Any],
    request: Any,
    *,
    timeout: float | None = None,
    **_terms: object,
) -> Pending:
    return channel.call(path, write(request), read, timeout)


def _not_carried(method: str, *_request: object, **_terms: object) -> None:
    raise NotImplementedError(f"{method} is of a kind that links do not carry")
