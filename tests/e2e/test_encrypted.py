"""A deployment in which everything between the processes is encrypted, by real certificates: a game can be played through it."""

import asyncio
import contextlib
import os
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from brettwerk.v1 import play_pb2, play_pb2_grpc
from tests.certificates import Authority
from tests.deploy.tools import ROOT
from tests.ports import free_port
from tests.redis_server import running_redis

pytestmark = pytest.mark.e2e

SERVICES = {"rules": "services.rules", "session": "services.session", "ai": "services.ai", "players": "services.players", "worker": "services.ai.worker", "gateway": "gateway"}  # fmt: skip # noqa: E501


@contextlib.contextmanager
def behind_tls(port: int, files: dict[str, str]) -> Iterator[int]:
    """Yield a port that speaks TLS and passes everything on to another one: the embedded Redis has no TLS of its own."""
    loop = asyncio.new_event_loop()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(files["BRETTWERK_TLS_CERTIFICATE"], files["BRETTWERK_TLS_KEY"])

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(copy(reader, inner_writer), copy(inner_reader, writer))

    server = loop.run_until_complete(asyncio.start_server(pass_on, "127.0.0.1", 0, ssl=context))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield server.sockets[0].getsockname()[1]
    finally:

        async def end() -> None:
            server.close()
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()
            await asyncio.sleep(0.1)  # those that are cancelled close their connections; nothing says when
            loop.stop()

        asyncio.run_coroutine_threadsafe(end(), loop)
        thread.join(10)
        loop.close()


@pytest.mark.nightly
def test_a_game_is_played_where_every_connection_is_encrypted(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    addresses = {process: f"127.0.0.1:{free_port()}" for process in (*SERVICES, "web", "rules links", "session links")}
    with contextlib.ExitStack() as started:
        plain = started.enter_context(running_redis())
        port = started.enter_context(behind_tls(int(plain.rpartition(":")[2].partition("/")[0]), authority.issue("redis")))
        url = f"rediss://127.0.0.1:{port}/%d?ssl_cert_reqs=required&ssl_ca_certs={authority.file}"
        shared = {
            "BRETTWERK_SECRET_KEY": "k" * 40,
            "BRETTWERK_REDIS_URL": url % 0,
            "BRETTWERK_BROKER_URL": url % 1,
            "BRETTWERK_DATABASE_URL": f"sqlite:///{tmp_path}/archive.sqlite3",
            "BRETTWERK_PLAYERS_DATABASE_URL": f"sqlite:///{tmp_path}/players.sqlite3",
            "BRETTWERK_PLAYERS_ADDRESS": addresses["players"],
            "BRETTWERK_RULES_ADDRESS": addresses["rules"],
            "BRETTWERK_SESSION_ADDRESS": addresses["session"],
            "BRETTWERK_RULES_LINK_ADDRESS": addresses["rules links"],
            "BRETTWERK_SESSION_LINK_ADDRESS": addresses["session links"],
            "BRETTWERK_AI_ADDRESS": addresses["ai"],
            "BRETTWERK_GATEWAY_LISTEN": addresses["gateway"],
            "BRETTWERK_HTTP_LISTEN": addresses["web"],
            "BRETTWERK_GATEWAY_TLS": "true",
            "BRETTWERK_WORKER_CONCURRENCY": "1",
            "BRETTWERK_DRAIN_S": "0",
        }
        for name, module in SERVICES.items():
            environment = {**os.environ, **shared, **authority.issue(name)}
            log = started.enter_context((tmp_path / f"{name}.log").open("w"))
            process = subprocess.Popen([sys.executable, "-m", module], cwd=ROOT, env=environment, stdout=log, stderr=log)
            started.callback(process.wait)
            started.callback(process.terminate)
        command = [sys.executable, "-m", "gateway.smoke_test", addresses["gateway"], str(authority.file)]
        played = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=200, check=False)
        words = "\n".join((tmp_path / f"{name}.log").read_text()[-800:] for process in SERVICES)
        assert played.returncode == 0, played.stderr + words
        assert "played einstein to its end" in played.stdout
        with grpc.insecure_channel(addresses["gateway"]) as channel, pytest.raises(grpc.RpcError):
            play_pb2_grpc.PlayServiceStub(channel).ListGames(play_pb2.ListGamesRequest(), timeout=3)
