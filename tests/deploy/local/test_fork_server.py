"""Services that are forked from a process that has imported what they need."""

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from brettwerk_client import Client, computer, me
from deploy.local import fork_server, resting_fork_server
from deploy.local.fork_server import LIBRARIES, PYTHON, SERVICES, Forked, ForkServer, ForkServers
from tests.deploy.local.test_play import Launcher
from tests.deploy.local.test_process_supervisor import until
from tests.process_tree import running

MODULE = "tests.deploy.local.forked"
RESTING_PROGRAM = resting_fork_server.__file__


@pytest.fixture
def server() -> Iterator[ForkServer]:
    started = ForkServer(["json", MODULE], {"PATH": os.environ["PATH"], **PYTHON})
    yield started
    started.close()


def said_by(process: Forked) -> list[str]:
    """Return the lines of a process that ends."""
    with process.stdout:
        return process.stdout.read().decode().splitlines()


def test_a_process_is_what_it_would_be_if_it_were_started(server: ForkServer, tmp_path: Path) -> None:
    read, write = os.pipe()
    process = server.fork(MODULE, {"BRETTWERK_WORDS": "für alle", **PYTHON}, 0o027, [write], ["--loud"])
    os.close(write)
    line, for_people = said_by(process)
    said = json.loads(line)
    assert process.wait(30) == 0
    assert said["environment"] == {"BRETTWERK_WORDS": "für alle", **PYTHON}
    assert said["session"] == process.pid
    assert said["umask"] == 0o027
    assert said["arguments"][0] == MODULE
    assert said["arguments"][2:] == ["--loud"]
    assert for_people == "for people"
    assert os.read(read, 1) == b"", "nobody holds what it was given, not even the fork server"
    os.close(read)


@pytest.mark.parametrize(
    ("ends", "code", "last"), [("7", 7, "for people"), ("no room", 1, "no room"), ("error", 1, "LookupError: no bread")]
)
def test_how_it_ends_is_heard(ends: str, code: int, last: str, server: ForkServer) -> None:
    process = server.fork(MODULE, {"FORKED_ENDS": ends}, 0o077)
    assert said_by(process)[-1] == last
    assert process.wait(30) == process.poll() == code


def test_a_signal_ends_it_and_its_neighbour_goes_on(server: ForkServer) -> None:
    first, second = (server.fork(MODULE, {"FORKED_ENDS": "late"}, 0o077) for _ in range(2))
    with pytest.raises(subprocess.TimeoutExpired):
        first.wait(0.01)
    first.kill()
    assert first.wait(30) == -signal.SIGKILL
    assert second.poll() is None
    second.kill()
    for process in (first, second):
        said_by(process)


def test_forked_processes_end_with_the_fork_server(server: ForkServer) -> None:
    process = server.fork(MODULE, {"FORKED_ENDS": "late"}, 0o077)
    process.stdout.readline()
    psutil.Process(process.pid).parent().kill()  # type: ignore[union-attr]
    assert process.wait(30) == -signal.SIGTERM
    assert not psutil.pid_exists(process.pid) or psutil.Process(process.pid).status() == psutil.STATUS_ZOMBIE
    said_by(process)
    with pytest.raises(OSError, match=r".+"):
        server.fork(MODULE, {}, 0o077)


def test_an_idle_fork_server_rests_and_the_ends_of_its_children_are_known() -> None:
    server = ForkServer(["json", MODULE], {"PATH": os.environ["PATH"], **PYTHON}, rest_s=0.2)
    first, second = (server.fork(MODULE, {"FORKED_ENDS": "late"}, 0o077) for _ in range(2))
    parent = psutil.Process(first.pid).parent()
    assert parent
    until(lambda: RESTING_PROGRAM in parent.cmdline())
    first.kill()
    assert first.wait(30) == -signal.SIGKILL
    assert second.poll() is None
    third = server.fork(MODULE, {"FORKED_ENDS": "7"}, 0o077)
    assert psutil.Process(third.pid).parent() == parent
    assert third.wait(30) == 7
    second.kill()
    assert second.wait(30) == -signal.SIGKILL
    until(lambda: RESTING_PROGRAM in parent.cmdline())
    fourth = server.fork(MODULE, {"FORKED_ENDS": "late"}, 0o077)
    until(lambda: RESTING_PROGRAM in parent.cmdline())
    parent.kill()
    assert fourth.wait(30) == -signal.SIGTERM
    for process in (first, second, third, fourth):
        said_by(process)
    server.close()


def test_one_that_rests_ends_with_its_starter() -> None:
    server = ForkServer(["json"], {"PATH": os.environ["PATH"], **PYTHON}, rest_s=0.2)
    process = psutil.Process(server._process.pid)
    until(lambda: RESTING_PROGRAM in process.cmdline())
    server._channel.close()
    assert server._process.wait(30) == 0
    server.close()


