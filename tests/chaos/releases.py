"""Releases as programs that can be started: this checkout, and the last release as the history has it."""

import functools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from deploy.cluster import release
from deploy.cluster.unavailable import Unavailable
from tests.deploy.tools import ROOT

KEPT = ROOT / "generated" / "releases"
"""Where releases are kept once they were made; not in git."""


@dataclass(frozen=True)
class Release:
    """A release that can be started."""

    name: str
    folder: Path
    python: str = sys.executable
    contract: Path | None = None
    """Where the code lies that was generated from its contract, when it is not the checkout's."""
    starter: Sequence[str] = ("-m",)
    """The interpreter's arguments before the module's name."""

    def command(self, module: str) -> list[str]:
        """Return the command that runs a module of it, in its folder."""
        return [self.python, *self.starter, module]

    def has(self, module: str) -> bool:
        """Return whether the release has a module: a service may be younger than it."""
        return self.folder.joinpath(*module.split(".")).with_suffix(".py").exists() or (
            self.folder.joinpath(*module.split("."), "__main__.py").exists()
        )

    @property
    def environment(self) -> dict[str, str]:
        """Where its modules are looked for first."""
        folders = [self.folder, *(() if self.contract is None else (self.contract,))]
        return {"PYTHONPATH": os.pathsep.join(map(str, folders))}


THIS = Release("this checkout", ROOT, starter=("-m", "tests.chaos.names"))


@functools.cache
def last_release() -> Release:
    """Return the last release, made from the history when it is not kept yet.

    Skips the test in a shallow clone, whose history is not meant to be there. Raises RuntimeError, with what to do, where another
    history does not reach back to it.
    """
    version, commit = release.named()
    folder = KEPT / commit[:12]
    if not folder.exists():
        _check_out(folder)
    return Release(version, folder, str(_python(folder)), folder / "contract", starter=("-m", "tests.chaos.names"))


def _check_out(folder: Path) -> None:
    fresh = folder.with_name(f"{folder.name}.{os.getpid()}")
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        release.check_out(fresh)
    except Unavailable as missing:
        asked = ["git", "rev-parse", "--is-shallow-repository"]
        if subprocess.run(asked, cwd=ROOT, capture_output=True, text=True).stdout.strip() == "true":
            pytest.skip(str(missing))
        raise RuntimeError(str(missing)) from None
    if not _has_same_packages(fresh):
        subprocess.run([sys.executable, "-m", "venv", str(fresh / ".venv")], check=True)
        pins = ["--require-hashes", "-r", str(fresh / "requirements" / "run.txt")]
        install = [str(fresh / ".venv" / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, *pins], check=True)
    # As the release itself generates it: with what it publishes of the contract, too.
    own = "import pathlib, prepare; prepare.GENERATED = pathlib.Path('contract').resolve(); prepare.prepare_contract()"
    environment = os.environ | {"PYTHONPATH": str(fresh / "scripts"), "BRETTWERK_VENV": str(_python(fresh).parents[1])}
    subprocess.run([str(_python(fresh)), "-c", own], cwd=fresh, env=environment, check=True)
    try:
        fresh.rename(folder)
    except OSError:  # another run was faster
        shutil.rmtree(fresh)


def _has_same_packages(folder: Path) -> bool:
    """Return whether this environment has every package of a release in its version; further ones do no harm."""
    return _pinned(folder) <= _pinned(ROOT)


def _pinned(folder: Path) -> set[str]:
    text = (folder / "requirements" / "run.txt").read_text(encoding="utf-8")
    return set(re.findall(r"^[\w.\[\]-]+==[\w.!+]+", text, re.MULTILINE))


def _python(folder: Path) -> Path:
    own = folder / ".venv" / "bin" / "python"
    return own if own.exists() else Path(sys.executable)


def generate(protos: Path, contract: Path) -> None:
    """Generate the Python side of a contract into a folder of its own."""
    contract.mkdir(parents=True)
    files = map(str, sorted(protos.glob("brettwerk/**/*.proto")))
    out = [f"--python_out={contract}", f"--grpc_python_out={contract}"]
    subprocess.run([sys.executable, "-m", "grpc_tools.protoc", f"-I{protos}", *out, *files], check=True)
    for package in (contract / "brettwerk", *(contract / "brettwerk").rglob("*/")):
        (package / "__init__.py").touch()
