"""Those who ask for metrics, or how a process is, are answered, whatever others send to that port."""

import itertools
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from wsgiref.types import StartResponse, WSGIEnvironment

import httpx
import pytest

from services.runtime import small_http
from tests.ports import free_port


def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    if environ["PATH_INFO"] == "/fault":
        raise ValueError("half a file")
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']} {environ['QUERY_STRING']} {environ.get('HTTP_X_A')}".encode()]


@pytest.fixture(scope="module")
def port() -> int:
    found = free_port()
    small_http.serve(f"127.0.0.1:{found}", application)
    return found


@pytest.fixture
def opened(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), 20) as connection:
        yield connection


def read_all(connection: socket.socket) -> bytes:
    found = b""
    try:
        while data := connection.recv(2**16):
            found += data
    except ConnectionError:
        pass
    return found


def test_a_request_has_its_answer(port: int) -> None:
    response = httpx.get(f"http://127.0.0.1:{port}/metrics?a=b", headers={"x-a": "c"})
    assert (response.status_code, response.text) == (200, "GET /metrics a=b c")
    response = httpx.head(f"http://127.0.0.1:{port}/metrics")
    assert (response.status_code, response.text, response.headers["content-length"]) == (200, "", "18")


def test_a_fault_is_said_and_the_next_request_has_its_answer(port: int) -> None:
    assert httpx.get(f"http://127.0.0.1:{port}/fault").status_code == 500
    assert httpx.get(f"http://127.0.0.1:{port}/").status_code == 200


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ([b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * small_http.FIELDS + b"\r\n"], b"200"),
        ([b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * (small_http.FIELDS + 1) + b"\r\n"], b"431"),
        (itertools.chain([b"GET / HTTP/1.1\r\nx: "], itertools.repeat(b"y" * 1000, 40)), b"431"),
        (itertools.chain([b"GET /"], itertools.repeat(b"y" * 1000, 40)), b"431"),
        ([b"nonsense\r\n\r\n"], b"400"),
        ([b"GET / HTTP/2.0\r\n\r\n"], b"400"),
    ],
    ids=["as many fields as may be", "one more", "a field without end", "a target without end", "no request", "another version"],
)
def test_a_head_is_bounded(opened: socket.socket, said: Iterable[bytes], status: bytes) -> None:
    opened.sendall(b"".join(said))
    assert read_all(opened).startswith(b"HTTP/1.1 " + status + b" ")


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nx: "])
def test_a_connection_is_bounded_in_time(monkeypatch: pytest.MonkeyPatch, port: int, said: bytes) -> None:
    monkeypatch.setattr(small_http, "CONNECTION_S", 0.3)
    with socket.create_connection(("127.0.0.1", port), 20) as connection:
        connection.sendall(said)
        assert read_all(connection) == b""


def test_silent_connections_keep_nobody_out_and_begin_no_threads(port: int) -> None:
    threads = threading.active_count()
    silent = [socket.create_connection(("127.0.0.1", port), 20) for _ in range(3 * small_http.CONNECTIONS)]
    began = time.monotonic()
    assert httpx.get(f"http://127.0.0.1:{port}/").status_code == 200
    assert time.monotonic() - began < small_http.CONNECTION_S / 2
    assert threading.active_count() == threads
    assert read_all(silent[0]) == b""
    for connection in silent:
        connection.close()
