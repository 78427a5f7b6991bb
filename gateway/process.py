"""The gateway as a process: both endpoints, what they share, and a graceful shutdown."""

import asyncio
import functools
from collections.abc import Sequence
from typing import Any

import grpc
from google.protobuf.descriptor import FileDescriptor

from brettwerk.internal.v1 import session_pb2_grpc
from brettwerk_games.packages.contract import contracts
from gateway.calls.handler import AccountCalls, Handler, SessionCalls
from gateway.calls.operator_key import OperatorKey
from gateway.calls.overview import Overview
from gateway.calls.requests import Reader
from gateway.endpoints.grpc_endpoint import GrpcEndpoint
from gateway.endpoints.security_contact import SecurityContact
from gateway.endpoints.web_endpoint import WebEndpoint
from gateway.http.allowed_hosts import AllowedHosts
from gateway.http.cors import Origins
from gateway.identity.caller import Addresses
from gateway.identity.players import Players, revoked
from gateway.identity.tokens import KeyRing
from gateway.limits.concurrency import OpenStreams
from gateway.limits.rates import Rates
from gateway.messages.contract import PUBLIC_FILES, SERVICE
from gateway.readiness import NO_SESSION, Readiness
from gateway.streams.connection import Connections
from gateway.watches.news import NewsWatches
from gateway.watches.session_watches import SessionWatches
from services.runtime import left_out_games
from services.runtime.channel import open_channel
from services.runtime.link import LinkChannel
from services.runtime.settings import Settings
from services.runtime.tasks import ended


class Gateway:
    """A service.Service that also has a web endpoint."""

    name = "gateway"
    full_names: Sequence[str] = (SERVICE,)
    files: Sequence[FileDescriptor] = PUBLIC_FILES

    def __init__(self, config: Settings) -> None:
        """Raises ValueError if a key, a proxy, an own host, an origin or a security contact in the settings is invalid."""
        self._config = config
        self.players = Players(config.key("player"), config.player_token_days, ring=KeyRing.of(config))
        self._addresses = Addresses(config.trusted_proxies, config.proxy_header)
        self._allowed_hosts = AllowedHosts(config.own_hosts)
        self._origins = Origins(config.allowed_origins)
        self._contact = SecurityContact(config.security_contact)
        self._overview = Overview(config, OperatorKey(config.operator_key.get_secret_value()))
        self.is_leaving = False
        """Set when the process is about to shut down."""

    async def start(self, server: grpc.aio.Server) -> None:
        """Open both endpoints. Exits with 2 if the web endpoint's port is taken.

        Raises ValueError for an invalid address, and for origins that are none whose pages may frame boards.
        """
        config = self._config
        left_out_games.report(contracts().left_out)
        self._channel = LinkChannel(config.session_link_address, "session service", "gateway")
        stub = session_pb2_grpc.SessionServiceStub(self._channel)
        self.streams = OpenStreams(config.streams_per_player, config.streams_per_address)
        tail: Any = stub.TailSessions
        self.watches = SessionWatches(self._channel, lambda owner: tail(owner=owner))
        self._reader = Reader(config.heavy_processes)
        self._players_channel = open_channel(config.players_address, "gateway")
        self.players.sign_outs.refresh = functools.partial(self.players.revocations.refresh, self._players_channel)
        self._following = [
            asyncio.create_task(self.players.sign_outs.follow(self._players_channel)),
            asyncio.create_task(self.players.revocations.follow(self._players_channel, config)),
        ]
        self._following.append(asyncio.create_task(self._overview.follow(self._players_channel)))
        self._news = NewsWatches(self._players_channel, self.players)
        accounts = AccountCalls(self._players_channel, self.players)
        sessions = SessionCalls(self._channel)
        handler = Handler(sessions, accounts, self.players, self._overview, Rates(config), self._reader, config.call_timeout_s)
        self._connections = Connections(handler, {"Watch": self.watches, "WatchPlayer": self._news}, self.streams)
        self.players.revocations.on_void = lambda token_id: self._connections.cut_off(token_id, revoked())
        GrpcEndpoint(self._connections, self._addresses).open(server)
        self._readiness = Readiness(stub)
        self.web = WebEndpoint(
            config, self._connections, self._addresses, self._allowed_hosts, self._origins, self._contact, self._missing
        )
        self.web.open()

    def counted_address(self, peer: str) -> str:
        """Return the address that gRPC connections from `peer` count for; empty for a proxy, from which many clients come."""
        return "" if self._addresses.is_proxy(peer) else self._addresses.of(peer)

    async def is_ready(self) -> bool:
        """Return whether the session service can be reached."""
        return not self.is_leaving and self._channel.get_state(try_to_connect=True) is grpc.ChannelConnectivity.READY

    async def _missing(self) -> Sequence[str]:
        """Return what players lack: the gateway itself when it is about to end."""
        if self.is_leaving:
            return ("gateway",)
        return await self._readiness.missing() if await self.is_ready() else NO_SESSION

    async def drain(self) -> None:
        """End watches, with their last versions, and streams; close the web endpoint."""
        self.is_leaving = True
        await asyncio.gather(self.watches.close(), self._news.close())
        await self._connections.leave(self._config.grace_s)
        await self.web.close()

    async def stop(self) -> None:
        """Let go of the other services."""
        await self._reader.close()
        await ended(*self._following)
        await self._players_channel.close()
        await self._channel.close()
