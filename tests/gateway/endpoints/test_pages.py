"""The web client: its files, its first page for every address of its own, and nothing that lies outside of its folder."""

import asyncio
import gzip
import json
import os
import re
import shutil
import struct
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.robotparser import RobotFileParser

import httpx
import pytest
import pytest_asyncio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.endpoints.pages import read_folder
from gateway.http.responses import OF_PAGES, POLICY, SECURITY, ancestors, policy
from tests.gateway.conftest import OpenGateway
from tests.gateway.running_gateway import RunningGateway
from tests.night import examples
from tests.web_client import web_client

WEB = Path(__file__).parents[3] / "clients" / "web"
INDEX = "<!doctype html><title>Brettwerk</title><script src=/assets/main-abc123.js></script>"
BOARD = "<!doctype html><title>A board</title>"
SCRIPT = "console.log('hello')\n" * 100


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A built client next to a secret."""
    (tmp_path / "secret.txt").write_text("the secret")
    dist = tmp_path / "dist"
    (dist / "assets").mkdir(parents=True)
    (dist / ".vite").mkdir()
    (dist / ".vite" / "manifest.json").write_text('{"hidden": true}')
    (dist / "index.html").write_text(INDEX)
    (dist / "embed.html").write_text(BOARD)
    shutil.copy(WEB / "src" / "app" / "routes.json", dist)
    (dist / "favicon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (dist / "assets" / "main-abc123.js").write_text(SCRIPT)
    (dist / "assets" / "main-abc123.js.gz").write_bytes(gzip.compress(SCRIPT.encode()))
    (dist / "assets" / "main-abc123.js.br").write_bytes(b"as if by brotli")
    (dist / "escape").symlink_to(tmp_path / "secret.txt")
    return dist


@pytest_asyncio.fixture(loop_scope="session")
async def running(open_gateway: OpenGateway, folder: Path) -> RunningGateway:
    return await open_gateway(web_folder=str(folder))


@pytest_asyncio.fixture(loop_scope="session")
async def client(running: RunningGateway) -> AsyncIterator[httpx.AsyncClient]:
    async with web_client(base_url=running.web, headers={"accept-encoding": "identity"}) as one:
        yield one


@pytest.mark.parametrize(
    "path",
    ["/", "/index.html", "/s/07abcdef", "/rules/einstein", "/account?x=1", "/puzzle/wec", "/puzzle/wec/2026-11-26/", "//player"],
)
@pytest.mark.parametrize("accept", ["text/html,*/*;q=0.8", "*/*", ""])
async def test_every_address_of_the_client_is_its_first_page(client: httpx.AsyncClient, path: str, accept: str) -> None:
    response = await client.get(path, headers={"accept": accept})
    assert (response.status_code, response.text) == (200, INDEX)
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["cache-control"] == "no-cache"


LOST = ["/v2", "/de/lobby", "/a.b/c", "/s", "/s/a/b/c", "/graphql", "/wp-login.php", "/puzzle/wec/2026-11-26/x", "/%00"]


@pytest.mark.parametrize("path", LOST)
@pytest.mark.parametrize("accept", ["*/*", "", "application/json"])
async def test_any_other_address_is_refused(client: httpx.AsyncClient, path: str, accept: str) -> None:
    response = await client.get(path, headers={"accept": accept})
    assert (response.status_code, response.headers["content-type"]) == (404, "application/json")
    assert response.json()["refusal"]["reason"] == "REASON_NO_SUCH_METHOD"


@pytest.mark.parametrize("path", LOST)
async def test_browsers_get_a_page_there_that_says_so(client: httpx.AsyncClient, path: str) -> None:
    response = await client.get(path, headers={"accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert (response.status_code, response.text) == (404, INDEX)
    assert (response.headers["cache-control"], "etag" in response.headers) == ("no-store", False)
    assert {name: response.headers.get(name) for name in OF_PAGES} == dict(OF_PAGES)


async def test_a_client_without_a_list_of_its_addresses_has_its_first_page(client: httpx.AsyncClient, folder: Path) -> None:
    for body in ("[]", "no json"):
        (folder / "routes.json").write_text(body)
        os.utime(folder / "index.html", ns=(len(body), 3))
        assert [(await client.get(path)).status_code for path in ("/", "/rules/wec")] == [200, 404]


async def test_files_whose_names_tell_their_content_are_kept_for_ever(client: httpx.AsyncClient) -> None:
    response = await client.get("/assets/main-abc123.js")
    assert (response.status_code, response.text) == (200, SCRIPT)
    assert response.headers["content-type"] == "text/javascript; charset=utf-8"
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"


async def test_other_files_are_asked_for_each_time_and_sent_when_they_changed(client: httpx.AsyncClient) -> None:
    first = await client.get("/favicon.svg")
    assert first.headers["content-type"] == "image/svg+xml"
    again = await client.get("/favicon.svg", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = await client.get("/favicon.svg", headers={"if-none-match": '"another"'})
    assert other.status_code == 200


@pytest.mark.parametrize("path", ["/assets/main-gone.js", "/assets/", "/.vite/manifest.json", "/.env"])
async def test_a_file_that_is_not_there_is_not_the_first_page(client: httpx.AsyncClient, path: str) -> None:
    response = await client.get(path)
    assert response.status_code == 404
    assert "hidden" not in response.text


@pytest.mark.parametrize(
    ("accepted", "encoding", "body"),
    [
        ("gzip, deflate, br;q=1", "br", b"as if by brotli"),
        ("gzip", "gzip", SCRIPT.encode()),
        ("zstd", "", SCRIPT.encode()),
        ("br;q=0, gzip;q=0", "", SCRIPT.encode()),
    ],
)
async def test_a_compressed_file_is_sent_so_to_browsers_that_can_read_it(
    client: httpx.AsyncClient, accepted: str, encoding: str, body: bytes
) -> None:
    async with client.stream("GET", "/assets/main-abc123.js", headers={"accept-encoding": accepted}) as response:
        raw = b"".join([chunk async for chunk in response.aiter_raw()])
    assert response.headers.get("content-encoding", "") == encoding
    assert (gzip.decompress(raw) if encoding == "gzip" else raw) == body
    assert response.headers["vary"] == "accept-encoding"
    assert response.headers["content-type"] == "text/javascript; charset=utf-8"


async def test_a_long_text_is_compressed_when_nobody_has_done_it(client: httpx.AsyncClient, folder: Path) -> None:
    (folder / "assets" / "style-1.css").write_text("body { margin: 0 }\n" * 100)
    os.utime(folder / "index.html", ns=(2, 2))
    response = await client.get("/assets/style-1.css", headers={"accept-encoding": "gzip"})
    assert response.headers["content-encoding"] == "gzip"
    assert response.text == "body { margin: 0 }\n" * 100
    assert int(response.headers["content-length"]) < 200


async def test_a_head_has_the_headers_and_no_body(client: httpx.AsyncClient) -> None:
    response = await client.head("/assets/main-abc123.js")
    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["content-length"] == str(len(SCRIPT))


async def test_pages_are_read_only(client: httpx.AsyncClient) -> None:
    response = await client.post("/", content=b"x")
    assert (response.status_code, response.headers["allow"]) == (405, "GET, HEAD")


async def raw_get(running: RunningGateway, path: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", running.gateway.web.port)
    writer.write(b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    data = await asyncio.wait_for(reader.read(), 20)
    writer.close()
    return data


def copy_public(name: str, folder: Path) -> None:
    """Add one of the client's own files to a build, and let it be read again."""
    shutil.copy(WEB / "public" / name, folder)
    os.utime(folder / "index.html", ns=(4, 4))


