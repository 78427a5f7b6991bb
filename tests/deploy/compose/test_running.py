"""The compose file with images that were really built: a game is played in it, and what hangs comes back."""

import os
import random
import signal
from collections.abc import Iterator
from functools import partial

import httpx
import pytest

from tests.deploy import containers
from tests.deploy.compose.running import SERVICES, Composed
from tests.deploy.containers import Podman
from tests.e2e.stranger import Stranger, computer, eventually, me

pytestmark = [pytest.mark.e2e, pytest.mark.nightly, pytest.mark.slow, pytest.mark.timeout(1300)]


@pytest.fixture(scope="module")
def composed(images: Podman, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Composed]:
    with Composed(images, tmp_path_factory.mktemp("compose")) as running:
        yield running


def play(address: str) -> None:
    ada = Stranger(address, "Ada")
    session, seats = ada.create(me(), computer())
    last = ada.play(session.id, seats[0], random.Random(3))
    assert sum(last.session.outcome.scores) == 1
    ada.close()


def test_a_game_is_played_against_the_computer_to_the_end(composed: Composed) -> None:
    play(composed.grpc_address)
    assert composed.thoughts() > 0, "the session service has moved for the computer"


def test_the_page_is_served_with_its_scripts(composed: Composed) -> None:
    page = httpx.get(composed.page, timeout=20)
    assert page.status_code == 200
    source = page.text.partition('<script type="module"')[2].partition('src="')[2].partition('"')[0]
    script = httpx.get(f"{composed.page}/{source.removeprefix('./').removeprefix('/')}", timeout=20)
    assert script.status_code == 200
    assert "javascript" in script.headers["content-type"]
    assert httpx.get(f"{composed.page}/v1/health", timeout=20).status_code == 200


def test_all_are_healthy_and_none_may_do_more_than_it_must(composed: Composed) -> None:
    for service in SERVICES:
        eventually(partial(composed.is_healthy, service), within_s=60)
        found = composed.inspect(service)
        assert found["HostConfig"]["ReadonlyRootfs"] is True
        assert not found["EffectiveCaps"]
        status = composed.podman("exec", composed.container(service), "cat", "/proc/1/status").stdout
        ids = {line.split(":")[0]: line.split(":")[1].split() for line in status.splitlines() if ":" in line}
        assert ids["Uid"] == ["999" if service == "redis" else "10001"] * 4
        assert ids["NoNewPrivs"] == ["1"]


def test_only_the_endpoints_are_open_to_the_outside(composed: Composed) -> None:
    for service in SERVICES:
        ports = composed.inspect(service)["HostConfig"]["PortBindings"]
        bindings = [binding for bound in ports.values() for binding in bound or ()]
        assert bool(bindings) == (service == "gateway"), service
        assert all(binding["HostIp"] == "127.0.0.1" for binding in bindings)
    # Somebody in another network of this host finds neither the store nor a service, and these reach nothing outside.
    look = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 3)"
    for service, port in (("redis", "6379"), ("session", "7802")):
        networks = composed.inspect(service)["NetworkSettings"]["Networks"]
        (address,) = (network["IPAddress"] for network in networks.values())
        stranger = ("run", "--rm", "--entrypoint", "python", composed.podman.image("rules"), "-c", look, address, port)
        assert composed.podman(*stranger, check=False).returncode != 0, service
    assert composed.podman("exec", composed.container("rules"), "python", "-c", look, "192.0.2.1", "80", check=False).returncode


def test_a_process_that_hangs_is_killed_and_comes_back(composed: Composed) -> None:
    """Every process that does work, all at once."""
    hanging = {service: processes_beside_the_first(composed, service) for service in SERVICES}
    assert all(hanging.values()), hanging
    for process in (process for processes in hanging.values() for process in processes):
        os.kill(process, signal.SIGSTOP)
    for service, processes in hanging.items():
        eventually(partial(none_is_left, composed, service, processes), within_s=120)
    eventually(composed.is_well, within_s=120)
    before = composed.thoughts()
    play(composed.grpc_address)
    assert composed.thoughts() > before


def none_is_left(composed: Composed, service: str, processes: list[int]) -> bool:
    return not set(processes) & set(processes_beside_the_first(composed, service))


def processes_beside_the_first(composed: Composed, service: str) -> list[int]:
    """Return the ids, on this machine, of the children of a container's first process that do its work."""
    first = composed.inspect(service)["State"]["Pid"]
    try:
        with open(f"/proc/{first}/task/{first}/children") as file:
            children = [int(word) for word in file.read().split()]
    except FileNotFoundError:
        return []  # it ends, or is not there yet
    return [child for child in children if b"sleep" not in command_of(child)]


def command_of(process: int) -> bytes:
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b"sleep"


def test_the_images_are_those_that_were_built(composed: Composed) -> None:
    for service in containers.SERVICES:
        assert composed.inspect(service)["ImageName"] == composed.podman.image(service)
