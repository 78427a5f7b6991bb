"""KEDA's side of the AI service: a real client of its contract, a real service and a real worker."""

import contextlib
import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from brettwerk.internal.keda import external_scaler_pb2 as keda
from brettwerk.internal.keda import external_scaler_pb2_grpc
from brettwerk.internal.v1 import ai_pb2, ai_pb2_grpc
from brettwerk.v1 import errors_pb2
from brettwerk_games.rules.einstein import GAME as EINSTEIN
from services.ai.board.worker_board import WorkerBoard
from services.ai.scaler.service import STREAMS
from tests.certificates import Authority
from tests.ports import free_port
from tests.redis_server import running_redis
from tests.services.ai.asking import refusal_of, want, withdrawal
from tests.services.ai.board_service import wanted
from tests.services.ai.deployment import Deployment, SessionPeer, wait_until

SCALED = keda.ScaledObjectRef(
    name="brettwerk-worker-think",
    namespace="games",
    scaler_metadata={"scalerAddress": "brettwerk-ai.games.svc:7805", "busyShare": "0.5", "oldestWait": "2", "clearWithin": "10"},
)


@pytest.fixture(scope="module")
def address() -> str:
    return f"127.0.0.1:{free_port()}"


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory, address: str) -> Iterator[Deployment]:
    peer = SessionPeer()
    with running_redis() as url:
        deployment = Deployment(url, tmp_path_factory.mktemp("deployment"), peer)
        try:
            deployment.start_service(scaler_listen=address)
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
def scaler(ai: Any, address: str) -> Iterator[external_scaler_pb2_grpc.ExternalScalerStub]:
    """KEDA's means: no token, and the contract."""
    with grpc.insecure_channel(address) as channel:
        stub = external_scaler_pb2_grpc.ExternalScalerStub(channel)
        wait_until(lambda: not stub.IsActive(SCALED, timeout=10, wait_for_ready=True).result, seconds=20)
        yield stub


def figure(scaler: external_scaler_pb2_grpc.ExternalScalerStub, name: str) -> float:
    (found,) = scaler.GetMetrics(keda.GetMetricsRequest(scaled_object_ref=SCALED, metric_name=name), timeout=10).metric_values
    assert found.metric_name == name
    return float(found.metric_value_float)


@contextlib.contextmanager
def watched(scaler: external_scaler_pb2_grpc.ExternalScalerStub) -> Iterator["queue.Queue[bool]"]:
    """Yield what a stream pushes."""
    pushed: queue.Queue[bool] = queue.Queue()
    stream = scaler.StreamIsActive(SCALED)

    def read() -> None:
        with contextlib.suppress(grpc.RpcError):
            for response in stream:
                pushed.put(response.result)

    reading = threading.Thread(target=read)
    reading.start()
    try:
        yield pushed
    finally:
        stream.cancel()
        reading.join(10)


def test_the_first_move_that_is_wanted_is_pushed_at_once(ai, scaler):
    with watched(scaler) as pushed:
        assert pushed.get(timeout=10) is False
        ai.WantMoves(ai_pb2.WantMovesRequest(wants=[want(0)]))
        assert pushed.get(timeout=1) is True
        ai.WantMoves(ai_pb2.WantMovesRequest(wants=[want(1)]))
        ai.WantMoves(ai_pb2.WantMovesRequest(withdrawals=[withdrawal(0), withdrawal(1)]))
        assert scaler.IsActive(SCALED, timeout=10).result, "somebody who plays wants another move soon"
        with pytest.raises(queue.Empty):
            pushed.get(timeout=1)


@pytest.mark.nightly
def test_it_is_pushed_as_well_where_another_process_of_the_service_noted_it(deployment, ai, scaler):
    with watched(scaler) as pushed:
        assert pushed.get(timeout=10) is False
        other = deployment.start("services.ai", listen=f"127.0.0.1:{(port := free_port())}", metrics_listen="")
        wait_until(lambda: other.lines("listening"), other)
        address, deployment.ai_address = deployment.ai_address, f"127.0.0.1:{port}"
        try:
            with deployment.stub() as elsewhere:
                # The board at rest is swept every five seconds; with a stream open it never rests.
                elsewhere.WantMoves(ai_pb2.WantMovesRequest(wants=[want(0)]), timeout=20, wait_for_ready=True)
                assert pushed.get(timeout=3) is True
        finally:
            deployment.ai_address = address
            other.popen.terminate()
            other.popen.wait(20)


