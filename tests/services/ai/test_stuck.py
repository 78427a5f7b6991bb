"""Processes of the pool that hang. The pool has one process: nobody else can do the work."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.ai.stuck import LOOKS, Watch, is_stopped
from tests.redis_server import running_redis
from tests.services.ai.house import House, SessionPeer, move_request, wait_until, wait_until_it_thinks


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    peer = SessionPeer()
    with running_redis() as url:
        house = House(url, tmp_path, peer)
        try:
            yield house
        finally:
            house.close()
            peer.close()


@pytest.mark.slow
def test_a_process_that_is_stopped_is_replaced_whether_it_waits_or_thinks(house: House):
    house.start_service()
    worker = house.start_worker(worker_concurrency="1", metrics_listen="")
    (idle,) = worker.children()
    os.kill(idle.pid, signal.SIGSTOP)
    with house.stub() as ai:
        ai.RequestMove(move_request(version=3, seconds=60))
        assert house.peer.submission(within_s=60)[0].version == 3
        wait_until(lambda: house.working() == 0, worker)
        ai.RequestMove(move_request(version=4, level="depth", depth=12, seconds=60))
        wait_until_it_thinks(house, worker)
        (thinking,) = worker.children()
        os.kill(thinking.pid, signal.SIGSTOP)
        assert house.peer.submission(within_s=60)[0].version == 4
    assert [line["pid"] for line in worker.lines("process hangs and is killed")] == [idle.pid, thinking.pid]


def test_only_who_is_suspected_at_every_look_is_killed():
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
