"""Games of two who trade wins, among those of others, and of a player who leaves games, for the page of the moderators."""

import asyncio
import threading
import time
from dataclasses import replace

from brettwerk.v1 import profiles_pb2, sessions_pb2
from brettwerk_client import Client, refusals
from deploy.local.deployment import Deployment
from services.archive.archive import Archive
from tests.browser.departures import NUMBERS, play_some
from tests.e2e.stranger import eventually
from tests.services.players.intake.finished_games import kept, log, outcome, person

GAME = "wec"
"""Tests of pages count what there is of other games."""
OTHERS, TRADED = 91, 9
"""Those that are traded are the shortest tenth."""
LEAVES = "---+++++-" + "+" * 18 + "---"
"""Games a minute apart, after which a player has three pauses, of which the last goes on for 80 minutes."""


def keep(site: Deployment) -> None:
    """Put the games into the archive, those of the pair last."""
    archive = Archive.open(site.environment["BRETTWERK_DATABASE_URL"])
    now_ms = round(time.time() * 1000)
    for number in range(OTHERS + TRADED):
        is_traded = number >= OTHERS
        seats = (person("grace"), person("heidi")) if is_traded else (person(f"ivan{number}"), person(f"judy{number}"))
        ended = outcome(0)
        ended.reason.key = "reason.resigned.1"
        plies = 8 if is_traded else 40 + number % 5
        entries = log(*seats, plies=plies)
        at_ms = now_ms - 60_000 * (OTHERS + TRADED - number)
        one = kept(next(NUMBERS), *seats, ended=ended, competitive=True, entries=entries, finished_at_ms=at_ms)
        session = sessions_pb2.Session.FromString(one.session)
        session.game, session.plies = GAME, plies
        asyncio.run(archive.keep(replace(one, game=GAME, session=session.SerializeToString())))
    archive.close()


def play(site: Deployment, leaver: str = "mallory") -> None:
    """Return when all of that has come to the players service."""
    playing = threading.Thread(target=keep, args=(site,))
    playing.start()
    playing.join()
    play_some(site, leaver, LEAVES)
    with Client(site.grpc_address, name="Ada") as client:

        def games_of(player_id: str) -> int:
            try:
                profile = client.call(client.service.GetProfile, profiles_pb2.GetProfileRequest(player_id=player_id))
            except refusals.Unknown:
                return 0
            return sum(each.games for each in profile.games)

        def have_come() -> bool:
            return (games_of("heidi"), games_of(leaver)) == (TRADED, len(LEAVES))

        eventually(have_come, 60)
