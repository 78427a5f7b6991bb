"""Runs the players service: `python -m services.players`. With `rebuild` it takes all finished games anew from the archive."""

import argparse

from services.archive.outbox import Outbox
from services.players.intake.intake import Intake
from services.players.service import PlayersProcess
from services.players.store import open_store
from services.runtime.server import run
from services.runtime.settings import Settings, settings


def main() -> None:
    """Run it until SIGTERM, or rebuild. Exits with 2 and a sentence for settings that cannot be."""
    parser = argparse.ArgumentParser(prog="services.players", description=__doc__)
    parser.add_argument("work", nargs="?", choices=["serve", "rebuild"], default="serve")
    config = settings()
    if parser.parse_args().work == "rebuild":
        print(f"{_rebuild(config)} finished games were taken from the archive")
    else:
        run(lambda: PlayersProcess(config), config.listen or config.players_address)


def _rebuild(config: Settings) -> int:
    outbox, store = Outbox.open(config.database_url), open_store(config.players_database_url)
    try:
        outbox.wait()
        store.wait()
        return Intake(outbox, store).rebuild()
    finally:
        outbox.close()
        store.close()


if __name__ == "__main__":
    main()
