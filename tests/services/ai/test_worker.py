import base64
from functools import partial

import grpc
import pytest
from celery import Celery

from brettwerk.v1 import ai_pb2
from services.ai.app import KEY_PREFIX
from services.games.einstein import GAME
from services.games.interface import Kind
from tests.redis_server import running_redis
from tests.services.ai.house import (
    House,
    Process,
    SessionPeer,
    move_request,
    start_position,
    view_of,
    wait_until,
    wait_until_it_thinks,
)

TRACE = "00-" + "ab" * 16 + "-" + "cd" * 8 + "-01"


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    peer = SessionPeer()
    with running_redis() as url:
        house = House(url, tmp_path_factory.mktemp("house"), peer)
        try:
            yield house
        finally:
            house.close()
            peer.close()


@pytest.fixture(scope="module")
def service(house):
    return house.start_service()


@pytest.fixture(scope="module")
def worker(house, service):
    return house.start_worker()


@pytest.fixture
def ai(house, service):
    with house.stub() as stub:
        yield stub


def test_a_move_arrives_at_the_session_with_its_version_and_ticket(house, worker, ai):
    request = move_request(version=41)
    response = ai.RequestMove(request, metadata=(("traceparent", TRACE),))
    assert response.waiting == 0
    submission, metadata = house.peer.submission()
    assert (submission.session_id, submission.seat, submission.version) == ("07abcdefghijklmnopqrstuv", 0, 41)
    assert submission.ticket == b"a ticket"
    assert submission.action.type_url == "type.googleapis.com/brettwerk.v1.EinsteinAction"
    position = start_position()
    assert GAME.codec.decode(Kind.ACTION, submission.action.value) in GAME.actions(GAME.view(position, position.to_move))
    assert 0 < submission.thought.win_chance < 1
    assert submission.thought.nodes > 0
    assert metadata["traceparent"] == TRACE
    wait_until(lambda: any(line["trace_id"] == "ab" * 16 for line in worker.lines("moved")), worker)
    # Neither the view nor the ticket may be in a log.
    assert base64.b64encode(request.SerializeToString()).decode()[:20] not in worker.log.read_text()


def test_the_same_request_twice_gives_the_same_answer_twice(house, worker, ai):
    request = move_request(version=5, level="strong")
    answers = []
    for _ in range(2):
        ai.RequestMove(request)
        answers.append(house.peer.submission()[0])
    assert answers[0].action == answers[1].action
    assert answers[0].thought.win_chance == answers[1].thought.win_chance


def test_a_review_returns_hints_best_first(house, worker, ai):
    position = start_position()
    request = ai_pb2.ReviewRequest(game="einstein", view=view_of(position, position.to_move), search_seed=1)
    response = ai.Review(request, timeout=20)
    actions = [GAME.codec.decode(Kind.ACTION, hint.action.action.value) for hint in response.hints]
    view = GAME.view(position, position.to_move)
    assert sorted(actions) == sorted(GAME.actions(view))
    chances = [hint.win_chance for hint in response.hints]
    assert chances == sorted(chances, reverse=True)
    assert response.win_chance == chances[0]
    best = response.hints[0].action
    assert GAME.read(view, best.notation) == actions[0]
    assert best.places
    assert best.label.key


def test_a_review_for_a_seat_that_waits_is_refused_by_the_worker(worker, ai):
    position = start_position()
    request = ai_pb2.ReviewRequest(game="einstein", view=view_of(position, 1 - position.to_move))
    with pytest.raises(grpc.RpcError) as caught:
        ai.Review(request, timeout=20)
    assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION


def test_a_session_service_that_is_away_for_a_moment_gets_the_answer_later(house, worker, ai):
    house.peer.unavailable = 2
    ai.RequestMove(move_request(version=9))
    assert house.peer.submission()[0].version == 9
    assert house.peer.unavailable == 0


def kill_pool(process: Process) -> None:
    for child in process.children():
        child.kill()


def test_when_a_process_is_killed_its_request_is_done_by_another(house, worker, ai):
    before = len(worker.lines("request came back from a lost process"))
    ai.RequestMove(move_request(version=11, level="depth", depth=12))
    wait_until_it_thinks(house, worker)
    kill_pool(worker)
    assert house.peer.submission()[0].version == 11
    assert len(worker.lines("request came back from a lost process")) == before + 1
    wait_until(lambda: house.working() == 0, worker)


def test_a_request_that_kills_every_process_is_dropped_in_the_end(house, worker, ai):
    came_back = "request came back from a lost process"
    before = len(worker.lines(came_back))
    ai.RequestMove(move_request(version=12, level="depth", depth=12, seconds=60))
    for deaths in range(3):
        wait_until_it_thinks(house, worker)
        kill_pool(worker)
        wait_until(partial(lambda count: len(worker.lines(came_back)) == count, before + deaths + 1), worker)
    wait_until(lambda: house.working() == 0, worker)
    ai.RequestMove(move_request(version=13))
    assert house.peer.submission()[0].version == 13


def test_a_request_that_cannot_be_read_is_dropped_and_work_goes_on(house, worker, ai):
    sender = Celery(broker=house.redis_url)
    sender.conf.broker_transport_options = {"global_keyprefix": KEY_PREFIX}
    before = len(worker.lines("request failed"))
    sender.send_task("move", kwargs={"nonsense": 1}, queue="move")
    sender.send_task("move", kwargs={"request": "!", "traceparent": "", "asked_ms": 0, "deadline_ms": 2**60}, queue="move")
    ai.RequestMove(move_request(version=14))
    assert house.peer.submission()[0].version == 14
    wait_until(lambda: len(worker.lines("request failed")) == before + 2, worker)
    wait_until(lambda: house.working() == 0, worker)
    sender.close()


def test_a_broker_that_takes_no_writes_for_a_while_ends_no_worker(house, worker, ai):
    with house.broker() as broker:

        def refused() -> int:
            return int(broker.info("errorstats").get("errorstat_NOREPLICAS", {}).get("count", 0))

        before = refused()
        broker.config_set("min-replicas-to-write", 1)
        wait_until(lambda: refused() > before + 1, worker)
        broker.config_set("min-replicas-to-write", 0)
    ai.RequestMove(move_request(version=16))
    assert house.peer.submission()[0].version == 16
    assert worker.popen.poll() is None


def test_the_worker_shows_the_series_of_all_its_processes_at_one_place(house, worker, ai):
    ai.RequestMove(move_request(version=15))
    house.peer.submission()

    def played() -> float:
        lines = [
            line
            for line in house.metrics(house.worker_metrics).splitlines()
            if line.startswith('brettwerk_ai_attempts_total{outcome="played"}')
        ]
        return float(lines[0].rpartition(" ")[2]) if lines else 0.0

    wait_until(lambda: played() >= 1, worker)
    text = house.metrics(house.worker_metrics)
    assert 'brettwerk_build_info{service="worker"' in text
    assert 'brettwerk_ai_think_seconds_count{game="einstein",level="easy"}' in text
    assert 'brettwerk_ai_queue_wait_seconds_count{queue="move"}' in text
    assert "pid=" not in text
