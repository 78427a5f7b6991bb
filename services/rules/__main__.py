"""Runs the rules service: `python -m services.rules`."""

from services.rules.service import RulesProcess
from services.runtime import server
from services.runtime.settings import settings

if __name__ == "__main__":
    config = settings()
    links = config.link_listen or config.rules_link_address
    server.run(lambda: RulesProcess(config.heavy_processes, config.first_games), config.listen or config.rules_address, links)
