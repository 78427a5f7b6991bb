"""The service killed while it pairs: there is neither half a round, nor one twice, nor none."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from brettwerk.v1 import tournaments_pb2 as pb
from tests.night import by_day
from tests.services.players.tournaments import killed
from tests.services.players.tournaments.place import GROUPS, KNOCK_OUT, ROUND_ROBIN, SWISS, Place, callers

ROOT = Path(killed.__file__).parents[4]
KINDS = [SWISS, ROUND_ROBIN, KNOCK_OUT, GROUPS]


@pytest.mark.parametrize("kind", by_day(KINDS, SWISS))
@pytest.mark.parametrize("pairing", by_day([1, 2, 3, 4], 3))
async def test_a_round_is_begun_whole_and_once_though_the_first_process_is_killed_in_it(
    place: Place, players_url: str, kind: pb.Tournament.Kind.ValueType, pairing: int
):
    seven = callers(7)
    tournament = await place.one.create(seven[0], kind=kind, starts_at_ms=place.clock() + 1000)
    await place.one.join(tournament, *seven)
    place.clock.wait(2)
    asking = [sys.executable, "-m", killed.__name__, players_url, str(pairing), str(place.clock())]
    process = await asyncio.create_subprocess_exec(*asking, stdout=asyncio.subprocess.PIPE, cwd=ROOT, env=environment())
    assert process.stdout is not None
    assert await process.stdout.readline() == b"paired\n"
    process.kill()
    await process.wait()
    assert not (await place.one.get(tournament)).pairings
    for one in (place.one, place.other):
        await one.work()
    whole = await place.one.get(tournament)
    assert (whole.tournament.state, whole.tournament.round) == (pb.Tournament.STATE_RUNNING, 1)
    seated = [number for one in whole.pairings for number in (one.first, one.second) if number]
    assert sorted(seated) == list(range(1, 8))
    assert len({asked.arrangement_id for asked in place.sessions.asked}) == len(place.sessions.asked) == 3


def environment() -> dict[str, str]:
    """Return the variables of a process that finds what the tests find."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
