"""How a worker ends. Each test has a house of its own: no other worker may take its orders."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.games.einstein import GAME as EINSTEIN
from tests.redis_server import LastingRedis, running_redis
from tests.services.ai.desk import Desk
from tests.services.ai.house import House, wait_until, wait_until_it_thinks
from tests.services.ai.session_peer import SessionPeer


@pytest.fixture
def peer() -> Iterator[SessionPeer]:
    peer = SessionPeer()
    yield peer
    peer.close()


@pytest.fixture
def house(tmp_path: Path, peer: SessionPeer) -> Iterator[House]:
    with running_redis() as url:
        house = House(url, tmp_path, peer)
        try:
            yield house
        finally:
            house.close()


@pytest.fixture
def desk(house: House) -> Iterator[Desk]:
    desk = Desk(house.redis_url)
    yield desk
    desk.close()


def test_sigterm_lets_a_worker_answer_and_end_and_it_takes_nothing_more(house: House, desk: Desk):
    worker = house.start_odd_worker()
    table, other = house.slow_table(), house.peer.table(EINSTEIN, "easy")
    desk.want(table)
    wait_until_it_thinks(house, worker, table)
    worker.popen.send_signal(signal.SIGTERM)
    wait_until(lambda: not desk.slots(), worker)
    desk.want(other)
    house.go()
    assert worker.popen.wait(30) == 0
    assert (table.version, other.version) == (2, 1)
    assert house.thinking() == []


def test_what_a_worker_cannot_end_in_time_goes_to_another_at_once(house: House, desk: Desk):
    workers = [house.start_odd_worker(grace_s="0.2") for _ in range(2)]
    table = house.slow_table()
    desk.want(table)
    thinking = wait_until_it_thinks(house, workers[0], table)
    patient, hurried = sorted(workers, key=lambda worker: thinking.pid in {child.pid for child in worker.children()})
    pids = {child.pid for child in patient.children()}
    hurried.popen.send_signal(signal.SIGTERM)
    told = time.monotonic()
    wait_until(lambda: pids.intersection(house.thinking()), patient)
    assert time.monotonic() - told < 3
    hurried.popen.wait(30)
    house.go()
    wait_until(lambda: table.version == 2, patient)


def test_a_broker_that_was_killed_and_has_come_back_finds_workers_as_they_were(tmp_path: Path, peer: SessionPeer):
    with LastingRedis(tmp_path / "redis") as broker:
        house, desk = House(broker.url, tmp_path, peer), Desk(broker.url)
        try:
            worker = house.start_odd_worker()
            table = house.slow_table()
            desk.want(table)
            wait_until_it_thinks(house, worker, table)
            broker.kill()
            house.go()
            wait_until(lambda: table.version == 2, worker)  # the session does not need the broker
            wait_until(lambda: worker.lines("board cannot be reached"), worker)
            broker.start()
            wait_until(desk.is_empty, worker)
            after = peer.table(EINSTEIN, "easy")
            desk.want(after)
            wait_until(lambda: after.version == 2, worker)
            assert table.version == 2
            assert not worker.lines("process thinks for too long and is killed")
        finally:
            desk.close()
            house.close()
