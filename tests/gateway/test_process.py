"""`python -m gateway`: how it starts, and how it ends."""

import asyncio
import os
import signal
import socket
import ssl
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable
from pathlib import Path

import grpc
import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from brettwerk.v1 import errors_pb2, play_pb2, play_pb2_grpc
from services.runtime.refusal import of_rpc_error
from tests.certificates import Authority
from tests.gateway.conftest import KEY
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import RunningGateway
from tests.gateway.watches.test_session_watches import watch
from tests.night import at_night
from tests.ports import free_port
from tests.web_client import web_client


async def begin(**settings: str) -> Process:
    """Start a gateway with settings by their short names."""
    defaults = {
        "SECRET_KEY": KEY,
        "GATEWAY_LISTEN": f"127.0.0.1:{free_port()}",
        "HTTP_LISTEN": f"127.0.0.1:{free_port()}",
        "DRAIN_S": "0.3",
    }
    environment = {f"BRETTWERK_{name}": value for name, value in (defaults | settings).items()}
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "gateway", env={**os.environ, **environment}, stdout=PIPE, stderr=PIPE
    )


async def last_words(process: Process) -> tuple[int, str, str]:
    """Wait for the end and return the exit code and what was said on both streams."""
    out, err = await asyncio.wait_for(process.communicate(), 30)
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


async def healthy(client: httpx.AsyncClient, status: int) -> dict[str, object]:
    """Wait until /v1/health has this status, and return what it says."""
    async with asyncio.timeout(30):
        while True:
            try:
                response = await client.get("/v1/health")
            except httpx.TransportError:
                await asyncio.sleep(0.05)
                continue
            if response.status_code == status:
                found: dict[str, object] = response.json()
                return found
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGTERM, at_night(signal.SIGINT)])
async def test_on_a_signal_it_is_not_ready_then_ends_watches_with_their_versions_and_goes(
    peer: Peer, number: signal.Signals
) -> None:
    address = f"127.0.0.1:{free_port()}"
    process = await begin(HTTP_LISTEN=address, SESSION_LINK_ADDRESS=f"127.0.0.1:{peer.port}")
    peer.publish("a")
    async with web_client(base_url=f"http://{address}") as client:
        assert (await healthy(client, 200))["ready"] is True
        async with connect(f"ws://{address}/v1/connect") as connection:
            await connection.send(watch(1, "a").SerializeToString())
            await connection.recv()
            process.send_signal(number)
            assert (await healthy(client, 503))["ready"] is False
            ended = play_pb2.ConnectResponse.FromString(await asyncio.wait_for(connection.recv(), 20))  # type: ignore[arg-type]
            assert (ended.id, ended.refusal.reason) == (1, errors_pb2.REASON_UNAVAILABLE)
            assert ended.refusal.head_version == 1
            with pytest.raises(ConnectionClosed):
                await asyncio.wait_for(connection.recv(), 20)
            assert connection.close_code == 1001
    code, out, err = await last_words(process)
    assert (code, err) == (0, "")
    assert '"stopped"' in out


async def to_its_end(read: Callable[[], Awaitable[object]]) -> None:
    """Read a watch until it has ended."""
    while await read() is not grpc.aio.EOF:
        pass


async def test_a_caller_sent_away_finds_another_gateway_at_once(peer: Peer) -> None:
    addresses = [f"127.0.0.1:{free_port()}" for _ in range(2)]
    session = f"127.0.0.1:{peer.port}"
    leaving = await begin(GATEWAY_LISTEN=addresses[0], SESSION_LINK_ADDRESS=session)
    peer.publish("a")
    options = [("grpc.enable_retries", 0), ("grpc.initial_reconnect_backoff_ms", 50)]
    async with grpc.aio.insecure_channel(f"ipv4:{','.join(addresses)}", options=options) as channel:
        stub = play_pb2_grpc.PlayServiceStub(channel)
        asked = play_pb2.WatchRequest(session_id="a")
        watching = stub.Watch(asked, wait_for_ready=True)
        assert isinstance(first := await watching.read(), play_pb2.WatchResponse)
        assert first.resync.update.version == 1
        other = await begin(GATEWAY_LISTEN=addresses[1], SESSION_LINK_ADDRESS=session)  # the channel would take either before
        leaving.send_signal(signal.SIGTERM)
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await to_its_end(watching.read)
        refused = of_rpc_error(ended.value, "gateway").refusal
        assert (refused.reason, refused.details["leaving"]) == (errors_pb2.REASON_UNAVAILABLE, "1")
        assert refused.retry_after_ms < 100
        assert isinstance(again := await stub.Watch(asked, wait_for_ready=True).read(), play_pb2.WatchResponse)
        assert again.resync.update.version == 1
    assert (await last_words(leaving))[0] == 0
    other.terminate()
    await last_words(other)


