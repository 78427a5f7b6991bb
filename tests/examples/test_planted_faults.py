"""The conformance kit finds faults of any game in the examples, and the tests of their rules find the others.

The faults are those of faults.txt and faults_of_rules.txt: lines that become others, planted in a copy one at a time.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.plant_faults import Fault, listed
from tests.examples.installing import ROOT, environment
from tests.night import by_day

HERE = Path(__file__).parent
OF_ANY_GAME = list(listed((HERE / "faults.txt").read_text(encoding="utf-8")))
OF_THE_RULES = list(listed((HERE / "faults_of_rules.txt").read_text(encoding="utf-8")))
NEEDED = 40
SECONDS = 300


def name(fault: Fault) -> str:
    return f"{game_of(fault)}: {fault.new[:60]}"


def game_of(fault: Fault) -> str:
    return fault.file.split("/")[1]


def run(fault: Fault, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python with a copy of the examples in which a fault was planted."""
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__", "*.binpb", "build"))
    file = folder / fault.file
    file.write_text(fault.planted(file.read_text(encoding="utf-8")), encoding="utf-8")
    seen = {**environment(), "BRETTWERK_PACKAGES": str(folder / "examples")}
    command = [sys.executable, "-m", *words]
    return subprocess.run(command, cwd=ROOT, env=seen, capture_output=True, text=True, timeout=SECONDS, check=False)


def found_by_the_kit(fault: Fault, folder: Path) -> str:
    done = run(fault, folder, "tests.examples.planted", game_of(fault))
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_there_are_forty_of_them() -> None:
    assert len(OF_ANY_GAME) >= NEEDED
    page = " ".join((ROOT / "docs" / "write-a-game.md").read_text(encoding="utf-8").split())
    assert f"all of {len(OF_ANY_GAME)} faults of any game" in page
    assert f"none of {len(OF_THE_RULES)} that break only rules" in page
    assert {game_of(fault) for fault in OF_ANY_GAME} == {game_of(fault) for fault in OF_THE_RULES}


@pytest.mark.parametrize("fault", [OF_ANY_GAME[0], *by_day(OF_ANY_GAME[1:])], ids=name)
def test_the_kit_finds_a_fault_of_any_game(fault: Fault, tmp_path: Path) -> None:
    assert found_by_the_kit(fault, tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("fault", OF_THE_RULES, ids=name)
def test_the_tests_of_the_rules_find_a_fault_that_the_kit_cannot_know(fault: Fault, tmp_path: Path) -> None:
    assert found_by_the_kit(fault, tmp_path / "kit") == ""
    tests = ["pytest", "-q", "-x", "-p", "no:cacheprovider", "tests/examples/test_rules.py"]
    done = run(fault, tmp_path / "rules", *tests)
    assert done.returncode == 1, done.stdout
