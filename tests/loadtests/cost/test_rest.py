"""The cost of a server while nobody plays is measured of all its processes."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from loadtests.cost.rest import main, measured, memory, total

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells it on Linux only")

MB = 1 << 20
SHARER = f"""if True:
    import mmap, os, signal
    shared = mmap.mmap(-1, {32 * MB})
    shared.write(b"x" * {32 * MB})
    print("there", flush=True)
    input()
    if not os.fork():
        sum(shared[::4096])
        print(os.getpid(), flush=True)
    signal.pause()
"""
SLEEPER = f"""if True:
    import time
    taken = bytearray({20 * MB})
    print("there", flush=True)
    while True:
        time.sleep(0.01)
"""
PARENT = f"""if True:
    import subprocess, sys
    subprocess.Popen(["sleep", "600"])
    subprocess.run([sys.executable, "-c", {SLEEPER!r}])
"""


@contextlib.contextmanager
def program(text: str) -> Iterator["subprocess.Popen[str]"]:
    """A program, once it has said that it is there; it ends with all its children."""
    arguments = [sys.executable, "-c", text]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True) as running:
        try:
            assert running.stdout
            assert running.stdout.readline() == "there\n"
            yield running
        finally:
            os.killpg(running.pid, signal.SIGKILL)


def test_a_page_that_two_share_is_counted_once() -> None:
    with program(SHARER) as parent:
        alone = memory(parent.pid)
        assert parent.stdin
        assert parent.stdout
        parent.stdin.write("\n")
        parent.stdin.flush()
        child = int(parent.stdout.readline())
        both = memory(parent.pid), memory(child)
    assert both[0].pss < alone.pss - 10
    assert both[0].pss + both[1].pss == pytest.approx(alone.pss, abs=8)
    assert both[0].private <= both[0].pss <= both[0].resident


def test_a_process_that_wakes_often_is_told_from_one_that_waits() -> None:
    with program(PARENT) as parent:
        rows = measured(parent.pid, 1.0)
    often = next(row for name, row in rows.items() if name.startswith("python"))
    assert rows["sleep"].sleeps_per_minute == 0
    assert often.sleeps_per_minute > 600
    assert often.memory.private > 20
    assert rows["launcher"].processes == rows["sleep"].processes == 1
    assert total(list(rows.values())).processes == 3


@pytest.mark.nightly
@pytest.mark.e2e
def test_a_deployment_is_measured_and_excessive_memory_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = tmp_path / "rest.json"
    options = ["--sessions", "8", "--wait", "1", "--seconds", "2", "--json", str(figures)]
    assert main([*options, "--max-pss", "10", "--", "--no-web"]) == 1
    found = json.loads(figures.read_text())["rows"]
    assert {"launcher", "session", "gateway", "players"} <= found.keys()
    assert "| **all** |" in capsys.readouterr().out
