import signal
import time
from pathlib import Path

import grpc
import psutil
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from deploy.local.house import House
from deploy.local.launcher_error import LauncherError
from tests.e2e.stranger import Stranger, computer, me

pytestmark = pytest.mark.e2e


def alive(pids: list[int]) -> list[int]:
    return [pid for pid in pids if psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE]


def everything(house: House) -> list[int]:
    """All processes of a house, the pool of the worker too."""
    return [p.pid for pid in house.pids().values() for p in (psutil.Process(pid), *psutil.Process(pid).children(recursive=True))]


def test_every_part_shows_its_health_and_its_metrics(house: House):
    assert set(house.pids()) == {"redis", "rules", "session", "ai", "players", "worker", "gateway"}
    environment = house.environment
    addresses = [environment[f"BRETTWERK_{part}_ADDRESS"] for part in ("RULES", "SESSION", "AI", "PLAYERS")]
    for address in (*addresses, house.grpc_address):
        with grpc.insecure_channel(address) as channel:
            stub = health_pb2_grpc.HealthStub(channel)
            for name in ("", "live"):
                request = health_pb2.HealthCheckRequest(service=name)
                assert stub.Check(request, timeout=10).status == health_pb2.HealthCheckResponse.SERVING
    import httpx

    for part in ("rules", "session", "ai", "players", "worker", "gateway"):
        metrics = httpx.get(f"http://{house.metrics_address(part)}/metrics", timeout=10).raise_for_status().text
        assert f'brettwerk_build_info{{service="{part}"' in metrics


def test_a_game_goes_on_in_the_next_house_of_the_same_folder_and_nothing_of_the_first_is_left(tmp_path: Path):
    with House(data=tmp_path, web=False) as first:
        ada = Stranger(first.grpc_address, "Ada")
        session, seats = ada.create(me(), computer())
        update = ada.look(session.id, seats[0])
        ada.act(update, seats[0])
        record = ada.record(session.id)
        ada.close()
        processes = everything(first)
    assert alive(processes) == []
    with House(data=tmp_path, web=False) as second:
        ada.channel = grpc.insecure_channel(second.grpc_address)
        again = Stranger(second.grpc_address, "Somebody else")
        ada.stub = again.stub
        assert list(ada.record(session.id).entries)[: len(record.entries)] == list(record.entries)
        end = time.monotonic() + 60
        while not (update := ada.look(session.id, seats[0])).actions:
            assert time.monotonic() < end, "the computer does not move in the second house"
            time.sleep(0.1)
        ada.act(update, seats[0])
        ada.channel.close()
        again.close()


def test_a_second_house_cannot_have_the_same_folder(house: House):
    with pytest.raises(LauncherError, match="in use"), House(data=house.data, web=False):
        pass


def test_a_part_that_does_not_start_is_named_with_its_last_words_and_nothing_is_left(tmp_path: Path):
    wrong = {"BRETTWERK_SWEEP_S": "never"}
    house = House(data=tmp_path, web=False, environment=wrong)
    with pytest.raises(LauncherError) as raised, house:
        pass
    assert "BRETTWERK_SWEEP_S" in str(raised.value)
    assert house.pids() == {}


def test_a_setting_can_be_one_parts_own(tmp_path: Path):
    house = House(
        data=tmp_path, web=False, environment={"BRETTWERK_DRAIN_S": "1"}, own_environment={"ai": {"BRETTWERK_DRAIN_S": "2"}}
    )
    with house:
        drains = {name: psutil.Process(pid).environ().get("BRETTWERK_DRAIN_S") for name, pid in house.pids().items()}
    assert drains.pop("ai") == "2"
    assert drains.pop("redis") is None
    assert set(drains.values()) == {"1"}


def test_a_part_that_was_killed_is_back_and_ready(own_house: House):
    before = own_house.pids()
    own_house.kill("redis", signal.SIGKILL)
    own_house.wait("redis")
    own_house.kill("session", signal.SIGTERM)
    own_house.wait("session")
    after = own_house.pids()
    assert {name for name in before if before[name] != after[name]} == {"redis", "session"}
    ada = Stranger(own_house.grpc_address, "Ada")
    session, _ = ada.create(me(), computer())
    assert ada.look(session.id).session.id == session.id
    ada.close()
