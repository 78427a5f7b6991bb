"""Runs with real processes: the AI service, workers of the queue, Redis. Whatever is killed, every game is counted once."""

import secrets
import signal
from collections.abc import Iterator
from typing import Any

import grpc
import psutil
import pytest

from brettwerk.internal.v1 import ai_pb2
from brettwerk.v1 import errors_pb2, statistics_pb2
from brettwerk_games.statistics.tally import Tallies
from services.ai.celery_worker.app import STATISTICS, queue_key
from services.ai.runs.batch import play_batch
from services.ai.runs.wish import check
from services.runtime.settings import Settings
from tests.redis_server import LastingRedis
from tests.services.ai.asking import refusal_of
from tests.services.ai.deployment import Deployment, Process, wait_until
from tests.services.ai.runs.wishes import wish
from tests.services.ai.session_peer import SessionPeer

RUN = statistics_pb2.Run
NICER = 2
BOUNDS = {"run_games": "400", "runs_per_player": "3"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LastingRedis]:
    with LastingRedis(tmp_path_factory.mktemp("redis")) as store:
        yield store


@pytest.fixture(scope="module")
def deployment(store: LastingRedis, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    peer = SessionPeer()
    deployment = Deployment(store.url, tmp_path_factory.mktemp("deployment"), peer)
    try:
        deployment.start_service(**BOUNDS)
        yield deployment
    finally:
        deployment.close()
        peer.close()


def start_worker(deployment: Deployment) -> Process:
    return deployment.start_worker(
        worker_queue=STATISTICS, runs_nice=str(NICER), metrics_listen=f"127.0.0.1:{deployment.worker_metrics}"
    )


@pytest.fixture(scope="module")
def worker(deployment: Deployment) -> Process:
    return start_worker(deployment)


def begin(deployment: Deployment, made: statistics_pb2.RunWish, player: bytes = b"ada") -> str:
    run_id = secrets.token_hex(8)
    with deployment.stub() as ai:
        ai.BeginRun(ai_pb2.BeginRunRequest(run_id=run_id, wish=made, player=player, asked=b"x"), timeout=10)
    return run_id


def found(deployment: Deployment, run_id: str, player: bytes = b"ada") -> statistics_pb2.Run:
    with deployment.stub() as ai:
        (run,) = ai.FindRuns(ai_pb2.FindRunsRequest(run_id=run_id, player=player), timeout=10).runs
    return run


def is_done(deployment: Deployment, run_id: str) -> bool:
    """Return whether a run is done, as far as that can be known: not while a part is away."""
    try:
        return found(deployment, run_id).state == RUN.STATE_DONE
    except grpc.RpcError as error:
        if rpc_code(error) is not grpc.StatusCode.UNAVAILABLE:
            raise
        return False


def rpc_code(error: Any) -> grpc.StatusCode:
    code: grpc.StatusCode = error.code()
    return code


def expected(made: statistics_pb2.RunWish) -> list[tuple[str, str, int, int]]:
    checked, whole = check(made, 10_000), Tallies()
    for batch in range(checked.batches):
        whole.add(play_batch(checked, batch)[1])
    return [(key.kind, key.key, games, wins) for key, games, wins in whole.rows()]


def counted(run: statistics_pb2.Run) -> list[tuple[str, str, int, int]]:
    return [(tally.kind, tally.key, tally.games, tally.wins) for tally in run.sheet.tallies]


def test_a_run_is_played_by_the_workers_of_its_queue_and_counts_what_its_games_come_to(deployment: Deployment, worker: Process):
    made = wish("emperado", "strong", "normal", "easy", games=20, rotate=True)
    run_id = begin(deployment, made)
    wait_until(lambda: is_done(deployment, run_id), worker)
    run = found(deployment, run_id)
    assert (run.games_done, run.mine, run.no_worker) == (20, True, False)
    assert counted(run) == expected(made)
    assert not found(deployment, run_id, b"bob").mine


def test_its_workers_are_the_last_on_their_machine_and_take_no_moves(deployment: Deployment, worker: Process):
    own = psutil.Process(worker.popen.pid).nice()
    assert {process.nice() for process in worker.children()} == {min(19, own + NICER)}
    assert Settings.model_fields["runs_nice"].default == 19
    with deployment.broker() as broker:
        assert broker.hlen("bw:{wanted}:workers") == 0
    shown = deployment.metrics(deployment.worker_metrics)
    assert 'brettwerk_build_info{service="statistics"' in shown
    assert 'brettwerk_run_games_total{game="emperado",outcome="counted"}' in shown
    assert "brettwerk_ai_worker_slots" not in shown


@pytest.mark.nightly
def test_a_run_outlives_its_worker_the_broker_and_the_ai_service(deployment: Deployment, worker: Process, store: LastingRedis):
    made = wish("emperado", "strong", "strong", "strong", "strong", "strong", "strong", games=80)
    run_id = begin(deployment, made)
    wait_until(lambda: found(deployment, run_id).games_done > 0, worker)
    for child in worker.children():
        child.kill()
    worker.popen.send_signal(signal.SIGKILL)
    worker.popen.wait()
    assert not is_done(deployment, run_id)
    (service,) = [process for process in deployment.started if process.lines("listening")]
    service.popen.kill()
    service.popen.wait()
    store.kill()
    store.start()
    deployment.start_service(**BOUNDS)
    again = start_worker(deployment)
    wait_until(lambda: is_done(deployment, run_id), again, seconds=120)
    assert counted(found(deployment, run_id)) == expected(made)


def test_tickets_are_few_and_lead_to_nothing_where_nothing_waits(deployment: Deployment):
    with deployment.broker() as broker:
        wait_until(lambda: broker.llen(queue_key(STATISTICS)) == 0)


def test_a_cancelled_run_ends_and_another_ones_is_not_cancelled(deployment: Deployment):
    run_id = begin(deployment, wish("wec", "normal", "normal", games=100))
    with deployment.stub() as ai:
        stranger = ai_pb2.EndRunRequest(run_id=run_id, player=b"bob")
        assert refusal_of(ai.EndRun, stranger).reason == errors_pb2.REASON_NOT_YOUR_SEAT
        ended = ai.EndRun(ai_pb2.EndRunRequest(run_id=run_id, player=b"ada"), timeout=10).run
        assert ended.state == RUN.STATE_CANCELLED
        assert refusal_of(ai.EndRun, ai_pb2.EndRunRequest(run_id="none", player=b"ada")).reason == errors_pb2.REASON_UNKNOWN


def test_an_excessive_run_is_refused_with_its_bound(deployment: Deployment):
    with deployment.stub() as ai:
        request = ai_pb2.BeginRunRequest(run_id="large", wish=wish(games=401), player=b"cleo", asked=b"x")
        assert refusal_of(ai.BeginRun, request).field == "wish.games"
        long = wish("wec", "normal", "normal", games=100)
        ids = [begin(deployment, long, b"cleo") for _ in range(3)]
        request = ai_pb2.BeginRunRequest(run_id="fourth", wish=long, player=b"cleo", asked=b"x")
        refusal = refusal_of(ai.BeginRun, request)
        assert (refusal.reason, dict(refusal.details)) == (errors_pb2.REASON_FULL, {"bound": "runs_player"})
        assert refusal.retry_after_ms
        listed = ai.FindRuns(ai_pb2.FindRunsRequest(player=b"cleo"), timeout=10).runs
        assert {run.id for run in listed} == set(ids)
        other = ai_pb2.BeginRunRequest(run_id=ids[0], wish=long, player=b"cleo", asked=b"y")
        assert refusal_of(ai.BeginRun, other).reason == errors_pb2.REASON_REQUEST_ID_REUSED
        for run_id in ids:
            ai.EndRun(ai_pb2.EndRunRequest(run_id=run_id, player=b"cleo"), timeout=10)


@pytest.mark.nightly
def test_a_worker_ends_in_peace_when_it_is_told_to(deployment: Deployment):
    own = deployment.start_worker(worker_queue=STATISTICS)
    own.popen.send_signal(signal.SIGTERM)
    assert own.popen.wait(timeout=30) == 0
