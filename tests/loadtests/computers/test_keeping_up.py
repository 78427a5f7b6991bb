"""Short versions of the runs that measure whether computers keep up. Only counts are asserted, no times of a busy machine."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from loadtests.computers.chaos import Chaos
from loadtests.computers.chaos import Plan as Faults
from loadtests.computers.crowd import Crowd
from loadtests.computers.mix import Company, Kind
from loadtests.computers.moves import story
from loadtests.computers.notes import Notes
from loadtests.computers.overload import Overload, Plan
from loadtests.computers.system import System
from loadtests.computers.tables import Table
from loadtests.crowd.endpoints import Endpoints

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

TIMEOUT_S = 200.0
ALONE = Kind("einstein", "best", 2, Company.NOBODY, 1)
WATCHED = Kind("einstein", "strong", 2, Company.WATCHER, 1)
PERSON = Kind("einstein", "easy", 1, Company.PERSON, 1)
MIX = (PERSON, WATCHED, ALONE, Kind("emperado", "easy", 1, Company.PERSON, 1), Kind("wec", "easy", 2, Company.NOBODY, 1))


def _quiet(_sentence: str) -> None:
    """Say nothing."""


@pytest.fixture
def thinking(tmp_path: Path) -> Iterator[System]:
    with System(tmp_path, 2, sleeping=False) as system:
        yield system


@pytest.fixture
def sleeping(tmp_path: Path) -> Iterator[System]:
    with System(tmp_path, 4, sleeping=True) as system:
        yield system


@pytest.mark.nightly
async def test_every_game_is_played_to_its_end_however_many_are_wanted_at_once(thinking: System) -> None:
    notes = Notes()
    endpoints = Endpoints("websocket", thinking.deployment.grpc_address, thinking.deployment.web_address)
    crowd = Crowd(endpoints, notes, pause_s=0.1, hints=0.3)
    await crowd.become([PERSON, PERSON, *[ALONE] * 16, *[WATCHED] * 4])
    tables = [one for one in crowd.players() if isinstance(one, Table)]
    for one in tables:
        one.again = False
    playing = [task for one, task in crowd.playing if isinstance(one, Table)]
    await asyncio.wait(playing, timeout=TIMEOUT_S)
    left = [one.game.session_id for one in tables if one.game and not one.game.over]
    await crowd.leave()
    await endpoints.close()
    received = story(thinking.redis_url, notes.games)
    assert left == []
    assert [move for move in received.moves if move.is_fallback] == []
    assert len([move for move in received.moves if move.kind is ALONE]) > 16 * 5
    assert {hint.refused for hint in notes.hints} == {""}
    assert thinking.faults == []


@pytest.mark.nightly
async def test_three_times_too_much_load_leaves_every_table_going_and_every_move_thought(sleeping: System) -> None:
    plan = Plan(ks=(1, 3), seconds=2, warm_s=1, calm_s=4, pause_s=0.3, hints=0.2, mix=MIX)
    outcome = await Overload(sleeping, plan, {}, _quiet).run()
    assert outcome.fallbacks == 0
    assert outcome.stuck == 0
    assert sleeping.faults == []
    assert [one.k for one in outcome.stretches] == [1, 3]
    assert all(one.moves_per_s > 0 for one in outcome.stretches)
    assert outcome.stretches[1].tables > outcome.stretches[0].tables
    assert sum(one.hints_failed for one in outcome.stretches) == 0


@pytest.mark.nightly
async def test_wanted_moves_are_kept_whatever_is_killed(tmp_path: Path) -> None:
    with System(tmp_path, 2, sleeping=True, own_broker=True) as system:
        system.wait(system.add_worker())
        plan = Faults(times=1, pause_s=(0.3, 1.0), warm_s=1, person_pause_s=0.3, mix=MIX)
        outcome = await Chaos(system, plan, {}, _quiet).run()
    assert outcome.lost == 0
    assert outcome.fallbacks == 0
    assert outcome.moves > 10
    assert sum(outcome.faults.values()) == 5
