"""The servers that a name leads to, and a link to each of them."""

import asyncio
import contextlib
import random
import ssl
from contextvars import Context
from dataclasses import replace

from grpc_http2 import Connection
from grpc_http2.connection import all_lost
from services.runtime.identity import Identity
from services.runtime.link import bounds
from services.runtime.link.addresses import Address, Place
from services.runtime.link.link import Link, Terms
from services.runtime.logs import logger

log = logger(__name__)


class Servers:
    """Keeps a link to every server. The name is looked up again every RESOLVE_S seconds, and at once when a link breaks."""

    def __init__(self, address: Address, terms: Terms, own: Identity | None) -> None:
        """The router of the terms is told of servers that take calls now, and of those that do so no more."""
        self._living: set[Link] = set()
        """Those that take calls, and those that have only their last answers to come."""
        self._address = address
        self._terms = terms
        self._own = own
        self._connecting: dict[Place, asyncio.Task[None]] = {}
        self._pausing: set[asyncio.Event] = set()
        """Set to end the pauses before servers that could not be reached are tried again."""
        self._resolver: asyncio.Task[None] | None = None
        self._is_asked_for = asyncio.Event()
        self._is_closed = False
        self._http2 = bounds.HTTP2

    def start(self) -> None:
        """Look for servers from now on, and try those again at once that could not be reached: a call has found none."""
        for pausing in self._pausing:
            pausing.set()
        if self._resolver is None and not self._is_closed:
            self._terms.calls.alone_since = asyncio.get_running_loop().time()
            # In a context of its own: it outlives the call, and the trace, that begins it.
            self._resolver = asyncio.get_running_loop().create_task(self._follow_name(), context=Context())

    async def close(self) -> None:
        """Close all links."""
        self._is_closed = True
        tasks = [*self._connecting.values(), *([] if self._resolver is None else [self._resolver])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for link in self._living:
            link.close()
        await all_lost(lambda: [link.connection for link in self._living if link.connection is not None], self._http2.closing_s)

    async def _follow_name(self) -> None:
        while True:
            try:
                places = await self._address.places()
            except OSError as error:
                log.debug("name is not known", peer=self._terms.service, error=repr(error))
                places = []
            if places:  # a name that leads nowhere for a moment is no reason to give up servers that answer
                self._adapt(places)
            self._is_asked_for.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(None if self._address.is_fixed else bounds.RESOLVE_S):
                    await self._is_asked_for.wait()

    def _adapt(self, places: list[Place]) -> None:
        # A name leads no more to who is about to stop, but until it has handed its shards over nobody else can answer for them.
        for place in self._connecting.keys() - set(places) - self._terms.router.owning():
            self._connecting.pop(place).cancel()
        for place in places:
            if place not in self._connecting:
                self._connecting[place] = asyncio.create_task(self._keep(place))

    async def _keep(self, place: Place) -> None:
        """Keep a link to one server, for as long as the name leads there or it owns something."""
        pause = bounds.FIRST_PAUSE_S
        while True:
            is_unreachable = False
            link = Link(self._terms, place)
            try:
                await self._connect(link, place)
                self._living = {one for one in self._living if one.connection is not None} | {link}
                if link.is_usable:
                    self._terms.router.came(link)
                await asyncio.wait([link.is_over])
            except (OSError, TimeoutError) as error:
                is_unreachable = True
                log.debug("server cannot be reached", peer=self._terms.service, place=place, error=repr(error))
            finally:
                link.leave()
            if link.was_calmed:
                self._http2 = replace(self._http2, keepalive_s=min(300.0, 2 * self._http2.keepalive_s))
            self._is_asked_for.set()
            pause = bounds.FIRST_PAUSE_S if link.has_answered else min(bounds.MAX_PAUSE_S, 2 * pause)
            await self._pause(pause * random.uniform(0.5, 1), is_unreachable)  # noqa: S311 - spreads retries, guards nothing

    async def _pause(self, seconds: float, can_be_cut_short: bool) -> None:
        """Wait before a server is tried again: no longer than FIRST_PAUSE_S when a call comes that finds no server.

        It may just have started, and a call that finds nobody waits for ALONE_S only.
        """
        first = min(seconds, bounds.FIRST_PAUSE_S)
        wanted = asyncio.Event()
        if can_be_cut_short:
            self._pausing.add(wanted)
        try:
            await asyncio.sleep(first)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds - first):
                    await wanted.wait()
        finally:
            self._pausing.discard(wanted)

    async def _connect(self, link: Link, place: Place) -> None:
        """Return when a link takes calls. Raises OSError (a TLS fault is one) or TimeoutError."""

        def made() -> Connection:
            return Connection(link, self._http2, is_client=True)

        loop = asyncio.get_running_loop()
        async with asyncio.timeout(bounds.CONNECT_S):
            transport: asyncio.BaseTransport
            if place.path:
                # Nobody but this user gets at it, and it does not leave this machine: it is not encrypted.
                transport, _ = await loop.create_unix_connection(made, place.path)
            else:
                context: ssl.SSLContext | None = None if self._own is None else self._own.caller_context()
                name = None if context is None else place.name
                transport, _ = await loop.create_connection(made, place.host, place.port, ssl=context, server_hostname=name)
            try:
                await link.is_ready
            except BaseException:
                transport.close()
                raise
