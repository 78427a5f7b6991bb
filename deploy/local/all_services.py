"""All services in one process: `scripts/play --small` runs it, and `--one-process` has it in a thread (one_process.py).

They talk over the same sockets as always. They share an interpreter: one copy of the libraries, and one core.
"""

import asyncio

from deploy.local.together import Served, run, serve_together
from gateway.process import Gateway
from services.ai.service import AiService
from services.players.service import PlayersProcess
from services.rules.service import RulesProcess
from services.runtime.settings import Settings
from services.session.app.service import SessionProcess


async def serve_all(config: Settings, stopping: asyncio.Event) -> None:
    """Serve until `stopping` is set, or one of them ends; they end in order, the gateway first.

    Raises ValueError for settings that cannot be, and a group of whatever a service ends with. Exits with 2 and a sentence where
    one of them does.
    """
    gateway = Gateway(config)
    rules = RulesProcess(config.heavy_processes, config.first_games)

    def leave() -> None:
        gateway.is_leaving = True

    services = (
        Served(gateway, config.gateway_listen, is_endpoint=True),
        Served(AiService(config), config.ai_address),
        Served(PlayersProcess(config), config.players_address),
        Served(SessionProcess(config), config.session_address, config.session_link_address),
        Served(rules, config.rules_address, config.rules_link_address),
    )
    await serve_together(config, services, stopping, leave)


def main() -> None:
    """Run them until SIGTERM. Exits with 2 and a sentence for settings that cannot be, or a port that is taken."""
    run("services", serve_all)


if __name__ == "__main__":
    main()
