"""Runs several services in one process, on one event loop; they talk over the same sockets as always."""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import uvloop

from services.runtime import logs, trace
from services.runtime.cannot_start import cannot_start
from services.runtime.server import Service, serve
from services.runtime.settings import Settings, settings


@dataclass(frozen=True, slots=True)
class Served:
    """A service, and where it listens."""

    service: Service
    listen: str
    """host:port of its gRPC endpoint."""
    links: str = ""
    """Where it takes links; empty for nowhere."""
    is_endpoint: bool = False
    """Whether it is for everybody."""


def quiet(config: Settings) -> Settings:
    """Return settings without ports for metrics and health: the first service of a process answers there for all of them."""
    return config.model_copy(update={"metrics_listen": "", "health_listen": ""})


async def serve_together(
    config: Settings,
    services: Sequence[Served],
    stopping: asyncio.Event,
    leave: Callable[[], None] = lambda: None,
) -> None:
    """Serve until `stopping` is set, or one of them ends; then `leave` is called, and they end one after the other, in order.

    The first one is ready when all are, and its metrics are those of the process. Raises a group of whatever a service ends with.
    Exits with 2 and a sentence where one of them does.
    """
    first, *others = services
    async with asyncio.TaskGroup() as group:
        ends = [asyncio.Event() for _ in services]
        beside = [one.service for one in others]
        entrance = serve(
            first.service, first.listen, config, ends[0], links=first.links, is_endpoint=first.is_endpoint, others=beside
        )
        running = [group.create_task(entrance)]
        for end, one in zip(ends[1:], others, strict=True):
            running.append(group.create_task(serve(one.service, one.listen, quiet(config), end, links=one.links)))
        stopped = group.create_task(stopping.wait())
        await asyncio.wait([stopped, *running], return_when=asyncio.FIRST_COMPLETED)
        stopping.set()
        leave()
        for end, task in zip(ends, running, strict=True):
            end.set()
            await asyncio.wait([task])


def run(name: str, serve_all: Callable[[Settings, asyncio.Event], Awaitable[None]]) -> None:
    """Run what serves several services until SIGTERM or SIGINT; `name` is in its logs.

    Exits with 2 and a sentence for settings that cannot be, or a port that is taken.
    """
    config = settings()
    logs.configure(name, config.log_level)
    trace.configure(name, config)

    async def until_signalled() -> None:
        stopping = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stopping.set)
        await serve_all(config, stopping)

    try:
        uvloop.run(until_signalled())
    except ValueError as error:
        raise cannot_start(str(error)) from None
