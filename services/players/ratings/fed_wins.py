"""Players fed by accounts that play no other: shown to operators, since two accounts can hand wins to each other by the rules.

Only figures come of it: no rating changes, and nobody is punished. Friends who play only each other show here, too.
"""

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection, select

from services.archive.access import Access
from services.players.ratings.pools import DAY_MS
from services.players.results.rating_kind import APART_MANY, APART_TWO, MANY, TWO
from services.players.results.summary import ABANDONED, LOST, WON
from services.players.results.tables import GAMES, RESULTS
from services.runtime import metrics
from services.runtime.refusal import Refused
from services.runtime.wall_clock import wall_ms

WINDOW_MS = 7 * DAY_MS
FEWEST = 10
"""Fewer such wins within the window are not shown."""
SHOWN = 10
EVERY_S = 600.0
MAX_RESULTS = 50_000
"""Of the window's results the newest are read, which bounds the memory that it takes."""


class Came(NamedTuple):
    """The result of a rated game for a player who began it."""

    session_id: str
    game: str
    player_id: str
    result: str


class FedWins(NamedTuple):
    """Wins of a player against accounts that have met nobody else in rated games of the window."""

    player_id: str
    game: str
    wins: int
    accounts: int


def fed_wins(results: Iterable[Came]) -> list[FedWins]:
    """Return the players with the most such wins, FEWEST or more, SHOWN at most."""
    sat: dict[str, list[Came]] = defaultdict(list)
    for one in results:
        sat[one.session_id].append(one)
    met: dict[str, set[str]] = defaultdict(set)
    for at in sat.values():
        for one in at:
            met[one.player_id].update(other.player_id for other in at if other.player_id != one.player_id)
    given: dict[tuple[str, str], list[str]] = defaultdict(list)
    for at in sat.values():
        for winner in (one for one in at if one.result == WON):
            lost = (one.player_id for one in at if one.result in (LOST, ABANDONED) and met[one.player_id] == {winner.player_id})
            given[winner.player_id, winner.game].extend(lost)
    found = [FedWins(*key, len(accounts), len(set(accounts))) for key, accounts in given.items() if len(accounts) >= FEWEST]
    return sorted(found, key=lambda one: (-one.wins, one))[:SHOWN]


def read(connection: Connection, since_ms: int) -> list[Came]:
    """Return what rated games among people came to since a moment, the newest MAX_RESULTS."""
    query = (
        select(RESULTS.c.session_id, RESULTS.c.game, RESULTS.c.player_id, RESULTS.c.result)
        .join(GAMES, GAMES.c.session_id == RESULTS.c.session_id)
        .where(GAMES.c.rated.is_(True), GAMES.c.kind.in_((TWO, MANY, APART_TWO, APART_MANY)), GAMES.c.finished_at_ms >= since_ms)
        .where(RESULTS.c.began.is_(True), RESULTS.c.player_id != "")
        .order_by(GAMES.c.finished_at_ms.desc())
        .limit(MAX_RESULTS)
    )
    return [Came(*row) for row in connection.execute(query)]


class Counting:
    """Keeps the figures fresh: `found`, as counted last."""

    def __init__(self, store: Access) -> None:
        self._store = store
        self.found: list[FedWins] = []

    async def run(self) -> None:
        """Count again and again, until cancelled."""
        while True:
            with contextlib.suppress(Refused):  # the database is away, and its access has said so
                await self.count(wall_ms())
            await asyncio.sleep(EVERY_S)

    async def count(self, now_ms: int) -> None:
        """Count once. Raises Refused (UNAVAILABLE)."""
        self.found = fed_wins(await self._store.run(lambda connection: read(connection, now_ms - WINDOW_MS)))
        metrics.FED_WINS.set(sum(one.wins for one in self.found))
