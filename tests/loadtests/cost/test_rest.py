"""What a server takes while nobody plays is measured of all its processes."""

import json
import mmap
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from loadtests.cost.rest import main, measured, memory, total

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells it on Linux only")

MB = 1 << 20
SLEEPER = f"""if True:
    import sys, time
    taken = bytearray({20 * MB})
    print("there", flush=True)
    while True:
        time.sleep(0.01)
"""


def test_a_page_that_two_share_is_counted_once() -> None:
    shared = mmap.mmap(-1, 32 * MB)
    shared.write(b"x" * (32 * MB))
    alone = memory(os.getpid())
    child = os.fork()
    if not child:
        shared[:1]
        os.kill(os.getpid(), signal.SIGSTOP)
    os.waitpid(child, os.WUNTRACED)
    both = memory(os.getpid()), memory(child)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert both[0].pss < alone.pss - 10
    assert both[0].pss + both[1].pss == pytest.approx(alone.pss, abs=8)
    assert both[0].private <= both[0].pss <= both[0].resident


def test_a_process_that_wakes_often_is_told_from_one_that_waits() -> None:
    waits = subprocess.Popen(["sleep", "60"])
    wakes = subprocess.Popen([sys.executable, "-c", SLEEPER], stdout=subprocess.PIPE)
    try:
        assert wakes.stdout
        wakes.stdout.readline()
        rows = measured(os.getpid(), 1.0)
        often = next(row for name, row in rows.items() if name.startswith("python"))
        assert rows["sleep"].sleeps_per_minute == 0
        assert often.sleeps_per_minute > 600
        assert often.memory.private > 20
        assert rows["launcher"].processes == rows["sleep"].processes == 1
        assert total(list(rows.values())).processes == 3
    finally:
        for process in (waits, wakes):
            process.kill()
            process.wait()
        wakes.stdout.close()  # type: ignore[union-attr]


@pytest.mark.nightly
@pytest.mark.e2e
def test_a_deployment_is_measured_and_what_is_too_much_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = tmp_path / "rest.json"
    options = ["--sessions", "8", "--settle", "1", "--seconds", "2", "--json", str(figures)]
    assert main([*options, "--max-pss", "10", "--", "--no-web"]) == 1
    found = json.loads(figures.read_text())["rows"]
    assert {"launcher", "session", "gateway", "players"} <= found.keys()
    assert "| **all** |" in capsys.readouterr().out
