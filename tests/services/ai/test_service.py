"""The AI service as processes: what it notes and refuses, what it tells, and what becomes of reviews. Tests are its workers."""

import asyncio
import contextlib
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from brettwerk.internal.v1 import ai_pb2, ai_pb2_grpc
from brettwerk.v1 import errors_pb2
from services.ai.board.order import Urgency
from services.ai.board.worker_board import WorkerBoard
from services.ai.service import REVIEWS_OPEN, AiService
from services.runtime.refusal import Refused
from services.runtime.tasks import ended
from tests.given_settings import GivenSettings
from tests.redis_server import running_redis
from tests.services.ai.asking import end, noted, queued, refusal_of, reply, review, states, swept_at, taken, want, withdrawal
from tests.services.ai.deployment import Deployment, SessionPeer, wait_until

BOUND = 10


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    peer = SessionPeer()
    with running_redis() as url:
        deployment = Deployment(url, tmp_path_factory.mktemp("deployment"), peer)
        try:
            deployment.start_service(ai_wants_bound=str(BOUND))
            yield deployment
        finally:
            deployment.close()
            peer.close()


@pytest.fixture
def ai(deployment: Deployment) -> Iterator[ai_pb2_grpc.AiServiceStub]:
    with deployment.broker() as broker:
        broker.flushall()
    with deployment.stub() as stub:
        yield stub


@pytest.fixture
def worker(deployment: Deployment, ai: Any) -> Iterator[WorkerBoard]:
    """A worker that a test is: with one slot and two processes, and no time between its beats."""
    with deployment.broker() as broker:
        worker = WorkerBoard(broker, "test")
        worker.beat(1, (1, 2), closing=False)
        yield worker


def test_wants_are_given_to_workers_until_they_are_withdrawn(ai, worker):
    noted = ai.WantMoves(ai_pb2.WantMovesRequest(wants=[want(0), want(1), want(2)]))
    assert (list(noted.unplayable), list(noted.no_room), noted.demand.waiting) == ([], [], 3)
    assert states(ai, 0, 1, 2, 3) == ["WAITING", "WAITING", "WAITING", "UNKNOWN"]
    order = worker.take(1, [], 1).orders[0]
    assert (order.kind, order.waits, order.attempt, order.think_ms) == ("move", Urgency.PERSON, 1, 200)
    assert ai_pb2.Want.FromString(order.payload).session_id == want(0).session_id
    assert states(ai, 0, 1) == ["THINKING", "WAITING"]
    ai.WantMoves(ai_pb2.WantMovesRequest(withdrawals=[withdrawal(1), withdrawal(2, version=6)]))
    assert states(ai, 0, 1, 2) == ["THINKING", "UNKNOWN", "WAITING"]
    end(worker, order, "played")
    assert states(ai, 0) == ["UNKNOWN"]


def test_a_want_noted_twice_is_wanted_once(ai):
    for _ in range(3):
        assert ai.WantMoves(ai_pb2.WantMovesRequest(wants=[want(0), want(0), want(0, version=6)])).demand.waiting == 1
    assert ai.WantMoves(ai_pb2.WantMovesRequest(wants=[want(0, version=8)])).demand.waiting == 1
    (status,) = ai.GetWantStatuses(ai_pb2.GetWantStatusesRequest(moves=[withdrawal(0)])).statuses
    assert status.version == 8


def test_one_call_may_withdraw_a_version_and_want_the_next(ai):
    ai.WantMoves(ai_pb2.WantMovesRequest(wants=[want(0)]))
    ai.WantMoves(ai_pb2.WantMovesRequest(wants=[want(0, version=9)], withdrawals=[withdrawal(0, version=8)]))
    assert states(ai, 0) == ["WAITING"]


def test_wants_that_no_player_can_fulfil_are_named_and_the_others_noted(deployment, ai):
    wants = [want(0), want(1, game="go"), want(2, level="clairvoyant"), want(3), want(4, level="depth")]
    wants[3].computer.depth = 3
    wants[4].computer.depth = 60
    wants.append(want(5, level="depth"))
    wants[5].computer.depth = 12
    before = unplayable(deployment)
    assert list(ai.WantMoves(ai_pb2.WantMovesRequest(wants=wants)).unplayable) == [1, 2, 3, 4]
    assert states(ai, 0, 1, 2, 3, 4, 5) == ["WAITING", *["UNKNOWN"] * 4, "WAITING"]
    assert unplayable(deployment) == before + 4


