"""A run of tests is good when its tests pass, at the first time or once more alone; what fails twice fails."""

import sys
from pathlib import Path

import pytest

from scripts.checks import MAX_ASKED_AGAIN, Check, run
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
    assert run(check(tmp_path, STEADY, ONCE), unsteady)
    assert unsteady.tests == ["test_some.py::test_1"]


@pytest.mark.parametrize("bodies", [(WRONG, STEADY), (WRONG, ONCE), (ONCE,) * (MAX_ASKED_AGAIN + 1)])
def test_what_fails_again_or_in_numbers_is_not_called_unsteady(
    tmp_path: Path, unsteady: Unsteady, bodies: tuple[str, ...]
) -> None:
    assert not run(check(tmp_path, *bodies), unsteady)
    assert unsteady.tests == []
