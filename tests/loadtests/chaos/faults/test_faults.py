"""Each kind of fault by itself, on processes and folders that stand for a system."""

import asyncio
import contextlib
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import psutil
import pytest

from loadtests.chaos.faults import clock
from loadtests.chaos.faults.disk import FullDisk, small_disk
from loadtests.chaos.faults.power import PowerCut
from loadtests.chaos.faults.processes import Hang
from loadtests.chaos.judgement import Loss


class WantStatus:
    """Stands for a system whose only process sleeps, and whose Redis is a file."""

    def __init__(self, folder: Path, pid: int = 0) -> None:
        self.folder, self._pid, self.deployment = folder, pid, self

    def pids(self) -> dict[str, int]:
        return {"sleeper": self._pid}

    def wait_for_all(self) -> None:
        pass

    def restart(self, process: str, between: Any) -> None:
        assert process == "redis"
        between()


@contextlib.contextmanager
def running(program: str, **settings: str) -> Iterator["subprocess.Popen[bytes]"]:
    command, environment = [sys.executable, "-c", program], os.environ | settings
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(600):
        if condition():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it did not come true")


async def test_a_hanging_process_goes_on_later_and_a_replaced_one_does_no_harm(tmp_path: Path) -> None:
    with running("import time; time.sleep(600)") as process:
        hang = Hang(cast(Any, WantStatus(tmp_path, process.pid)), random.Random(1), 0.1, 0.2)
        assert "hang sleeper" in await hang.strike()
        await until(lambda: psutil.Process(process.pid).status() == psutil.STATUS_STOPPED)
        await hang.heal()
        await until(lambda: psutil.Process(process.pid).status() != psutil.STATUS_STOPPED)
        await hang.strike()
        process.kill()
        process.wait()
        await hang.heal()


async def test_a_power_cut_takes_only_what_was_written_within_the_last_second(tmp_path: Path) -> None:
    folder = tmp_path / "redis" / "appendonlydir"
    folder.mkdir(parents=True)
    old, newest = folder / "appendonly.aof.9.incr.aof", folder / "appendonly.aof.10.incr.aof"
    old.write_bytes(b"o" * 100)
    newest.write_bytes(b"s" * 50_000)
    losses: list[Loss] = []
    cut = PowerCut(cast(Any, WantStatus(tmp_path)), random.Random(5), losses)
    striking = asyncio.create_task(cut.strike())
    await asyncio.sleep(0)  # it has looked how much there is
    with newest.open("ab") as writer:
        writer.write(b"u" * 50_000)
    said = await striking
    size = newest.stat().st_size
    assert 70_000 <= size < 100_000
    assert said == f"power cut: {100_000 - size} bytes lost"
    assert old.stat().st_size == 100
    assert losses[0].end_s - losses[0].begin_s >= 1
    assert await cut.strike() == "power cut: 0 bytes lost"
    assert newest.stat().st_size == size


async def test_a_full_disk_takes_nothing_and_has_room_again(tmp_path: Path) -> None:
    with small_disk(tmp_path / "small", 0) as reason:
        if reason:
            pytest.skip(reason)
        losses: list[Loss] = []
        disk = FullDisk(tmp_path / "small", random.Random(1), lambda: 7, losses, 0.1, 0.2)
        await disk.strike()
        with pytest.raises(OSError, match="No space"):
            (tmp_path / "small" / "one").write_bytes(b"1")
        await disk.heal()
        (tmp_path / "small" / "one").write_bytes(b"1")
    assert not (tmp_path / "small" / "one").exists()
    assert losses == [], "Redis lived on"


async def test_when_redis_ends_on_a_full_disk_the_moment_that_it_became_full_may_be_lost(tmp_path: Path) -> None:
    with small_disk(tmp_path / "small", 0) as reason:
        if reason:
            pytest.skip(reason)
        losses: list[Loss] = []
        pids = iter((7, 7, 0))
        disk = FullDisk(tmp_path / "small", random.Random(1), lambda: next(pids, 8), losses, 0.1, 0.2)
        began_s = time.monotonic()
        await disk.strike()
        filled_s = time.monotonic()
        await disk.heal()
    (loss,) = losses
    assert loss.covers(began_s, filled_s)
    assert not loss.covers(began_s - 10, began_s - 9)


async def test_the_wall_clock_of_one_process_jumps_and_its_monotonic_clock_does_not(tmp_path: Path) -> None:
    program = "import sys, time\nfor _ in sys.stdin: print(time.time(), time.monotonic(), flush=True)"
    with running(program, **clock.settings(tmp_path / "clock-gateway")) as asked:

        def times() -> tuple[float, float]:
            assert asked.stdin
            assert asked.stdout
            asked.stdin.write(b"?\n")
            asked.stdin.flush()
            wall, monotonic = map(float, asked.stdout.readline().split())
            return wall, monotonic

        def apart_s() -> float:
            now = times()
            return abs((now[0] - first[0]) - (now[1] - first[1]))

        first = times()
        jump = clock.ClockJump(tmp_path, ["gateway"], random.Random(1), max_s=3.0)
        assert "s wrong for" in await jump.strike()
        await until(lambda: apart_s() > 40)
        await jump.heal()
        await until(lambda: apart_s() < 5)
