"""One check runs each test."""

import itertools
from collections import Counter
from collections.abc import Callable

from _pytest.mark.expression import Expression

from scripts.checks import TESTS, as_a_whole, at_night, files_with, in_browsers, in_parts
from scripts.runner import Check

MARKS = ("e2e", "browser", "nightly", "slow")


def _among(marks: tuple[str, ...]) -> Callable[..., bool]:
    return lambda mark, /, **_arguments: mark in marks


def taken(check: Check, marked: dict[str, tuple[str, ...]]) -> list[str]:
    """Return the tests with these marks that a check runs."""
    wanted = Expression.compile(check.command[len(check.command) - check.command[::-1].index("-m")])
    return [name for name, marks in marked.items() if wanted.evaluate(_among(marks))]


def test_every_test_is_run_by_one_check_and_nightly_ones_at_night() -> None:
    sets = [one for count in range(len(MARKS) + 1) for one in itertools.combinations(MARKS, count)]
    marked = {f"test_{'_'.join(marks) or 'plain'}": marks for marks in sets}
    gate = [name for check in (*in_parts(quick=False), *as_a_whole(), *in_browsers()) for name in taken(check, marked)]
    parts, whole, pages = (taken(check, marked) for check in (*at_night(), *in_browsers(nightly=True)) if "-m" in check.command)
    assert not [name for name in gate if "nightly" in name]
    assert [name for name in parts if "e2e" in name or "browser" in name] == []
    alone = [name for name in (*parts, *pages) if "nightly" in name]
    assert Counter([*gate, *alone, *whole]) == dict.fromkeys(marked, 1)
    assert set(parts) >= {name for name in gate if "e2e" not in name and "browser" not in name}, "with more examples"
    assert set(pages) >= {name for name in gate if "browser" in name}, "on pages that move"


def test_marks_stand_in_the_files_in_which_they_are_looked_for() -> None:
    # In a browser all files are searched for looks that are left to the night.
    elsewhere = [path for path in TESTS.rglob("*.py") if not path.name.startswith("test_") and path.stem != "night"]
    marked = [path for path in elsewhere for mark in MARKS[:3] if f"mark.{mark}" in path.read_text(encoding="utf-8")]
    assert marked == []
    assert str(TESTS / "chaos" / "test_chaos.py") in files_with("e2e")
    assert str(TESTS / "chaos" / "test_chaos.py") not in files_with("browser")