def test_variables_that_python_reads_at_its_start_cannot_be_given_to_a_forked_process(tmp_path: Path) -> None:
    servers = ForkServers()
    environment = {**os.environ, **PYTHON, "BRETTWERK_DRAIN_S": "-1", "BRETTWERK_INNER_KEY": "a key"}
    process = servers.fork("services.rules", environment, 0o077)
    assert process
    started = running(LIBRARIES[0], psutil.Process().children())
    assert started
    kept = [name for child in started for name in child.environ() if name.startswith("BRETTWERK_")]
    assert not kept, "all that they fork could read it"
    assert any("BRETTWERK_DRAIN_S" in line for line in said_by(process))
    assert process.wait(30) == 2
    assert servers.fork("services.rules", {**environment, "PYTHONPATH": str(tmp_path)}, 0o077) is None
    assert servers.fork(MODULE, environment, 0o077) is None, "nobody has imported it"
    servers.close()


@pytest.mark.nightly
@pytest.mark.parametrize("hangs", ["libraries", "services"])
def test_one_that_hangs_is_replaced(hangs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    servers = ForkServers()
    environment = {**os.environ, **PYTHON, "BRETTWERK_DRAIN_S": "-1"}
    first = servers.fork("services.rules", environment, 0o077)
    assert first
    said_by(first)
    assert first.wait(30) == 2
    of_services = servers._running["services"]._process.pid
    os.kill(of_services if hangs == "services" else psutil.Process(of_services).ppid(), signal.SIGSTOP)
    monkeypatch.setattr(fork_server, "ANSWER_S", 10)
    asked = ("services.ai.worker", "BRETTWERK_BROKER_URL") if hangs == "libraries" else ("services.rules", "BRETTWERK_DRAIN_S")
    second = servers.fork(asked[0], {**environment, "BRETTWERK_BROKER_URL": "nonsense"}, 0o077)
    assert second
    assert any(asked[1] in line for line in said_by(second))
    assert second.wait(30) == 2
    assert not psutil.pid_exists(of_services) or psutil.Process(of_services).status() == psutil.STATUS_ZOMBIE
    servers.close()


def test_an_environment_that_is_too_large_for_a_message_is_no_fault() -> None:
    servers = ForkServers()
    assert servers.fork("services.rules", {**os.environ, **PYTHON, "BRETTWERK_TALK_WORDS": "x" * 200_000}, 0o077) is None
    servers.close()


@pytest.mark.nightly
def test_imports_before_the_fork_decide_nothing_of_a_deployment() -> None:
    program = """if True:
        import importlib, sys, threading
        *libraries, comma, services = sys.argv[1:]
        for name in libraries:
            importlib.import_module(name)
        assert "prometheus_client" not in sys.modules, "workers say first that many processes count together"
        for name in services.split(","):
            importlib.import_module(f"{name}.__main__")
        from services.runtime.settings import settings
        assert not settings.cache_info().currsize, "settings were read"
        assert threading.active_count() == 1, "a thread is not forked"
    """
    subprocess.run([sys.executable, "-c", program, fork_server.__name__, *LIBRARIES, ",", ",".join(SERVICES)], check=True)


def test_a_service_with_another_python_does_not_keep_others_from_being_forked(tmp_path: Path) -> None:
    servers = ForkServers()
    environment = {**os.environ, **PYTHON, "BRETTWERK_DRAIN_S": "-1"}
    assert servers.fork("services.rules", {**environment, "PYTHONPATH": str(tmp_path)}, 0o077) is None
    process = servers.fork("services.rules", environment, 0o077)
    assert process
    said_by(process)
    assert process.wait(30) == 2
    servers.close()


@pytest.mark.nightly
@pytest.mark.e2e
def test_a_game_outlives_the_fork_servers(tmp_path: Path) -> None:
    launcher = Launcher("--data", str(tmp_path / "data"), "--port", "0", "--grpc-port", "0", "--workers", "1")
    address = launcher.hear(r"bots \(gRPC\) +(\S+)")
    with Client(address, name="Ada") as client:
        seat = client.create_session("einstein", [me(), computer("easy")]).seat
        seen = next(update for update in seat.watch() if update.actions)
        acted = seat.act(seen, random.choice(seen.actions))
        (server,) = running(fork_server.__name__, psutil.Process(launcher.process.pid).children())
        server.kill()
        launcher.hear("gateway is back after")
        assert seat.update().version >= acted.version > seen.version
    launcher.process.terminate()
    assert launcher.end() == 0