def unplayable(deployment: Deployment) -> float:
    """Return how many wants the service has called unplayable so far."""
    shown = deployment.metrics(deployment.service_metrics)
    return sum(
        float(value) for value in re.findall(r'^brettwerk_ai_attempts_total{outcome="unplayable"} (\S+)', shown, re.MULTILINE)
    )


@pytest.mark.parametrize("bad", [{"session_id": "a:b"}, {"session_id": ""}, {"version": 10**13}, {"player": b"x" * 17}])
def test_wants_that_cannot_be_are_refused(ai, bad):
    refusal = refusal_of(ai.WantMoves, ai_pb2.WantMovesRequest(wants=[want(0), want(1, **bad)]))
    assert refusal.reason == errors_pb2.REASON_MALFORMED
    assert states(ai, 0) == ["UNKNOWN"]


def test_the_kind_of_waiting_decides_the_order(ai, worker):
    waiting = (ai_pb2.WAITING_UNSPECIFIED, ai_pb2.WAITING_NOBODY, ai_pb2.WAITING_WATCHER, ai_pb2.WAITING_PERSON)
    ai.WantMoves(ai_pb2.WantMovesRequest(wants=[want(number, waiting=one) for number, one in enumerate(waiting)]))
    served = []
    for _ in waiting:
        order = taken(worker)
        served.append(order.waits)
        end(worker, order, "gone")
    assert served == [Urgency.PERSON, Urgency.WATCHER, Urgency.NOBODY, Urgency.NOBODY]


def test_a_full_board_says_so_before_it_has_no_room_at_all(deployment, ai):
    nobody = [want(number, waiting=ai_pb2.WAITING_NOBODY) for number in range(BOUND)]
    response = ai.WantMoves(ai_pb2.WantMovesRequest(wants=nobody[:-2]))
    assert (list(response.no_room), response.demand.full) == ([], False)
    response = ai.WantMoves(ai_pb2.WantMovesRequest(wants=nobody[-2:]))
    assert (list(response.no_room), response.demand.full) == ([1], True)
    ai.WantMoves(ai_pb2.WantMovesRequest(wants=[want(20)]))
    assert list(ai.WantMoves(ai_pb2.WantMovesRequest(wants=[want(21, level="clairvoyant"), want(22)])).no_room) == [1]
    refusal = refusal_of(ai.Review, review())
    assert (refusal.reason, refusal.code) == (errors_pb2.REASON_FULL, grpc.StatusCode.RESOURCE_EXHAUSTED.value[0])
    assert refusal.retry_after_ms > 0
    assert 'brettwerk_ai_attempts_total{outcome="full"}' in deployment.metrics(deployment.service_metrics)


def changed(**fields: Any) -> ai_pb2.ReviewRequest:
    request = review()
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
    ("fields", "reason", "field"),
    [
        ({"game": "go"}, errors_pb2.REASON_UNKNOWN, ""),
        ({"level": "clairvoyant"}, errors_pb2.REASON_UNKNOWN, ""),
        ({"depth": 3}, errors_pb2.REASON_MALFORMED, "computer.depth"),
        ({"level": "depth", "depth": 60}, errors_pb2.REASON_MALFORMED, "computer.depth"),
        ({"depth": 65}, errors_pb2.REASON_MALFORMED, "computer.depth"),
        ({"view_type": "type.googleapis.com/brettwerk.v1.EinsteinPosition"}, errors_pb2.REASON_MALFORMED, "view"),
        ({"view": b"\xff\xff"}, errors_pb2.REASON_MALFORMED, "view"),
        ({"game": "x" * 33}, errors_pb2.REASON_MALFORMED, "game"),
    ],
    ids=["game", "level", "fixed depth", "great depth", "depth", "type of view", "view", "length"],
)
def test_a_bad_request_is_refused_and_not_noted(ai, fields, reason, field):
    refusal = refusal_of(ai.Review, changed(**fields))
    assert refusal.reason == reason
    assert refusal.field.startswith(field)
    assert refusal.trace_id
    assert noted(ai) == 0


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor() as pool:
        yield pool


