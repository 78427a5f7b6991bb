"""The Dockerfile, as far as that can be seen without a build: test_images.py builds it every night."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from services.runtime.settings import Settings
from services.runtime.version import VERSION
from tests.deploy.containers import PROGRAMS
from tests.deploy.tools import ROOT

FILE = ROOT / "deploy" / "images" / "Dockerfile"
STAGE = re.compile(r"^FROM (\S+) AS (\w+)$(.*?)(?=^FROM |\Z)", re.MULTILINE | re.DOTALL)
SOURCE = re.compile(
    r"^COPY (?:--from=build )?(?:/app/)?((?:brettwerk_games|grpc_http2|services|gateway|deploy|generated)\S*) ", re.MULTILINE
)


def sources_of(target: str, dockerfile: str) -> list[str]:
    """Return what of this checkout a target is given, by itself and by the stage that it is made from."""
    stages = {name: (base, steps) for base, name, steps in STAGE.findall(dockerfile)}
    base, steps = stages[target]
    return [*(sources_of(base, dockerfile) if base in stages else ()), *SOURCE.findall(steps)]


def imported(service: str, dockerfile: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Import a service's program where nothing of this checkout is but what its image is given."""
    for source in sources_of(service, dockerfile):
        for path in ROOT.glob(source):
            given = folder / path.relative_to(ROOT)
            given.parent.mkdir(parents=True, exist_ok=True)
            given.symlink_to(path)
    # Without -S the environment would lead to all of this checkout.
    places = [str(folder), str(folder / "generated" / "python"), sysconfig.get_path("purelib")]
    command = [sys.executable, "-S", "-P", "-c", f"import {PROGRAMS[service]}, services.runtime.probe"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(places)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=100, check=False)


@pytest.mark.nightly
@pytest.mark.parametrize("service", PROGRAMS)
def test_an_image_is_given_all_that_its_program_imports(service: str, tmp_path: Path) -> None:
    done = imported(service, FILE.read_text(), tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_module_left_out_of_an_image_is_missed(tmp_path: Path) -> None:
    without = FILE.read_text().replace("COPY --from=build /app/services/archive services/archive\n", "")
    assert "No module named 'services.archive'" in imported("players", without, tmp_path).stderr


def test_the_compiling_stage_has_all_that_the_digest_of_compiled_players_needs(tmp_path: Path) -> None:
    stages = {name: steps for _, name, steps in STAGE.findall(FILE.read_text())}
    given = " ".join(re.findall(r"^COPY ((?!--).+) \S+$", stages["environment"], re.MULTILINE)).split()
    assert "scripts" in given
    for name in (*given, *(str(path.relative_to(ROOT)) for path in ROOT.glob("brettwerk_games/**/kernels"))):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copyfile
        copy(ROOT / name, tmp_path / name)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    program = "import prepare; print(len(prepare.kernels()), prepare.digest_of_players(prepare.kernels(), []))"
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "scripts")}
    done = subprocess.run(
        [sys.executable, "-S", "-P", "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found, digest = done.stdout.split()
    assert int(found) > 20
    assert len(digest) == 64


def test_hadolint_finds_nothing() -> None:
    done = subprocess.run([str(Path(sys.executable).parent / "hadolint"), str(FILE)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_every_base_is_pinned() -> None:
    """Those are not the bases that tests build on."""
    bases = re.findall(r"^ARG \w+_BASE=(\S+)$", FILE.read_text(), re.MULTILINE)
    assert len(bases) == 2
    assert all(re.fullmatch(r"docker\.io/library/[\w:.-]+@sha256:[0-9a-f]{64}", base) for base in bases)


def test_variables_are_settings_that_there_are() -> None:
    known = {f"BRETTWERK_{field.upper()}" for field in Settings.model_fields}
    assert set(re.findall(r"BRETTWERK_\w+", FILE.read_text())) <= known


def test_an_image_is_of_this_version_unless_told_otherwise() -> None:
    assert set(re.findall(r"^ARG VERSION=(\S+)$", FILE.read_text(), re.MULTILINE)) == {VERSION}
