"""A few actions of the largest game, measured as ten thousand are: every session stays below what is promised of it."""

import re
from pathlib import Path

import pytest

from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from loadtests.cost.memory import play
from loadtests.limits import UNLIMITED
from services.session.domain.bounds import STATE_EVERY

KIB = 1024


@pytest.mark.nightly
@pytest.mark.e2e
async def test_a_session_of_the_largest_game_stays_below_its_bounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Deployment(data=tmp_path / "deployment", processes=Processes(web=False), environment=UNLIMITED) as deployment:
        await play(deployment, "wec", actions=200, every=100)
    received = capsys.readouterr().out
    found = re.search(r"fullest session: (\d+) KiB after (\d+) actions \(log (\d+), state (\d+) KiB", received)
    assert found, received
    total, actions, log, state = map(int, found.groups())
    assert log * KIB <= 400 * (actions + STATE_EVERY)
    assert state * KIB <= 100 * KIB
    assert total <= log + state + 4
    lines = [line.split("|") for line in received.splitlines() if re.match(r"\| \d", line)]
    assert [int(line[1]) for line in lines] == [0, 100, 200]
