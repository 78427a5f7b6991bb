"""Hostile messages for a while against every way into a running system; loadtests/fuzz/ says what counts as a fault."""

import subprocess
import sys
import time

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.mark.nightly
def test_random_messages_of_players_are_answered_or_refused() -> None:
    command = [sys.executable, "-m", "loadtests.fuzz", "--seconds", "10", "--seed", time.strftime("%j")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-5_000:]
    assert "0 faults" in run.stdout
