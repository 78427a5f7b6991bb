"""The disk of a whole deployment is full: players are told so, no process gives up, and games go on when there is room again."""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import grpc
import httpx
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from brettwerk.v1 import play_pb2
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from tests.chaos.test_kill import act_whatever_happens
from tests.e2e.stranger import Stranger, computer, eventually, me, new_id
from tests.small_disk import fill, small_disk

pytestmark = pytest.mark.e2e

FULL_S = 12
"""How long the disk is full."""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk", 24) as folder:
        yield folder


def code_of(call: Callable[[], object]) -> str:
    """Return the code that a call ends with, and whether it says why."""
    try:
        call()
    except grpc.RpcError as error:
        code: grpc.StatusCode = error.code()
        is_typed = "grpc-status-details-bin" in str(error.trailing_metadata())
        return code.name if is_typed else f"{code.name} without a reason"
    return "OK"


def health(address: str, service: str = "") -> int:
    with grpc.insecure_channel(address) as channel:
        request = health_pb2.HealthCheckRequest(service=service)
        status: int = health_pb2_grpc.HealthStub(channel).Check(request, timeout=30).status
        return status


def metric(deployment: Deployment, name: str) -> float:
    """The value of a series of the session service."""
    shown = httpx.get(f"http://{deployment.metrics_address('session')}/metrics", timeout=30).text
    return next(float(line.rpartition(" ")[2]) for line in shown.splitlines() if line.startswith(name))


@pytest.mark.nightly
def test_a_full_disk_holds_games_up_and_ends_none(disk: Path) -> None:
    serving = health_pb2.HealthCheckResponse.SERVING
    with Deployment(data=disk / "deployment", processes=Processes(web=False)) as deployment:
        session_service = deployment.environment["BRETTWERK_SESSION_ADDRESS"]
        ada = Stranger(deployment.grpc_address, "Ada")
        dice = random.Random(3)
        session, seats = ada.create(me(), computer())
        versions = [act_whatever_happens(ada, session.id, seats[0], dice)]
        before = deployment.pids()
        filling = fill(disk)
        ended: Counter[str] = Counter()
        end = time.monotonic() + FULL_S
        while time.monotonic() < end:
            ended[code_of(lambda: ada.create(me(), me()))] += 1
            assert ada.look(session.id).version
            time.sleep(0.2)
        assert set(ended) <= {"OK", "UNAVAILABLE"}, ended
        assert ended["UNAVAILABLE"] >= 5, ended
        assert health(session_service) != serving
        assert health(session_service, "live") == serving
        eventually(lambda: metric(deployment, 'brettwerk_redis_aof_ok{store="sessions"}') == 0, within_s=30)
        eventually(lambda: metric(deployment, 'brettwerk_disk_free_bytes{disk="archive"}') == 0, within_s=30)
        filling.unlink()
        eventually(lambda: health(session_service) == serving, within_s=30)
        versions += [act_whatever_happens(ada, session.id, seats[0], dice, within_s=60) for _ in range(2)]
        resign = play_pb2.ResignRequest(session_id=session.id, seat_token=seats[0], request_id=new_id())
        ada.stub.Resign(resign, metadata=ada.metadata, timeout=20)
        acted = {entry.version for entry in ada.record(session.id).entries if entry.WhichOneof("change") == "acted"}
        assert acted >= set(versions)
        verified = ada.stub.CheckRecord(
            play_pb2.CheckRecordRequest(record=ada.record(session.id)), metadata=ada.metadata, timeout=20
        )
        assert verified.verification.good, verified
        eventually(lambda: metric(deployment, 'brettwerk_archived_total{game="einstein"}') == 1, within_s=60)
        after = deployment.pids()
        for process in ("redis", "rules", "session", "ai", "gateway"):  # Celery ends a worker for what its Redis says then
            assert after[process] == before[process], process
        ada.close()
