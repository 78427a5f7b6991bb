"""The service killed while it pairs: there is neither half a round, nor one twice, nor none."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from brettwerk.v1 import tournaments_pb2 as pb
from tests.night import by_day
from tests.services.players.tournaments import killed
from tests.services.players.tournaments.clubs import Meeting, boards
from tests.services.players.tournaments.place import ARENA, GROUPS, KNOCK_OUT, ROUND_ROBIN, SWISS, Place, callers

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
    await kill(place, players_url, str(pairing))
    assert not (await place.one.get(tournament)).pairings
    for one in (place.one, place.other):
        await one.work()
    whole = await place.one.get(tournament)
    assert (whole.tournament.state, whole.tournament.round) == (pb.Tournament.STATE_RUNNING, 1)
    seated = [number for one in whole.pairings for number in (one.first, one.second) if number]
    assert sorted(seated) == list(range(1, 8))
    assert len({asked.arrangement_id for asked in place.sessions.asked}) == len(place.sessions.asked) == 3


@pytest.mark.parametrize("pairing", by_day([1, 2, 3], 2))
async def test_a_match_of_clubs_is_seated_whole_and_once_though_the_first_process_is_killed_in_it(
    place: Place, players_url: str, pairing: int
):
    seven = callers(7)
    meeting = Meeting(place)
    match = await meeting.agreed(seven[:4], seven[4:])
    place.clock.wait(3600)
    await kill(place, players_url, str(pairing))
    before = await place.one.get(match, seven[0])
    assert (before.tournament.state, len(before.standings)) == (pb.Tournament.STATE_OPEN, 7)
    for one in (place.one, place.other):
        await one.work()
    whole = await place.one.get(match, seven[0])
    assert boards(whole) == ["1-5", "6-2", "3-7"]
    assert len({asked.arrangement_id for asked in place.sessions.asked}) == len(place.sessions.asked) == 3


ORDER, SEAT = "INSERT INTO players_arrangements", "UPDATE players_tournament_players SET seat_balance="
STEPS = [(1, ORDER), (3, ORDER), (1, "INSERT INTO players_pairings"), (1, SEAT)]


@pytest.mark.parametrize(("number", "counted"), by_day(STEPS, (1, SEAT)))
async def test_an_arena_is_paired_once_though_the_first_process_is_killed_in_it(
    place: Place, players_url: str, number: int, counted: str
):
    seven = callers(7)
    arena = await place.one.create(seven[0], kind=ARENA, duration_s=1200, starts_at_ms=place.clock() + 1000)
    await place.one.join(arena, *seven)
    place.clock.wait(2)
    await kill(place, players_url, str(number), counted)
    whole = await place.one.get(arena)
    assert whole.tournament.state == pb.Tournament.STATE_RUNNING
    assert not whole.pairings and not any(one.playing for one in whole.standings)
    for one in (place.one, place.other):
        await one.work()
    whole = await place.one.get(arena)
    seated = [number for one in whole.pairings for number in (one.first, one.second)]
    assert len(seated) == len({*seated}) == 6 == sum(one.playing for one in whole.standings)
    assert len({asked.arrangement_id for asked in place.sessions.asked}) == len(place.sessions.asked) == 3


@pytest.mark.parametrize("counted", ["UPDATE players_pairings", "UPDATE players_tournament_players"])
async def test_a_result_counts_once_in_an_arena_though_the_first_process_is_killed_in_taking_it(
    place: Place, players_url: str, counted: str
):
    two = callers(2)
    arena = await place.one.create(two[0], kind=ARENA, duration_s=1200)
    await place.one.join(arena, *two)
    await place.one.start(arena, two[0])
    await place.play(arena, min)
    await kill(place, players_url, "1", counted)
    assert sum(one.playing for one in (await place.one.get(arena)).standings) == 2
    for one in (place.one, place.other):
        await one.work()
    whole = await place.one.get(arena)
    assert sorted((one.points, one.games) for one in whole.standings) == [(0, 1), (1, 1)]
    assert [each.decided for each in whole.pairings] == [True, False]


async def kill(place: Place, players_url: str, number: str, *counted: str) -> None:
    """Let another process go on with the tournaments, and kill it in its transaction at a statement."""
    asking = [sys.executable, "-m", killed.__name__, players_url, number, str(place.clock()), *counted]
    process = await asyncio.create_subprocess_exec(*asking, stdout=asyncio.subprocess.PIPE, cwd=ROOT, env=environment())
    assert process.stdout is not None
    assert await process.stdout.readline() == b"paired\n"
    process.kill()
    await process.wait()


def environment() -> dict[str, str]:
    """Return the variables of a process that finds what the tests find."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
