"""Processes of the pool that hang: all of them, so nobody else can do the work."""

import os
from pathlib import Path

import pytest

from brettwerk_games.rules.einstein import GAME as EINSTEIN
from services.ai.celery_worker.hung_processes import LOOKS, Watch
from services.ai.celery_worker.processes import is_stopped
from tests.redis_server import running_redis
from tests.services.ai.board_service import BoardService
from tests.services.ai.deployment import Deployment, wait_until
from tests.services.ai.session_peer import SessionPeer


@pytest.mark.nightly
def test_processes_that_are_stopped_while_they_wait_are_replaced(tmp_path: Path):
    peer = SessionPeer()
    with running_redis() as url:
        deployment, board_service = Deployment(url, tmp_path, peer), BoardService(url)
        try:
            worker = deployment.start_worker()
            idle = worker.children()
            for process in idle:
                process.suspend()
            table = peer.table(EINSTEIN, "easy")
            board_service.want(table)
            wait_until(lambda: table.version == 2, worker)
            stopped = {process.pid for process in idle}  # the first that was replaced may move before the last is found out
            wait_until(lambda: {line["pid"] for line in worker.lines("process hangs and is killed")} == stopped, worker)
        finally:
            board_service.close()
            deployment.close()
            peer.close()


def test_only_a_process_suspected_at_every_look_is_killed():
    killed: list[int] = []
    seen = [{1, 2}] * (LOOKS - 1) + [{2}] + [{1}] * (LOOKS - 1)
    looks = iter(seen)
    watch = Watch(lambda: next(looks), lambda pid, _: killed.append(pid))
    for _ in seen:
        watch.look()
    assert killed == [2]


def test_a_pool_that_changes_while_it_is_looked_at_is_looked_at_again():
    def changes() -> set[int]:
        raise RuntimeError("dictionary changed size during iteration")

    Watch(changes).look()


def test_a_process_that_is_not_there_is_not_stopped():
    assert not is_stopped(os.getpid())
    assert not is_stopped(2**30)