def test_a_worker_comes_by_the_push_and_its_capacity_counts(deployment, ai, scaler):
    table = deployment.peer.table(EINSTEIN, "easy")
    with watched(scaler) as pushed:
        assert pushed.get(timeout=10) is False
        ai.WantMoves(ai_pb2.WantMovesRequest(wants=[ai_pb2.Want.FromString(wanted(table).payload)]))
        assert pushed.get(timeout=1) is True
        worker = deployment.start_worker()
        try:
            wait_until(lambda: ai.GetWantStatuses(ai_pb2.GetWantStatusesRequest()).demand.waiting == 0, worker)
            wait_until(lambda: figure(scaler, "wait") == 0)
            assert 0 < figure(scaler, "load") < 1
        finally:
            worker.popen.terminate()
            worker.popen.wait(40)


def test_load_is_demand_and_backlog_by_the_capacity_of_workers(deployment, ai, scaler):
    ai.WantMoves(ai_pb2.WantMovesRequest(wants=[want(number) for number in range(50)]))
    waiting = ai.GetWantStatuses(ai_pb2.GetWantStatusesRequest()).demand.backlog_ms / 1000
    assert waiting > 1
    assert figure(scaler, "load") == pytest.approx(waiting / 60 + waiting / 10, rel=0.1)
    wait_until(lambda: figure(scaler, "wait") > 1)
    with deployment.broker() as broker:
        WorkerBoard(broker, "test").beat(5, (1, 2), closing=False)
        wait_until(lambda: figure(scaler, "load") < (waiting / 60 + waiting / 10) / 4)


def test_the_figures_aim_at_what_the_trigger_says(scaler):
    specs = scaler.GetMetricSpec(SCALED, timeout=10).metric_specs
    assert {one.metric_name: one.target_size_float for one in specs} == {"load": 0.5, "wait": 2.0}
    plain = scaler.GetMetricSpec(keda.ScaledObjectRef(name="a", namespace="b"), timeout=10).metric_specs
    assert {one.metric_name: one.target_size_float for one in plain} == {"load": 0.7, "wait": 1.0}


@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "soon", "1e9"])
def test_an_unreasonable_number_is_refused(scaler, value):
    wrong = keda.ScaledObjectRef(scaler_metadata={"busyShare": value, "clearWithin": value})
    assert refusal_of(scaler.GetMetricSpec, wrong).reason == errors_pb2.REASON_MALFORMED
    asked = keda.GetMetricsRequest(scaled_object_ref=wrong, metric_name="load")
    assert refusal_of(scaler.GetMetrics, asked).reason == errors_pb2.REASON_MALFORMED


def test_an_unknown_metric_and_overlong_metadata_are_refused(scaler):
    asked = keda.GetMetricsRequest(scaled_object_ref=SCALED, metric_name="cpu")
    assert refusal_of(scaler.GetMetrics, asked).reason == errors_pb2.REASON_UNKNOWN
    long = keda.ScaledObjectRef(scaler_metadata={"a": "x" * 2000})
    assert refusal_of(scaler.IsActive, long).reason == errors_pb2.REASON_MALFORMED
    many = keda.ScaledObjectRef(scaler_metadata={str(number): "" for number in range(100)})
    assert refusal_of(scaler.IsActive, many).reason == errors_pb2.REASON_MALFORMED


def test_the_port_serves_nothing_else(address, scaler):
    """Its callers have no token, and get no answer of the AI service; newer methods of KEDA's are told to be unknown."""
    with grpc.insecure_channel(address) as channel:
        stub = ai_pb2_grpc.AiServiceStub(channel)
        assert refusal_of(stub.WantMoves, ai_pb2.WantMovesRequest()).reason == errors_pb2.REASON_NO_SUCH_METHOD
        newer: Any = channel.unary_stream("/externalscaler.ExternalScaler/StreamMetricSpec")
        with pytest.raises(grpc.RpcError) as caught:
            list(newer(SCALED.SerializeToString(), timeout=10))
        assert caught.value.code() == grpc.StatusCode.UNIMPLEMENTED


