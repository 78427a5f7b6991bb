"""Runs the rules service: `python -m services.rules`."""

from services.rules.service import RulesProcess
from services.runtime.server import run
from services.runtime.settings import settings


def main() -> None:
    """Run it until SIGTERM."""
    config = settings()
    links = config.link_listen or config.rules_link_address
    run(lambda: RulesProcess(config.heavy_processes, config.first_games), config.listen or config.rules_address, links)


if __name__ == "__main__":
    main()