def test_a_review_is_a_hint_and_ends_with_the_workers_answer(deployment, ai, worker, pool):
    call = pool.submit(ai.Review, review("depth"), timeout=20)
    order = taken(worker)
    assert (order.kind, order.waits, order.named_ms) == ("review", Urgency.HINT, 700)
    assert ai_pb2.ReviewRequest.FromString(order.payload).view == review().view
    reply(deployment, order, ai_pb2.ReviewResponse(win_chance=0.25))
    assert call.result().win_chance == 0.25
    end(worker, order, "reviewed")
    assert noted(ai) == 0


def test_a_review_may_end_with_the_workers_refusal(deployment, ai, worker, pool):
    call = pool.submit(ai.Review, review(), timeout=20)
    reply(deployment, taken(worker), errors_pb2.Refusal(reason=errors_pb2.REASON_NOT_YOUR_TURN, message="no", code=9))
    with pytest.raises(grpc.RpcError) as caught:
        call.result()
    assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION


def test_a_review_that_nobody_takes_ends_before_its_caller_gives_up_and_is_not_wanted_any_more(ai):
    with pytest.raises(grpc.RpcError) as caught:
        ai.Review(review(), timeout=1)
    status = rpc_status.from_call(caught.value)
    assert status is not None, "the refusal is the service's own"
    wait_until(lambda: noted(ai) == 0)


async def test_so_many_reviews_are_open_at_once_and_one_more_is_refused(deployment, ai):
    service = AiService(GivenSettings(broker_url=deployment.redis_url, ai_wants_bound=2 * REVIEWS_OPEN))
    context = SimpleNamespace(time_remaining=lambda: None)
    *opened, one_more = [asyncio.create_task(service.Review(review(), context)) for _ in range(REVIEWS_OPEN + 1)]
    with pytest.raises(Refused) as caught:
        await one_more
    assert caught.value.reason == errors_pb2.REASON_FULL
    while await asyncio.to_thread(noted, ai) < REVIEWS_OPEN:
        assert not [each for each in opened if each.done()]
    await ended(*opened)
    await service.stop()


def test_a_review_whose_caller_goes_away_is_not_wanted_any_more(deployment, ai, pool):
    with deployment.stub() as other:
        call = pool.submit(other.Review, review(), timeout=300)
        wait_until(lambda: noted(ai) == 1)
    wait_until(lambda: noted(ai) == 0)
    with pytest.raises(grpc.RpcError):
        call.result()


@pytest.mark.nightly
def test_there_are_as_many_tickets_as_idle_places_however_many_services_publish_them(deployment, ai, tmp_path):
    other = Deployment(deployment.redis_url, tmp_path, deployment.peer)
    try:
        second = other.start_service(ai_wants_bound=str(BOUND))
        with deployment.broker() as broker, other.stub() as also:
            worker = WorkerBoard(broker, "w1")
            ai.WantMoves(ai_pb2.WantMovesRequest(wants=[want(number) for number in range(4)]))
            also.WantMoves(ai_pb2.WantMovesRequest(wants=[want(number) for number in range(4, 8)]))
            assert queued(deployment) == 0

            def beaten() -> bool:
                """Say as workers do again and again that it lives, and return whether it has its tickets."""
                worker.beat(2, (1, 2, 3), closing=False)
                return queued(deployment) == 3

            wait_until(beaten)
            for _ in range(6):
                worker.beat(2, (1, 2, 3), closing=False)
                swept = also.GetWantStatuses(ai_pb2.GetWantStatusesRequest()).demand
                assert (swept.workers, swept.slots, swept.waiting) == (1, 2, 8)
                last = swept_at(broker)
                wait_until(lambda: swept_at(broker) != last)  # noqa: B023 - it is called at once
                assert queued(deployment) == 3
            second.popen.kill()
            second.popen.wait()
            worker.beat(2, (1, 2, 3), closing=False)
            orders = [worker.take(pid, [], 1).orders[0] for pid in (1, 2)]
            wait_until(lambda: "brettwerk_ai_workers 0.0" in deployment.metrics(deployment.service_metrics))
            assert set(states(ai, *range(8))) == {"WAITING"}, "what the lost worker had is wanted again"
            assert len({order.key for order in orders}) == 2
    finally:
        other.close()


