"""A fault in the URL of a Redis is named in one sentence, by servers and Sentinels that speak TLS and know passwords."""

import asyncio
import contextlib
import os
import re
import socket
import ssl
import struct
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from services.runtime.redis_fault import fault_of
from tests.certificates import Authority
from tests.chaos.sentinels import NAME, Secured, Watched, watched_redis
from tests.deploy.tools import ROOT
from tests.night import examples
from tests.ports import free_port
from tests.redis_cluster import running_cluster
from tests.redis_server import program_with_tls, running_redis, server, wait_for

PROGRAM = program_with_tls()
needs_tls = pytest.mark.skipif(not PROGRAM, reason="no Redis or Valkey that speaks TLS is installed (.ci/install)")
WANTED = "wants a certificate from us: name it with ?ssl_certfile= and &ssl_keyfile="
OWN = " (?sentinel_password= names the Sentinels' own)"


def of_stores(test: Any) -> Any:
    """Mark what asks those servers and Sentinels, which take seconds to start."""
    return pytest.mark.nightly(pytest.mark.slow(needs_tls(test)))


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    folder = tmp_path_factory.mktemp("stores")
    with watched_redis(folder, Secured(PROGRAM, Authority(folder))) as found:
        yield found


async def said_of(url: str) -> str:
    """Return the fault of a URL with SENTINEL and SERVER in the place of where they are."""
    fault = await fault_of("A_URL", url)
    return re.sub(r"^A_URL: the (Sentinel|server) (at 127.0.0.1:\d+|that is the master) ", r"\1 ", fault)


async def test_a_password_that_does_not_let_us_in_is_named(tmp_path: Path) -> None:
    port = free_port()
    right, wrong, none = (f"redis://{word}127.0.0.1:{port}/0" for word in (":right@", ":wrong@", ""))
    with server(tmp_path / "redis", port, "--save", "", "--requirepass", "right") as process:
        wait_for(right, process)
        assert await said_of(right) == ""
        assert await said_of(wrong) == "server refuses the password of the URL"
        assert await said_of(none) == "server wants a password, and the URL has none for it"


@of_stores
async def test_of_a_url_that_leads_to_the_master_nothing_is_said(stores: Watched) -> None:
    assert await said_of(stores.url(0)) == ""


@of_stores
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"sentinel_password": "another"}, f"Sentinel refuses the password of the URL{OWN}"),
        ({"sentinel_password": ""}, f"Sentinel wants a password, and the URL has none for it{OWN}"),
        ({"password": "another"}, "server refuses the password of the URL"),
        ({"password": ""}, "server wants a password, and the URL has none for it"),
        ({"ssl_certfile": "", "ssl_keyfile": ""}, f"Sentinel {WANTED}"),
    ],
)
async def test_passwords_and_certificates_that_do_not_let_us_in_are_named(
    stores: Watched, changes: dict[str, str], said: str
) -> None:
    assert await said_of(stores.url(0, **changes)) == said


@of_stores
async def test_the_master_alone_may_want_a_certificate(tmp_path: Path) -> None:
    """Each time: its refusal reaches whoever has sent a command in nine of ten cases."""
    with watched_redis(tmp_path, Secured(PROGRAM, Authority(tmp_path), has_open_sentinels=True)) as found:
        url = found.url(0, ssl_certfile="", ssl_keyfile="")
        assert {await said_of(url) for _ in range(examples(50))} == {f"server {WANTED}"}


