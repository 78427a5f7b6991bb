"""A running deployment as an operator sees it: metrics, health, logs with one trace id an action, a clean end."""

import json
import random
import re
import secrets
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import grpc
import httpx
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from brettwerk.v1 import operation_pb2, play_pb2
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from tests.deploy.tools import ROOT
from tests.e2e.stranger import OVER, Stranger, computer, eventually, me, new_id
from tests.handed_on import is_whole

pytestmark = pytest.mark.e2e

SERIES = {
    "rules": ("brettwerk_build_info", "brettwerk_calls_total"),
    "session": (
        "brettwerk_build_info",
        "brettwerk_actions_total",
        "brettwerk_refusals_total",
        "brettwerk_commit_duration_seconds_count",
        "brettwerk_ai_overdue_sessions",
        "brettwerk_ai_fallback_moves_total",
        "brettwerk_ai_attempts_total",
        "brettwerk_clock_expirations_total",
    ),
    "ai": ("brettwerk_build_info",),
    "worker": ("brettwerk_build_info", "brettwerk_ai_wait_seconds_count", "brettwerk_ai_think_seconds_count"),
    "gateway": ("brettwerk_build_info", "brettwerk_watch_streams", "brettwerk_watch_resumes_total", "brettwerk_calls_total"),
}


def test_every_process_shows_the_series_of_its_work_and_no_secrets_in_labels(deployment):
    ada = Stranger(deployment.grpc_address, "Adelheid")
    session, seats = ada.create(me(), computer())
    ada.play(session.id, seats[0])
    for process, names in SERIES.items():
        shown = httpx.get(f"http://{deployment.metrics_address(process)}/metrics", timeout=30).text
        for name in names:
            assert name in shown, (process, name)
        for secret in (session.id, seats[0], ada.player_id, "Adelheid"):
            assert secret not in shown
    actions = httpx.get(f"http://{deployment.metrics_address('session')}/metrics", timeout=30).text
    for seat_kind in ("person", "computer"):
        assert f'brettwerk_actions_total{{game="einstein",outcome="played",seat_kind="{seat_kind}"}}' in actions
    ada.close()


def health(address: str, service: str = "") -> int:
    with grpc.insecure_channel(address) as channel:
        request = health_pb2.HealthCheckRequest(service=service)
        status: int = health_pb2_grpc.HealthStub(channel).Check(request, timeout=30).status
        return status


def test_operators_see_every_process_with_the_key_that_the_launcher_made(deployment):
    ada = Stranger(deployment.grpc_address, "Ada")
    request = operation_pb2.GetOverviewRequest(operator_key=deployment.environment["BRETTWERK_OPERATOR_KEY"])
    services = {"ai", "gateway", "players", "rules", "session", "worker"}

    def overview() -> operation_pb2.GetOverviewResponse:
        return ada.stub.GetOverview(request, timeout=20)

    def all_answer() -> bool:
        seen = overview()
        return seen.archive_answers and {one.service for one in seen.processes if one.answers} == services

    # Some may still have been starting when they were first asked, and the archive's tables are made after that.
    eventually(all_answer, within_s=60)
    seen = overview()
    assert set(seen.concerns) <= {operation_pb2.CONCERN_BACKUP_OLD, operation_pb2.CONCERN_PLAYERS_WAIT}
    assert seen.archive_answers
    assert seen.workers == 1


def test_readiness_follows_what_a_process_needs_and_liveness_does_not(own_deployment):
    session = own_deployment.environment["BRETTWERK_SESSION_ADDRESS"]
    serving, not_serving = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING
    assert health(session) == serving
    assert health(own_deployment.grpc_address) == serving
    own_deployment.kill("redis", signal.SIGSTOP)
    try:
        eventually(lambda: health(session) == not_serving, within_s=30)
        assert health(session, "live") == serving
        assert health(own_deployment.grpc_address, "live") == serving
    finally:
        own_deployment.kill("redis", signal.SIGCONT)
    assert is_whole(own_deployment)
    assert health(session) == serving
    assert health(own_deployment.grpc_address) == serving


def test_the_docs_name_everything_in_the_data_folder(deployment):
    page = (ROOT / "docs" / "operations.md").read_text("utf-8")
    table = page.partition("| in `data/` | what it is |")[2].partition("\n\n")[0]
    named = {name.partition("/")[0] for row in table.splitlines() for name in re.findall(r"`([^`]+)`", row[: row.find("|", 1)])}
    there = {path.name.removesuffix("-wal").removesuffix("-shm") for path in deployment.data.iterdir()}
    assert named - {"last_backup"} <= there <= named


def is_over(player: Stranger, session: str) -> bool:
    return player.look(session).session.state in OVER


