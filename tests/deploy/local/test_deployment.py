import signal
import time
from pathlib import Path
from urllib.request import urlopen

import grpc
import psutil
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from deploy.local.deployment import Deployment
from deploy.local.launcher_error import LauncherError
from deploy.local.process_specs import specs
from deploy.local.processes import Processes
from services.archive.outbox import Outbox
from tests.deploy.local.test_process_supervisor import until
from tests.e2e.stranger import OVER, Stranger, computer, in_background, me, nobody

pytestmark = pytest.mark.e2e


def alive(pids: list[int]) -> list[int]:
    return [pid for pid in pids if psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE]


def everything(deployment: Deployment) -> list[int]:
    """All processes of a deployment, the pool of the worker too."""
    return [
        p.pid for pid in deployment.pids().values() for p in (psutil.Process(pid), *psutil.Process(pid).children(recursive=True))
    ]


def test_every_process_shows_its_health_and_its_metrics(deployment: Deployment):
    assert set(deployment.pids()) == {"redis", "rules", "session", "ai", "players", "worker", "gateway"}
    environment = deployment.environment
    addresses = [environment[f"BRETTWERK_{process}_ADDRESS"] for process in ("RULES", "SESSION", "AI", "PLAYERS")]
    for address in (*addresses, deployment.grpc_address):
        with grpc.insecure_channel(address) as channel:
            stub = health_pb2_grpc.HealthStub(channel)
            for name in ("", "live"):
                request = health_pb2.HealthCheckRequest(service=name)
                assert stub.Check(request, timeout=30).status == health_pb2.HealthCheckResponse.SERVING
    import httpx

    for process in ("rules", "session", "ai", "players", "worker", "gateway"):
        metrics = httpx.get(f"http://{deployment.metrics_address(process)}/metrics", timeout=30).raise_for_status().text
        assert f'brettwerk_build_info{{service="{process}"' in metrics


@pytest.mark.nightly
def test_a_game_goes_on_in_the_next_deployment_of_the_same_folder_and_nothing_of_the_first_is_left(tmp_path: Path):
    with Deployment(data=tmp_path, processes=Processes(web=False)) as first:
        ada = Stranger(first.grpc_address, "Ada")
        session, seats = ada.create(me(), computer())
        update = ada.look(session.id, seats[0])
        ada.act(update, seats[0])
        record = ada.record(session.id)
        ada.close()
        processes = everything(first)
    assert alive(processes) == []
    with Deployment(data=tmp_path, processes=Processes(web=False)) as second:
        ada.channel = grpc.insecure_channel(second.grpc_address)
        again = Stranger(second.grpc_address, "Somebody else")
        ada.stub = again.stub
        assert list(ada.record(session.id).entries)[: len(record.entries)] == list(record.entries)
        end = time.monotonic() + 60
        while not (update := ada.look(session.id, seats[0])).actions:
            assert time.monotonic() < end, "the computer does not move in the second deployment"
            time.sleep(0.1)
        ada.act(update, seats[0])
        ada.channel.close()
        again.close()


def test_a_second_deployment_cannot_have_the_same_folder(deployment: Deployment):
    with pytest.raises(LauncherError, match="in use"), Deployment(data=deployment.data, processes=Processes(web=False)):
        pass


def test_a_process_that_does_not_start_is_named_with_its_last_words_and_nothing_is_left(tmp_path: Path):
    wrong = {"BRETTWERK_SWEEP_S": "never"}
    deployment = Deployment(data=tmp_path, processes=Processes(web=False), environment=wrong)
    with pytest.raises(LauncherError) as raised, deployment:
        pass
    assert "BRETTWERK_SWEEP_S" in str(raised.value)
    assert deployment.pids() == {}


def test_a_setting_can_be_of_one_process_alone(tmp_path: Path):
    deployment = Deployment(
        data=tmp_path,
        processes=Processes(web=False, own_environment={"ai": {"BRETTWERK_DRAIN_S": "2"}}),
        environment={"BRETTWERK_DRAIN_S": "1"},
    )
    deployment.data.joinpath("redis").mkdir(parents=True)
    drains = {spec.name: spec.environment.get("BRETTWERK_DRAIN_S") for spec in specs(deployment.plan)}
    assert drains.pop("ai") == "2"
    assert drains.pop("redis") is None
    assert set(drains.values()) == {"1"}


