"""How long a player of many games waits for their own pages: `python -m loadtests.cost.history --games 10000`.

The tables of a players service are filled with that many games of one player against 500 others, in two games, and asked what the
pages ask: medians and the longest of some calls, in milliseconds, without the way over the network.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from brettwerk.v1 import profiles_pb2 as pb
from loadtests.cost.finished_games import games
from loadtests.markdown import table
from loadtests.run import parser
from services.archive.archive import Archive
from services.archive.outbox import MAX_READ, Outbox
from services.players.calls import Answered, Caller
from services.players.intake.intake import Intake
from services.players.profiles.profiles import Profiles
from services.players.store import open_store

FIRST_AT_MS = 1_750_000_000_000
ME = Caller("me", "Me", "192.0.2.1")
TWO = pb.PLAY_KIND_TWO


async def _fill(folder: Path, wanted: int) -> Profiles:
    archive_url = f"sqlite:///{folder}/archive.sqlite3"
    archive, outbox, store = (
        Archive.open(archive_url),
        Outbox.open(archive_url),
        open_store(f"sqlite:///{folder}/players.sqlite3"),
    )
    taking = Intake(outbox, store)
    for number, game in enumerate(("einstein", "plateau")):
        of_game = wanted * 9 // 10 if game == "einstein" else wanted // 10
        ids: list[str] = []
        for one in games(
            game, 2, [f"player{n}" for n in range(500)], of_game, first_at_ms=FIRST_AT_MS + number, with_player="me"
        ):
            await archive.keep(one)
            ids.append(one.session_id)
        for first in range(0, len(ids), MAX_READ):
            taking.take(ids[first : first + MAX_READ])
    outbox.close()
    archive.close()
    return Profiles(store)


def _results(profiles: Profiles, **wanted: Any) -> Callable[[], Awaitable[Answered]]:
    return lambda: profiles.list_results(pb.ListResultsRequest(**wanted), ME)


async def measure(wanted: int, calls: int) -> dict[str, list[float]]:
    """Return by what is asked how long it took, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        profiles = await _fill(Path(folder), wanted)
        middle = FIRST_AT_MS + wanted * 30_000
        asked: dict[str, Callable[[], Awaitable[Answered]]] = {
            "first page": _results(profiles),
            "of a game": _results(profiles, game="plateau"),
            "won": _results(profiles, result=pb.GAME_RESULT_WON),
            "a page from the middle": _results(profiles, page_token=f"{middle}/00"),
            "between two dates": _results(profiles, from_ms=middle, until_ms=middle + 86_400_000),
            "against a player": _results(profiles, opponent_id="player77"),
            "against a name": _results(profiles, opponent="AYER77"),
            "against a name that is not there": _results(profiles, opponent="nobody"),
            "profile": lambda: profiles.get_profile(pb.GetProfileRequest(), ME),
            "achievements": lambda: profiles.list_achievements(pb.ListAchievementsRequest(language="en"), ME),
            "leaders": lambda: profiles.list_leaders(pb.ListLeadersRequest(game="einstein", kind=TWO), ME),
            "leaders of a week": lambda: profiles.list_leaders(
                pb.ListLeadersRequest(game="einstein", kind=TWO, week_ms=middle), ME
            ),
        }
        took: dict[str, list[float]] = {}
        for _ in range(calls):
            for name, call in asked.items():
                began = time.perf_counter()
                await call()
                took.setdefault(name, []).append(1000 * (time.perf_counter() - began))
    return took


def main() -> None:
    """Measure, and print a table."""
    options = parser(__doc__)
    options.add_argument("--games", type=int, default=10_000)
    options.add_argument("--calls", type=int, default=15)
    asked = options.parse_args()
    measured = asyncio.run(measure(asked.games, asked.calls))
    rows = [(name, f"{statistics.median(took):.1f}", f"{max(took):.1f}") for name, took in measured.items()]
    print(table((f"of {asked.games:,} games", "median, ms", "most, ms"), rows))


if __name__ == "__main__":
    main()