def test_more_streams_than_are_needed_are_refused(scaler):
    with contextlib.ExitStack() as open_streams:
        streams = [scaler.StreamIsActive(SCALED) for _ in range(STREAMS)]
        for stream in streams:
            open_streams.callback(stream.cancel)
            assert next(stream).result is False
        with pytest.raises(grpc.RpcError) as caught:
            next(scaler.StreamIsActive(SCALED, timeout=10))
        assert caught.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    deadline = time.monotonic() + 10
    while True:  # those that were cancelled make room
        try:
            assert next(scaler.StreamIsActive(SCALED, timeout=10)).result is False
            return
        except grpc.RpcError:
            assert time.monotonic() < deadline


def test_without_the_broker_there_is_no_answer_so_that_workers_stay_as_they_are(tmp_path):
    address, peer = f"127.0.0.1:{free_port()}", SessionPeer()
    with running_redis() as url, contextlib.ExitStack() as undo:
        deployment = Deployment(url, tmp_path, peer)
        undo.callback(peer.close)
        undo.callback(deployment.close)
        service = deployment.start_service(scaler_listen=address)
        channel = undo.enter_context(grpc.insecure_channel(address))
        scaler = external_scaler_pb2_grpc.ExternalScalerStub(channel)
        wait_until(lambda: scaler.GetMetricSpec(SCALED, timeout=10, wait_for_ready=True).metric_specs, service)

        def code() -> grpc.StatusCode:
            try:
                scaler.IsActive(SCALED, timeout=10)
            except grpc.RpcError as error:
                return error.code()
            return grpc.StatusCode.OK

        wait_until(lambda: code() == grpc.StatusCode.OK, service)  # where all is slow, the board is not known at once
        with deployment.broker() as broker:
            broker.client_pause(60_000)
        wait_until(lambda: code() == grpc.StatusCode.UNAVAILABLE, service, seconds=40)


@pytest.mark.nightly
def test_streams_end_in_order_when_the_service_does_so_that_keda_comes_again_soon(tmp_path):
    """It waits twice as long after each stream that has failed, and two seconds after one that has ended."""
    address, peer = f"127.0.0.1:{free_port()}", SessionPeer()
    with running_redis() as url, contextlib.ExitStack() as undo:
        deployment = Deployment(url, tmp_path, peer)
        undo.callback(peer.close)
        undo.callback(deployment.close)
        service = deployment.start_service(scaler_listen=address)
        channel = undo.enter_context(grpc.insecure_channel(address))
        stream = external_scaler_pb2_grpc.ExternalScalerStub(channel).StreamIsActive(SCALED, timeout=60, wait_for_ready=True)
        assert next(stream).result is False
        service.popen.terminate()
        assert list(stream) == []
        assert stream.code() == grpc.StatusCode.OK
        assert service.popen.wait(20) == 0


def test_with_certificates_only_callers_with_one_of_the_authority_are_answered(tmp_path: Path) -> None:
    address, peer, authority = f"127.0.0.1:{free_port()}", SessionPeer(), Authority(tmp_path)
    files = authority.issue("keda")
    settings = {name.removeprefix("BRETTWERK_").lower(): value for name, value in authority.issue("ai").items()}
    own = [Path(files[f"BRETTWERK_TLS_{name}"]).read_bytes() for name in ("AUTHORITY", "KEY", "CERTIFICATE")]
    with running_redis() as url, contextlib.ExitStack() as undo:
        deployment = Deployment(url, tmp_path, peer)
        undo.callback(peer.close)
        undo.callback(deployment.close)
        service = deployment.start_service(scaler_listen=address, **settings)

        def scaler(channel: grpc.Channel) -> external_scaler_pb2_grpc.ExternalScalerStub:
            return external_scaler_pb2_grpc.ExternalScalerStub(undo.enter_context(channel))

        known = scaler(grpc.secure_channel(address, grpc.ssl_channel_credentials(*own)))
        wait_until(lambda: not known.IsActive(SCALED, timeout=10, wait_for_ready=True).result, service)
        nameless = scaler(grpc.secure_channel(address, grpc.ssl_channel_credentials(own[0])))
        for stranger in (nameless, scaler(grpc.insecure_channel(address))):
            with pytest.raises(grpc.RpcError) as caught:
                stranger.IsActive(SCALED, timeout=10)
            assert caught.value.code() == grpc.StatusCode.UNAVAILABLE
