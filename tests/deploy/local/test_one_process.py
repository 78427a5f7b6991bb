"""One process for debuggers: a breakpoint stops whatever an action passes through, and everything goes on after it."""

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from brettwerk.v1 import sessions_pb2
from brettwerk_client import Action, Client, computer, me
from tests.deploy.local.test_play import Launcher, gone

pytestmark = pytest.mark.e2e


class Stopped(Launcher):
    """A launcher that is one process and stops at a breakpoint."""

    def __init__(self, notes: Path, data: Path) -> None:
        options = ["--no-web", "--one-process", "--port", "0", "--grpc-port", "0", "--data", str(data)]
        command = [sys.executable, "-P", "-m", "tests.deploy.local.stopped", str(notes), *options]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("BRETTWERK_")}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        self.said = ""


@pytest.fixture
def stopped(tmp_path: Path) -> Iterator[Stopped]:
    launcher = Stopped(tmp_path / "notes", tmp_path / "data")
    yield launcher
    if launcher.process.poll() is None:
        launcher.process.kill()
        launcher.end()


def play_at_random(update: sessions_pb2.Update) -> Action:
    return random.choice(update.actions)


@pytest.mark.nightly
def test_an_action_that_stands_at_a_breakpoint_is_carried_out_after_it(stopped: Stopped, tmp_path: Path) -> None:
    address = stopped.hear(r"bots \(gRPC\) +(\S+)")
    started = psutil.Process(stopped.process.pid).children(recursive=True)
    assert not {"gateway", "session"} & {process.name() for process in started}
    with Client(address, name="Ada") as client:
        seat = client.create_session("einstein", [me(), computer("easy")]).seat
        outcome = seat.play(play_at_random)
    assert outcome.winners
    looks = (tmp_path / "notes").read_text(encoding="utf-8").splitlines()
    assert looks == [f"{stopped.process.pid} services"] * 2
    stopped.process.send_signal(signal.SIGINT)
    assert stopped.end() == 0
    assert "stopped; games" in stopped.said
    assert "Traceback" not in stopped.said
    assert gone(started)


def test_it_reloads_nothing() -> None:
    said = subprocess.run(
        [sys.executable, "-P", "-m", "deploy.local", "--one-process", "--reload"], capture_output=True, text=True, check=False
    )
    assert said.returncode == 2
    assert "--reload starts processes again" in said.stderr
