"""The players service and the AI service in one process, which `scripts/play` runs where people rest at times.

Neither has a part in a move of a person, and each by itself holds 36 MB that the other has, too.
"""

import asyncio

from deploy.local.together import Served, run, serve_together
from services.ai.service import AiService
from services.players.service import PlayersProcess
from services.runtime.settings import Settings


async def serve_both(config: Settings, stopping: asyncio.Event) -> None:
    """Serve until `stopping` is set, or one of them ends.

    Raises ValueError for settings that cannot be, and a group of whatever a service ends with. Exits with 2 and a sentence where
    one of them does.
    """
    services = (Served(PlayersProcess(config), config.players_address), Served(AiService(config), config.ai_address))
    await serve_together(config, services, stopping)


def main() -> None:
    """Run them until SIGTERM. Exits with 2 and a sentence for settings that cannot be, or a port that is taken."""
    run("players", serve_both)


if __name__ == "__main__":
    main()
