"""Runs a gRPC service as a process: health that is honest, reflection, and an orderly end on SIGTERM.

Health has three names: "" and each service's name follow readiness (can it do its work?), "live" is SERVING as long as the
process runs. On SIGTERM readiness goes first, `drain_s` later open streams are told to end, and calls get `grace_s` to finish.
"""

import asyncio
import contextlib
import gc
import signal
import sys
from collections.abc import Awaitable, Sequence
from typing import Protocol

import grpc
import uvloop
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from services.runtime import logs, metrics
from services.runtime.channel import MESSAGE_BYTES
from services.runtime.interceptor import CallInterceptor
from services.runtime.settings import Settings, settings
from services.runtime.version import VERSION

OPEN_RPCS = 10_000
"""Calls and streams that a process serves at once; gRPC refuses more (RESOURCE_EXHAUSTED)."""
_COLLECT_EVERY = 20_000
"""New objects, less those that went, between two looks of the garbage collector."""
_OPTIONS = (
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", MESSAGE_BYTES),
    ("grpc.max_send_message_length", MESSAGE_BYTES),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.max_connection_age_ms", 3_600_000),
    ("grpc.max_connection_age_grace_ms", 600_000),
)


class Service(Protocol):
    """What a process runs."""

    name: str
    """Its short name, for logs and metrics (session)."""
    full_names: Sequence[str]
    """The gRPC services it offers (brettwerk.v1.SessionService)."""

    async def start(self, server: grpc.aio.Server) -> None:
        """Connect to what it needs and register its servicers. What is not there yet must not fail it: readiness tells."""
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


def run(service: Service, listen: str) -> None:
    """Run the service at `listen` (host:port) until SIGTERM or SIGINT. Exits with 2 when a port is taken."""
    config = settings()
    logs.configure(service.name, config.log_level)
    uvloop.run(serve(service, listen, config))


def bind(server: grpc.aio.Server, listen: str) -> int:
    """Bind the server and return its port. Exits with 2 and a plain sentence when that cannot be done."""
    try:
        return server.add_insecure_port(listen)
    except RuntimeError:
        raise _cannot_listen(listen) from None


def _cannot_listen(listen: str) -> SystemExit:
    print(f"cannot listen on {listen}: the port is taken or the address is not ours", file=sys.stderr, flush=True)
    return SystemExit(2)


async def serve(service: Service, listen: str, config: Settings, stopping: asyncio.Event | None = None) -> None:
    """Serve until `stopping` is set (by SIGTERM or SIGINT when None is given)."""
    log = logs.logger(__name__)
    if stopping is None:
        stopping = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    interceptors = [CallInterceptor(service.name)]
    server = grpc.aio.server(interceptors=interceptors, options=_OPTIONS, maximum_concurrent_rpcs=OPEN_RPCS)
    status = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(status, server)
    if config.reflection:
        reflection.enable_server_reflection((*service.full_names, health.SERVICE_NAME, reflection.SERVICE_NAME), server)
    port = bind(server, listen)
    try:
        metrics.serve(config.metrics_listen, service.name, VERSION)
    except (OSError, ValueError):
        raise _cannot_listen(config.metrics_listen) from None
    await service.start(server)
    for name in ("", *service.full_names):
        await status.set(name, health_pb2.HealthCheckResponse.NOT_SERVING)
    await status.set("live", health_pb2.HealthCheckResponse.SERVING)
    await server.start()
    _calm_collector()
    log.info("listening", port=port)
    readiness = asyncio.create_task(_follow_readiness(service, status))
    await stopping.wait()
    readiness.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await readiness
    # Not enter_graceful_shutdown: it would end "live" too, and a process that drains must not be killed for it.
    await _tell(service, status, ready=False)
    log.info("stopping")
    await asyncio.sleep(config.drain_s)
    await _let(service.drain(), config.grace_s, "drain")
    await server.stop(config.grace_s)
    await _let(service.stop(), config.grace_s, "stop")
    log.info("stopped")


def _calm_collector() -> None:
    """Let the garbage collector leave alone what is there for good, and look less often: hardly anything here is a cycle."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_COLLECT_EVERY)


async def _let(ending: Awaitable[None], timeout: float, what: str) -> None:
    """Wait for a part of the end; when it fails or hangs, the rest happens all the same."""
    try:
        async with asyncio.timeout(max(timeout, 1)):
            await ending
    except Exception as error:  # noqa: BLE001 - the process is about to end
        logs.logger(__name__).error("could not end in order", part=what, exc_info=error)


async def _follow_readiness(service: Service, status: "health.aio.HealthServicer") -> None:
    while True:
        try:
            async with asyncio.timeout(2):  # wait_for may swallow the cancellation that ends this (CPython issue 86296)
                ready = await service.is_ready()
        except Exception:  # noqa: BLE001 - whatever it is, it is not ready
            ready = False
        await _tell(service, status, ready=ready)
        await asyncio.sleep(0.5 if not ready else 1)


async def _tell(service: Service, status: "health.aio.HealthServicer", *, ready: bool) -> None:
    serving = health_pb2.HealthCheckResponse.SERVING if ready else health_pb2.HealthCheckResponse.NOT_SERVING
    for name in ("", *service.full_names):
        await status.set(name, serving)
