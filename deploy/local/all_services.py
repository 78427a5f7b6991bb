"""All services in one process: `scripts/play --small` runs it, and `--one-process` has it in a thread (one_process.py).

They talk over the same sockets as always. What they share is an interpreter: one copy of the libraries, and one core.
"""

import asyncio
import signal

import uvloop

from gateway.process import Gateway
from services.ai.service import AiService
from services.players.service import PlayersProcess
from services.rules.service import RulesProcess
from services.runtime import logs, spans
from services.runtime.cannot_start import cannot_start
from services.runtime.server import Service, serve
from services.runtime.settings import Settings, settings
from services.session.app.service import SessionProcess


async def serve_all(config: Settings, stopping: asyncio.Event) -> None:
    """Serve until `stopping` is set, or one of them ends; they end in order, the gateway first.

    Raises ValueError for settings that cannot be, and a group of whatever a service ends with. Exits with 2 and a sentence where
    one of them does.
    """
    quiet = config.model_copy(update={"metrics_listen": "", "health_listen": ""})  # the gateway's show the series of all
    gateway = Gateway(config)
    inner: tuple[tuple[Service, str, str], ...] = (
        (AiService(config), config.ai_address, ""),
        (PlayersProcess(config), config.players_address, ""),
        (SessionProcess(config), config.session_address, config.session_link_address),
        (RulesProcess(config.heavy_processes, config.first_games), config.rules_address, config.rules_link_address),
    )
    async with asyncio.TaskGroup() as group:
        ends = [asyncio.Event() for _ in range(1 + len(inner))]
        others = [service for service, _, _ in inner]
        entrance = serve(gateway, config.gateway_listen, config, ends[0], is_endpoint=True, others=others)
        running = [group.create_task(entrance)]
        for end, (service, listen, links) in zip(ends[1:], inner, strict=True):
            running.append(group.create_task(serve(service, listen, quiet, end, links=links)))
        stopped = group.create_task(stopping.wait())
        await asyncio.wait([stopped, *running], return_when=asyncio.FIRST_COMPLETED)
        stopping.set()
        gateway.is_leaving = True
        for end, task in zip(ends, running, strict=True):
            end.set()
            await asyncio.wait([task])


def main() -> None:
    """Run them until SIGTERM. Exits with 2 and a sentence for settings that cannot be, or a port that is taken."""
    config = settings()
    logs.configure("services", config.log_level)
    spans.configure("services", config)

    async def run() -> None:
        stopping = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stopping.set)
        await serve_all(config, stopping)

    try:
        uvloop.run(run())
    except ValueError as error:
        raise cannot_start(str(error)) from None


if __name__ == "__main__":
    main()
