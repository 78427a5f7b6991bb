"""The service without a worker: what it refuses, and what becomes of requests that nobody takes."""

import time
from collections.abc import Callable
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from brettwerk.v1 import ai_pb2, errors_pb2
from services.games.einstein.board import WHITE
from tests.redis_server import running_redis
from tests.services.ai.house import House, SessionPeer, move_request, start_position, view_of, wait_until

BOUND = 3


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    peer = SessionPeer()
    with running_redis() as url:
        house = House(url, tmp_path_factory.mktemp("house"), peer)
        try:
            house.start_service(ai_queue_bound=str(BOUND), ai_grace_s="0.5")
            yield house
        finally:
            house.close()
            peer.close()


@pytest.fixture
def ai(house):
    with house.broker() as broker:
        broker.flushall()
    with house.stub() as stub:
        yield stub


def refusal_of(call: Callable[..., Any], request: Message) -> errors_pb2.Refusal:
    """Return the refusal that a call ends with."""
    with pytest.raises(grpc.RpcError) as caught:
        call(request, timeout=10)
    status = rpc_status.from_call(caught.value)
    assert status is not None
    assert status.code == caught.value.code().value[0]
    refusal = errors_pb2.Refusal()
    assert status.details[-1].Unpack(refusal)
    return refusal


def waiting(house: House) -> int:
    with house.broker() as broker:
        return int(broker.llen("bw:queue:move"))


def test_a_full_queue_refuses_and_says_when_to_come_again(house, ai):
    assert [ai.RequestMove(move_request()).waiting for _ in range(BOUND)] == list(range(BOUND))
    refusal = refusal_of(ai.RequestMove, move_request())
    assert (refusal.reason, refusal.code) == (errors_pb2.REASON_FULL, grpc.StatusCode.RESOURCE_EXHAUSTED.value[0])
    assert refusal.retry_after_ms > 0
    assert waiting(house) == BOUND
    wait_until(lambda: f'brettwerk_ai_queue_length{{queue="move"}} {BOUND}.0' in house.metrics(house.service_metrics))
    assert 'brettwerk_ai_attempts_total{outcome="full"} 1.0' in house.metrics(house.service_metrics)


def changed(**fields: Any) -> ai_pb2.RequestMoveRequest:
    request = move_request()
    for name, value in fields.items():
        if name in ("level", "depth"):
            setattr(request.computer, name, value)
        elif name == "view":
            request.view.value = value
        elif name == "view_type":
            request.view.type_url = value
        else:
            setattr(request, name, value)
    return request


@pytest.mark.parametrize(
    ("request_", "reason", "field"),
    [
        (changed(game="go"), errors_pb2.REASON_UNKNOWN, ""),
        (changed(level="clairvoyant"), errors_pb2.REASON_UNKNOWN, ""),
        (changed(depth=3), errors_pb2.REASON_MALFORMED, "computer.depth"),
        (changed(level="depth", depth=60), errors_pb2.REASON_MALFORMED, "computer.depth"),
        (changed(depth=65), errors_pb2.REASON_MALFORMED, "computer.depth"),
        (changed(view_type="type.googleapis.com/brettwerk.v1.EinsteinPosition"), errors_pb2.REASON_MALFORMED, "view"),
        (changed(view=b"\xff\xff"), errors_pb2.REASON_MALFORMED, "view"),
        (changed(ticket=b"x" * 65), errors_pb2.REASON_MALFORMED, "ticket"),
        (changed(deadline_ms=1), errors_pb2.REASON_DEADLINE, ""),
    ],
    ids=["game", "level", "fixed depth", "great depth", "depth", "type of view", "view", "ticket", "deadline"],
)
def test_a_bad_request_is_refused_and_not_queued(house, ai, request_, reason, field):
    refusal = refusal_of(ai.RequestMove, request_)
    assert refusal.reason == reason
    assert refusal.field.startswith(field)
    assert refusal.trace_id
    assert waiting(house) == 0


def test_a_review_that_nobody_takes_ends_in_time(ai):
    request = ai_pb2.ReviewRequest(game="einstein", view=view_of(start_position(), WHITE))
    request.computer.level = "easy"
    assert refusal_of(ai.Review, request).reason == errors_pb2.REASON_DEADLINE


def test_what_is_too_old_is_thrown_away_unread(house, ai):
    late = move_request(version=1, seconds=0.4)
    ai.RequestMove(late)
    wait_until(lambda: time.time() * 1000 > late.deadline_ms)
    assert waiting(house) == 1
    worker = house.start_worker(metrics_listen=f"127.0.0.1:{house.worker_metrics}")
    ai.RequestMove(move_request(version=2))
    assert house.peer.submission()[0].version == 2
    wait_until(lambda: house.working() == 0, worker)
    assert house.peer.submissions.empty()
    assert [line["version"] for line in worker.lines("moved")] == [2]
    wait_until(lambda: 'brettwerk_ai_attempts_total{outcome="expired"} 1.0' in house.metrics(house.worker_metrics), worker)
    worker.popen.terminate()
    worker.popen.wait(30)


def test_without_a_broker_it_is_not_ready_and_says_so(tmp_path):
    peer = SessionPeer()
    house = House("", tmp_path, peer)
    try:
        with running_redis() as url:
            house.redis_url = url
            house.start_service()
            with house.stub() as ai, grpc.insecure_channel(house.ai_address) as channel:
                health = health_pb2_grpc.HealthStub(channel)

                def serving() -> bool:
                    return bool(health.Check(health_pb2.HealthCheckRequest()).status == health_pb2.HealthCheckResponse.SERVING)

                wait_until(serving)
                ai.RequestMove(move_request())
        with house.stub() as ai, grpc.insecure_channel(house.ai_address) as channel:
            health = health_pb2_grpc.HealthStub(channel)
            wait_until(lambda: not serving())
            assert refusal_of(ai.RequestMove, move_request()).reason == errors_pb2.REASON_UNAVAILABLE
    finally:
        house.close()
        peer.close()
