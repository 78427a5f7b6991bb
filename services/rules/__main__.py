"""Runs the rules service: `python -m services.rules`."""

from services.rules.service import RulesProcess
from services.runtime import server
from services.runtime.settings import settings

if __name__ == "__main__":
    server.run(RulesProcess(settings().heavy_processes), settings().listen or settings().rules_address)
