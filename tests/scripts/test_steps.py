"""One line shows those who prepare a checkout what is done and what comes; steps beside others end where the rest fails."""

import io
import subprocess
import sys
import time

import psutil
import pytest

from scripts.steps import Steps
from tests.process_tree import running


def python(program: str) -> list[str]:
    return [sys.executable, "-c", program]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_one_line_says_what_is_done_runs_and_comes() -> None:
    steps = Steps(out := io.StringIO())
    steps.expect(["packages", "contract", "players"])
    for name in ("packages", "contract"):
        with steps.step(name):
            pass
    assert out.getvalue().splitlines() == [
        "brettwerk: now: packages; then: contract, players",
        "brettwerk: done: packages; now: contract; then: players",
    ]


def test_a_terminal_keeps_nothing_of_the_line_but_how_long_it_took() -> None:
    steps = Steps(out := Terminal())
    with steps.step("packages"):
        steps.say("something else")
    steps.end()
    kept = [line.rpartition("\x1b[K")[2] for line in out.getvalue().rstrip().split("\n")]
    assert kept == ["brettwerk: something else", "brettwerk: prepared after 0 s: packages"]


def test_steps_beside_others_run_at_the_same_time_one_after_another() -> None:
    steps = Steps(out := io.StringIO())
    steps.expect(["mine", "first", "second"])
    with steps.step("mine"), steps.beside({"first": python("pass"), "second": python("pass")}):
        pass
    said = out.getvalue().splitlines()
    assert said[-1] == "brettwerk: done: first; now: mine, second"


def test_a_failure_beside_is_told_at_once_and_ends_the_program_when_the_rest_is_done() -> None:
    steps = Steps(out := io.StringIO())

    def prepare() -> None:
        with steps.beside({"page": python("exit('no npm')"), "next": python("")}):
            until = time.monotonic() + 60
            while "no npm" not in out.getvalue():
                assert time.monotonic() < until
                time.sleep(0.01)  # looks again

    with pytest.raises(SystemExit) as raised:
        prepare()
    assert raised.value.code == 1
    assert "brettwerk: no npm" in out.getvalue().splitlines()
    assert "next" not in out.getvalue()


def test_steps_beside_end_when_the_rest_fails() -> None:
    steps = Steps(out := io.StringIO())
    with pytest.raises(OSError), steps.beside({"page": python("import time; time.sleep(600)"), "next": python("")}):
        raise OSError("no space")
    assert not running("time.sleep(600)", psutil.Process().children())
    assert "next" not in out.getvalue()


def test_a_step_that_fails_is_not_done() -> None:
    steps = Steps(out := io.StringIO())
    with pytest.raises(subprocess.CalledProcessError), steps.step("packages"):
        raise subprocess.CalledProcessError(1, ["pip"])
    steps.end()
    assert "prepared" not in out.getvalue()
