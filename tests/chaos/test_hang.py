"""Any process may hang in the middle of a game, or keep dying: the launcher sees to it and the game goes on."""

import os
import random
import signal
import socket
import time
from pathlib import Path

import grpc
import psutil
import pytest

from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from tests.chaos.test_kill import acknowledged_are_in_the_log, act_whatever_happens
from tests.e2e.stranger import OVER, Stranger, computer, me

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def game(deployment: Deployment) -> tuple[Stranger, str, str]:
    ada = Stranger(deployment.grpc_address, "Ada")
    session, seats = ada.create(me(), computer())
    return ada, session.id, seats[0]


def until_it_is_our_turn(ada: Stranger, session_id: str, seat_token: str, within_s: float = 60) -> bool:
    """Return whether the game goes on, once the computer has answered."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        try:
            update = ada.look(session_id, seat_token)
            if update.session.state in OVER or update.actions:
                return update.session.state not in OVER
        except grpc.RpcError:
            pass
        time.sleep(0.05)
    raise AssertionError("the computer does not answer")


def occupied(port: int) -> socket.socket:
    """Take the port of a process that is being killed."""
    end = time.monotonic() + 30
    while True:
        try:
            return socket.create_server(("127.0.0.1", port))
        except OSError:
            assert time.monotonic() < end, "it was started again before its port could be taken"
            time.sleep(0.001)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "services", [("session",), ("rules", "session", "ai", "worker", "gateway", "redis")], ids=lambda services: f"{len(services)}"
)
def test_any_process_that_is_stopped_is_replaced_and_the_game_goes_on(own_deployment: Deployment, services: tuple[str, ...]):
    for service in services:
        print("stopped:", service)
        is_replaced(own_deployment, service)


def is_replaced(own_deployment: Deployment, service: str) -> None:
    ada, session_id, seat_token = game(own_deployment)
    dice = random.Random(service)
    versions = [act_whatever_happens(ada, session_id, seat_token, dice)]
    stopped = own_deployment.pids()[service]
    os.kill(stopped, signal.SIGSTOP)
    began = time.monotonic()
    while versions[-1] is not None and until_it_is_our_turn(ada, session_id, seat_token):
        versions.append(act_whatever_happens(ada, session_id, seat_token, dice, within_s=60))
        if len(versions) > 3 and own_deployment.pids().get(service, stopped) != stopped:
            break
    own_deployment.wait(service)
    while own_deployment.pids().get(service, stopped) == stopped:  # rules is needed for nothing once the game is over
        assert time.monotonic() < began + 60
        time.sleep(0.05)
    assert not psutil.pid_exists(stopped)
    acknowledged_are_in_the_log(ada, session_id, [version for version in versions if version is not None])
    ada.close()


@pytest.mark.nightly
def test_a_process_that_cannot_run_any_more_does_not_end_the_others_and_is_back_when_it_can(tmp_path: Path):
    said: list[str] = []
    with Deployment(data=tmp_path / "deployment", processes=Processes(web=False), say=said.append) as deployment:
        ada, session_id, seat_token = game(deployment)
        until_it_is_our_turn(ada, session_id, seat_token)
        before = deployment.pids()
        deployment.kill("rules")
        with occupied(deployment.plan.ports.rules):  # so that it dies whenever it is started
            end = time.monotonic() + 120
            while not any("rules has stopped (exit code 2), 4 times in a row" in line for line in said):
                assert time.monotonic() < end, said
                time.sleep(0.05)
            assert ada.look(session_id, seat_token).session.id == session_id
            after = deployment.pids()
            assert {name for name in before if after.get(name) != before[name]} == {"rules"}
        deployment.wait("rules")
        dice = random.Random(1)
        while act_whatever_happens(ada, session_id, seat_token, dice) is not None:
            pass
        ada.close()
