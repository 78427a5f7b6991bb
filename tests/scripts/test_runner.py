"""A check is good when its tests pass, at the first time or once more alone; how far it is and what fails is said meanwhile."""

import io
import os
import re
import sys
import time
from pathlib import Path

import pytest

from scripts import runner as runners
from scripts.runner import MAX_ASKED_AGAIN, Check, Runner, Running, Screen
from scripts.unsteady import Unsteady
from tests import night

STEADY, WRONG = "assert True", "assert False"
WITHOUT_OTHER_PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""To import those of this environment takes longer than to run such tests."""
ONCE = "seen = pathlib.Path({name!r}); before = seen.exists(); seen.touch(); assert before"
"""A test that fails the first time."""


@pytest.fixture
def unsteady(tmp_path: Path) -> Unsteady:
    return Unsteady(tmp_path / "unsteady.csv")


@pytest.fixture
def out() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def runner(unsteady: Unsteady, out: io.StringIO, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    monkeypatch.setattr(runners, "CACHE", tmp_path / "runs")
    return Runner(unsteady, Screen(out))


def check(folder: Path, *bodies: str, at_once: int = 0) -> Check:
    """Return a run of tests with these bodies."""
    tests = [f"def test_{n}():\n    {body.format(name=str(folder / f'seen {n}'))}\n" for n, body in enumerate(bodies)]
    (folder / "test_some.py").write_text("import pathlib, pytest\n" + "".join(tests), encoding="utf-8")
    memory = folder / "memory"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "scripts.progress", "-c", "/dev/null", "--rootdir", str(folder)]
    command += ["-p", "xdist.plugin", "-o", f"cache_dir={memory}", "-n", str(at_once), str(folder / "test_some.py")]
    return Check("some", command, environment=os.environ | WITHOUT_OTHER_PLUGINS, memory=memory)


def test_a_test_that_passes_alone_is_unsteady_and_noted(tmp_path: Path, runner: Runner, unsteady: Unsteady) -> None:
    assert runner.run([[[check(tmp_path, STEADY, ONCE)]]]) == []
    assert unsteady.tests == ["test_some.py::test_1"]
    assert re.search(r"^some .* unsteady$", runner.table(), re.MULTILINE)


@pytest.mark.parametrize(
    "bodies", [night.at_night((WRONG, STEADY)), (WRONG, ONCE), night.at_night((ONCE,) * (MAX_ASKED_AGAIN + 1))]
)
def test_repeated_or_many_failures_are_not_called_unsteady(
    tmp_path: Path, runner: Runner, unsteady: Unsteady, bodies: tuple[str, ...]
) -> None:
    assert runner.run([[[check(tmp_path, *bodies)]]]) == ["some"]
    assert unsteady.tests == []


@pytest.mark.parametrize("at_once", [night.at_night(0), 2])
def test_a_failure_is_reported_with_its_command_and_a_skipped_test_with_its_reason(
    tmp_path: Path, runner: Runner, out: io.StringIO, at_once: int
) -> None:
    left_out = "pytest.skip('no podman here: apt install podman')"
    assert runner.run([[[check(tmp_path, STEADY, "assert 1 == 2", left_out, at_once=at_once)]]]) == ["some"]
    said = out.getvalue()
    at_once_said, _, whole = said.partition("= FAILURES =")
    assert "some: FAILED test_some.py::test_1\nE       assert 1 == 2" in at_once_said
    assert "alone: scripts/test test_some.py::test_1\n" in at_once_said
    assert "assert 1 == 2" in whole
    assert "left out: test_some.py::test_2: no podman here: apt install podman" in runner.table()


def test_a_file_that_cannot_be_imported_is_said_and_fails(tmp_path: Path, runner: Runner, out: io.StringIO) -> None:
    broken = check(tmp_path, STEADY)
    (tmp_path / "test_some.py").write_text("import nothing_of_this_name\n", encoding="utf-8")
    assert runner.run([[[broken]]]) == ["some"]
    assert "some: FAILED test_some.py\nE   ModuleNotFoundError" in out.getvalue()


def program(name: str, code: str) -> Check:
    return Check(name, [sys.executable, "-c", code])


def test_lanes_run_side_by_side_and_stages_one_after_another(tmp_path: Path, runner: Runner) -> None:
    def waiting_for(name: str, other: str) -> Check:
        met = f"import pathlib, time\npathlib.Path({str(tmp_path / name)!r}).touch()\n"
        return program(name, f"{met}while not pathlib.Path({str(tmp_path / other)!r}).exists(): time.sleep(0.01)")

    later = program("later", f"import pathlib\nassert pathlib.Path({str(tmp_path / 'one')!r}).exists()")
    assert runner.run([[[waiting_for("one", "two")], [waiting_for("two", "one")]], [[later]]]) == []
    assert [result.check.name for result in runner.results] == ["one", "two", "later"]


def test_the_output_of_a_check_is_shown_only_where_it_fails(runner: Runner, out: io.StringIO) -> None:
    assert runner.run([[[program("good", "print('all well')"), program("bad", "print('no'); raise SystemExit(3)")]]]) == ["bad"]
    assert "all well" not in out.getvalue()
    assert "no\n" in out.getvalue()


class Terminal(io.StringIO):
    """A terminal of which only the last lines can be written over, as they are."""

    def isatty(self) -> bool:
        return True

    def shown(self) -> list[str]:
        """Return the lines that a person sees now."""
        lines: list[str] = []
        for line in self.getvalue().splitlines():
            while found := re.match(r"\x1b\[(\d+)F\x1b\[J", line):
                del lines[-int(found[1]) :]
                line = line[found.end() :]
            lines.append(line)
        return lines


def test_a_terminal_says_how_far_each_check_is_in_a_line_that_is_written_over() -> None:
    terminal = Terminal()
    screen = Screen(terminal)
    with screen.running("tests") as tests, screen.running("types"):
        screen.tick()
        tests.total, tests.done = 4, 1
        screen.tick()
        screen.say("style: good")
        tests.done = 2
        screen.tick()
        first, *rest = terminal.shown()
        assert first == "brettwerk: style: good"
        assert [line.partition(",")[0] for line in rest] == ["  tests: 2 of 4 (50 %)", "  types: 0 s"]


def test_a_log_says_how_far_each_check_is_in_lines_of_its_own(out: io.StringIO) -> None:
    screen = Screen(out)
    with screen.running("tests") as tests:
        tests.total, tests.done = 8000, 2000
        screen.tick()
    assert re.fullmatch(r"brettwerk: tests: 2,000 of 8,000 \(25 %\), 0 s, about 0 s left\n", out.getvalue())


def test_the_time_that_is_left_is_that_of_what_was_done() -> None:
    assert str(Running("tests", time.monotonic() - 30, done=25, total=100)).endswith("(25 %), 30 s, about 90 s left")
    assert str(Running("tests", time.monotonic() - 30, total=100)).endswith("0 of 100 (0 %), 30 s")
