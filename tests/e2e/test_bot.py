import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).resolve().parents[2]


def test_the_bot_of_the_documentation_plays_a_game_to_its_end(house):
    command = [sys.executable, str(ROOT / "examples" / "bot.py"), house.grpc_address]
    said = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout.splitlines()
    assert said[-1].split()[0] in ("won", "lost")
    assert said[-1].split()[1].startswith("EWN-END-")
    assert len(said) > 4