def test_every_line_of_every_log_is_json_and_moves_of_computers_leave_none(own_deployment):
    ada, moves = Stranger(own_deployment.grpc_address, "Ada"), 0
    logs = own_deployment.data / "logs"

    def size(process: str) -> int:
        return len((logs / f"{process}.log").read_bytes())

    before = {process: size(process) for process in ("worker", "session", "rules", "gateway")}
    while moves < 100:
        session, _ = ada.create(computer(), computer())
        eventually(partial(is_over, ada, session.id), within_s=60)
        moves += ada.look(session.id).version
    grown = {process: size(process) - was for process, was in before.items()}
    assert max(grown.values()) < 10 * moves, grown

    for process in ("redis", "session"):
        own_deployment.kill(process, signal.SIGKILL)
    eventually(lambda: health(own_deployment.grpc_address) == health_pb2.HealthCheckResponse.SERVING, within_s=60)
    for process in ("worker", "players"):
        own_deployment.kill(process, signal.SIGTERM)
    eventually(lambda: "Warm shutdown" in (logs / "worker.log").read_text(), within_s=30)
    for file in logs.glob("*.log"):
        for line in file.read_text().splitlines():
            shown = json.loads(line)
            assert {"event", "level", "service", "timestamp"} <= set(shown), line


@pytest.fixture
def talkative_deployment(tmp_path: Path) -> Iterator[Deployment]:
    """A deployment that says of each action that it was carried out."""
    with Deployment(
        data=tmp_path / "deployment", processes=Processes(web=False), environment={"BRETTWERK_LOG_LEVEL": "debug"}
    ) as started:
        yield started


@pytest.mark.nightly
def test_one_trace_id_follows_an_action_through_gateway_session_and_worker(talkative_deployment):
    ada = Stranger(talkative_deployment.grpc_address, "Ada")
    session, seats = ada.create(me(), computer())
    update = ada.look(session.id, seats[0])
    trace_id = secrets.token_hex(16)
    request = play_pb2.ActRequest(
        session_id=session.id,
        seat_token=seats[0],
        expected_version=update.version,
        action=update.actions[0].action,
        request_id=new_id(),
    )
    metadata = (*ada.metadata, ("traceparent", f"00-{trace_id}-{secrets.token_hex(8)}-01"))
    ada.stub.Act(request, metadata=metadata, timeout=20)

    def lines(process: str) -> list[dict[str, object]]:
        text = (talkative_deployment.data / "logs" / f"{process}.log").read_text()
        return [json.loads(line) for line in text.splitlines() if trace_id in line]

    for process in ("gateway", "session", "worker"):
        eventually(lambda process=process: bool(lines(process)), within_s=60)  # type: ignore[misc]
        assert all(line["trace_id"] == trace_id and line["service"] == process for line in lines(process))
    everything = "".join(path.read_text() for path in (talkative_deployment.data / "logs").glob("*.log"))
    for secret in (ada.token, seats[0]):
        assert secret not in everything
    ada.close()


@pytest.mark.nightly
def test_acknowledged_actions_survive_a_stop_and_a_start_of_the_whole_deployment(tmp_path):
    from deploy.local.deployment import Deployment

    with Deployment(data=tmp_path, processes=Processes(web=False)) as first:
        ada = Stranger(first.grpc_address, "Ada")
        session, seats = ada.create(me(), computer())
        dice = random.Random(4)
        update = ada.look(session.id, seats[0])
        acted = ada.act(update, seats[0], dice.randrange(len(update.actions)))
        eventually(lambda: ada.look(session.id, seats[0]).version > acted.version, within_s=60)
        before = ada.look(session.id, seats[0])
        ada.close()
    with Deployment(data=tmp_path, processes=Processes(web=False)) as second:
        again = Stranger(second.grpc_address, "Ada")
        again.metadata, again.token = ada.metadata, ada.token
        after = again.look(session.id, seats[0])
        assert after.SerializeToString(deterministic=True) == before.SerializeToString(deterministic=True)
        last = again.play(session.id, seats[0])
        assert sum(last.session.outcome.scores) == 1
        again.close()


def test_the_computer_moves_by_itself_when_no_worker_lives(own_deployment):
    own_deployment.kill("worker", signal.SIGSTOP)
    ada = Stranger(own_deployment.grpc_address, "Ada")
    session, seats = ada.create(me(), computer("easy"))
    update = ada.look(session.id, seats[0])
    began = time.monotonic()
    ada.act(update, seats[0])
    eventually(lambda: bool(ada.look(session.id, seats[0]).actions), within_s=60)
    assert time.monotonic() - began < 60
    own_deployment.kill("worker", signal.SIGCONT)
    ada.close()
