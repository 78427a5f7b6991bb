import contextlib
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.local import ports
from deploy.local.launcher_error import LauncherError
from deploy.local.ports import choose, is_free, join
from tests.address_families import ONLY_IPV6, within
from tests.deploy.tools import ROOT


def test_all_ports_of_a_deployment_are_different_and_free():
    chosen = choose()
    assert len(set(chosen)) == len(list(chosen))
    assert all(is_free("127.0.0.1", port) for port in chosen)


@pytest.mark.parametrize(("asked", "option"), [("web", "--port"), ("grpc", "--grpc-port")])
def test_a_taken_port_is_named_with_the_option_that_changes_it(asked: str, option: str):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(LauncherError) as raised:
            choose(**{asked: port})
        assert str(port) in str(raised.value)
        assert f"{option} NUMBER" in str(raised.value)


def test_the_default_grpc_port_is_taken_and_gives_way_to_a_free_one(monkeypatch):
    default = choose().grpc  # 7800 may be somebody else's
    monkeypatch.setattr(ports, "DEFAULT_GRPC_PORT", default)
    assert choose(grpc=None).grpc == default
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", default))
        other.listen()
        assert choose(grpc=None).grpc != default


@pytest.mark.parametrize("host", ["2001:db8::1", "192.0.2.1", "no-such-host.invalid"])
def test_a_host_that_is_no_address_of_this_machine_is_said(host: str):
    with pytest.raises(LauncherError, match=f"^{host} is not an address of this machine; choose another with --host$"):
        choose(host)


CHOSEN = "import sys; from deploy.local import ports; print(ports.choose(sys.argv[1]).loopback)"


@pytest.mark.parametrize("host", ["::1", "::"])
def test_without_ipv4_the_processes_reach_each_other_by_ipv6(host: str, tmp_path: Path):
    command = within(ONLY_IPV6, sys.executable, "-c", CHOSEN, host)
    own = {**os.environ, "TMPDIR": str(tmp_path)}  # one who is root in a namespace only may not own /tmp's folders
    done = subprocess.run(command, env=own, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout.strip(), done.returncode) == ("::1", 0), done.stderr


PLAYED = """
import sys
from pathlib import Path
from deploy.local.deployment import Deployment
from deploy.local.ports import choose
from deploy.local.processes import Processes
from tests.e2e.stranger import Stranger, computer, me
with Deployment(data=Path(sys.argv[1]), processes=Processes(web=False), ports=choose("::1")) as deployment:
    ada = Stranger(deployment.grpc_address, "Ada")
    session, seats = ada.create(me(), computer())
    print(ada.play(session.id, seats[0]).session.HasField("outcome"))
"""


@pytest.mark.nightly
@pytest.mark.slow
def test_a_deployment_without_ipv4_plays_a_game_to_its_end(tmp_path: Path):
    command = within(ONLY_IPV6, sys.executable, "-c", PLAYED, str(tmp_path))
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert (done.stdout.strip(), done.returncode) == ("True", 0), done.stderr


CHOOSER = """
import sys
from deploy.local import ports
ports._FREE = range(int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2]))
sys.stdin.readline()
chosen = ports.choose()
print(*chosen, flush=True)
sys.stdin.read()
"""


def test_deployments_that_start_at_once_choose_different_ports():
    deployments, size = 6, len(list(choose()))
    command = [sys.executable, "-c", CHOOSER, "25000", str(deployments * size + 40)]  # so few that they would meet
    with contextlib.ExitStack() as undo:
        choosers = []
        for _ in range(deployments):
            chooser = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            choosers.append(chooser)
            undo.callback(chooser.communicate)  # it ends when its input does
        for chooser in choosers:
            assert chooser.stdin is not None
            print("go", file=chooser.stdin, flush=True)
        taken = []
        for chooser in choosers:
            assert chooser.stdout is not None
            taken += [int(port) for port in chooser.stdout.readline().split()]
        assert len(taken) == len(set(taken)) == deployments * size


def test_a_claimed_port_is_taken_until_its_claimant_is_gone():
    chosen = choose()
    port = chosen.web
    with pytest.raises(LauncherError, match="taken"):
        choose(web=port)
    del chosen
    assert choose(web=port).web == port


def test_the_folder_of_claims_must_be_ours(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / f"brettwerk-ports-{os.getuid()}").symlink_to(elsewhere)
    with pytest.raises(LauncherError, match="not ours"):
        choose()


def test_the_two_endpoints_for_clients_cannot_be_one():
    port = choose().web
    with pytest.raises(LauncherError, match="differ"):
        choose(web=port, grpc=port)


@pytest.mark.parametrize("host", ["no.such.name.invalid", "300.1.1.1"])
def test_a_host_that_is_none_is_said(host: str):
    with pytest.raises(LauncherError, match="--host"):
        choose(host)


def test_ipv6_addresses_are_written_with_brackets():
    assert join("::1", 80) == "[::1]:80"
    assert join("127.0.0.1", 80) == "127.0.0.1:80"
