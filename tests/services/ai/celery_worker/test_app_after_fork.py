"""A worker answers probes before it has found its broker, as what it is: alive, and not ready."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from brettwerk_games.rules.einstein import GAME as EINSTEIN
from services.runtime.probe import answers
from tests.redis_server import LastingRedis
from tests.services.ai.board_service import BoardService
from tests.services.ai.deployment import Deployment, Process, wait_until
from tests.services.ai.session_peer import SessionPeer


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[LastingRedis]:
    """A server that nobody has started yet."""
    broker = LastingRedis(tmp_path / "redis")
    yield broker
    broker.kill()


@pytest.fixture
def deployment(tmp_path: Path, broker: LastingRedis) -> Iterator[Deployment]:
    peer = SessionPeer()
    deployment = Deployment(broker.url, tmp_path, peer)
    try:
        yield deployment
    finally:
        deployment.close()
        peer.close()


def wait_until_alive(deployment: Deployment, worker: Process) -> str:
    """Return where it answers."""
    address = f"127.0.0.1:{deployment.worker_metrics}"
    wait_until(lambda: answers(f"{address}/live"), worker)
    assert not worker.lines("ready")
    assert not answers(f"{address}/ready")
    return address


@pytest.mark.nightly
def test_a_worker_lives_while_its_broker_is_away_and_thinks_once_it_is_there(
    deployment: Deployment, broker: LastingRedis
) -> None:
    worker = deployment.start("services.ai.worker", worker_concurrency="1", metrics_listen=f"127.0.0.1:{deployment.worker_metrics}")  # fmt: skip # noqa: E501
    address = wait_until_alive(deployment, worker)
    broker.start()
    wait_until(lambda: answers(f"{address}/ready"), worker)
    table = deployment.peer.table(EINSTEIN, "easy")
    board_service = BoardService(broker.url)
    board_service.want(table)
    wait_until(lambda: table.version == 2, worker)
    board_service.close()


@pytest.mark.nightly
def test_so_does_one_that_plays_runs(deployment: Deployment, broker: LastingRedis) -> None:
    worker = deployment.start("services.ai.worker", worker_queue="statistics", metrics_listen=f"127.0.0.1:{deployment.worker_metrics}")  # fmt: skip # noqa: E501
    address = wait_until_alive(deployment, worker)
    broker.start()
    wait_until(lambda: answers(f"{address}/ready") and worker.lines("ready"), worker)
