"""A process whose event loop is busy, as its health tells and as a supervisor takes it: real processes, real loops."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import grpc
import httpx
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from brettwerk.internal.v1 import rules_pb2, rules_pb2_grpc
from services.runtime.probe import answers, serves, sign_of_life
from services.runtime.supervisor import Schedule, Supervisor
from tests.callers import token
from tests.ports import free_port
from tests.services.runtime.process import ServiceProcess

SERVICE = "brettwerk.internal.v1.RulesService"
MODULE = "tests.services.runtime.little"
QUICK = Schedule(period_s=0.2, misses=3, late_misses=10, busy_misses=20, first_pause_s=0.01)


def until(condition: Callable[[], object], within_s: float = 60) -> None:
    end = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)


class Little:
    """The little service under a supervisor."""

    def __init__(self, ready: Path, schedule: Schedule, kind: str) -> None:
        self.address, self.health, self.metrics = (f"127.0.0.1:{free_port()}" for _ in range(3))
        self.said: list[str] = []
        self._ready, self.output = ready, ready.with_name("output")
        live = sign_of_life(f"{kind}://{self.metrics if kind == 'http' else self.health}/live", 1.0)
        self.supervisor = Supervisor(
            "little", self._launch, live, self.said.append, ready=lambda: serves(self.address, "", 1.0), schedule=schedule
        )

    def _launch(self) -> "subprocess.Popen[bytes]":
        listens = {"LISTEN": self.address, "HEALTH_LISTEN": self.health, "METRICS_LISTEN": self.metrics}
        settings = {f"BRETTWERK_{name}": address for name, address in listens.items()}
        with self.output.open("ab") as output:
            return subprocess.Popen(
                [sys.executable, "-m", MODULE],
                env={**os.environ, **settings, "BRETTWERK_DRAIN_S": "0", "LITTLE_READY": str(self._ready)},
                stdout=output,
                start_new_session=True,
            )

    def keep_busy(self, how: str) -> None:
        """Begin a call that keeps the process busy, and do not wait for its end."""
        self._channel = grpc.insecure_channel(self.address)
        stub = rules_pb2_grpc.RulesServiceStub(self._channel)
        self._call = stub.FindGames.future(rules_pb2.FindGamesRequest(page_token=how), timeout=100, metadata=token(SERVICE))
        with contextlib.suppress(grpc.FutureTimeoutError):
            self._call.result(timeout=0.5)

    @property
    def is_killed(self) -> bool:
        return any("it is killed" in line for line in self.said)


@contextlib.contextmanager
def supervised(tmp_path: Path, schedule: Schedule = QUICK, kind: str = "grpc") -> Iterator[Little]:
    ready = tmp_path / "ready"
    ready.write_text("yes")
    little = Little(ready, schedule, kind)
    thread = threading.Thread(target=little.supervisor.run)
    thread.start()
    try:
        until(little.supervisor.ready.is_set)
        yield little
    finally:
        little.supervisor.stop(signal.SIGKILL)
        thread.join(30)


@pytest.mark.nightly
def test_one_that_is_busy_with_a_long_turn_says_so_and_is_not_killed(tmp_path: Path) -> None:
    with supervised(tmp_path) as little:
        pid = little.supervisor.pid
        little.keep_busy("turn 3.5")
        until(lambda: any("is busy with one thing: its event loop has not turned for" in line for line in little.said))
        assert not serves(little.address, "live", 0.2), "the port of the service is as late as its loop"
        assert serves(little.health, "live", 1.0), "the port of its own answers from a thread"
        until(lambda: not serves(little.health, "", 1.0))
        assert answers(f"{little.metrics}/live", 1.0), "so does the one of the metrics"
        assert not answers(f"{little.metrics}/ready", 1.0)
        until(lambda: any("no longer busy" in line for line in little.said))
        assert little.supervisor.pid == pid
        until(lambda: answers(f"{little.metrics}/ready", 1.0))
        series = httpx.get(f"http://{little.metrics}/metrics").text
        (late,) = re.findall(r'^brettwerk_loop_late_seconds\{service="little"\} (\S+)', series, re.MULTILINE)
        assert 2.5 < float(late) < 30
        until(lambda: '"event": "event loop turns again"' in little.output.read_text())
    assert not little.is_killed
    (logged,) = (line for line in little.output.read_text().splitlines() if '"event": "event loop is late"' in line)
    assert "little.py" in logged, "the log names the place in the code where the loop is"


@pytest.mark.nightly
def test_one_that_is_busy_in_small_turns_is_not_late(tmp_path: Path) -> None:
    with supervised(tmp_path, Schedule(period_s=0.2, misses=5, late_misses=5, busy_misses=5)) as little:
        little.keep_busy("turns 4")
        assert serves(little.address, "live", 10)
        until(lambda: serves(little.address, "", 5))
    assert little.said[1:] == []


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("how", "misses", "kind"), [("turn 60", QUICK.busy_misses, "grpc"), ("block 60", QUICK.late_misses, "http")]
)
def test_one_whose_loop_never_turns_again_is_killed_at_the_bound(tmp_path: Path, how: str, misses: int, kind: str) -> None:
    with supervised(tmp_path, kind=kind) as little:
        pid = little.supervisor.pid
        little.keep_busy(how)
        until(lambda: little.is_killed)
        until(lambda: little.supervisor.pid not in (0, pid) and little.supervisor.ready.is_set())
    (line_of_end,) = (line for line in little.said if "killed" in line)
    (late_s,) = re.findall(r"has not turned for (\d+) s", line_of_end)
    assert 1 + misses * QUICK.period_s - 1 <= int(late_s) < 25


@pytest.mark.nightly
def test_one_that_is_stopped_while_it_is_busy_is_killed_as_quickly_as_any(tmp_path: Path) -> None:
    with supervised(tmp_path, Schedule(period_s=0.2, misses=3, busy_misses=1000, late_misses=1000)) as little:
        little.keep_busy("turn 60")
        until(lambda: any("is busy" in line for line in little.said))
        os.kill(little.supervisor.pid, signal.SIGSTOP)
        until(lambda: little.is_killed)
    assert "little hangs: 3 probes in a row had no answer; it is killed" in little.said


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(("how", "is_killed"), [("turns 30", False), ("turn 8", False), ("block 8", False), ("turn 90", True)])
def test_the_bounds_of_every_day(tmp_path: Path, how: str, is_killed: bool) -> None:
    with supervised(tmp_path, Schedule()) as little:
        pid, began = little.supervisor.pid, time.monotonic()
        little.keep_busy(how)
        until(lambda: little.is_killed or serves(little.address, "", 1.0), within_s=120)
        assert little.is_killed == is_killed
        assert is_killed or little.supervisor.pid == pid
        assert not is_killed or time.monotonic() - began > 25
    assert any("is busy with one thing" in line for line in little.said) == (how != "turns 30")


def test_the_port_of_its_own_knows_the_same_names_and_is_asked_again_and_again(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    ready.write_text("yes")
    health = f"127.0.0.1:{free_port()}"
    with ServiceProcess(MODULE, LITTLE_READY=str(ready), BRETTWERK_HEALTH_LISTEN=health):
        assert [serves(health, name) for name in ("", "live", SERVICE)] == [True] * 3
        ready.write_text("no")
        until(lambda: not serves(health, ""))
        assert serves(health, "live")
        with grpc.insecure_channel(health) as channel:
            stub = health_pb2_grpc.HealthStub(channel)
            for code, call in (
                ("NOT_FOUND", lambda: stub.Check(health_pb2.HealthCheckRequest(service="other"), timeout=10)),
                ("UNIMPLEMENTED", lambda: next(stub.Watch(health_pb2.HealthCheckRequest(), timeout=10))),
            ):
                with pytest.raises(grpc.RpcError) as raised:
                    call()  # type: ignore[no-untyped-call]
                assert raised.value.code().name == code
