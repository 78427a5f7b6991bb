"""The configurations of proxies in deploy/proxies, as they are but for names, ports and certificates, with the real programs."""

import asyncio
import contextlib
import json
import ssl
import sys
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
import pytest_asyncio
from websockets.asyncio.client import connect

from brettwerk.v1 import play_pb2, play_pb2_grpc
from tests.certificates import Authority
from tests.gateway.conftest import OpenGateway
from tests.gateway.connect_client import SERVICE, STREAM_JSON, enveloped, envelopes
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import RunningGateway, call_of
from tests.ports import free_port
from tests.surroundings import program
from tests.web_client import web_client

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="clients and proxies have addresses of the loopback device")

FOLDER = Path(__file__).parents[2] / "deploy" / "proxies"
CLIENT = "127.0.0.9"
"""Where clients come from; the proxy comes from 127.0.0.1."""


@dataclass
class Site:
    """The values that a configuration is filled in with."""

    https: int
    http: int
    web: int
    grpc: int
    certificate: str
    key: str
    folder: Path

    def fill_in(self, name: str, own: Mapping[str, str]) -> str:
        """Return a configuration with our addresses in place of those that it has."""
        text = (FOLDER / name).read_text()
        addresses = {"127.0.0.1:8000": f"127.0.0.1:{self.web}", "127.0.0.1:7800": f"127.0.0.1:{self.grpc}"}
        for there, here in {**addresses, **own}.items():
            assert there in text, f"{name} has no {there}"
            text = text.replace(there, here)
        return text


