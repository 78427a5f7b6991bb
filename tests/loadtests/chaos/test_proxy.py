"""The proxy of cut networks: what it lets pass, and what not."""

import contextlib
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from loadtests.chaos.faults.network import Wire
from loadtests.processes import free_port

SHORT_S = 0.5


@pytest.fixture
def echo() -> Iterator[int]:
    """The port of a server that sends back what it is sent."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                threading.Thread(target=answer, args=(connection,), daemon=True).start()

        def answer(connection: socket.socket) -> None:
            with connection:
                while data := connection.recv(1000):
                    connection.sendall(data)

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


def connected(port: int) -> socket.socket:
    for _ in range(600):
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=30)
        except ConnectionRefusedError:
            threading.Event().wait(0.05)
    raise AssertionError("the proxy does not listen")


def ends(client: socket.socket) -> bool:
    try:
        return client.recv(100) == b""
    except ConnectionError:
        return True


def test_bytes_pass_at_first_and_held_ones_pass_later(echo: int):
    with Wire(free_port(), echo) as wire, connected(wire.listen) as client:
        client.sendall(b"one")
        assert client.recv(100) == b"one"
        wire.tell("hold")
        held = b""
        while not held:  # until the proxy has heard of it
            client.sendall(b"x")
            client.settimeout(SHORT_S)
            try:
                client.recv(100)
            except TimeoutError:
                held = b"x"
        client.settimeout(30)
        wire.tell("pass")
        assert client.recv(100) == b"x"


def test_connections_are_broken_off_and_refused_and_then_possible_again(echo: int):
    with Wire(free_port(), echo) as wire:
        with connected(wire.listen) as client:
            client.sendall(b"one")
            assert client.recv(100) == b"one"
            wire.tell("refuse")
            assert ends(client)
        with connected(wire.listen) as refused:
            assert ends(refused)
        wire.tell("pass")
        for _ in range(100):
            with connected(wire.listen) as again, contextlib.suppress(ConnectionError):
                again.sendall(b"three")
                if again.recv(100) == b"three":
                    return
        raise AssertionError("nothing passes any more")


def test_it_ends_with_its_driver():
    command = [sys.executable, "-m", "loadtests.chaos.proxy", str(free_port()), str(free_port())]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.stdin
        process.stdin.close()
        assert process.wait(60) == 0
