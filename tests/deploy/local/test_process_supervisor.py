import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from deploy.local import process_supervisor
from deploy.local.log_tail import LogTail
from deploy.local.process_specs import ProcessSpec, working_folder
from deploy.local.process_supervisor import ProcessSupervisor
from services.runtime.bell import ring
from services.runtime.supervisor import Schedule

LIVES_A_MOMENT = "import os; open(os.environ['LIVES'], 'a').write('x')"
SLEEPS = "import time; print('hello', flush=True); time.sleep(60)"


def until(condition: Callable[[], object]) -> None:
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it never came true")


def keep(tmp_path: Path, program: str, said: list[str] | None = None, **fields) -> ProcessSupervisor:
    probe, schedule = fields.pop("probe", lambda: True), fields.pop("schedule", None)
    environment = fields.pop("environment", dict(os.environ))
    spec = ProcessSpec("process", (sys.executable, "-c", program), environment, probe, lambda: 0.0, **fields)
    return ProcessSupervisor(spec, LogTail(tmp_path / "spec.log"), (said if said is not None else []).append, schedule)


def test_a_process_that_is_killed_is_started_again_and_that_is_said(tmp_path: Path):
    said: list[str] = []
    kept = keep(tmp_path, SLEEPS, said)
    kept.start()
    assert kept.wait(30)
    first = kept.pid
    os.kill(first, signal.SIGKILL)
    until(lambda: kept.pid not in (0, first) and kept.ready.is_set())
    kept.end()
    assert any("signal 9" in line and "again" in line for line in said)
    assert any("back after" in line for line in said)
    assert not psutil.pid_exists(first)
    assert kept.pid == 0


def test_work_between_two_lives_of_a_process_is_done_while_it_is_down(tmp_path: Path):
    kept = keep(tmp_path, SLEEPS)
    kept.start()
    assert kept.wait(30)
    first, alive = kept.pid, []
    assert kept.restart(lambda: alive.append((psutil.pid_exists(first), kept.pid)), 30)
    assert alive == [(False, 0)]
    until(lambda: kept.pid not in (0, first) and kept.ready.is_set())
    with pytest.raises(OSError, match="no file"):
        kept.restart(lambda: (_ for _ in ()).throw(OSError("no file")), 30)
    until(lambda: kept.pid and kept.ready.is_set())
    kept.end()


def test_a_process_that_keeps_dying_is_tried_for_ever_with_growing_pauses(tmp_path: Path):
    said: list[str] = []
    quick = Schedule(first_pause_s=0.01, max_pause_s=0.2)
    kept = keep(tmp_path, "print('no bread'); raise SystemExit(3)", said, probe=lambda: False, schedule=quick)
    kept.start()
    until(lambda: kept.quick_deaths >= 7)
    kept.end()
    assert not kept.gave_up.is_set()
    assert set(kept.log_tail.tail()) == {"no bread"}
    deaths = [line for line in said if "exit code 3" in line]
    assert "started again in 0.0 s" in deaths[0]
    assert "6 times in a row" in deaths[5]
    assert deaths[6].endswith("started again in 0.2 s")
    assert deaths[6] in (tmp_path / "spec.log").read_text()


def test_a_process_that_says_that_it_cannot_start_is_given_up_at_once(tmp_path: Path):
    said: list[str] = []
    kept = keep(tmp_path, "print('the port is taken'); raise SystemExit(2)", said, probe=lambda: False)
    kept.start()
    assert not kept.wait(60)
    assert [line for line in said if "exit code 2" in line] == ["process has stopped (exit code 2); it is given up"]
    kept.end()


def test_a_process_that_once_ran_is_tried_again_even_when_its_port_is_taken(tmp_path: Path):
    stage = tmp_path / "ran"
    program = f"""
import pathlib, sys, time
stage = pathlib.Path({str(stage)!r})
if not stage.exists():
    stage.touch()
    time.sleep(60)
sys.exit(2)
"""
    kept = keep(tmp_path, program, probe=stage.exists, schedule=Schedule(first_pause_s=0.01))
    kept.start()
    assert kept.wait(30)
    kept.send(signal.SIGKILL)
    until(lambda: kept.quick_deaths >= 3)
    assert not kept.gave_up.is_set()
    kept.end()


