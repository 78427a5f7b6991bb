"""The package of the games plays in an empty environment, far from this checkout: from the archive, and from the wheel."""

import os
import re
import subprocess
import venv
import zipfile
from pathlib import Path

import pytest

from tests.deploy.tools import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]
README = (ROOT / "brettwerk_games" / "README.md").read_text("utf-8")
PLAYED = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[0]


def run(*command: str | Path, **environment: str) -> str:
    """Return what a program says that knows nothing of this checkout and of its settings; it has to succeed."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "BRETTWERK_"))}
    done = subprocess.run(command, cwd="/", env=own | environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def environment(folder: Path) -> Path:
    """Return the Python of an environment that has what the package asks for, in the versions that were tried."""
    venv.create(folder, symlinks=True, with_pip=True)
    python = folder / "bin" / "python"
    locked = (ROOT / "requirements" / "run.txt").read_text("utf-8")
    pins = dict(re.findall(r"^(cython|protobuf|setuptools)==([^ ]+)", locked, re.MULTILINE))
    run(python, "-m", "pip", "install", "--quiet", *(f"{name}=={version}" for name, version in pins.items()))
    return python


@pytest.mark.nightly
def test_the_archive_plays_where_there_is_no_compiler(tmp_path: Path) -> None:
    run(ROOT / "scripts" / "build-games", "--no-wheel", "--into", tmp_path)
    (archive,) = tmp_path.glob("*.tar.gz")
    python = environment(tmp_path / "environment")
    pip: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    run(*pip, archive, CC=str(tmp_path / "no-compiler"))
    assert "Outcome(winners=" in run(python, "-W", "error", "-c", PLAYED)
    assert run(python, "-c", "import brettwerk_games.players.einstein.engine as e; print(e.COMPILED)") == "False\n"


@pytest.mark.nightly
def test_the_wheel_plays_with_compiled_players(tmp_path: Path) -> None:
    run(ROOT / "scripts" / "build-games", "--into", tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert not [name for name in names if name.startswith(("services/", "gateway/", "tests/", "scripts/"))]
    python = environment(tmp_path / "environment")
    run(python, "-m", "pip", "install", "--quiet", "--no-deps", wheel)
    assert "Outcome(winners=" in run(python, "-W", "error", "-c", PLAYED)
    assert run(python, "-c", "import brettwerk_games.players.einstein.engine as e; print(e.COMPILED)") == "True\n"


def test_required_versions_are_the_versions_that_were_tried() -> None:
    asked = (ROOT / "scripts" / "games_package" / "pyproject.toml").read_text("utf-8")
    locked = dict(re.findall(r"^([\w.-]+)==([^ ]+)", (ROOT / "requirements" / "dev.txt").read_text("utf-8"), re.MULTILINE))
    for name, least, below in re.findall(r'"([\w-]+)>=([\d.]+),<(\d+)"', asked.partition("[build-system]")[0]):
        assert tuple(map(int, least.split("."))) <= tuple(map(int, locked[name].split("."))) < (int(below),)
