"""A moment of everything at once: people play at many tables while processes die, hang and are cut off, and nothing is lost."""

import subprocess
import sys

import pytest

from loadtests.chaos.figures import MUST_BE_ZERO

SECONDS = 20
"""Every night it is twelve minutes."""


@pytest.mark.e2e
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(sys.platform != "linux", reason="the faults are those of Linux")
@pytest.mark.parametrize("faults", ["kill,hang,power,disk,clock,cut"])
def test_nothing_acknowledged_is_lost_and_every_game_goes_on_whatever_happens(faults: str) -> None:
    command = [sys.executable, "-m", "loadtests.chaos", "--seconds", str(SECONDS), "--tables", "8", "--faults", faults]
    done = subprocess.run(command, capture_output=True, text=True, timeout=800, check=False)
    assert done.stdout, done.stderr
    figures = dict(word.split("=") for word in done.stdout.splitlines()[-1].split())
    wrong = {name: figures[name] for name in MUST_BE_ZERO if figures[name] != "0"}
    assert wrong == {}, done.stderr
    assert done.returncode == 0, done.stderr
    assert int(figures["faults"]) >= 2, done.stderr
    assert int(figures["games"]) >= 8, done.stderr
    assert int(figures["actions"]) > 20, done.stderr
    assert float(figures["longest_stall_s"]) < 90, done.stderr  # the machine may be busy with much else
