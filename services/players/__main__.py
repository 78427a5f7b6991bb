"""Runs the players service: `python -m services.players`. With `rebuild` it takes all finished games anew from the archive.

With `conduct` it prints who leaves games, and what may be rating abuse (conduct/report.py).
"""

import argparse

from sqlalchemy import Connection

from services.archive.outbox import Outbox
from services.players.accounts.names import names_of
from services.players.conduct import report
from services.players.intake.intake import Intake
from services.players.service import PlayersProcess
from services.players.store import open_store
from services.runtime.server import run
from services.runtime.settings import Settings, settings
from services.runtime.wall_clock import wall_ms


def main() -> None:
    """Run it until SIGTERM, or rebuild. Exits with 2 and a sentence for settings that cannot be."""
    parser = argparse.ArgumentParser(prog="services.players", description=__doc__)
    parser.add_argument("work", nargs="?", choices=["serve", "rebuild", "conduct"], default="serve")
    config = settings()
    match parser.parse_args().work:
        case "rebuild":
            print(f"{_rebuild(config)} finished games were taken from the archive")
        case "conduct":
            print("\n".join(_conduct(config)))
        case _:
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


def _conduct(config: Settings) -> list[str]:
    store = open_store(config.players_database_url)
    try:
        store.wait()
        return store.run_here(_conduct_lines)
    finally:
        store.close()


def _conduct_lines(connection: Connection) -> list[str]:
    found = report.report(connection, wall_ms())
    return list(report.lines(found, names_of(connection, found.players())))


if __name__ == "__main__":
    main()
