"""Servers listen at one address or at all of both families, as far as the machine has them."""

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from functools import partial

import pytest

from services.runtime import probe, server_socket
from tests.address_families import ONLY_IPV4, ONLY_IPV6, within
from tests.deploy.tools import ROOT
from tests.e2e.stranger import eventually
from tests.night import at_night
from tests.ports import free_port

ALL_IPV4 = ".".join("0000")


def reached(taken: socket.socket) -> list[str]:
    """Return at which of the addresses of this machine alone a listener is reached."""
    found = []
    for host in ("127.0.0.1", "::1"):
        try:
            socket.create_connection((host, taken.getsockname()[1]), timeout=30).close()
        except OSError:
            continue
        found.append(host)
    return found


@pytest.mark.parametrize(
    ("host", "hosts"),
    [
        ("127.0.0.1", ["127.0.0.1"]),
        ("[::1]", ["::1"]),
        (ALL_IPV4, ["127.0.0.1"]),
        ("[::]", ["127.0.0.1", "::1"]),
    ],
)
def test_an_address_is_taken_for_what_it_is(host: str, hosts: list[str]) -> None:
    with server_socket.bind(f"{host}:0") as taken:
        assert reached(taken) == hosts


def test_a_name_stands_for_an_address_that_is_ours() -> None:
    with server_socket.bind("localhost:0") as taken:
        assert reached(taken)


@pytest.mark.parametrize("address", ["nonsense", "host", ":80", "host:", "host:port", "::1:80", "127.0.0.1:65536", "host:-1"])
def test_an_invalid_address_is_refused_in_a_sentence(address: str) -> None:
    with pytest.raises(ValueError, match="is no address: host:port"):
        server_socket.split(address)


@pytest.mark.parametrize("address", ["192.0.2.1:0", "[2001:db8::1]:0", "no-such-host.invalid:0"])
def test_an_address_that_is_not_ours_cannot_be_taken(address: str) -> None:
    with pytest.raises(OSError):
        server_socket.bind(address)


REACHED = """
from services.runtime import server_socket
from tests.services.runtime.test_server_socket import reached
with server_socket.bind("[::]:0") as taken:
    print(*reached(taken))
"""


@pytest.mark.parametrize(("network", "hosts"), [(ONLY_IPV4, "127.0.0.1"), (ONLY_IPV6, "::1")])
def test_all_addresses_are_those_that_the_machine_has(network: str, hosts: str) -> None:
    command = within(network, sys.executable, "-c", REACHED)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout.strip(), done.returncode) == (hosts, 0), done.stderr


NAMES = ("LISTEN", "LINK_LISTEN", "METRICS_LISTEN", "HEALTH_LISTEN")
ANSWERED = "import sys; from tests.services.runtime.test_server_socket import answered; print(*answered(sys.argv[1:]))"


def answered(hosts: Sequence[str]) -> list[str]:
    """Return at which of these hosts a service that listens everywhere answers, at all four of its ports."""
    ports = {name: free_port() for name in NAMES}
    listens = {f"BRETTWERK_{name}": f"[::]:{port}" for name, port in ports.items()}
    environment = {**os.environ, **listens, "BRETTWERK_INNER_KEY": "k" * 40, "LITTLE_READY": __file__, "BRETTWERK_DRAIN_S": "0"}
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.services.runtime.little"], env=environment, stdout=subprocess.DEVNULL
    )
    found = []
    try:
        for host in hosts:
            eventually(partial(probe.serves, f"{host}:{ports['LISTEN']}", "live"), within_s=30)
            assert probe.serves(f"{host}:{ports['HEALTH_LISTEN']}", "live")
            assert probe.answers(f"{host}:{ports['METRICS_LISTEN']}/metrics")
            socket.create_connection((host.strip("[]"), ports["LINK_LISTEN"]), timeout=10).close()
            found.append(host)
    finally:
        process.terminate()
        process.wait(30)
    return found


def test_a_service_that_listens_everywhere_answers_at_both_families() -> None:
    assert answered(["127.0.0.1", "[::1]"]) == ["127.0.0.1", "[::1]"]


@pytest.mark.parametrize(("network", "host"), [at_night(ONLY_IPV4, "127.0.0.1"), (ONLY_IPV6, "[::1]")])
def test_a_service_that_listens_everywhere_answers_where_there_is_one_family(network: str, host: str) -> None:
    command = within(network, sys.executable, "-c", ANSWERED, host)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=90, check=False)
    assert (done.stdout.strip(), done.returncode) == (host, 0), done.stderr
