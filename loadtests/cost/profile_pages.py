"""How long pages of a player's past take: `python -m loadtests.cost.profile_pages`.

It puts games that were played by lot into an archive of its own, 5,000 of one player against 500 others in each of two games,
takes them as the players service does, and asks that code for the profile, for pages of results by every filter, for a
late page, and for leaders and achievements. For each it prints the wall time and the CPU time in milliseconds: the median and the
slowest of the repeats. No network and no other process is in between.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeAlias

from brettwerk.v1 import profiles_pb2 as pb
from loadtests.cost.finished_games import games
from services.archive.archive import Archive
from services.archive.outbox import Outbox
from services.players.calls import Answered, Caller
from services.players.profiles.profiles import Profiles
from services.players.results.intake import Intake
from services.players.store import open_store

FIRST_AT_MS = 1_750_000_000_000
APART_MS = 60_000
OTHERS = [f"player{number}" for number in range(500)]
ADA = Caller("ada", "Ada", "192.0.2.1")
_MIDDLE = 2
_Ask: TypeAlias = Callable[[], Awaitable[Answered]]


async def _keep(url: str, each: int) -> None:
    archive = Archive.open(url)
    for number, (game, seats) in enumerate((("einstein", 2), ("plateau", 3))):
        first_at_ms = FIRST_AT_MS + number * APART_MS // 2
        for one in games(game, seats, OTHERS, each, first_at_ms=first_at_ms, apart_ms=APART_MS, with_player=ADA.player_id):
            await archive.keep(one)
    archive.close()


async def _last_page(profiles: Profiles) -> str:
    """Return the token of the last page, as a player comes to it who turns page after page."""
    token = before = ""
    while True:
        found = (await profiles.list_results(pb.ListResultsRequest(page_size=100, page_token=token), ADA)).response
        assert isinstance(found, pb.ListResultsResponse)
        if not found.next_page_token:
            return before
        before, token = token, found.next_page_token


async def questions(profiles: Profiles, each: int) -> dict[str, _Ask]:
    """Return what is asked for, by what the table calls it."""
    half = FIRST_AT_MS + each * APART_MS // _MIDDLE
    day = 24 * 60 * APART_MS
    searches = {
        "first page": pb.ListResultsRequest(),
        "last page": pb.ListResultsRequest(page_token=await _last_page(profiles), page_size=100),
        "by game": pb.ListResultsRequest(game="plateau"),
        "by result": pb.ListResultsRequest(result=pb.GAME_RESULT_DRAWN),
        "by part of an opponent's name": pb.ListResultsRequest(opponent="ayer49"),
        "by a name that there is not": pb.ListResultsRequest(opponent="nobody"),
        "by opponent": pb.ListResultsRequest(opponent_id="player7"),
        "by date": pb.ListResultsRequest(from_ms=half, until_ms=half + day),
        "by all of it": pb.ListResultsRequest(game="plateau", result=pb.GAME_RESULT_LOST, opponent="player7", from_ms=half),
    }
    found: dict[str, _Ask] = {
        "profile": lambda: profiles.get_profile(pb.GetProfileRequest(), ADA),
        **{f"results, {name}": (lambda one=one: profiles.list_results(one, ADA)) for name, one in searches.items()},  # type: ignore[misc]
        "leaders": lambda: profiles.list_leaders(pb.ListLeadersRequest(game="einstein", kind=pb.PLAY_KIND_TWO), ADA),
        "achievements": lambda: profiles.list_achievements(pb.ListAchievementsRequest(language="en"), ADA),
    }
    return found


async def _time(ask: _Ask, repeats: int) -> tuple[list[float], list[float]]:
    wall, cpu = [], []
    await ask()
    for _ in range(repeats):
        began, spent = time.perf_counter(), time.process_time()
        await ask()
        wall.append(1000 * (time.perf_counter() - began))
        cpu.append(1000 * (time.process_time() - spent))
    return wall, cpu


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=5000, help="finished games of the player, of each of two games")
    parser.add_argument("--repeats", type=int, default=20)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        urls = (f"sqlite:///{Path(folder) / 'archive.sqlite3'}", f"sqlite:///{Path(folder) / 'players.sqlite3'}")
        asyncio.run(_keep(urls[0], asked.games))
        outbox, store = Outbox.open(urls[0]), open_store(urls[1])
        taken = Intake(outbox, store).rebuild()
        print(f"{taken:,} finished games\n")
        print("| page | median ms | slowest ms | CPU ms |\n| --- | --- | --- | --- |")

        async def ask_all() -> None:
            for name, ask in (await questions(Profiles(store), asked.games)).items():
                wall, cpu = await _time(ask, asked.repeats)
                print(f"| {name} | {statistics.median(wall):.1f} | {max(wall):.1f} | {statistics.median(cpu):.1f} |", flush=True)

        asyncio.run(ask_all())
        outbox.close()
        store.close()


if __name__ == "__main__":
    main()