def nginx(site: Site) -> list[str]:
    filled = site.fill_in(
        "nginx.conf",
        {
            "    listen [::]:80;\n": "",
            "    listen [::]:443 ssl http2;\n": "",
            "listen 80;": f"listen 127.0.0.1:{site.http};",
            "listen 443 ssl": f"listen 127.0.0.1:{site.https} ssl",
            "server_name play.example.org": "server_name localhost",
            "/etc/letsencrypt/live/play.example.org/fullchain.pem": f'"{site.certificate}"',
            "/etc/letsencrypt/live/play.example.org/privkey.pem": f'"{site.key}"',
        },
    )
    (site.folder / "site.conf").write_text(filled)
    temporary = "".join(
        f'{kind}_temp_path "{site.folder}/{kind}"; ' for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (site.folder / "nginx.conf").write_text(
        f'daemon off; master_process off; pid "{site.folder}/pid"; error_log stderr; events {{}}\n'
        f'http {{ access_log off; {temporary}include "{site.folder}/site.conf"; }}\n'
    )
    return ["-e", "stderr", "-p", str(site.folder), "-c", str(site.folder / "nginx.conf")]


def caddy(site: Site) -> list[str]:
    address = f'https://localhost:{site.https} {{\n\ttls "{site.certificate}" "{site.key}"'
    filled = site.fill_in("Caddyfile", {"play.example.org {": address})
    (site.folder / "Caddyfile").write_text(f"{{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n}}\n{filled}")
    return ["run", "--adapter", "caddyfile", "--config", str(site.folder / "Caddyfile")]


def haproxy(site: Site) -> list[str]:
    pem = site.folder / "both.pem"
    pem.write_text(Path(site.certificate).read_text() + Path(site.key).read_text())
    filled = site.fill_in(
        "haproxy.cfg",
        {
            "bind :::80 v4v6": f"bind 127.0.0.1:{site.http}",
            "bind :::443 v4v6": f"bind 127.0.0.1:{site.https}",
            "/etc/haproxy/play.example.org.pem": f'"{pem}"',
        },
    )
    (site.folder / "haproxy.cfg").write_text(filled)
    return ["-db", "-f", str(site.folder / "haproxy.cfg")]


PROXIES: Mapping[str, Callable[[Site], list[str]]] = {"nginx": nginx, "caddy": caddy, "haproxy": haproxy}


@dataclass
class Behind:
    """A gateway behind a proxy."""

    running: RunningGateway
    port: int
    """Where clients reach the proxy, as from an address of their own."""
    http: int
    authority: Path

    @property
    def trusting(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.authority)

    def client(self, **headers: str) -> httpx.AsyncClient:
        return web_client(base_url=f"https://localhost:{self.port}", headers=headers, verify=self.trusting)


async def accepts_connections(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


async def relay(port: int) -> asyncio.Server:
    """Pass connections on to a port, as from the address of the clients: gRPC cannot choose its own."""

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(CLIENT, 0))
        await asyncio.gather(copy(reader, inner_writer), copy(inner_reader, writer))

    return await asyncio.start_server(pass_on, "127.0.0.1", 0)


@pytest_asyncio.fixture(loop_scope="session", params=PROXIES)
async def behind(request: pytest.FixtureRequest, open_gateway: OpenGateway, tmp_path: Path) -> AsyncIterator[Behind]:
    started = program(request.param, optional=True)
    running = await open_gateway(trusted_proxies="127.0.0.1", own_hosts="localhost")
    authority = Authority(tmp_path)
    files = authority.issue("proxy")
    site = Site(
        free_port(),
        free_port(),
        running.gateway.web.port,
        int(running.grpc_address.rpartition(":")[2]),
        files["BRETTWERK_TLS_CERTIFICATE"],
        files["BRETTWERK_TLS_KEY"],
        tmp_path,
    )
    arguments = PROXIES[request.param](site)
    homes = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    with (tmp_path / "said").open("w") as said:
        process = await asyncio.create_subprocess_exec(started, *arguments, env=homes, stdin=DEVNULL, stdout=said, stderr=said)
    try:
        async with asyncio.timeout(20):
            while not await accepts_connections(site.https):
                assert process.returncode is None, (tmp_path / "said").read_text()
                await asyncio.sleep(0.05)
        async with await relay(site.https) as entrance:
            yield Behind(running, entrance.sockets[0].getsockname()[1], site.http, authority.file)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_everything_goes_through_and_comes_from_the_clients_address(behind: Behind, peer: Peer) -> None:
    claim = {"x-forwarded-for": "6.6.6.6", "forwarded": "for=6.6.6.6"}
    async with behind.client(**claim) as client:
        assert (await client.post("/v1/ListSessions", json={})).status_code == 200
        assert (await client.post(f"{SERVICE}/ListSessions", json={})).status_code == 200
        page = await client.get("/v1/health")
        assert page.headers["strict-transport-security"] == "max-age=31536000"
    address = f"wss://localhost:{behind.port}/v1/connect"
    origin: Any = f"https://localhost:{behind.port}"
    async with connect(address, ssl=behind.trusting, additional_headers=claim, origin=origin) as socket:
        await socket.send(play_pb2.ConnectRequest(id=1, call=call_of("ListSessions")).SerializeToString())
        await asyncio.wait_for(socket.recv(), 20)
    credentials = grpc.ssl_channel_credentials(behind.authority.read_bytes())
    async with grpc.aio.secure_channel(f"localhost:{behind.port}", credentials) as channel:
        stub: Any = play_pb2_grpc.PlayServiceStub(channel)
        await stub.ListSessions(play_pb2.ListSessionsRequest(), metadata=tuple(claim.items()), timeout=20)
        stream = stub.Connect(metadata=tuple(claim.items()), timeout=20)
        for number in (1, 2):
            await stream.write(play_pb2.ConnectRequest(id=number, call=call_of("ListSessions")))
            assert (await stream.read()).id == number
        stream.cancel()
    assert [carried.caller.address for carried in peer.calls] == [CLIENT] * 6


@pytest.mark.parametrize("behind", ["nginx", "haproxy"], indirect=True)  # Caddy does so where it has fetched the certificate
async def test_a_client_without_tls_is_sent_to_it(behind: Behind) -> None:
    async with web_client(base_url=f"http://127.0.0.1:{behind.http}", headers={"host": "localhost"}) as client:
        answer = await client.get("/rules/wec")
    assert (answer.status_code, answer.headers["location"]) == (301, "https://localhost/rules/wec")


async def test_each_message_of_a_watch_arrives_when_it_is_sent(behind: Behind, peer: Peer) -> None:
    peer.publish("07abc")
    versions = []
    async with behind.client() as client:
        body = enveloped(b'{"sessionId": "07abc"}')
        async with client.stream("POST", f"{SERVICE}/Watch", content=body, headers=STREAM_JSON) as response:
            async for _, message in envelopes(response):
                received = json.loads(message)
                update = received.get("update") or received.get("resync", {}).get("update")
                if not update:
                    continue
                versions.append(int(update["version"]))
                if len(versions) == 3:
                    break
                peer.publish("07abc")
    assert versions == [1, 2, 3]
    await peer.until(lambda: len(behind.running.gateway.watches) == 0)


async def test_a_large_message_goes_through(behind: Behind, peer: Peer) -> None:
    async with behind.client() as client:
        large = {"title": "x" * 3_000_000}
        refused = await client.post("/v1/CreateSession", json=large)
        assert refused.json()["refusal"]["reason"] == "REASON_MALFORMED"  # it was read, and not refused by the proxy
