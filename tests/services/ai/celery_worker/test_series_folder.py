import os
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from services.ai.celery_worker import series_folder
from tests.services.ai.deployment import wait_until

HOLDS = """
from services.ai.celery_worker import series_folder
with series_folder.own_folder() as folder:
    print(folder, flush=True)
    input()
"""

FORKS = """
import os, signal
from services.ai.celery_worker import series_folder
with series_folder.own_folder() as folder:
    print(folder, flush=True)
    child = os.fork()
    if child:
        print(child, flush=True)
    signal.pause()
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def worker(program: str = HOLDS) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def swept(folder: Path) -> bool:
    series_folder.remove_left_over()
    return not folder.exists()


def folder_of(process: "subprocess.Popen[str]") -> Path:
    assert process.stdout
    return Path(process.stdout.readline().strip())


def test_the_folder_of_a_killed_worker_is_removed_by_the_next_and_that_of_a_living_one_is_not(temporary: Path):
    with worker() as killed, worker() as living:
        left, kept = folder_of(killed), folder_of(living)
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
        assert left.exists()
        with series_folder.own_folder() as own:
            assert not left.exists()
            assert kept.exists()
            assert own.exists()
        assert not own.exists()
        living.communicate("\n", timeout=60)
        assert not kept.exists()


def test_workers_that_start_at_the_same_time_leave_each_others_folders_alone(temporary: Path):
    def start() -> bool:
        with series_folder.own_folder() as own:
            return all(own.exists() for _ in range(20))

    with ThreadPoolExecutor(4) as pool:
        started = [pool.submit(start) for _ in range(400)]
        assert all(one.result() for one in started)


def test_the_pool_of_a_killed_worker_keeps_its_folder_while_it_lives(temporary: Path):
    with worker(FORKS) as killed:
        left = folder_of(killed)
        child = int(str(folder_of(killed)))
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
        series_folder.remove_left_over()
        assert left.exists()
        os.kill(child, signal.SIGKILL)
        wait_until(lambda: swept(left))


def test_a_folder_of_an_older_version_is_kept_while_its_processes_live_and_while_it_is_young(temporary: Path):
    names = {"young": True, "living": True, "dead": False}
    for name in names:
        folder = temporary / f"brettwerk-worker-{name}"
        folder.mkdir()
        if name == "living":
            (folder / f"counter_{os.getpid()}.db").touch()
        if name == "dead":
            (folder / f"counter_{2**30}.db").touch()
        if name != "young":
            os.utime(folder, (0, 0))
    (temporary / "brettwerk-worker-link").symlink_to(temporary / "elsewhere")
    (temporary / "other").mkdir()
    series_folder.remove_left_over()
    assert {name: (temporary / f"brettwerk-worker-{name}").exists() for name in names} == names
    assert (temporary / "other").exists()
