"""A deployment that cannot start ends, and says why; how often its processes die is counted; all of them end in order."""

import math
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.local import deployment, process_specs
from deploy.local.deployment import MAX_QUICK_DEATHS, Deployment
from deploy.local.launcher_error import LauncherError
from deploy.local.process_specs import ProcessSpec
from deploy.local.processes import Processes

DIES = "print('no bread'); raise SystemExit(3)"
ENDS_WITH_ANOTHER = """
import signal, sys, time
from pathlib import Path

own, other, ready = map(Path, sys.argv[1:])


def end(*_):
    own.touch()
    while not other.exists():
        time.sleep(0.01)
    raise SystemExit


signal.signal(signal.SIGTERM, end)
ready.touch()
signal.pause()
"""
PAIR = ("worker", "players")


def made_of(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Let deployments be made of one process, which is never ready."""

    def specs(_plan: process_specs.Plan) -> Iterator[ProcessSpec]:
        yield ProcessSpec("rules", (sys.executable, "-c", program), dict(os.environ), lambda: False, lambda: 0.0)

    monkeypatch.setattr(process_specs, "specs", specs)
    monkeypatch.setattr(process_specs, "STOP_ORDER", (("rules",),))


@pytest.mark.timeout(60)
def test_a_process_that_dies_again_and_again_ends_the_start_long_before_its_time_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_of(monkeypatch, DIES)
    monkeypatch.setattr(deployment, "START_S", math.inf)
    said: list[str] = []
    with (
        pytest.raises(LauncherError, match="no bread"),
        Deployment(data=tmp_path, processes=Processes(web=False), say=said.append),
    ):
        pass
    deaths = [line for line in said if "exit code 3" in line]
    assert len(deaths) >= MAX_QUICK_DEATHS - 1  # the last one is counted before it is said
    assert f"{MAX_QUICK_DEATHS - 1} times in a row" in deaths[MAX_QUICK_DEATHS - 2]


def test_a_process_that_is_not_ready_in_time_ends_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made_of(monkeypatch, "import time; print('good morning', flush=True); time.sleep(60)")
    monkeypatch.setattr(deployment, "START_S", 1.0)
    with pytest.raises(LauncherError, match="rules does not run"), Deployment(data=tmp_path, processes=Processes(web=False)):
        pass


def test_processes_that_need_nothing_of_each_other_end_at_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = {name: tmp_path / name for name in PAIR}
    ready = {name: tmp_path / f"{name} is ready" for name in PAIR}

    def specs(_plan: process_specs.Plan) -> Iterator[ProcessSpec]:
        for name, other in (PAIR, PAIR[::-1]):
            command = (sys.executable, "-c", ENDS_WITH_ANOTHER, str(sent[name]), str(sent[other]), str(ready[name]))
            yield ProcessSpec(name, command, dict(os.environ), ready[name].exists, lambda: 0.0)

    monkeypatch.setattr(process_specs, "specs", specs)
    said: list[str] = []
    with Deployment(data=tmp_path / "data", processes=Processes(web=False), say=said.append):
        pass
    assert not [line for line in said if "killed" in line]
