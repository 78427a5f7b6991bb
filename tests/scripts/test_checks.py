"""One check runs each test, and is good when its tests pass, at the first time or once more alone; what fails twice fails."""

import itertools
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from scripts.checks import (
    MAX_ASKED_AGAIN,
    ROOT,
    TESTS,
    Check,
    as_a_whole,
    at_night,
    failing,
    files_with,
    in_browsers,
    in_parts,
)
from scripts.unsteady import Unsteady

STEADY, WRONG = "assert True", "assert False"
ONCE = "seen = pathlib.Path({name!r}); before = seen.exists(); seen.touch(); assert before"
"""A test that fails the first time."""


@pytest.fixture
def unsteady(tmp_path: Path) -> Unsteady:
    return Unsteady(tmp_path / "unsteady.csv")


def check(folder: Path, *bodies: str) -> Check:
    """Return a run of tests with these bodies."""
    tests = [f"def test_{n}():\n    {body.format(name=str(folder / f'seen {n}'))}\n" for n, body in enumerate(bodies)]
    (folder / "test_some.py").write_text("import pathlib\n" + "".join(tests), encoding="utf-8")
    memory = folder / "memory"
    command = [sys.executable, "-m", "pytest", "-q", "-c", "/dev/null", "--rootdir", str(folder), "-o", f"cache_dir={memory}"]
    return Check("some", [*command, "-n", "0", str(folder / "test_some.py")], folder, quiet=False, memory=memory)


def test_what_passes_alone_is_good_and_noted(tmp_path: Path, unsteady: Unsteady) -> None:
    assert failing([check(tmp_path, STEADY, ONCE)], unsteady=unsteady) == []
    assert unsteady.tests == ["test_some.py::test_1"]


@pytest.mark.parametrize("bodies", [(WRONG, STEADY), (WRONG, ONCE), (ONCE,) * (MAX_ASKED_AGAIN + 1)])
def test_what_fails_again_or_in_numbers_is_not_called_unsteady(
    tmp_path: Path, unsteady: Unsteady, bodies: tuple[str, ...]
) -> None:
    assert failing([check(tmp_path, *bodies)], unsteady=unsteady) == ["some"]
    assert unsteady.tests == []


MARKS = ("e2e", "browser", "nightly", "slow")


def taken(check: Check, file: Path) -> list[str]:
    """Return the tests of a file that a check runs."""
    marks = check.command[len(check.command) - check.command[::-1].index("-m")]
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-c", str(ROOT / "pyproject.toml"), "-m", marks, str(file)]
    said = subprocess.run([*command, "-p", "no:cacheprovider"], capture_output=True, text=True, check=False).stdout
    return [line.rpartition("::")[2] for line in said.splitlines() if "::" in line]


def test_every_test_is_run_by_one_check_and_what_is_for_the_night_at_night(tmp_path: Path) -> None:
    sets = [one for count in range(len(MARKS) + 1) for one in itertools.combinations(MARKS, count)]
    bodies = [
        "".join(f"@pytest.mark.{mark}\n" for mark in marks) + f"def test_{'_'.join(marks) or 'plain'}(): pass\n" for marks in sets
    ]
    file = tmp_path / "test_marked.py"
    file.write_text("import pytest\n" + "".join(bodies), encoding="utf-8")
    gate = [name for check in (*in_parts(quick=False), *as_a_whole(), *in_browsers()) for name in taken(check, file)]
    parts, *later = (taken(check, file) for check in at_night() if "-m" in check.command)
    assert not [name for name in gate if "nightly" in name]
    assert [name for name in parts if "e2e" in name or "browser" in name] == []
    alone = [name for name in parts if "nightly" in name]
    assert Counter([*gate, *alone, *itertools.chain(*later)]) == {f"test_{'_'.join(marks) or 'plain'}": 1 for marks in sets}
    assert set(parts) >= {name for name in gate if "e2e" not in name and "browser" not in name}, "with more examples"


def test_marks_stand_in_the_files_in_which_they_are_looked_for() -> None:
    # In a browser all files are searched for looks that are left to the night.
    elsewhere = [path for path in TESTS.rglob("*.py") if not path.name.startswith("test_") and path.stem != "night"]
    marked = [path for path in elsewhere for mark in MARKS[:3] if f"mark.{mark}" in path.read_text(encoding="utf-8")]
    assert marked == []
    assert str(TESTS / "chaos" / "test_chaos.py") in files_with("e2e")
    assert str(TESTS / "chaos" / "test_chaos.py") not in files_with("browser")
