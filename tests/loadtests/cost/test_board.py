"""The measurement of what the board costs runs, and takes as many orders as it says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.nightly
def test_a_small_board_is_measured():
    command = [sys.executable, "-m", "loadtests.cost.board", "--wants", "60", "--takes", "50", "--seconds", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^60 wants, \d+ takes a second, 1 s$", done.stdout, re.MULTILINE)
    costs = dict(re.findall(r"^(.+?) +([\d.]+) % of a core$", done.stdout, re.MULTILINE))
    assert set(costs) == {"AI service", "Redis", "driver", "scheduler"}
    assert abs(float(costs["scheduler"]) - float(costs["AI service"]) - float(costs["Redis"])) < 0.02
