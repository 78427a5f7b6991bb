"""The options messages of our games are made of their options classes."""

import subprocess
import sys
from typing import Annotated, NamedTuple

import pytest

from brettwerk_games.rules.einstein.options import First, Options
from brettwerk_games.rules.options import Option
from scripts.option_contract import PROTOS, made
from tests.examples.installing import ROOT

SOURCE = (PROTOS / "einstein.proto").read_text(encoding="utf-8")


class Fewer(NamedTuple):
    first: Annotated[First, Option("EWN-TURN-1", "start")] = First.BLACK
    """Who moves first."""
    handicap: Annotated[int, Option("EWN-BOARD-4", min=-3, max=30)] = 2
    """How many stones the stronger side leaves out, which is more than a line of a hundred and fifteen letters."""


def test_the_contract_in_git_is_the_one_that_would_be_made() -> None:
    command = [sys.executable, "-m", "scripts.option_contract", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_edits_by_hand_of_generated_options_are_undone() -> None:
    changed = SOURCE.replace("EinsteinSetup setup = 2;", "EinsteinSetup setup = 4;").replace("  // Black.\n", "  // Red.\n")
    assert changed != SOURCE
    assert made(changed, Options, "Einstein") == SOURCE


def test_an_enum_that_the_file_does_not_have_stands_before_the_options() -> None:
    start, end = SOURCE.index("// How the stones are set up"), SOURCE.index("// The options of a game.")
    again = made(SOURCE[:start] + SOURCE[end:], Options, "Einstein")
    assert again == SOURCE


def test_bounds_presets_and_comments_are_those_of_the_class() -> None:
    text = made(SOURCE, Fewer, "Einstein")
    assert "  // The same as BLACK.\n  EINSTEIN_FIRST_UNSPECIFIED = 0;\n" in text
    assert (
        "message EinsteinOptions {\n  // Who moves first.\n  EinsteinFirst first = 1;\n"
        "  // How many stones the stronger side leaves out, which is more than a line of a hundred and fifteen letters\n"
        "  // (EWN-BOARD-4).\n  optional sint32 handicap = 2 [\n    (limit).min = -3,\n    (limit).max = 30\n  ];\n}\n"
    ) in text


def test_a_file_without_the_options_of_a_game_is_refused() -> None:
    with pytest.raises(ValueError, match="no message EinsteinOptions"):
        made("", Options, "Einstein")
