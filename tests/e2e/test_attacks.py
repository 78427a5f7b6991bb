"""The written list of attacks, shortened: a quiet player goes on, and nothing falls, fails or grows (loadtests/attacks)."""

import subprocess
import sys

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(600)]

MOST_S = 5
"""What a move may take on a machine where others are busy, too; the list itself is measured against one second."""


def test_a_quiet_player_plays_on_while_one_guest_attacks() -> None:
    command = [sys.executable, "-m", "loadtests.attacks", "--seconds", "1.5", "--most", str(MOST_S), "--versions", "150"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=560, check=False)
    assert run.returncode == 0, run.stdout + run.stderr[-5_000:]
