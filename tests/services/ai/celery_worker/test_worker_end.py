"""How a worker ends. Each test has a deployment of its own: no other worker may take its orders."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from brettwerk_games.rules.einstein import GAME as EINSTEIN
from tests.redis_server import LastingRedis, running_redis
from tests.services.ai.board_service import BoardService
from tests.services.ai.deployment import Deployment, wait_until, wait_until_it_thinks
from tests.services.ai.session_peer import SessionPeer


@pytest.fixture
def peer() -> Iterator[SessionPeer]:
    peer = SessionPeer()
    yield peer
    peer.close()


@pytest.fixture
def deployment(tmp_path: Path, peer: SessionPeer) -> Iterator[Deployment]:
    with running_redis() as url:
        deployment = Deployment(url, tmp_path, peer)
        try:
            yield deployment
        finally:
            deployment.close()


@pytest.fixture
def board_service(deployment: Deployment) -> Iterator[BoardService]:
    board_service = BoardService(deployment.redis_url)
    yield board_service
    board_service.close()


def test_sigterm_lets_a_worker_answer_and_end_and_it_takes_nothing_more(deployment: Deployment, board_service: BoardService):
    worker = deployment.start_odd_worker()
    table, other = deployment.slow_table(), deployment.peer.table(EINSTEIN, "easy")
    board_service.want(table)
    wait_until_it_thinks(deployment, worker, table)
    worker.popen.send_signal(signal.SIGTERM)
    wait_until(lambda: not board_service.slots(), worker)
    board_service.want(other)
    deployment.go()
    assert worker.popen.wait(30) == 0
    assert (table.version, other.version) == (2, 1)
    assert deployment.thinking() == []


@pytest.mark.nightly
def test_a_thought_that_a_worker_cannot_end_in_time_goes_to_another_at_once(deployment: Deployment, board_service: BoardService):
    workers = [deployment.start_odd_worker(grace_s="0.2") for _ in range(2)]
    table = deployment.slow_table()
    board_service.want(table)
    thinking = wait_until_it_thinks(deployment, workers[0], table)
    patient, hurried = sorted(workers, key=lambda worker: thinking.pid in {child.pid for child in worker.children()})
    pids = {child.pid for child in patient.children()}
    hurried.popen.send_signal(signal.SIGTERM)
    received = time.monotonic()
    wait_until(lambda: pids.intersection(deployment.thinking()), patient)
    assert time.monotonic() - received < 3
    hurried.popen.wait(30)
    deployment.go()
    wait_until(lambda: table.version == 2, patient)


@pytest.mark.nightly
def test_a_broker_that_was_killed_and_has_come_back_finds_workers_as_they_were(tmp_path: Path, peer: SessionPeer):
    with LastingRedis(tmp_path / "redis") as broker:
        deployment, board_service = Deployment(broker.url, tmp_path, peer), BoardService(broker.url)
        try:
            worker = deployment.start_odd_worker()
            table = deployment.slow_table()
            board_service.want(table)
            wait_until_it_thinks(deployment, worker, table)
            broker.kill()
            deployment.go()
            wait_until(lambda: table.version == 2, worker)  # the session does not need the broker
            wait_until(lambda: worker.lines("board cannot be reached"), worker)
            broker.start()
            wait_until(board_service.is_empty, worker)
            after = peer.table(EINSTEIN, "easy")
            board_service.want(after)
            wait_until(lambda: after.version == 2, worker)
            assert table.version == 2
            assert not worker.lines("process thinks for too long and is killed")
        finally:
            board_service.close()
            deployment.close()
