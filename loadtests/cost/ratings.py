"""How many finished games a second of CPU time goes into ratings: `python -m loadtests.cost.ratings`.

It starts a deployment of its own, puts games that were played by lot into its archive, and waits until the players service has
taken them: published, through the queue, into results, ratings and achievements. What is counted is the CPU time of the players
service and its worker, from the first game in the archive until all are delivered. Games before that warm up. All are
competitive, between 500 players.
"""

import asyncio
import time

from loadtests.cost.finished_games import games
from loadtests.markdown import head, row
from loadtests.processes import cpu_s
from loadtests.run import deployment as started
from loadtests.run import parser
from services.archive.archive import Archive
from services.archive.outbox import Outbox

FIRST_AT_MS = 1_750_000_000_000
PLAYERS = [f"player{number}" for number in range(500)]
WARM_UP = 200
TIMEOUT_S = 600.0


async def _keep(url: str, game: str, seats: int, wanted: int, seed: int, first_at_ms: int) -> None:
    archive = Archive.open(url)
    for one in games(game, seats, PLAYERS, wanted, first_at_ms=first_at_ms, seed=seed):
        await archive.keep(one)
    archive.close()


def _wait(outbox: Outbox) -> None:
    until = time.monotonic() + TIMEOUT_S
    while outbox.undelivered(1):
        if time.monotonic() > until:
            raise TimeoutError("the players service did not take all games")
        time.sleep(0.05)


def measure(game: str, seats: int, wanted: int) -> float:
    """Return the CPU time that a game took, in seconds."""
    with started() as deployment:
        url = deployment.environment["BRETTWERK_DATABASE_URL"]
        outbox = Outbox.open(url)
        asyncio.run(_keep(url, game, seats, WARM_UP, 1, FIRST_AT_MS))
        _wait(outbox)
        players = deployment.pids()["players"]
        before = cpu_s(players)
        asyncio.run(_keep(url, game, seats, wanted, 2, FIRST_AT_MS + 10**9))
        _wait(outbox)
        spent = cpu_s(players) - before
        outbox.close()
    return spent / wanted


def main() -> None:
    """Measure, and print a table."""
    options = parser(__doc__)
    options.add_argument("--games", type=int, default=3000)
    options.add_argument("--runs", type=int, default=3)
    asked = options.parse_args()
    print(head(("game", "finished games", "µs of CPU a game", "games a CPU second")))
    for _ in range(asked.runs):
        each = measure("einstein", 2, asked.games)
        print(row(("einstein", f"{asked.games:,}", f"{each * 1e6:,.0f}", f"{1 / each:,.0f}")), flush=True)


if __name__ == "__main__":
    main()