async def test_without_a_session_service_it_runs_but_is_not_ready() -> None:
    address = f"127.0.0.1:{free_port()}"
    process = await begin(HTTP_LISTEN=address, SESSION_LINK_ADDRESS=f"127.0.0.1:{free_port()}")
    async with web_client(base_url=f"http://{address}") as client:
        assert (await healthy(client, 503))["ready"] is False
        made = await client.post("/v1/CreatePlayer", json={"name": "Ada"})
        token = made.json()["playerToken"]
        away = await client.post("/v1/ListGames", json={}, headers={"authorization": f"Bearer {token}"})
        assert away.status_code == 503
    process.terminate()
    code, out, err = await last_words(process)
    assert (code, err) == (0, "")
    assert token not in out
    assert "Ada" not in out


@pytest.mark.parametrize(("days", "stated"), [("30", "max-age=2592000"), at_night("0", None)])
async def test_with_tls_browsers_are_told_never_to_come_without(tmp_path: Path, days: str, stated: str | None) -> None:
    authority, address = Authority(tmp_path), f"127.0.0.1:{free_port()}"
    certificate = {name.removeprefix("BRETTWERK_"): value for name, value in authority.issue("gateway").items()}
    process = await begin(HTTP_LISTEN=address, GATEWAY_TLS="true", HSTS_DAYS=days, **certificate)
    trusting = ssl.create_default_context(cafile=authority.file)
    async with web_client(base_url=f"https://{address}", verify=trusting) as client:
        await healthy(client, 503)
        for path in ("/v1/health", "/", "/v1/nothing", "/v1/connect"):
            response = await client.get(path)
            assert (path, response.headers.get("strict-transport-security")) == (path, stated)
    process.terminate()
    await last_words(process)


async def test_without_tls_browsers_are_told_nothing_of_the_kind(running: RunningGateway) -> None:
    async with web_client(base_url=running.web) as client:
        assert "strict-transport-security" not in (await client.get("/v1/health")).headers


@pytest.mark.nightly
@pytest.mark.parametrize("setting", ["HTTP_LISTEN", at_night("GATEWAY_LISTEN")])
async def test_a_port_that_is_taken_is_reported_in_a_sentence(setting: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        code, _, err = await last_words(await begin(**{setting: address}))
    assert code == 2
    # gRPC may say more about its own port before.
    assert err.endswith(f"cannot listen on {address}: the port is taken or the address is not ours\n")
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("setting", "value", "sentence"),
    [
        ("SECRET_KEY", "short", "at least 32 characters"),
        at_night("TRUSTED_PROXIES", "nonsense", "nonsense"),
        at_night("OWN_HOSTS", "https://play.example.org", "BRETTWERK_OWN_HOSTS"),
        at_night("HTTP_LISTEN", "x", "BRETTWERK_HTTP_LISTEN"),
        at_night("EMBED_ANCESTORS", "club.example", "BRETTWERK_EMBED_ANCESTORS"),
        at_night("SECURITY_CONTACT", "security@example.org", "BRETTWERK_SECURITY_CONTACT"),
    ],
)
async def test_a_setting_of_no_use_is_reported_in_a_sentence(setting: str, value: str, sentence: str) -> None:
    code, _, err = await last_words(await begin(**{setting: value}))
    assert code == 2
    assert sentence in err
    assert len(err.splitlines()) == 1
