"""The clock that processes have their time from."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from loadtests.club.clock import Clock, compiler
from loadtests.club.judge import DAY_MS
from tests.surroundings import lacking

LOOK = "import sys, time, datetime\nfor _ in sys.stdin: print(time.time(), datetime.datetime.now().timestamp(), flush=True)"
LOOK_ON = "import time; print(time.monotonic())"


@pytest.fixture(autouse=True)
def a_compiler() -> None:
    if not compiler():
        lacking("there is no C compiler", "apt-get install gcc", optional=True)


def test_a_jump_moves_the_time_of_day_of_a_process_that_runs(tmp_path: Path) -> None:
    clock = Clock(tmp_path)
    environment = os.environ | clock.environments()["players"]
    command = [sys.executable, "-c", LOOK]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as looking:
        assert looking.stdin is not None and looking.stdout is not None
        for days in (0, 3, 400):
            clock.jump(clock.now_ms() + days * DAY_MS)
            looking.stdin.write("\n")
            looking.stdin.flush()
            for seen in looking.stdout.readline().split():
                assert abs(float(seen) * 1000 - clock.now_ms()) < 5000
        looking.stdin.close()
    assert clock.now_ms() - time.time() * 1000 > 402 * DAY_MS


def test_a_clock_that_counts_on_does_not_jump_and_no_clock_goes_back(tmp_path: Path) -> None:
    clock = Clock(tmp_path)
    clock.jump(clock.now_ms() + DAY_MS)
    before = clock.now_ms()
    clock.jump(before - DAY_MS)
    assert clock.now_ms() >= before
    environment = os.environ | clock.environments()["players"]
    seen = subprocess.run([sys.executable, "-c", LOOK_ON], env=environment, capture_output=True, text=True, check=True).stdout
    assert abs(float(seen) - time.monotonic()) < 60
