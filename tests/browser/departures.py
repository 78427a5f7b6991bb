"""Games of a player that were finished, or left."""

import asyncio
import itertools
import threading
import time
from dataclasses import replace

from brettwerk.v1 import record_pb2, sessions_pb2
from deploy.local.deployment import Deployment
from services.archive.archive import Archive
from tests.services.players.intake.finished_games import computer, kept, log, outcome, person

LIVE = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=300_000, increment_ms=3_000)
NUMBERS = itertools.count(70_000)


def keep(site: Deployment, player_id: str, marks: str, clock: record_pb2.ClockSpec | None) -> None:
    """Put games of a player into the archive, a minute apart and the last of them now: finished (+), or left (-)."""
    now_ms = round(time.time() * 1000)
    archive = Archive.open(site.environment["BRETTWERK_DATABASE_URL"])
    for ago, mark in enumerate(reversed(marks)):
        entries = log(person(player_id), person("somebody"))
        seats = [person(player_id), person("somebody")]
        if mark == "-":
            seats[0] = computer()
            entries.append(record_pb2.Entry(seat_changed=record_pb2.SeatChanged(seat=0, occupant=seats[0])))
        at_ms = now_ms - 60_000 * ago
        one = kept(next(NUMBERS), *seats, ended=outcome(1), competitive=True, entries=entries, finished_at_ms=at_ms)
        session = sessions_pb2.Session.FromString(one.session)
        session.clock.CopyFrom(clock or record_pb2.ClockSpec())
        asyncio.run(archive.keep(replace(one, session=session.SerializeToString())))
    archive.close()


def play_some(site: Deployment, player_id: str, marks: str, clock: record_pb2.ClockSpec | None = LIVE) -> None:
    """Do that where an event loop runs already, as that of a browser does."""
    playing = threading.Thread(target=keep, args=(site, player_id, marks, clock))
    playing.start()
    playing.join()
