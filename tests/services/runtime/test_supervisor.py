"""The supervisor with real processes, as a class and as the entry point of a container."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from services.runtime.probe import SignOfLife, sign_of_life, speaks
from services.runtime.supervisor import Schedule, Supervisor
from tests.ports import free_port

ANSWERS = """
import http.server, os, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/live" else 503)
        self.end_headers()
    def log_message(self, *_):
        pass
print(os.getpid(), flush=True)
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""
FAILS_ONCE_IT_WAS_UP = """
import http.server, os, sys
class Handler(http.server.BaseHTTPRequestHandler):
    asked = 0
    def do_GET(self):
        Handler.asked += 1
        if Handler.asked > 1:
            os._exit(2)
        self.send_response(200)
        self.end_headers()
    def log_message(self, *_):
        pass
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""
ADOPTS = """
import ctypes, runpy
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: as process 1 of a container
runpy.run_module("services.runtime.supervisor", run_name="__main__", alter_sys=True)
"""
LEAVES_AN_ORPHAN = """
import subprocess, sys
subprocess.Popen([sys.executable, "-c", "import os; print(os.getpid(), flush=True)"], start_new_session=True)
"""
QUICK = Schedule(period_s=0.1, rest_period_s=0.3, misses=3, first_pause_s=0.01)


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.01)


@contextlib.contextmanager
def supervised(program: str, live: SignOfLife, said: list[str], schedule: Schedule = QUICK) -> Iterator[Supervisor]:
    def launch() -> "subprocess.Popen[bytes]":
        port = str(getattr(live, "port", 0))
        return subprocess.Popen([sys.executable, "-c", program, port], stdout=subprocess.DEVNULL, start_new_session=True)

    supervisor = Supervisor("process", launch, live, said.append, schedule=schedule)
    thread = threading.Thread(target=supervisor.run)
    thread.start()
    try:
        yield supervisor
    finally:
        supervisor.stop(signal.SIGKILL)
        thread.join(30)
        assert not thread.is_alive()


class Live:
    def __init__(self, timeout_s: float = 0.5) -> None:
        self.port = free_port()
        self.asked = 0
        self._probe = sign_of_life(f"http://127.0.0.1:{self.port}/live", timeout_s)

    def __call__(self) -> float | None:
        self.asked += 1
        return self._probe()


def test_a_stopped_process_is_killed_and_started_again():
    said: list[str] = []
    with supervised(ANSWERS, Live(), said) as supervisor:
        until(supervisor.ready.is_set)
        first = supervisor.pid
        os.kill(first, signal.SIGSTOP)
        until(lambda: supervisor.pid not in (0, first) and supervisor.ready.is_set())
        assert not psutil.pid_exists(first)
    assert "process hangs: 3 probes in a row had no answer; it is killed" in said
    assert any("signal 9" in line for line in said)


def test_a_process_that_stops_for_less_than_it_may_miss_is_left_alone():
    said: list[str] = []
    live = Live(timeout_s=0.2)
    with supervised(ANSWERS, live, said, Schedule(period_s=0.1, misses=1000)) as supervisor:
        until(supervisor.ready.is_set)
        first = supervisor.pid
        os.kill(first, signal.SIGSTOP)
        asked = live.asked
        until(lambda: live.asked > asked + 3)
        os.kill(first, signal.SIGCONT)
        asked = live.asked
        until(lambda: live.asked > asked + 3)
        assert supervisor.pid == first
    assert not any("hangs" in line for line in said)


@pytest.mark.nightly
def test_a_supervisor_that_was_stopped_itself_kills_nobody_for_it():
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "services.runtime.supervisor",
        "--misses",
        "2",
        "--probe",
        f"http://127.0.0.1:{port}/live",
        "--",
    ]
    with running([*command, sys.executable, "-c", ANSWERS, str(port)]) as supervisor:
        first = int(line_of(supervisor))
        until(lambda: sign_of_life(f"http://127.0.0.1:{port}/live", 1)() is not None)
        supervisor.send_signal(signal.SIGSTOP)
        time.sleep(4)  # for longer than two probes: this is the fault, not a wait
        supervisor.send_signal(signal.SIGCONT)
        asked = psutil.Process(supervisor.pid).cpu_times().user
        until(lambda: psutil.Process(supervisor.pid).cpu_times().user > asked)
        assert psutil.pid_exists(first)
        supervisor.send_signal(signal.SIGTERM)
        assert supervisor.wait(30) == 128 + signal.SIGTERM


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells by /proc who computes")
def test_a_process_that_computes_may_miss_more_than_one_that_does_nothing(tmp_path: Path):
    computes = ANSWERS.replace("self.send_response", "while FILE.exists(): pass\n        self.send_response")
    schedule = Schedule(period_s=0.5, misses=2, late_misses=2, busy_misses=6, first_pause_s=0.01)
    said: list[str] = []
    program = f"from pathlib import Path; FILE = Path({str(tmp_path / 'compute')!r})\n{computes}"
    with supervised(program, Live(), said, schedule) as supervisor:
        until(supervisor.ready.is_set)
        (tmp_path / "compute").touch()
        until(lambda: any("hangs" in line for line in said))
    assert any("hangs: 6 probes" in line for line in said)


def test_a_process_that_hangs_before_its_first_answer_is_killed_later():
    said: list[str] = []
    schedule = Schedule(period_s=0.02, misses=3, first_start_misses=9, first_pause_s=0.01)
    with supervised("import time; time.sleep(60)", Live(), said, schedule) as supervisor:
        until(lambda: supervisor.quick_deaths)
    assert "process hangs: 9 probes in a row had no answer; it is killed" in said


def test_pauses_double_up_to_a_bound():
    schedule = Schedule(first_pause_s=0.1, max_pause_s=30)
    pauses = [schedule.pause_s(deaths) for deaths in range(1, 12)]
    assert pauses[:5] == [0.1, 0.2, 0.4, 0.8, 1.6]
    assert pauses[-2:] == [30, 30]
    assert schedule.pause_s(10**9) == 30


def test_a_process_that_lived_long_enough_is_started_again_at_once():
    said: list[str] = []
    with supervised("raise SystemExit(3)", lambda: 0.0, said, Schedule(first_pause_s=0.01, stable_s=0)):
        until(lambda: len(said) > 5)
    assert not any("in a row" in line for line in said)


def test_a_program_that_is_not_there_is_tried_again_and_that_is_said():
    said: list[str] = []

    def launch() -> "subprocess.Popen[bytes]":
        return subprocess.Popen(["/nowhere/to/be/found"])

    supervisor = Supervisor("process", launch, lambda: 0.0, said.append, schedule=QUICK)
    thread = threading.Thread(target=supervisor.run)
    thread.start()
    until(lambda: len(said) >= 3)
    supervisor.stop()
    thread.join(30)
    assert "No such file" in said[0]
    assert "3 times in a row" in said[2]


def entry_point(port: int, program: str) -> list[str]:
    supervisor = [sys.executable, "-m", "services.runtime.supervisor", "--misses", "2"]
    return [*supervisor, "--probe", f"http://127.0.0.1:{port}/live", "--", sys.executable, "-c", program, str(port)]


@contextlib.contextmanager
def running(command: list[str]) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        for child in psutil.Process(process.pid).children(recursive=True) if process.poll() is None else ():
            child.kill()
        process.kill()
        process.wait()
        assert process.stdout
        process.stdout.close()


def line_of(process: "subprocess.Popen[str]") -> str:
    assert process.stdout
    return process.stdout.readline()


def test_one_that_was_up_is_started_again_though_it_ends_as_if_it_never_could_start() -> None:
    live, said = Live(), list[str]()
    with supervised(FAILS_ONCE_IT_WAS_UP, live, said) as supervisor:
        until(lambda: sum("started again" in line for line in said) >= 2)
        assert not supervisor.gave_up.is_set(), said


def test_the_entry_point_kills_what_hangs_and_ends_with_what_it_runs():
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "services.runtime.supervisor",
        "--misses",
        "2",
        "--probe",
        f"http://127.0.0.1:{port}/live",
        "--",
    ]
    with running([*command, sys.executable, "-c", ANSWERS, str(port)]) as supervisor:
        first = int(line_of(supervisor))
        assert "is ready" in line_of(supervisor)
        os.kill(first, signal.SIGSTOP)
        assert "hangs" in line_of(supervisor)
        assert "started again" in line_of(supervisor)
        second = int(line_of(supervisor))
        assert second != first
        supervisor.send_signal(signal.SIGINT)
        assert supervisor.wait(30) != 0
        assert not psutil.pid_exists(second)


def test_the_entry_point_ends_when_its_command_says_that_it_never_will_start():
    command = [sys.executable, "-m", "services.runtime.supervisor", "--probe", f"redis://127.0.0.1:{free_port()}", "--"]
    done = subprocess.run([*command, sys.executable, "-c", "raise SystemExit(2)"], capture_output=True, timeout=60, text=True)
    assert done.returncode == 2
    assert "given up" in done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process inherit orphans")
def test_orphans_that_it_inherits_are_reaped():
    port = free_port()
    supervised = entry_point(
        port, f"import subprocess, sys; subprocess.run([sys.executable, '-c', {LEAVES_AN_ORPHAN!r}])\n{ANSWERS}"
    )
    with running([sys.executable, "-c", ADOPTS, *supervised[3:]]) as supervisor:
        pids = [int(line) for line in (line_of(supervisor) for _ in range(3)) if line.strip().isdecimal()]
        assert len(pids) == 2
        until(lambda: sum(psutil.pid_exists(pid) for pid in pids) == 1)


@pytest.mark.parametrize("url", ["ftp://127.0.0.1:1/live", "grpc://127.0.0.1/live", "live", ""])
def test_a_probe_without_a_kind_or_a_port_is_refused(url: str):
    with pytest.raises(ValueError, match="probe"):
        sign_of_life(url, 1)


def test_a_redis_that_wants_a_password_shows_life_and_a_silent_one_does_not():
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        assert not speaks(address, 0.1)

        def answer() -> None:
            for _ in range(2):  # the first caller is the one that gave up
                peer, _ = server.accept()
                with peer:
                    peer.sendall(b"-NOAUTH Authentication required.\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        assert speaks(address, 30)
        thread.join(30)
    assert not speaks(address, 0.1)


def test_one_that_starts_slowly_on_a_busy_machine_is_let_be_and_one_that_hangs_is_not() -> None:
    schedule = Schedule(start_misses=20, first_start_misses=120)
    assert not schedule.never_starts(20, 1.0, was_up=True)
    assert not schedule.never_starts(119, 1.0, was_up=True)
    assert schedule.never_starts(120, 1.0, was_up=True)
    assert schedule.never_starts(20, 0.1, was_up=True)
    assert not schedule.never_starts(20, 0.1, was_up=False)
