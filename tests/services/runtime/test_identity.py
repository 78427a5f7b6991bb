"""Encrypted connections with real certificates: who is let in, and what happens when certificates are renewed."""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from prometheus_client import REGISTRY

from brettwerk.internal.v1 import rules_pb2, rules_pb2_grpc
from services.runtime import identity as identities
from services.runtime.identity import Identity, identity, renewed
from services.runtime.settings import Settings
from tests.callers import known
from tests.certificates import Authority
from tests.ports import free_port
from tests.services.runtime.process import ServiceProcess

MODULE = "tests.services.runtime.little"


def settings(files: dict[str, str]) -> Settings:
    return Settings(**{name.removeprefix("BRETTWERK_").lower(): value for name, value in files.items()})  # type: ignore[arg-type]


def test_a_service_answers_processes_of_its_deployment_only_and_its_health_in_plain(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    ready.write_text("yes")
    authority, stranger = Authority(tmp_path), Authority(tmp_path, "other authority")
    port, health = free_port(), f"127.0.0.1:{free_port()}"
    address = f"127.0.0.1:{port}"
    files = authority.issue("little") | {"LITTLE_READY": str(ready), "BRETTWERK_HEALTH_LISTEN": health}
    process = ServiceProcess(MODULE, **files, BRETTWERK_LISTEN=address)
    process.address = health  # where it is asked whether it is ready: in plain
    with process:
        own = identity(settings(authority.issue("caller")))
        assert own is not None
        with known(grpc.secure_channel(address, own.for_channel())) as channel:
            rules_pb2_grpc.RulesServiceStub(channel).FindGames(rules_pb2.FindGamesRequest(), timeout=10)
        nobody = grpc.ssl_channel_credentials(authority.file.read_bytes())
        foreign = stranger.issue("foreigner")
        other = grpc.ssl_channel_credentials(
            authority.file.read_bytes(),
            Path(foreign["BRETTWERK_TLS_KEY"]).read_bytes(),
            Path(foreign["BRETTWERK_TLS_CERTIFICATE"]).read_bytes(),
        )
        for credentials in (nobody, other):
            with known(grpc.secure_channel(address, credentials)) as channel, pytest.raises(grpc.RpcError):
                rules_pb2_grpc.RulesServiceStub(channel).FindGames(rules_pb2.FindGamesRequest(), timeout=30)
        with known(grpc.insecure_channel(address)) as channel, pytest.raises(grpc.RpcError):
            rules_pb2_grpc.RulesServiceStub(channel).FindGames(rules_pb2.FindGamesRequest(), timeout=30)
        with grpc.insecure_channel(health) as channel:
            status = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(service="live"), timeout=30).status
            assert status == health_pb2.HealthCheckResponse.SERVING
            with pytest.raises(grpc.RpcError) as caught:  # health is all that there is in plain
                rules_pb2_grpc.RulesServiceStub(channel).FindGames(rules_pb2.FindGamesRequest(), timeout=30)
            assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


def test_half_an_identity_is_refused_with_a_sentence() -> None:
    environment = {**os.environ, "BRETTWERK_TLS_KEY": "/nowhere/key"}
    command = [sys.executable, "-m", "services.rules"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert "belong together" in ended.stderr


async def test_renewed_certificates_end_the_process_in_its_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identities, "LOOK_S", 0.01)
    monkeypatch.setattr(identities, "SPREAD_S", 0.01)
    authority = Authority(tmp_path)
    files = authority.issue("part")
    own, looks = Identity(*files.values()), 0
    is_renewed = own.is_renewed

    def look() -> bool:
        nonlocal looks
        looks += 1
        return is_renewed()

    monkeypatch.setattr(own, "is_renewed", look)
    ending = asyncio.create_task(renewed(own))
    while looks < 3:  # noqa: ASYNC110 - it is seen from outside
        await asyncio.sleep(0.001)
    assert not ending.done()
    authority.issue("part")
    await asyncio.wait_for(ending, 10)


async def test_without_an_identity_nothing_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    assert identity(Settings()) is None
    monkeypatch.setattr(identities, "LOOK_S", 0)
    monkeypatch.setattr(identities, "SPREAD_S", 0)
    ending = asyncio.create_task(renewed(None))
    for _ in range(20):  # it looks at every turn of the loop
        await asyncio.sleep(0)
    assert not ending.done()
    ending.cancel()


def test_operators_see_when_a_certificate_expires(tmp_path: Path) -> None:
    assert identity(settings(Authority(tmp_path).issue("little"))) is not None
    left_s = (REGISTRY.get_sample_value("brettwerk_certificate_expires_timestamp_seconds") or 0) - time.time()
    assert 23 * 3600 < left_s <= 24 * 3600


def test_a_file_without_a_certificate_is_named_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = Authority(tmp_path).issue("little")
    Path(files["BRETTWERK_TLS_CERTIFICATE"]).write_text("no certificate")
    with pytest.raises(SystemExit) as ended:
        identity(settings(files))
    assert ended.value.code == 2
    assert "little.crt (BRETTWERK_TLS_CERTIFICATE) holds no certificate" in capsys.readouterr().err