async def test_browsers_that_know_no_page_of_ours_find_its_sign(client: httpx.AsyncClient, folder: Path) -> None:
    assert (await client.get("/favicon.ico", headers={"accept": "image/avif,*/*;q=0.8"})).status_code == 404
    copy_public("favicon.ico", folder)
    found = await client.get("/favicon.ico")
    assert (found.status_code, found.headers["content-type"]) == (200, "image/vnd.microsoft.icon")
    kind, count = struct.unpack_from("<HH", found.content, 2)
    assert (kind, count) == (1, 3)
    for number in range(count):
        size, offset = struct.unpack_from("<II", found.content, 6 + 16 * number + 8)
        assert found.content[offset : offset + 8] == b"\x89PNG\r\n\x1a\n"
        assert offset + size <= len(found.content)


async def test_search_engines_find_rules_and_no_players(client: httpx.AsyncClient, folder: Path) -> None:
    copy_public("robots.txt", folder)
    found = await client.get("/robots.txt")
    assert (found.status_code, found.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    robots = RobotFileParser()
    robots.parse(found.text.splitlines())
    pages = [re.sub(r":\w+\??", "x", pattern) for pattern in json.loads((folder / "routes.json").read_text())]
    open_to_all = {page for page in pages if robots.can_fetch("Searchbot", f"/{page}")}
    assert open_to_all == {"", "rules/x", "learn/x/x", "puzzle/x/x", "statistics/x", "edit/x"}


ways = st.lists(
    st.sampled_from(["..", "%2e%2e", "%2E.", "secret.txt", "assets", "%2f", "%5c", "\\", ".", "", "escape", "%00", "C:"]),
    max_size=8,
)


@settings(max_examples=examples(80), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=ways)
async def test_no_path_leads_out_of_the_folder(running: RunningGateway, parts: list[str]) -> None:
    data = await raw_get(running, b"/" + "/".join(parts).encode())
    assert data.startswith(b"HTTP/1.1 ")
    assert not data.startswith(b"HTTP/1.1 5")
    assert b"the secret" not in data


async def test_a_client_that_was_built_anew_is_served_anew(client: httpx.AsyncClient, folder: Path) -> None:
    assert (await client.get("/")).text == INDEX
    (folder / "assets" / "main-new.js").write_text("new")
    (folder / "index.html").write_text("another page")
    os.utime(folder / "index.html", ns=(1, 1))
    assert (await client.get("/")).text == "another page"
    assert (await client.get("/assets/main-new.js")).text == "new"
    (folder / "index.html").unlink()
    assert (await client.get("/")).status_code == 503


@pytest.mark.parametrize("web_folder", ["", "/nowhere/at/all"])
async def test_without_a_client_the_page_says_so(open_gateway: OpenGateway, web_folder: str) -> None:
    running = await open_gateway(web_folder=web_folder)
    async with web_client(base_url=running.web) as client:
        response = await client.get("/s/07abc")
        assert response.status_code == 503
        assert "has not been built" in response.text
        assert (await client.get("/v1/health")).json()["ready"] is True


def test_links_out_of_the_folder_and_hidden_files_are_left_out(folder: Path) -> None:
    assert set(read_folder(folder)) == {"index.html", "embed.html", "routes.json", "favicon.svg", "assets/main-abc123.js"}


@pytest.mark.parametrize(
    ("verb", "path"),
    [
        ("GET", "/"),
        ("HEAD", "/"),
        ("GET", "/assets/main-abc123.js"),
        ("GET", "/assets/gone.js"),
        ("POST", "/"),
        ("BREW", "/"),
        ("GET", "/v1/health"),
        ("POST", "/v1/ListGames"),
        ("POST", "/v1/Nope"),
        ("GET", "/v1/Act"),
        ("POST", "/v1"),
        ("GET", "/v1/connect"),
    ],
)
async def test_every_response_has_the_security_headers_once(client: httpx.AsyncClient, verb: str, path: str) -> None:
    response = await client.request(verb, path, json={} if verb == "POST" else None)
    for name, value in SECURITY.items():
        assert response.headers.get_list(name) == [value], (name, response.status_code)
    assert "server" not in response.headers


async def test_pages_say_what_documents_may_do_and_other_files_do_not(client: httpx.AsyncClient) -> None:
    page = await client.get("/")
    again = await client.get("/", headers={"if-none-match": page.headers.get("etag", "")})
    for response in (page, again):
        assert {name: response.headers.get(name) for name in OF_PAGES} == dict(OF_PAGES)
    assert not OF_PAGES.keys() & (await client.get("/v1/health")).headers.keys()


async def test_an_answer_to_malformed_http_has_the_security_headers(running: RunningGateway) -> None:
    data = await raw_get(running, b"\x00\x01")
    assert data.startswith(b"HTTP/1.1 400")
    assert b"content-security-policy: default-src 'self'" in data


OTHERS = ["/", "/s/07abcdef", "/embed.html", "/embed", "/embed/a/b", "/assets/main-abc123.js", "/routes.json", "/v1/health"]


async def test_no_page_is_in_a_frame_unless_the_operator_says_so(client: httpx.AsyncClient) -> None:
    for path in ("/embed/07abcdef", *OTHERS):
        response = await client.get(path)
        assert response.headers.get_list(POLICY) == [policy()], path
        assert "frame-ancestors 'none'" in response.headers[POLICY]


async def test_pages_that_the_operator_names_may_frame_a_board_and_nothing_else(open_gateway: OpenGateway, folder: Path) -> None:
    running = await open_gateway(web_folder=str(folder), embed_ancestors="https://club.example/, HTTPS://*.example.org:8443")
    framed = "frame-ancestors https://club.example https://*.example.org:8443;"
    async with web_client(base_url=running.web) as client:
        page = await client.get("/embed/07abcdef")
        same = await client.get("/embed/07abcdef", headers={"if-none-match": page.headers["etag"]})
        head = await client.head("/embed/07abcdef?language=de")
        assert (page.text, page.status_code, same.status_code, head.status_code) == (BOARD, 200, 304, 200)
        for response in (page, same, head):
            (said,) = response.headers.get_list(POLICY)
            assert framed in said
            assert said.replace(framed, "frame-ancestors 'none';") == policy()
            for name, value in (SECURITY.items() | OF_PAGES.items()) - {(POLICY, policy())}:
                assert response.headers.get_list(name) == [value]
        for path in OTHERS:
            assert (await client.get(path)).headers.get_list(POLICY) == [policy()], path


async def test_answers_of_one_connection_have_a_policy_each(open_gateway: OpenGateway, folder: Path) -> None:
    running = await open_gateway(web_folder=str(folder), embed_ancestors="*")
    reader, writer = await asyncio.open_connection("127.0.0.1", running.gateway.web.port)
    paths = ("/embed/a", "/", "/embed/b", "/s/a")
    asked = [f"GET {path} HTTP/1.1\r\nhost: localhost\r\n" for path in paths]
    writer.write(("\r\n".join(asked) + "connection: close\r\n\r\n").encode())
    data = (await reader.read()).decode()
    writer.close()
    assert re.findall("frame-ancestors ([^;]+)", data) == ["*", "'none'", "*", "'none'"]


async def test_a_client_that_was_built_without_it_has_no_such_page(client: httpx.AsyncClient, folder: Path) -> None:
    (folder / "embed.html").unlink()
    os.utime(folder / "index.html", ns=(7, 7))
    assert (await client.get("/embed/07abcdef", headers={"accept": "*/*"})).status_code == 404


@pytest.mark.parametrize(
    "listed",
    [
        "club.example",
        "https://club.example/games",
        "https://a.example; script-src *",
        "'self'",
        "https://*",
        "data:",
        "https://a b",
    ],
)
def test_a_setting_with_anything_but_origins_is_refused(listed: str) -> None:
    with pytest.raises(ValueError, match="BRETTWERK_EMBED_ANCESTORS"):
        ancestors(listed)


def test_origins_are_named_as_a_policy_names_them() -> None:
    assert [ancestors(listed) for listed in ("", " , ", "*", "https://a.example,http://localhost:8080/")] == [
        "'none'",
        "'none'",
        "*",
        "https://a.example http://localhost:8080",
    ]
