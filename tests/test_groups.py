import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CONFTEST = """
import os
from pathlib import Path

import pytest

import pytest

from tests.groups import pytest_xdist_make_scheduler


def started(name):
    with (Path(__file__).parent / name).open("a") as file:
        file.write(f"{os.getpid()}\\n")


@pytest.fixture(scope="session")
def deployment():
    started("shared")


@pytest.fixture(scope="session")
def own_deployment():
    started("own")
"""
TESTS = """
import pytest

MANY = pytest.mark.parametrize("number", range(20))


@pytest.fixture
def ada(deployment):
    pass


@MANY
def test_shares(deployment, number):
    pass


@MANY
def test_shares_with_ada(ada, number):
    pass


@MANY
async def test_harms(own_deployment, number):
    pass
"""
OF_A_FILE = """
import pytest

pytestmark = pytest.mark.xdist_group("shared")


@pytest.mark.parametrize("number", range(20))
def test_shares(request, number):
    request.getfixturevalue("deployment")
"""


@pytest.mark.nightly
def test_tests_that_share_a_deployment_run_in_one_process(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_one.py").write_text(TESTS)
    (tmp_path / "test_other.py").write_text(OF_A_FILE)
    (tmp_path / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\n")
    plugins = ["-p", "xdist.plugin", "-p", "pytest_asyncio.plugin"]
    command = [sys.executable, "-m", "pytest", "-q", *plugins, "-n", "2", "--dist", "loadgroup", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    said = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert "80 passed" in said.stdout, said.stdout + said.stderr
    shared, own = [(tmp_path / name).read_text().split() for name in ("shared", "own")]
    assert (len(shared), len(own)) == (1, 1)
    assert shared != own