async def refusal_of(context: ssl.SSLContext, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """Carry out a handshake that fails, and return what is to be said then."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(incoming, outgoing, server_side=True)
    with contextlib.suppress(ssl.SSLError):
        while True:
            try:
                tls.do_handshake()
            except ssl.SSLWantReadError:
                writer.write(outgoing.read())
                if not (said := await reader.read(2**16)):
                    break
                incoming.write(said)
            else:
                break
    return outgoing.read()


@contextlib.asynccontextmanager
async def resetting_at_first(authority: Authority) -> AsyncIterator[int]:
    """Yield the port of a server that lets nobody in who shows no certificate; who comes first is not even told so.

    So it goes when a server closes before it has read what comes after a handshake that has failed only for itself.
    """
    files = authority.issue("server")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version, context.verify_mode = ssl.TLSVersion.TLSv1_3, ssl.CERT_REQUIRED
    context.load_cert_chain(files["BRETTWERK_TLS_CERTIFICATE"], files["BRETTWERK_TLS_KEY"])
    context.load_verify_locations(authority.file)
    came = 0

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal came
        came += 1
        is_first = came == 1
        refusal = await refusal_of(context, reader, writer)
        if is_first:
            connection: socket.socket = writer.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
        else:
            writer.write(refusal)
            writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1") as listening:
        yield listening.sockets[0].getsockname()[1]


@pytest.mark.parametrize(("scheme", "path", "what"), [("rediss", "/0", "server"), ("rediss+cluster", "", "node")])
async def test_a_server_that_resets_those_without_a_certificate_is_asked_again(
    tmp_path: Path, scheme: str, path: str, what: str
) -> None:
    authority = Authority(tmp_path)
    async with resetting_at_first(authority) as port:
        url = f"{scheme}://127.0.0.1:{port}{path}?ssl_ca_certs={authority.file}"
        assert await fault_of("A_URL", url) == f"A_URL: the {what} at 127.0.0.1:{port} {WANTED}"


@of_stores
async def test_a_certificate_of_another_authority_is_not_trusted(stores: Watched, tmp_path: Path) -> None:
    another = Authority(tmp_path, "another authority")
    said = await said_of(stores.url(0, ssl_ca_certs=str(another.file)))
    assert said.startswith("Sentinel has a certificate that cannot be trusted: self-signed certificate")


@of_stores
async def test_a_url_without_tls_is_told_to_say_it(stores: Watched) -> None:
    plain = stores.url(0).replace("rediss+", "").partition("?")[0]
    assert await said_of(plain) == "Sentinel speaks TLS: say rediss+sentinel:// instead of sentinel://"
    server = f"127.0.0.1:{stores.master()}"
    assert await said_of(f"redis://{server}/0") == "server speaks TLS: say rediss:// instead of redis://"
    said = await said_of(f"redis+cluster://{server}")
    assert said == f"A_URL: the node at {server} speaks TLS: say rediss+cluster:// instead of redis+cluster://"


@of_stores
async def test_a_name_that_the_sentinels_do_not_know_is_said(stores: Watched) -> None:
    said = await fault_of("A_URL", stores.url(0).replace(f"/{NAME}/", "/another/"))
    assert said == "A_URL names the master another, and the Sentinels know none of that name"


@of_stores
@pytest.mark.parametrize(
    ("module", "setting"),
    [
        ("services.session", "BRETTWERK_REDIS_URL"),
        ("services.ai", "BRETTWERK_BROKER_URL"),
        ("services.ai.worker", "BRETTWERK_BROKER_URL"),
        ("services.players", "BRETTWERK_BROKER_URL"),
    ],
)
def test_a_process_that_is_not_let_in_ends_with_that_sentence_and_nothing_else(
    stores: Watched, module: str, setting: str, tmp_path: Path
) -> None:
    code, said = end_of(module, tmp_path, {setting: stores.url(0, sentinel_password="another")})
    assert code == 2
    assert said.startswith(f"{setting}: the Sentinel at 127.0.0.1:") and said.endswith(OWN)


@pytest.mark.nightly
@pytest.mark.slow
def test_a_broker_that_is_a_node_of_a_cluster_ends_who_needs_one(tmp_path: Path) -> None:
    with running_cluster(tmp_path / "cluster") as cluster:
        node = f"redis://127.0.0.1:{cluster.masters()[0]}/0"
        for module in ("services.ai", "services.ai.worker", "services.players"):
            code, said = end_of(module, tmp_path, {"BRETTWERK_BROKER_URL": node})
            assert code == 2
            assert said.startswith("BRETTWERK_BROKER_URL leads to a node of a Redis Cluster, where only live sessions can be")


def end_of(module: str, folder: Path, settings: dict[str, str]) -> tuple[int, str]:
    """Run a process that ends by itself; return its code and the one line that it has written."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BRETTWERK_")} | {
        "BRETTWERK_SECRET_KEY": "k" * 40,
        "BRETTWERK_DATABASE_URL": f"sqlite:///{folder}/archive.sqlite3",
        "BRETTWERK_PLAYERS_DATABASE_URL": f"sqlite:///{folder}/players.sqlite3",
        "BRETTWERK_LISTEN": f"127.0.0.1:{free_port()}",
        "BRETTWERK_METRICS_LISTEN": f"127.0.0.1:{free_port()}",
        **settings,
    }
    ended = subprocess.run(
        [sys.executable, "-m", module], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    (said,) = ended.stderr.splitlines()
    return ended.returncode, said


async def test_a_url_with_tls_for_a_server_without_it_is_explained() -> None:
    with running_redis() as url:
        said = await said_of(url.replace("redis://", "rediss://"))
    assert said == "server speaks no TLS: say redis:// instead of rediss://"


async def test_a_server_that_is_away_is_no_fault_of_the_url() -> None:
    away = f"127.0.0.1:{free_port()}"
    for url in (f"redis://{away}/0", f"rediss://{away}/0", f"sentinel://{away}/{NAME}/0", f"rediss+cluster://{away}"):
        assert await fault_of("A_URL", url) == ""


@pytest.mark.nightly
@pytest.mark.slow
async def test_the_nodes_of_a_cluster_are_asked_too(tmp_path: Path) -> None:
    with running_cluster(tmp_path, password="right") as cluster:
        assert await fault_of("A_URL", cluster.url) == ""
        said = await fault_of("A_URL", cluster.url.replace("right", "another"))
        assert re.fullmatch(r"A_URL: the node at 127.0.0.1:\d+ refuses the password of the URL", said)
