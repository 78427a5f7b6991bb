"""The web endpoint: WebSocket, JSON and the web client on one HTTP port, and its start and end within the gateway's process."""

import asyncio
import contextlib
import logging
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, cast

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway.endpoints.bounded_http import BoundedHttpProtocol
from gateway.endpoints.connect_calls import ConnectCalls
from gateway.endpoints.contract_files import ContractFiles
from gateway.endpoints.game_export import PATH as EXPORT
from gateway.endpoints.game_export import GameExport
from gateway.endpoints.http_calls import JsonCalls
from gateway.endpoints.pages import Pages
from gateway.endpoints.security_contact import SecurityContact
from gateway.endpoints.unsubscription import PATH, Unsubscription
from gateway.http import responses
from gateway.http.allowed_hosts import HEALTH, AllowedHosts, AllowedHostsOnly
from gateway.http.cors import Cors, Origins
from gateway.http.responses import web_refusal
from gateway.identity.caller import Addresses
from gateway.limits.entrance import Entrance, Newcomer
from gateway.messages.contract import SERVICE, no_such_method
from gateway.streams.connection import Connections
from gateway.websocket.upgrade import WebSocketEndpoint
from services.runtime.refusal import internal
from services.runtime.server_socket import bind_or_exit
from services.runtime.settings import Settings
from services.runtime.version import CONTRACT, VERSION

_ALL = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


class _Server(uvicorn.Server):
    """uvicorn without its own handling of signals, and without its ten looks a second whether it is to end."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._ending = asyncio.Event()

    def end(self) -> None:
        """Accept no more requests, and end when the running ones are answered."""
        self.should_exit = True
        self._ending.set()

    async def main_loop(self) -> None:
        """Renew the date of responses once a second, until `end`."""
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self._ending.wait()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class WebEndpoint:
    """Serves HTTP."""

    def __init__(
        self,
        config: Settings,
        connections: Connections,
        addresses: Addresses,
        allowed_hosts: AllowedHosts,
        origins: Origins,
        contact: SecurityContact,
        missing: Callable[[], Awaitable[Sequence[str]]],
    ) -> None:
        """Bind the port of the settings. Exits with 2 and a plain sentence if that fails.

        Raises ValueError for origins that are none whose pages may frame boards.
        """
        self._missing = missing
        self._socket = bind(config.http_listen)
        endpoint, entrance = WebSocketEndpoint(connections, addresses, allowed_hosts, origins), Entrance(config, addresses)
        tls = _tls(config) if config.gateway_tls else None

        def newcomer(**named: Any) -> asyncio.Protocol:
            """Return the protocol of a new connection; `named` is what uvicorn gives its own."""
            return Newcomer(entrance, tls, lambda leave: BoundedHttpProtocol(endpoint, leave, **named))

        logging.getLogger("uvicorn").setLevel(logging.WARNING)
        logging.getLogger("websockets").setLevel(logging.WARNING)
        self._server = _Server(
            uvicorn.Config(
                AllowedHostsOnly(Cors(self._application(config, connections, addresses, contact), origins), allowed_hosts),
                http=cast(type[asyncio.Protocol], newcomer),
                ws="none",
                timeout_graceful_shutdown=max(1, int(config.grace_s)),
                access_log=False,
                server_header=False,
                proxy_headers=False,
                lifespan="off",
                log_config=None,
                headers=list(responses.of_every_response(config).items()),
            )
        )
        self._serving: asyncio.Task[None] | None = None

    @property
    def port(self) -> int:
        """The port that it listens on."""
        port: int = self._socket.getsockname()[1]
        return port

    def open(self) -> None:
        """Begin to serve."""
        self._serving = asyncio.create_task(self._server.serve([self._socket]))

    async def close(self) -> None:
        """Accept no more requests, and end once the running ones have been answered, or their grace period is over."""
        self._server.end()
        if self._serving is not None:
            await self._serving

    def _application(
        self, config: Settings, connections: Connections, addresses: Addresses, contact: SecurityContact
    ) -> Starlette:
        return Starlette(
            routes=[
                Route(HEALTH, self._health, methods=["GET", "HEAD"]),
                *ContractFiles().routes(),
                contact.route(),
                Route(f"/{SERVICE}/{{method:path}}", ConnectCalls(connections, addresses).handle, methods=_ALL),
                Route(EXPORT, GameExport(connections.handler, connections.streams, addresses).handle, methods=_ALL),
                Route("/v1/{method:path}", JsonCalls(connections.handler, connections.streams, addresses).handle, methods=_ALL),
                Route("/v1", _no_method, methods=_ALL),
                Route(PATH, Unsubscription(connections.handler, connections.streams, addresses).handle, methods=["POST"]),
                Route("/{path:path}", Pages(config.web_folder, config.embed_ancestors).handle, methods=_ALL),
            ],
            exception_handlers={500: _fault},
        )

    async def _health(self, _: Request) -> Response:
        missing = await self._missing()
        said = {"ready": not missing, "version": VERSION, "contract": CONTRACT, "missing": list(missing)}
        return JSONResponse(said, 503 if missing else 200, responses.NEVER_STORED)


def _tls(config: Settings) -> ssl.SSLContext:
    """Return what the endpoint shows. Raises OSError."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(config.tls_certificate, config.tls_key)
    return context


def bind(listen: str) -> socket.socket:
    """Return a socket that listens at host:port. Exits with 2 and a plain sentence if that fails."""
    listening = bind_or_exit(listen)
    # Connections inherit it. Some loops set it only where they made the socket themselves, and then an answer that follows
    # another waits for the client's delayed acknowledgement: 40 ms.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


async def _no_method(_: Request) -> Response:
    return web_refusal(no_such_method("/v1").refusal)


async def _fault(_request: Request, _error: Exception) -> Response:
    return web_refusal(internal().refusal)
