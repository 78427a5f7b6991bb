import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.tools import ROOT

GAMES = """
import services.games.open.of_two
from services.games.interface import Game
from brettwerk_games.rules import interface
from brettwerk_games.rules.open import of_two
print(Game is interface.Game, services.games.open.of_two is of_two, interface.__spec__.name)
"""
BUILDING = """
from services.game_packages.building import WithContract
from brettwerk_games.packages import building
print(WithContract is building.WithContract)
"""


def said(program: str, *options: str) -> tuple[list[str], list[str]]:
    """Return the lines that a new Python says on stdout, and those of its errors and warnings."""
    path = f"{ROOT}:{ROOT / 'generated' / 'python'}"
    command = [sys.executable, *options, "-c", program]
    done = subprocess.run(command, env={"PYTHONPATH": path}, capture_output=True, text=True, check=False)
    return done.stdout.splitlines(), [line for line in done.stderr.splitlines() if not line.startswith((" ", "Traceback"))]


def test_a_game_written_for_1_0_imports_the_modules_of_today_and_is_told_once() -> None:
    lines, warnings = said(GAMES)
    assert lines == ["True True brettwerk_games.rules.interface"]
    assert warnings == ["services.games is brettwerk_games.rules since 1.1: games import that"]


def test_the_step_that_builds_packages_is_found_by_its_former_name() -> None:
    assert said(BUILDING)[0] == ["True"]


@pytest.mark.parametrize("name", ["services.games.chess", "services.games_of_others", "services.chess"])
def test_a_name_that_there_never_was_is_unknown(name: str) -> None:
    lines, errors = said(f"import {name}")
    assert lines == []
    assert errors[-1] == f"ModuleNotFoundError: No module named '{name}'"


def test_former_names_are_unused() -> None:
    former = Path("services/former_names.py"), Path("tests/services/test_former_names.py")
    listed = subprocess.run(
        ["git", "grep", "-lE", r"(from|import) services\.(games|game_packages)\b"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split()
    assert [name for name in map(Path, listed) if name not in former and "connect_four_1_0" not in name.parts] == []
