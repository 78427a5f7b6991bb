"""A checkout is prepared with the fastest Python of its series, whatever network there is, and after a start that was killed."""

import importlib
import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from tests.address_families import within

ROOT = Path(__file__).resolve().parent.parent.parent
NAME = f"python{sys.version_info[0]}.{sys.version_info[1]}"


@pytest.fixture
def another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a Python into the search path that is not there yet."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return tmp_path / NAME


def _does(python: Path, what: str) -> str:
    python.write_text(f"#!/bin/sh\n{what}\n")
    python.chmod(0o755)
    return str(importlib.import_module("prepare").interpreter())


def test_a_python_that_does_the_same_work_in_less_time_is_taken(another: Path) -> None:
    assert _does(another, "echo 0.000001") == str(another)


def test_one_that_takes_as_long_is_not_worth_another_version(another: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.import_module("prepare"), "TRIAL", "print(0.01)")
    assert _does(another, f'exec {sys.executable} "$@"') != str(another)


def test_one_that_cannot_make_an_environment_is_not_taken(another: Path) -> None:
    assert _does(another, "echo 0.000001; exit 1") != str(another)


PREPARED = """
import sys
sys.path.insert(0, "scripts")
from pathlib import Path
import prepare
prepare.PYTHON = Path(sys.executable)
prepare.require_packages(Path(sys.argv[1]))
"""
UNREACHABLE = "ip link set lo up"


def _prepared(network: str, wanted: Path, **pip: str) -> "subprocess.CompletedProcess[str]":
    """Return how the look at the packages of a list ended, with pip as it comes but for some settings."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    environment = own | {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_CACHE_DIR": "1"} | pip
    command = within(network, sys.executable, "-c", PREPARED, str(wanted))
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=50, check=False)


def test_without_a_network_the_first_start_ends_with_one_sentence(tmp_path: Path) -> None:
    began = time.monotonic()
    done = _prepared(UNREACHABLE, ROOT / "requirements" / "run.txt")
    assert done.returncode == 1
    (said,) = done.stderr.splitlines()
    assert said.startswith("brettwerk: no packages can be fetched, not even ")
    assert time.monotonic() - began < 30


def test_packages_of_a_folder_need_no_network(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "little-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("little-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: little\nVersion: 1\n")
        wheel.writestr("little-1.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("little-1.dist-info/RECORD", "")
    (tmp_path / "wanted.txt").write_text("# pinned\nlittle==1\n")
    done = _prepared(UNREACHABLE, tmp_path / "wanted.txt", PIP_NO_INDEX="1", PIP_FIND_LINKS=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")


KILLED = """
import os, sys
sys.path.insert(0, "scripts")
import prepare
with prepare.unfinished():
    (prepare.VENV / "half").touch()
    if sys.argv[1:]:
        os._exit(9)
print(prepare.environment_is_made())
"""


def test_an_environment_whose_making_was_killed_is_made_once_more(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    environment = os.environ | {"BRETTWERK_VENV": str(tmp_path)}
    killed = subprocess.run([sys.executable, "-c", KILLED, "kill"], cwd=ROOT, env=environment, timeout=60, check=False)
    assert killed.returncode == 9
    look = "import sys; sys.path.insert(0, 'scripts'); import prepare; print(prepare.environment_is_made())"
    seen = subprocess.run([sys.executable, "-c", look], cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert seen.stdout == "False\n"
    (tmp_path / "brettwerk-unfinished").unlink()
    whole = subprocess.run([sys.executable, "-c", KILLED], cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert whole.stdout == "True\n"


FULL = """
import sys
sys.path.insert(0, "scripts")
import prepare
def fails(*_, **__):
    raise OSError(28, "No space left on device", "/here")
prepare.make = fails
prepare.prepare()
"""


def test_a_full_disk_is_one_sentence() -> None:
    done = subprocess.run([sys.executable, "-c", FULL], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (
        1,
        "brettwerk: this folder cannot be prepared: No space left on device (/here)\n",
    )