def test_the_series_show_the_demand_and_the_workers(deployment, ai):
    before = deployment.metrics(deployment.service_metrics)
    with deployment.broker() as broker:
        worker = WorkerBoard(broker, "w1")
        ai.WantMoves(ai_pb2.WantMovesRequest(wants=[want(0), want(1), want(2, waiting=ai_pb2.WAITING_WATCHER)]))
        worker.beat(4, (1, 2, 3, 4, 5), closing=False)
        series: dict[str, str] = {}

        def shown() -> bool:
            worker.beat(4, (1, 2, 3, 4, 5), closing=False)
            lines = deployment.metrics(deployment.service_metrics).splitlines()
            series.update(line.rpartition(" ")[::2] for line in lines if line.startswith("brettwerk_ai"))
            is_known = series["brettwerk_ai_slots"] == "4.0" and series['brettwerk_ai_wanted{class="person"}'] == "2.0"
            return is_known and float(series["brettwerk_ai_tickets_total"]) > 0

        wait_until(shown)
    assert series["brettwerk_ai_workers"] == "1.0"
    assert series['brettwerk_ai_wanted{class="watcher"}'] == "1.0"
    assert float(series["brettwerk_ai_backlog_seconds"]) == pytest.approx(0.6)
    assert float(series["brettwerk_ai_board_entries"]) >= 3
    assert float(series["brettwerk_ai_board_entries_limit"]) > 3
    assert 1 <= float(series['brettwerk_ai_oldest_wait_seconds{class="person"}']) < 30
    wanted = 'brettwerk_ai_wanted_seconds_total{class="person"}'
    earlier = [line for line in before.splitlines() if line.startswith(wanted)]
    already = float(earlier[0].rpartition(" ")[2]) if earlier else 0.0
    assert float(series[wanted]) == pytest.approx(already + 0.4)


def test_a_board_that_came_back_empty_has_another_epoch(deployment, ai):
    first = ai.WantMoves(ai_pb2.WantMovesRequest(wants=[want()])).demand.epoch
    with deployment.broker() as broker:
        broker.flushall()
    second = ai.GetWantStatuses(ai_pb2.GetWantStatusesRequest(moves=[withdrawal()]))
    assert second.demand.epoch not in ("", first)
    assert second.statuses[0].state == ai_pb2.WantStatus.STATE_UNKNOWN


@pytest.mark.nightly
def test_computers_play_when_their_moves_are_wanted_here(tmp_path):
    from brettwerk_games.rules.einstein import GAME

    peer = SessionPeer()
    with running_redis() as url:
        deployment = Deployment(url, tmp_path, peer)
        try:
            deployment.start_service()
            process = deployment.start_worker()
            tables = [peer.table(GAME, "easy") for _ in range(5)]
            with deployment.stub() as ai:
                ai.WantMoves(ai_pb2.WantMovesRequest(wants=[table.want() for table in tables]))
                wait_until(lambda: all(table.version > 1 for table in tables), process)
                assert len(ai.Review(review(), timeout=20).hints) > 0
                wait_until(lambda: noted(ai) == 0, process)
        finally:
            deployment.close()
            peer.close()


@pytest.mark.nightly
def test_without_a_broker_it_is_not_ready_and_says_so(tmp_path):
    peer = SessionPeer()
    deployment = Deployment("", tmp_path, peer)
    with contextlib.ExitStack() as stack:
        stack.callback(peer.close)
        stack.callback(deployment.close)
        with running_redis() as url:
            deployment.redis_url = url
            deployment.start_service()
            with deployment.stub() as ai, grpc.insecure_channel(deployment.ai_address) as channel:
                health = health_pb2_grpc.HealthStub(channel)

                def serving() -> bool:
                    return bool(health.Check(health_pb2.HealthCheckRequest()).status == health_pb2.HealthCheckResponse.SERVING)

                wait_until(serving)
                ai.WantMoves(ai_pb2.WantMovesRequest(wants=[want()]))
        with deployment.stub() as ai, grpc.insecure_channel(deployment.ai_address) as channel:
            health = health_pb2_grpc.HealthStub(channel)
            wait_until(lambda: not serving())
            for call, request in (
                (ai.Review, review()),
                (ai.WantMoves, ai_pb2.WantMovesRequest(wants=[want()])),
                (ai.GetWantStatuses, ai_pb2.GetWantStatusesRequest()),
            ):
                refusal = refusal_of(call, request)
                assert refusal.reason == errors_pb2.REASON_UNAVAILABLE
                assert refusal.retry_after_ms > 0
