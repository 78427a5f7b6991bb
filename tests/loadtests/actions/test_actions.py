"""The driver of the benchmark of actions plays real games in a real deployment, and finds what is not right."""

import asyncio
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.local.deployment import Deployment
from deploy.local.launcher_error import LauncherError
from deploy.local.processes import Processes
from loadtests.actions.__main__ import SETTINGS
from loadtests.actions.crowd import Crowd
from loadtests.actions.measures import GAMES
from loadtests.actions.pace import Pace
from loadtests.actions.systems import STORES, Boardgame, Brettwerk
from loadtests.actions.yardstick.boardgame import Store, legal, prepare


@pytest.fixture(scope="module")
def unlimited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """A deployment where a driver meets no limit of callers."""
    with Deployment(data=tmp_path_factory.mktemp("deployment"), processes=Processes(web=False), environment=SETTINGS) as started:
        yield started


async def play(crowd: object, actions: int, games: int) -> Crowd:
    """Play until so many actions were accepted and games are over, and hold all."""
    assert isinstance(crowd, Crowd)
    crowd.pace.resume()
    async with asyncio.timeout(120):
        while crowd.score.accepted < actions or crowd.score.games < games:
            assert not crowd.score.faults
            await asyncio.sleep(0.05)
    crowd.pace.pause()
    await crowd.until_idle()
    return crowd


@pytest.mark.nightly
@pytest.mark.e2e
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("without_lists", [False, True])
async def test_real_games_are_played_and_every_watcher_sees_what_was_acknowledged(
    unlimited: Deployment, game: str, without_lists: bool
) -> None:
    system = Brettwerk(unlimited.web_address, unlimited.pids, game, without_lists=without_lists)
    async with system.crowd(2, 3, Pace()) as begun:
        crowd = await play(begun, 40, 2 if game == "einstein" else 0)
        assert crowd.check() == []
        assert len(crowd.score.latencies_s) == crowd.score.accepted
        window = await crowd.rest(0.5)
        assert window.accepted == 0
        assert set(window.cpu_s) >= {"gateway", "session", "rules", "redis", "ai"}


@pytest.mark.e2e
@pytest.mark.nightly
def test_a_run_tells_and_keeps_its_figures(unlimited: Deployment, tmp_path: Path) -> None:
    kept, tables = tmp_path / "actions.json", tmp_path / "actions.md"
    command = [sys.executable, "-m", "loadtests.actions", "--web", unlimited.web_address, "--games", "einstein", "--windows", "2"]
    command += ["--only", "saturation", "rated", "watchers", "idle", "creating", "--idle-sessions", "3"]
    command += ["--seconds", "1", "--warm-up", "0.2"]
    command += [x for name, pid in unlimited.pids().items() for x in ("--pid", f"{name}={pid}")]
    command += ["--yardsticks", "loop", "--json", str(kept), "--markdown", str(tables)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    results = {result["measure"]: result for result in json.loads(kept.read_text())["results"]}
    assert [len(results["watchers"][side]) for side in ("windows", "base")] == [8, 8]
    assert len(results["watchers"]["yardsticks"]["fixed work"]) == 8
    for measure in ("saturation", "rated", "creating"):
        assert all(window["accepted"] > 0 for window in results[measure]["windows"])
    assert all(window["accepted"] == 0 for window in results["idle"]["windows"])
    assert "Faults: none." in tables.read_text()
    # Three sessions say nothing of two thousand.
    assert "2,000 idle sessions" not in tables.read_text()


@pytest.mark.e2e
@pytest.mark.nightly
def test_another_checkout_takes_turns_with_this_one() -> None:
    command = [sys.executable, "-m", "loadtests.actions", "--games", "einstein", "--only", "saturation", "--windows", "2"]
    command += ["--seconds", "0.5", "--warm-up", "0.2", "--yardsticks", "--beside", "."]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    assert "30 sessions, no thinking: " in done.stdout
    assert "(standard error, 2 pairs)." in done.stdout


@pytest.mark.e2e
@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("store", STORES)
async def test_each_yardstick_is_played_in_the_same_way(store: Store) -> None:
    try:
        node = prepare(print)
    except LauncherError as error:
        pytest.skip(str(error))
    async with Boardgame(node, store).crowd(2, 3, Pace()) as begun:
        crowd = await play(begun, 40, 2)
        assert crowd.check() == []
        assert len(crowd.score.latencies_s) == crowd.score.accepted
        assert set((await crowd.rest(0)).cpu_s) == ({"server", "redis"} if store == "redis" else {"server"})


def test_moves_of_the_yardstick_are_those_of_its_stones_nearest_to_the_die() -> None:
    cells: list[dict[str, int] | None] = [None] * 25
    cells[0], cells[4], cells[24] = {"seat": 0, "number": 2}, {"seat": 0, "number": 5}, {"seat": 1, "number": 3}
    assert sorted(legal(cells, 3, 0)) == [(0, 1), (0, 5), (0, 6), (4, 9)]
    assert sorted(legal(cells, 5, 0)) == [(4, 9)]
    assert sorted(legal(cells, 1, 1)) == [(24, 18), (24, 19), (24, 23)]
    assert random.Random(1).choice(legal(cells, 6, 0)) == (4, 9)
