"""Runs a gRPC service as a process: health that is honest, reflection, and an orderly end on SIGTERM.

With BRETTWERK_HEALTH_LISTEN health has a port of its own, which is never encrypted (Kubernetes' gRPC probes know no TLS) and
answers while the event loop is busy (health.py).

Health has three names: "" and each service's name follow readiness (can it do its work?), "live" is SERVING as long as the
process runs. Health is for everybody; whatever else a service answers is for the other services (inner_calls.py), but for what
a server offers. At SIGTERM readiness and shards go first, `drain_s` later clients are sent elsewhere and open streams end; calls
get `grace_s` to finish.
"""

import asyncio
import itertools
import signal
import ssl
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, cast, runtime_checkable

import grpc
import uvloop
from google.protobuf.descriptor import FileDescriptor
from grpc_health.v1 import health, health_pb2_grpc

from grpc_http2 import Lifetime, Visitors
from services.runtime import endpoint, logs, memory, metrics, reflection, trace
from services.runtime.cannot_start import cannot_start
from services.runtime.endpoint import CallInterceptor, GrpcServer
from services.runtime.health import LIVE, Health, LoopClock
from services.runtime.identity import Identity, identity, renewed
from services.runtime.inner_calls import Callers, by_all_names, needed_inner_keys, offered
from services.runtime.link import LinkServer, Methods
from services.runtime.server_socket import bind_or_exit, exit_unless_free
from services.runtime.settings import Settings, settings
from services.runtime.tasks import ended
from services.runtime.version import VERSION

OPEN_RPCS = 10_000
"""Calls and streams that a process serves at once; more are refused (FULL)."""
OPEN_CONNECTIONS = 4_096
"""Connections of a process at once; more take the place of idle ones."""
_CONNECTION_S = 4_200
"""After so long a connection ends whatever is open on it. A stream between services is renewed well before."""
_TURN_S = 300
"""How long a server's connection takes new streams: its end makes callers look the name up, and find servers that came later."""
_ENDPOINT_TURN_S = 3_600
"""The same at an endpoint, where there is another balancer in front."""


class Service(Protocol):
    """The service that a process runs."""

    name: str
    """Its short name, for logs and metrics (session)."""
    full_names: Sequence[str]
    """The gRPC services it offers, by their names in the contract (brettwerk.internal.v1.SessionService)."""

    async def start(self, server: grpc.aio.Server) -> None:
        """Connect to what it needs and register its servicers. A server that is not there yet must not fail it: readiness tells.

        Raises ValueError, with a sentence, for settings that cannot be.
        """
        ...

    async def is_ready(self) -> bool:
        """Return whether it can do its work now."""
        ...

    async def drain(self) -> None:
        """End long streams, with a refusal (UNAVAILABLE) that tells clients to come again."""
        ...

    async def stop(self) -> None:
        """Let go of everything, after the last call has ended."""
        ...


@runtime_checkable
class Published(Protocol):
    """A service that anybody may read the contract of."""

    files: Sequence[FileDescriptor]
    """All that its reflection describes, along with what they import."""


@runtime_checkable
class Public(Protocol):
    """A service that strangers call."""

    def counted_address(self, peer: str) -> str:
        """Return the address that connections from `peer` count for; empty for a proxy, from which many clients come."""
        ...


@runtime_checkable
class Sharded(Protocol):
    """A service of which several processes share the work: each owns some shards, and tells its callers over links which."""

    def link_by(self, links: LinkServer) -> None:
        """Take what tells callers of shards and epochs, whenever these change, and how many callers there are; before `start`."""
        ...

    async def hand_over(self) -> None:
        """Let other processes have what this one owns, as far as there are any. It is about to end; calls still come."""
        ...


def run(make: Callable[[], Service], listen: str, links: str = "") -> None:
    """Make a service and run it at `listen` (host:port) until SIGTERM or SIGINT.

    Exits with 2 and a sentence when a port is taken, or the service raises ValueError for a setting. `links`: where it takes
    links, too (services/runtime/link); empty for nowhere.
    """
    config = settings()
    try:
        service = make()
    except ValueError as error:
        raise cannot_start(str(error)) from None
    logs.configure(service.name, config.log_level)
    trace.configure(service.name, config)
    uvloop.run(serve(service, listen, config, links=links))


