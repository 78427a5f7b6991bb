"""Unsteady tests are kept with what tells where to look, and more than one of them is not forgiven."""

import csv
from pathlib import Path

from scripts.unsteady import ROOT, Unsteady, kept_in


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_each_is_a_line_with_its_commit_and_the_load_after_those_of_earlier_runs(tmp_path: Path) -> None:
    file = tmp_path / "kept" / "unsteady.csv"
    Unsteady(file).note("tests", ["tests/a.py::one"])
    Unsteady(file).note("tests in a browser", ["tests/b.py::two[1,2]", "tests/b.py::three"])
    found = rows(file)
    assert [(row["check"], row["test"]) for row in found] == [
        ("tests", "tests/a.py::one"),
        ("tests in a browser", "tests/b.py::two[1,2]"),
        ("tests in a browser", "tests/b.py::three"),
    ]
    for row in found:
        assert row["commit"]
        assert float(row["load_1_min"]) >= 0
        assert row["time"].endswith("+00:00")


def test_one_in_a_run_is_forgiven_and_two_of_different_checks_are_not(tmp_path: Path) -> None:
    unsteady = Unsteady(tmp_path / "unsteady.csv")
    assert not unsteady.are_too_many
    unsteady.note("tests", ["one"])
    assert not unsteady.are_too_many
    unsteady.note("tests of the whole", ["two"])
    assert unsteady.are_too_many


def test_a_ci_names_a_file_that_it_keeps() -> None:
    assert kept_in({"UNSTEADY_FILE": "/kept/there.csv"}) == Path("/kept/there.csv")
    assert kept_in({}) == ROOT / ".pytest_cache" / "unsteady.csv"