def test_children_of_a_process_do_not_outlive_it(tmp_path: Path):
    kept = keep(tmp_path, f"import subprocess, sys; subprocess.run([sys.executable, '-c', {SLEEPS!r}])")
    kept.start()
    assert kept.wait(30)
    first = kept.pid
    until(lambda: psutil.Process(first).children())
    (child,) = psutil.Process(first).children()
    os.kill(first, signal.SIGKILL)
    until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)
    kept.end()


def test_a_process_that_does_not_want_to_end_is_killed(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(process_supervisor, "_STOP_S", 0.3)
    said: list[str] = []
    kept = keep(tmp_path, f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEPS}", said)
    kept.start()
    until(lambda: kept.log_tail.tail())
    pid = kept.pid
    kept.end()
    assert not psutil.pid_exists(pid)
    assert any("killed" in line for line in said)


def test_its_folder_is_empty_at_every_start(tmp_path: Path):
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    (fresh / "old").touch()
    kept = keep(tmp_path, f"import os; print(os.listdir({str(fresh)!r}), flush=True); {SLEEPS}", fresh=fresh)
    kept.start()
    until(lambda: kept.log_tail.tail())
    kept.end()
    assert kept.log_tail.tail()[0] == "[]"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its starter")
def test_a_killed_launcher_leaves_no_process(tmp_path: Path):
    program = f"""
import os, time
from pathlib import Path
from deploy.local.log_tail import LogTail
from deploy.local.process_supervisor import ProcessSupervisor
from deploy.local.process_specs import ProcessSpec
import sys
spec = ProcessSpec("process", (sys.executable, "-c", {SLEEPS!r}), dict(os.environ), lambda: True, lambda: 0.0)
kept = ProcessSupervisor(spec, LogTail(Path({str(tmp_path / "spec.log")!r})), print)
kept.start()
kept.wait(30)
print(kept.pid, flush=True)
time.sleep(60)
"""
    launcher = subprocess.Popen([sys.executable, "-c", program], cwd=working_folder(), stdout=subprocess.PIPE, text=True)
    assert launcher.stdout
    pid = int(next(line for line in launcher.stdout if line.strip().isdigit()))
    assert psutil.pid_exists(pid)
    launcher.kill()
    launcher.wait()
    launcher.stdout.close()
    until(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)


def test_a_process_that_has_nothing_to_do_is_started_again_when_somebody_rings(tmp_path: Path):
    said: list[str] = []
    environment = {**os.environ, "BRETTWERK_BELL_FOLDER": str(tmp_path), "LIVES": str(tmp_path / "lives")}
    kept = keep(tmp_path, LIVES_A_MOMENT, said, bell="tested", environment=environment)
    kept.start()
    until(kept.rests.is_set)
    assert kept.wait(0), "it need not run"
    assert (tmp_path / "lives").read_text() == "x"

    def has_lived_twice() -> bool:
        ring(tmp_path, "tested")
        return (tmp_path / "lives").read_text() == "xx"

    until(has_lived_twice)
    until(kept.rests.is_set)
    kept.end()
    assert kept.quick_deaths == 0
    assert not any("stopped" in line for line in said), "that is no death"


def test_a_process_that_rests_at_first_does_not_even_start(tmp_path: Path):
    environment = {**os.environ, "BRETTWERK_BELL_FOLDER": str(tmp_path), "LIVES": str(tmp_path / "lives")}
    kept = keep(tmp_path, LIVES_A_MOMENT, bell="tested", rests_at_first=True, environment=environment)
    kept.start()
    assert kept.wait(30)
    assert kept.pid == 0
    kept.end()
    assert not (tmp_path / "lives").exists()
