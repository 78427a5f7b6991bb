"""scripts/new-game writes a game that passes the conformance kit on its first day."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.brettwerk_games.rules.conformance import CHECKS
from tests.examples.installing import ROOT, environment, installed, run_kit
from tests.night import by_day

pytestmark = pytest.mark.slow
PROGRAM = ROOT / "scripts" / "new-game"


def written(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROGRAM), *words, "--folder", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.nightly
def test_a_new_game_is_installed_and_passes_the_kit_and_its_own_tests(tmp_path: Path) -> None:
    assert written(tmp_path, "stone_garden", "--seats", "2-4", "--chance", "--hidden", "--grid", "5x4").returncode == 0
    package = tmp_path / "brettwerk-stone-garden"
    site = installed(package, tmp_path / "package")
    assert f"{len(CHECKS)} passed" in run_kit(site, "stone_garden")
    command = [sys.executable, "-m", "unittest", "discover", "-s", str(package / "tests")]
    done = subprocess.run(command, env=environment(site), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


SEATS = ("2", "2-4", "3", "2-6")
SWITCHES = [f"{seats}{on}" for seats in SEATS for on in ("", " --chance", " --hidden", " --chance --hidden")]
KIT_AND_TESTS = """
import sys, unittest
from tests.brettwerk_games.packages.packages import packaged
from tests.brettwerk_games.rules.conformance import CHECKS, failed
game = packaged("stone_garden")
own = unittest.defaultTestLoader.discover(sys.argv[1])
assert own.countTestCases() >= 3
assert unittest.TextTestRunner().run(own).wasSuccessful()
assert failed(game, list(CHECKS)) == []
"""


@pytest.mark.timeout(300)
@pytest.mark.parametrize("switches", by_day(SWITCHES, "2 --chance", "2-4 --hidden"))
def test_every_new_game_passes_the_kit_and_its_own_tests(tmp_path: Path, switches: str) -> None:
    """Without the installation, which takes the most time."""
    seats, *on = switches.split()
    assert written(tmp_path, "stone_garden", "--seats", seats, *on, "--grid", "4x5").returncode == 0
    (tmp_path / "brettwerk-stone-garden").rename(tmp_path / "stone_garden")
    command = [sys.executable, "-c", KIT_AND_TESTS, str(tmp_path / "stone_garden" / "tests")]
    seen = {**environment(), "BRETTWERK_PACKAGES": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=seen, capture_output=True, text=True, timeout=250, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("Hex",), "small letters"),
        (("hex", "--grid", "2x7"), "from 3 to 26"),
        (("hex", "--grid", "wide"), "rows x columns"),
        (("hex", "--seats", "1"), "from 2 to 6"),
        (("hex", "--seats", "4-2"), "from 2 to 6"),
        (("hex", "--seats", "2-9"), "from 2 to 6"),
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
