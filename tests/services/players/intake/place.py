"""An archive and the players' tables of a test's own."""

from pathlib import Path
from typing import Any

from sqlalchemy import select

from services.archive.access import Access
from services.archive.archive import Archive
from services.archive.outbox import Outbox
from services.players.intake.intake import Intake
from services.players.ratings.tables import RATING_EVENTS, RATING_POOLS, RATING_WEEKS, RATINGS
from services.players.results.tables import GAMES, RESULTS
from services.players.store import open_store
from tests.services.players.intake.finished_games import computer, kept, outcome, person

TABLES = (GAMES, RESULTS, RATINGS, RATING_EVENTS, RATING_WEEKS, RATING_POOLS)
NAMES = ("anna", "bert", "cleo", "dora")


class Place:
    """An archive and the players' tables of a test's own."""

    def __init__(self, folder: Path, players_url: str = "") -> None:
        self.archive_url = f"sqlite:///{folder}/archive.sqlite3"
        self.players_url = players_url or f"sqlite:///{folder}/players.sqlite3"
        self.archive, self.outbox = Archive.open(self.archive_url), Outbox.open(self.archive_url)
        self.store: Access = open_store(self.players_url)
        self.taking = Intake(self.outbox, self.store)

    async def finish(self, first: int, games: int) -> None:
        for number in range(first, first + games):
            one, other = NAMES[number % 4], NAMES[(number // 4 + number + 1) % 4]
            opponent = computer() if one == other else person(other)
            ended = outcome(*([number % 2] if number % 5 else []))
            await self.archive.keep(kept(number, person(one), opponent, ended=ended, competitive=True))

    def rows(self) -> list[Any]:
        """Return all that is stored of finished games, ratings with all their digits."""

        def read(connection: Any) -> list[Any]:
            return [sorted(map(tuple, connection.execute(select(table)))) for table in TABLES]

        return self.store.run_here(read)

    def close(self) -> None:
        self.archive.close()
        self.outbox.close()
        self.store.close()
