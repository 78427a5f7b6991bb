"""A small service as a process: readiness, health while it ends, the order of its end, and what it says when it cannot begin."""

import asyncio
import itertools
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from brettwerk.internal.v1 import link_pb2, link_pb2_grpc, rules_pb2, rules_pb2_grpc
from services.runtime.probe import answers
from services.runtime.server import serve
from services.runtime.settings import Settings
from tests.callers import known, token
from tests.e2e.stranger import eventually
from tests.night import at_night, by_day
from tests.ports import free_port
from tests.services.runtime.little import Little
from tests.services.runtime.process import ServiceProcess

SERVING, NOT_SERVING = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING
SERVICE = "brettwerk.internal.v1.RulesService"
MODULE = "tests.services.runtime.little"


@pytest.fixture
def ready(tmp_path: Path) -> Path:
    path = tmp_path / "ready"
    path.write_text("yes")
    return path


def little(ready: Path, **environment: str) -> ServiceProcess:
    return ServiceProcess(MODULE, LITTLE_READY=str(ready), **environment)


def health_of(channel: grpc.Channel, name: str) -> int:
    request = health_pb2.HealthCheckRequest(service=name)
    status: int = health_pb2_grpc.HealthStub(channel).Check(request, timeout=10).status
    return status


def events(process: ServiceProcess) -> list[str]:
    out, err = process.output()
    assert err == ""
    return [json.loads(line)["event"] for line in out.splitlines()]


def until(channel: grpc.Channel, name: str, status: int) -> None:
    while health_of(channel, name) != status:
        time.sleep(0.02)


def test_readiness_is_followed_and_liveness_is_not_touched_by_it(ready: Path) -> None:
    with little(ready) as process, grpc.insecure_channel(process.address) as channel:
        assert [health_of(channel, name) for name in ("", SERVICE, "live")] == [SERVING] * 3
        for unready in ("no", "hang", None):
            if unready is None:
                ready.unlink()  # asking raises
            else:
                ready.write_text(unready)
            until(channel, "", NOT_SERVING)
            until(channel, SERVICE, NOT_SERVING)
            assert health_of(channel, "live") == SERVING, unready
            ready.write_text("yes")
            until(channel, "", SERVING)


@pytest.mark.parametrize("number", [signal.SIGTERM, at_night(signal.SIGINT)])
def test_a_process_says_that_it_is_not_ready_then_lets_its_calls_end_then_goes(ready: Path, number: int) -> None:
    with little(ready, BRETTWERK_DRAIN_S="3") as process:
        with known(grpc.insecure_channel(process.address)) as channel:
            stub = rules_pb2_grpc.RulesServiceStub(channel)
            process.signal(number)
            until(channel, "", NOT_SERVING)
            assert health_of(channel, SERVICE) == NOT_SERVING
            assert health_of(channel, "live") == SERVING, "a process that drains is alive"
            stub.FindGames(rules_pb2.FindGamesRequest(page_token="slow 4"), timeout=20)
        assert process.wait(20) == 0
        assert events(process) == ["listening", "stopping", "handed over", "working", "drained", "worked", "let go", "stopped"]


def test_calls_that_take_too_long_are_ended(ready: Path) -> None:
    with little(ready, BRETTWERK_GRACE_S="0.1") as process:
        with grpc.insecure_channel(process.address) as channel:
            stub = rules_pb2_grpc.RulesServiceStub(channel)
            call = stub.FindGames.future(rules_pb2.FindGamesRequest(page_token="slow 1"), timeout=10, metadata=token(SERVICE))
            stub.FindGames(rules_pb2.FindGamesRequest(), timeout=10, metadata=token(SERVICE))
            process.signal(signal.SIGTERM)
            with pytest.raises(grpc.RpcError):
                call.result()
        assert process.wait(20) == 0
        received = events(process)
        assert "worked" not in received
        assert received[-1] == "stopped"


def test_a_service_that_owns_shards_tells_callers_over_links(ready: Path) -> None:
    with little(ready) as process, grpc.insecure_channel(process.links) as channel:
        asked = link_pb2.OpenRequest(calls=[link_pb2.LinkCall(id=1, method=f"/{SERVICE}/FindGames")])
        stream = link_pb2_grpc.LinkServiceStub(channel).Open(iter([asked]), timeout=10, metadata=token(SERVICE))
        assert next(stream) == link_pb2.OpenResponse(shards=link_pb2.Shards(owned=[link_pb2.ShardEpoch(shard=3, epoch=7)]))


@pytest.mark.parametrize(("part", "how"), by_day(itertools.product(["drain", "stop"], ["raise", "hang"]), ("drain", "raise")))
def test_a_part_of_the_end_that_fails_does_not_keep_the_rest_from_happening(ready: Path, part: str, how: str) -> None:
    with little(ready, BRETTWERK_GRACE_S="0", LITTLE_FAILS=f"{part} {how}") as process:
        process.signal(signal.SIGTERM)
        assert process.wait(20) == 0
        received = events(process)
        assert "could not shut down in order" in received
        assert [event for event in received if event in ("drained", "let go", "stopped")] == ["drained", "let go", "stopped"]


@pytest.mark.parametrize("taken", ["BRETTWERK_LISTEN", at_night("BRETTWERK_METRICS_LISTEN")])
def test_a_port_that_is_taken_ends_the_process_with_a_sentence(ready: Path, taken: str) -> None:
    with little(ready) as process:
        addresses = {"BRETTWERK_LISTEN": process.address, "BRETTWERK_METRICS_LISTEN": process.metrics}
        environment = {
            "BRETTWERK_LISTEN": f"127.0.0.1:{free_port()}",
            "BRETTWERK_METRICS_LISTEN": f"127.0.0.1:{free_port()}",
            "BRETTWERK_INNER_KEY": "k" * 32,
            "LITTLE_READY": str(ready),
            taken: addresses[taken],
        }
        command = [sys.executable, "-m", MODULE]
        second = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
        assert second.returncode == 2
        assert (
            second.stderr.splitlines()[-1] == f"cannot listen on {addresses[taken]}: the port is taken or the address is not ours"
        )
        assert "Traceback" not in second.stderr


class Beside(Little):
    """Another service of the same process."""

    def __init__(self) -> None:
        self.can_work = False

    async def is_ready(self) -> bool:
        return self.can_work


async def test_a_process_of_several_services_is_ready_when_all_are(ready: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LITTLE_READY", str(ready))
    asked, stopping, other = f"127.0.0.1:{free_port()}", asyncio.Event(), Beside()
    config = Settings(drain_s=0, grace_s=0, metrics_listen=asked)
    running = asyncio.create_task(serve(Little(), "127.0.0.1:0", config, stopping, others=[other]))
    try:
        await asyncio.to_thread(eventually, lambda: answers(f"{asked}/live"), 60)
        for other.can_work in (True, False):
            await asyncio.to_thread(eventually, lambda: answers(f"{asked}/ready") is other.can_work, 60)
    finally:
        stopping.set()
        await running
