"""scripts/new-game writes a game that passes the conformance kit on its first day."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.brettwerk_games.rules.conformance import CHECKS
from tests.examples.installing import ROOT, installed, run_kit

pytestmark = pytest.mark.slow
PROGRAM = ROOT / "scripts" / "new-game"


def written(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROGRAM), *words, "--folder", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.nightly
def test_a_new_game_passes_the_kit(tmp_path: Path) -> None:
    assert written(tmp_path, "stone_garden", "--seats", "2", "--grid", "5x4").returncode == 0
    site = installed(tmp_path / "brettwerk-stone-garden", tmp_path / "package")
    assert f"{len(CHECKS)} passed" in run_kit(site, "stone_garden")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("Hex",), "small letters"),
        (("hex", "--grid", "2x7"), "from 3 to 26"),
        (("hex", "--grid", "wide"), "rows x columns"),
        (("hex", "--seats", "3"), "invalid choice"),
    ],
)
def test_impossible_arguments_are_refused_with_the_reason(tmp_path: Path, words: tuple[str, ...], why: str) -> None:
    done = written(tmp_path, *words)
    assert done.returncode == 2
    assert why in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "brettwerk-hex").mkdir()
    assert "is there already" in written(tmp_path, "hex").stderr
    assert not list((tmp_path / "brettwerk-hex").iterdir())
