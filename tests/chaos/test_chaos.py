"""A moment of everything at once: people play at many tables while processes die, hang and are cut off, and nothing is lost."""

import subprocess
import sys

import pytest

from loadtests.chaos.figures import MUST_BE_ZERO

MORE = "hang,power,disk,clock"
"""Faults that are tried at night, and for twelve minutes too (.ci/nightly)."""


@pytest.mark.e2e
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(sys.platform != "linux", reason="the faults are those of Linux")
@pytest.mark.parametrize(
    ("faults", "seconds", "tables"), [("kill,cut", 6, 2), pytest.param(f"kill,cut,{MORE}", 20, 8, marks=pytest.mark.nightly)]
)
def test_acknowledged_actions_are_kept_and_every_game_goes_on_through_all_faults(faults: str, seconds: int, tables: int) -> None:
    command = [sys.executable, "-m", "loadtests.chaos", "--seconds", str(seconds), "--tables", str(tables), "--faults", faults]
    done = subprocess.run(command, capture_output=True, text=True, timeout=800, check=False)
    assert done.stdout, done.stderr
    figures = dict(word.split("=") for word in done.stdout.splitlines()[-1].split())
    wrong = {name: figures[name] for name in MUST_BE_ZERO if figures[name] != "0"}
    assert wrong == {}, done.stderr
    assert done.returncode == 0, done.stderr
    assert int(figures["faults"]) >= 1, done.stderr
    assert int(figures["games"]) >= tables, done.stderr
    assert int(figures["actions"]) > 20, done.stderr
    assert float(figures["longest_stall_s"]) < 90, done.stderr  # the machine may be busy with much else
