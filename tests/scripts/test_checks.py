"""One check runs each test, and is good when its tests pass, at the first time or once more alone; what fails twice fails."""

import itertools
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from _pytest.mark.expression import Expression

from scripts.checks import (
    MAX_ASKED_AGAIN,
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
from tests import night

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


@pytest.mark.parametrize(
    "bodies", [night.at_night((WRONG, STEADY)), (WRONG, ONCE), night.at_night((ONCE,) * (MAX_ASKED_AGAIN + 1))]
)
def test_what_fails_again_or_in_numbers_is_not_called_unsteady(
    tmp_path: Path, unsteady: Unsteady, bodies: tuple[str, ...]
) -> None:
    assert failing([check(tmp_path, *bodies)], unsteady=unsteady) == ["some"]
    assert unsteady.tests == []


MARKS = ("e2e", "browser", "nightly", "slow")


def _among(marks: tuple[str, ...]) -> Callable[..., bool]:
    return lambda mark, /, **_arguments: mark in marks


def taken(check: Check, marked: dict[str, tuple[str, ...]]) -> list[str]:
    """Return the tests with these marks that a check runs."""
    wanted = Expression.compile(check.command[len(check.command) - check.command[::-1].index("-m")])
    return [name for name, marks in marked.items() if wanted.evaluate(_among(marks))]


def test_every_test_is_run_by_one_check_and_what_is_for_the_night_at_night() -> None:
    sets = [one for count in range(len(MARKS) + 1) for one in itertools.combinations(MARKS, count)]
    marked = {f"test_{'_'.join(marks) or 'plain'}": marks for marks in sets}
    gate = [name for check in (*in_parts(quick=False), *as_a_whole(), *in_browsers()) for name in taken(check, marked)]
    parts, *later = (taken(check, marked) for check in at_night() if "-m" in check.command)
    assert not [name for name in gate if "nightly" in name]
    assert [name for name in parts if "e2e" in name or "browser" in name] == []
    alone = [name for name in parts if "nightly" in name]
    assert Counter([*gate, *alone, *itertools.chain(*later)]) == dict.fromkeys(marked, 1)
    assert set(parts) >= {name for name in gate if "e2e" not in name and "browser" not in name}, "with more examples"


def test_marks_stand_in_the_files_in_which_they_are_looked_for() -> None:
    # In a browser all files are searched for looks that are left to the night.
    elsewhere = [path for path in TESTS.rglob("*.py") if not path.name.startswith("test_") and path.stem != "night"]
    marked = [path for path in elsewhere for mark in MARKS[:3] if f"mark.{mark}" in path.read_text(encoding="utf-8")]
    assert marked == []
    assert str(TESTS / "chaos" / "test_chaos.py") in files_with("e2e")
    assert str(TESTS / "chaos" / "test_chaos.py") not in files_with("browser")