async def serve(
    service: Service,
    listen: str,
    config: Settings,
    stopping: asyncio.Event | None = None,
    *,
    links: str = "",
    is_endpoint: bool = False,
    others: Sequence[Service] = (),
) -> None:
    """Serve until `stopping` is set (when None: SIGTERM or SIGINT). An endpoint is for everybody and takes no links.

    It is ready when `others` are, too: services of the same process, whose health nobody can ask for by itself. Exits with 2 and
    a sentence where `run` does.
    """
    memory.return_large_blocks()
    log = logs.logger(__name__)
    if stopping is None:
        stopping = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    keys = needed_inner_keys(config)
    callers = None if is_endpoint else Callers(keys, are_required=config.inner_auth == "required")
    server = GrpcServer(
        _visitors(service, config),
        CallInterceptor(service.name, callers),
        calls=OPEN_RPCS,
        calls_per_address=config.streams_per_address if is_endpoint else None,
        lifetime=Lifetime(_ENDPOINT_TURN_S if is_endpoint else _TURN_S, _CONNECTION_S),
    )
    registering = cast(grpc.aio.Server, server)  # what generated code calls of it is there
    clock = LoopClock()
    status = Health(clock)
    health_pb2_grpc.add_HealthServicer_to_server(status.servicer, registering)
    if config.reflection:
        described = service.files if isinstance(service, Published) else ()
        reflection.offer((*service.full_names, health.SERVICE_NAME), registering, described)
    own = identity(config)
    context = _context(own, config, is_endpoint=is_endpoint)
    with exit_unless_free(listen):
        port = server.bind(listen, context)
    asked: grpc.Server | None = None
    if config.health_listen:
        bind_or_exit(config.health_listen).close()  # gRPC would say more than that sentence
        with exit_unless_free(config.health_listen):
            asked = status.server()
            asked.add_insecure_port(config.health_listen)
    with exit_unless_free(config.metrics_listen):
        metrics.serve(config.metrics_listen, service.name, VERSION, status.beside)
    methods = Methods(service.name)
    link_server = LinkServer(methods, callers)
    if isinstance(service, Sharded):
        service.link_by(link_server)
    try:
        await service.start(registering if is_endpoint else by_all_names(server, methods))
    except ValueError as error:
        raise cannot_start(str(error)) from None
    if links:
        with exit_unless_free(links):
            await link_server.listen(links, own)
    await _tell(service, status, ready=False)
    await status.tell([LIVE], serving=True)
    clock.start(service.name)
    server.start()
    if asked is not None:
        asked.start()
    memory.calm_collector()
    memory.keep_batches()
    log.info("listening", port=port)
    readiness = asyncio.create_task(_follow_readiness(service, status, others))
    resting = asyncio.create_task(memory.give_back_at_rest())
    refreshing = [asyncio.create_task(own.keep_fresh(context))] if own is not None and context is not None else []
    renewal = asyncio.create_task(renewed(own))
    renewal.add_done_callback(lambda _: stopping.set())
    await stopping.wait()
    await ended(readiness, resting, renewal, *refreshing)
    # Not enter_graceful_shutdown: it would end "live" too, and a process that drains must not be killed for it.
    await _tell(service, status, ready=False)
    log.info("stopping")
    # At once: who comes now does not find this process any more, and could ask nobody for what it owns.
    handing_over = [_let(service.hand_over(), config.drain_s, "hand over")] if isinstance(service, Sharded) else []
    await asyncio.gather(asyncio.sleep(config.drain_s), *handing_over)
    server.leave()  # before streams end: their clients come again at once, and are to find another process
    await _let(service.drain(), config.grace_s, "drain")
    stopping_s = config.grace_s + 5
    await asyncio.gather(
        _let(server.stop(config.grace_s), stopping_s, "calls"), _let(link_server.stop(config.grace_s), stopping_s, "links")
    )
    await _let(service.stop(), config.grace_s, "stop")
    if asked is not None:
        asked.stop(None)
    clock.stop()
    trace.flush()
    log.info("stopped")


def _visitors(service: Service, config: Settings) -> Visitors:
    """Return who may come: at an endpoint for everybody, as many of one address as is set."""
    if not isinstance(service, Public):
        return Visitors(OPEN_CONNECTIONS, bounds=endpoint.BOUNDS)
    per_address = config.connections_per_address
    visitors = Visitors(OPEN_CONNECTIONS, per_address, max(1.0, per_address / 10), bounds=endpoint.BOUNDS)
    visitors.counted = service.counted_address
    return visitors


def _context(own: Identity | None, config: Settings, *, is_endpoint: bool) -> ssl.SSLContext | None:
    if is_endpoint and config.gateway_tls and own is None:
        raise cannot_start("BRETTWERK_GATEWAY_TLS needs a certificate: BRETTWERK_TLS_CERTIFICATE, _KEY and _AUTHORITY")
    if own is None or (is_endpoint and not config.gateway_tls):
        return None
    return own.endpoint_context() if is_endpoint else own.listener_context()


async def _let(ending: Awaitable[None], timeout: float, what: str) -> None:
    """Wait for one step of the shutdown; when it fails or hangs, the rest happens all the same."""
    try:
        async with asyncio.timeout(max(timeout, 1)):
            await ending
    except Exception as error:  # noqa: BLE001 - the process is about to end
        logs.logger(__name__).error("could not shut down in order", step=what, exc_info=error)


async def _follow_readiness(service: Service, status: Health, others: Sequence[Service]) -> None:
    was_ready = False
    while True:
        try:
            async with asyncio.timeout(2):  # wait_for may swallow the cancellation that ends this (CPython issue 86296)
                ready = all([await each.is_ready() for each in (service, *others)])
        except Exception:  # noqa: BLE001 - whatever it is, it is not ready
            ready = False
        if ready is not was_ready:
            await _tell(service, status, ready=ready)
        was_ready = ready
        await asyncio.sleep(0.5 if not ready else 1)


async def _tell(service: Service, status: Health, *, ready: bool) -> None:
    await status.tell(("", *itertools.chain.from_iterable(map(offered, service.full_names))), serving=ready)
