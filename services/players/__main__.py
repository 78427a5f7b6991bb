"""Runs the players service: `python -m services.players`."""

from services.players.service import PlayersProcess
from services.runtime.server import run
from services.runtime.settings import settings


def main() -> None:
    """Run it until SIGTERM. Raises ValueError for a database URL that cannot be one."""
    config = settings()
    run(PlayersProcess(config), config.listen or config.players_address)


if __name__ == "__main__":
    main()
