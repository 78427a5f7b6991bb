"""The attacks that show what they do within a second are tried with every change, against a whole deployment."""

import os
import signal
import threading
from collections.abc import Iterator

import pytest

from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from loadtests.attacks import __main__ as attacks
from loadtests.attacks.catalogue import ATTACKS

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("attacked")]

SHORT = [attack for attack in ATTACKS if attack.is_short]


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    environment = {"BRETTWERK_TRUSTED_PROXIES": "127.0.0.1"}
    with Deployment(data=tmp_path_factory.mktemp("attacked"), processes=Processes(web=False), environment=environment) as started:
        yield started


@pytest.mark.nightly
def test_a_short_attack_is_not_noticed_by_others(deployment: Deployment, capsys: pytest.CaptureFixture[str]) -> None:
    code = attacks.run(deployment, SHORT, seconds=1, most=3)
    said = capsys.readouterr().out
    assert code == 0, said
    for attack in SHORT:
        (row,) = [row for row in said.splitlines() if row.startswith(f"| {attack.name} |")]
        assert " bytes" in row, f"nothing was sent: {row}"


@pytest.mark.nightly
def test_a_process_that_ends_is_a_fault(deployment: Deployment) -> None:
    killing = threading.Timer(0.5, os.kill, (deployment.pids()["rules"], signal.SIGKILL))
    killing.start()
    faults = attacks.row(deployment, None, seconds=2, most=60, rest_s=0, long_game=("", ""))
    killing.join()
    assert "(none): rules ended" in faults


def test_memory_that_is_kept_is_a_fault(deployment: Deployment) -> None:
    sizes = attacks.memory(deployment)
    assert attacks.kept(deployment, sizes, rest_s=0.1) == []
    (fault,) = attacks.kept(deployment, sizes | {"gateway": 1}, rest_s=0.1)
    assert fault.startswith("gateway kept ")