def test_a_process_that_was_killed_is_back_and_ready(own_deployment: Deployment):
    before = own_deployment.pids()
    own_deployment.kill("redis", signal.SIGKILL)
    own_deployment.wait("redis")
    own_deployment.kill("session", signal.SIGTERM)
    own_deployment.wait("session")
    after = own_deployment.pids()
    assert {name for name in before if before[name] != after[name]} == {"redis", "session"}
    ada = Stranger(own_deployment.grpc_address, "Ada")
    session, _ = ada.create(me(), computer())
    assert ada.look(session.id).session.id == session.id
    ada.close()


@pytest.mark.nightly
def test_workers_run_while_there_is_something_to_do(tmp_path: Path):
    short = {"BRETTWERK_WORKER_IDLE_S": "2", "BRETTWERK_TABLES_STONES": "0"}
    with Deployment(
        data=tmp_path / "data", processes=Processes(web=False, workers=1, statistics=True, on_demand=True), environment=short
    ) as deployment:
        assert "statistics" not in deployment.pids()
        until(lambda: "worker" not in deployment.pids())
        ada = Stranger(deployment.grpc_address, "Ada")
        session, seats = ada.create(computer(), me())
        until(lambda: ada.look(session.id, seats[1]).actions)
        assert "worker" in deployment.pids()
        assert "results" not in deployment.pids()
        eve = Stranger(deployment.grpc_address, "Eve")
        # The ending of one that is not competitive could be taken back for two minutes, and is archived after that.
        session, seats = ada.create(me(), nobody(), competitive=True)
        grant = eve.join(session.id)
        other = in_background(lambda: eve.play(session.id, grant.seat_token))
        ada.play(session.id, seats[0])
        other.join()
        ada.close()
        eve.close()
        outbox = Outbox.open(deployment.environment["BRETTWERK_DATABASE_URL"])
        until(lambda: "results" in deployment.pids())
        until(lambda: not outbox.undelivered(1))
        outbox.close()
        until(lambda: not {"worker", "results"} & set(deployment.pids()))


def test_players_and_ai_in_one_process_come_back_after_a_kill_and_computers_play_on(tmp_path: Path):
    settings = {"BRETTWERK_TABLES_STONES": "0"}
    with Deployment(data=tmp_path / "data", processes=Processes(web=False, on_demand=True), environment=settings) as deployment:
        assert set(deployment.pids()) - {"worker"} == {"redis", "rules", "session", "players", "gateway"}
        shown = urlopen(f"http://{deployment.metrics_address('players')}/metrics", timeout=30).read().decode()
        assert all(f'brettwerk_build_info{{service="{service}"' in shown for service in ("players", "ai"))
        ada = Stranger(deployment.grpc_address, "Ada")
        deployment.kill("players")
        session, seats = ada.create(computer(), me())
        deployment.wait("players")
        until(lambda: ada.look(session.id, seats[1]).actions)
        assert ada.play(session.id, seats[1]).session.state in OVER
        ada.close()


@pytest.mark.nightly
def test_all_services_in_one_process_play_and_come_back_after_a_kill(tmp_path: Path):
    settings = {"BRETTWERK_TABLES_STONES": "0"}
    with Deployment(data=tmp_path / "data", processes=Processes(web=False, small=True), environment=settings) as deployment:
        assert set(deployment.pids()) == {"redis", "services", "worker"}
        ada = Stranger(deployment.grpc_address, "Ada")
        session, seats = ada.create(computer(), me())
        until(lambda: ada.look(session.id, seats[1]).actions)
        before = ada.look(session.id, seats[1]).version
        deployment.kill("services")
        deployment.wait("services")
        again = Stranger(deployment.grpc_address, "Ada")
        assert again.look(session.id, seats[1]).version >= before
        assert again.play(session.id, seats[1]).session.state in OVER
        ada.close()
        again.close()
