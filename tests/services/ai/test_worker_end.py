"""How a worker ends. Each test has a house of its own: no other worker may take its requests."""

import signal

import pytest

from services.ai.app import VISIBILITY_S
from tests.redis_server import running_redis
from tests.services.ai.house import House, SessionPeer, move_request, wait_until_it_thinks


@pytest.fixture
def house(tmp_path):
    peer = SessionPeer()
    with running_redis() as url:
        house = House(url, tmp_path, peer)
        try:
            yield house
        finally:
            house.close()
            peer.close()


@pytest.fixture
def ai(house):
    house.start_service()
    with house.stub() as stub:
        yield stub


def test_sigterm_lets_a_worker_answer_and_end(house, ai):
    worker = house.start_worker()
    ai.RequestMove(move_request(version=16, level="depth", depth=12))
    wait_until_it_thinks(house, worker)
    worker.popen.send_signal(signal.SIGTERM)
    assert house.peer.submission()[0].version == 16
    assert worker.popen.wait(30) == 0
    assert house.working() == 0


@pytest.mark.slow
def test_what_a_worker_cannot_end_in_time_goes_to_another(house, ai):
    hurried = house.start_worker(metrics_listen="", grace_s="0.2")
    ai.RequestMove(move_request(version=17, level="depth", depth=12, seconds=300))
    wait_until_it_thinks(house, hurried)
    for child in hurried.children():
        child.send_signal(signal.SIGSTOP)  # it shall not be quick enough on any machine
    hurried.popen.send_signal(signal.SIGTERM)
    hurried.popen.wait(30)
    assert house.peer.submissions.empty()
    patient = house.start_worker(metrics_listen="")
    assert house.peer.submission(within_s=VISIBILITY_S + 30)[0].version == 17
    patient.popen.send_signal(signal.SIGTERM)
    assert patient.popen.wait(30) == 0
