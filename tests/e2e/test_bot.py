import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.stranger import FEWEST_MOVES

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).resolve().parents[2]


def test_the_bot_of_the_documentation_plays_a_game_to_its_end(deployment):
    command = [sys.executable, str(ROOT / "examples" / "bot.py"), deployment.grpc_address]
    said = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout.splitlines()
    assert said[-1].split()[0] in ("won", "lost")
    assert said[-1].split()[1].startswith("EWN-END-")


def test_the_example_that_watches_tells_every_action_of_its_game(deployment):
    command = [sys.executable, str(ROOT / "examples" / "watching.py"), deployment.grpc_address]
    said = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout.splitlines()
    plies = [int(line.split()[0]) for line in said if line[0].isdigit()]
    assert plies == list(range(1, len(plies) + 1))
    assert len(plies) > 2 * FEWEST_MOVES
    assert said[-1].startswith("won by seat ")
