"""The kit runs where games are written: without pytest, for one check or for all, and it says what a failure is about."""

import subprocess
import sys

import pytest

from tests.brettwerk_games.rules.blind_duel.game import BlindDuel
from tests.brettwerk_games.rules.conformance import failed
from tests.brettwerk_games.rules.mutants import board  # noqa: F401 - it registers its mutants
from tests.brettwerk_games.rules.mutants.register import MUTANTS
from tests.examples.installing import ROOT, environment

WITHOUT_PYTEST = """
import runpy, sys
sys.modules["pytest"] = None
sys.argv[1:] = sys.argv[2:]
runpy.run_module("tests.brettwerk_games.rules.conformance", run_name="__main__")
"""


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT_PYTEST, "", *words]
    return subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=100, check=False)


def test_checks_run_where_pytest_is_not_installed() -> None:
    done = run("einstein", "facts_are_sound", "boards_are_sound")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["facts_are_sound", "boards_are_sound", "2 of 2 checks pass"]


@pytest.mark.parametrize("words", [("ludo",), ("einstein", "no_check")], ids=["a game", "a check"])
def test_an_unknown_name_is_reported_with_the_known_ones(words: tuple[str, ...]) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert words[-1] in done.stderr
    assert ("plateau" if words == ("ludo",) else "notation_comes_back") in done.stderr


def test_a_check_that_fails_is_named_with_what_it_has_found(capsys: pytest.CaptureFixture[str]) -> None:
    check, make = MUTANTS["board of leaves out a corner"]
    assert failed(make(), [check, "facts_are_sound"]) == [check]
    said = capsys.readouterr().out
    assert f"{check} fails:" in said
    assert "has a neighbour that there is not" in said
    assert failed(BlindDuel(), ["facts_are_sound"]) == []
