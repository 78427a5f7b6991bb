"""Game packages, installed by pip into a folder that programs are given as their PYTHONPATH."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def environment(*folders: Path) -> dict[str, str]:
    """Return the environment of programs that see this checkout and what is installed in the folders."""
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "generated" / "python", *folders)))
    return {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}


def installed(package: Path, folder: Path) -> Path:
    """Return a folder below `folder` that a copy of a package was installed into: the sources are left as they are."""
    source, site = folder / "source", folder / "site"
    shutil.copytree(package, source, ignore=shutil.ignore_patterns("build", "*.egg-info", "*.binpb", "__pycache__"))
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    said = subprocess.run(
        [*pip, "--target", str(site), str(source)], env=environment(), capture_output=True, text=True, timeout=200, check=False
    )
    assert said.returncode == 0, said.stdout + said.stderr
    return site


@contextmanager
def with_packages(*packages: str) -> Iterator[None]:
    """Let programs that are started in the block find the games of packages, which are folders of this checkout."""
    before = os.environ.get("PYTHONPATH")
    with tempfile.TemporaryDirectory() as folder:
        sites = [installed(ROOT / package, Path(folder, str(number))) for number, package in enumerate(packages)]
        os.environ["PYTHONPATH"] = environment(*sites)["PYTHONPATH"]
        try:
            yield
        finally:
            del os.environ["PYTHONPATH"]
            os.environ |= {} if before is None else {"PYTHONPATH": before}


def hidden_game(folder: Path) -> Path:
    """Return a folder below `folder` that the blind duel was installed into: a package of a game that hides something."""
    source = shutil.copytree(ROOT / "tests" / "examples" / "blind_duel_package", folder / "package")
    shutil.copytree(
        ROOT / "tests" / "brettwerk_games" / "rules" / "blind_duel",
        source / "blind_duel",
        ignore=shutil.ignore_patterns("*.py", "__pycache__"),
        dirs_exist_ok=True,
    )
    return installed(source, folder)


def run_kit(site: Path, game: str) -> str:
    """Return what pytest says of the conformance kit with an installed game. Raises AssertionError where a check fails."""
    kit = "tests/brettwerk_games/rules/test_conformance.py"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", kit, "-k", game]
    said = subprocess.run(command, cwd=ROOT, env=environment(site), capture_output=True, text=True, timeout=250, check=False)
    assert said.returncode == 0, said.stdout
    return said.stdout
