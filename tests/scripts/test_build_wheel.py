"""The package of the server has all that plays: in an empty environment, far from this checkout, it needs nothing else.

By day it is what the build lays out, with computer players in plain Python; at night the wheel itself, on the page.
"""

import ast
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import venv
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from deploy.local import web
from deploy.local.play import NOT_COMPILED
from services.runtime.version import VERSION
from tests.address_families import within
from tests.deploy.tools import ROOT

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(1200)]

BUILT_BY_SETUPTOOLS = """
import sys
from distutils.core import run_setup
distribution = run_setup("setup.py", stop_after="commandline")
command = distribution.get_command_obj("build_py")
command.build_lib = sys.argv[1]
command.ensure_finalized()
command.run()
"""
WHEEL_BYTES = 20 * 1024**2
ENVIRONMENT_BYTES = 250 * 1024**2
FIRST_ANSWER_S = 30
LEFT_OUT = re.compile(r"/(?:measure|adapters)/")
BUILDS_GAMES = {("brettwerk_games/packages/building.py", "setuptools.command.build_py")}
"""It runs where the package of a game is built, with the tools of that."""


def run(*command: str | Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run a program that knows nothing of this checkout and of its settings; it has to succeed."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "BRETTWERK_"))}
    done = subprocess.run(command, cwd=ROOT, env=own | environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of what the build puts into a package beside what it compiles."""
    web.build(print)
    folder = tmp_path_factory.mktemp("package")
    run(sys.executable, "-c", BUILT_BY_SETUPTOOLS, str(folder))
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the wheel and of the archive."""
    folder = tmp_path_factory.mktemp("dist")
    run(ROOT / "scripts" / "build-wheel", "--into", folder)
    return folder


def wheel_in(folder: Path) -> Path:
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def environment(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and what it asks for, in the versions that were tried."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True, with_pip=True)
    pins = folder / "pins.txt"
    pins.write_text("\n".join(re.findall(r"^[\w.-]+==[^ ]+", (ROOT / "requirements/play.txt").read_text(), re.MULTILINE)))
    run(folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--constraint", pins, wheel_in(built))
    return folder


def names(folder: Path) -> set[str]:
    """Return all files of a folder, from there, but for bytecode."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"}


def first_game(how: str, command: list[str | Path], home: Path, **environment: str) -> Mapping[str, Any]:
    """Return what a newcomer has seen, who has a home and nothing else: no program to call, no network."""
    (home / "bin").mkdir(parents=True)
    bare = {"HOME": str(home), "PATH": str(home / "bin"), "BRETTWERK_TABLES_STONES": "0", **environment}
    started = ["/usr/bin/env", "-i", *(f"{name}={value}" for name, value in bare.items()), *map(str, command)]
    options = ["play", "--port", "0", "--grpc-port", "0", "--no-statistics"]
    newcomer = within("ip link set lo up", sys.executable, "-m", "tests.scripts.newcomer", how, *started, *options)
    seen: Mapping[str, Any] = json.loads(run(*newcomer).stdout.splitlines()[-1])
    return seen


@pytest.mark.nightly
def test_files_beside_modules_are_in_the_package(laid_out: Path) -> None:
    listed = run(
        "git", "ls-files", "brettwerk_games", "grpc_http2", "services", "gateway", "deploy/local", "deploy/chart/files/rules"
    ).stdout.split()
    wanted = {name for name in listed if not name.endswith(".pxd") and not LEFT_OUT.search(name)}
    assert wanted - names(laid_out) == set()
    generated = {f"brettwerk/{name}" for name in names(ROOT / "generated/python/brettwerk") if not name.endswith(".pyi")}
    page = {f"deploy/local/page/{name}" for name in names(web.BUILT) if not name.startswith(".")}
    assert generated | page <= names(laid_out)


@pytest.mark.nightly
def test_it_asks_for_all_that_its_modules_import(laid_out: Path) -> None:
    pinned = "".join((ROOT / f"requirements/{name}.txt").read_text("utf-8") for name in ("play", "trace"))
    packages = {canonical(name) for name in re.findall(r"^([\w.-]+)==", pinned, re.MULTILINE)} | {"psycopg"}
    own = {path.name for path in laid_out.iterdir()}
    providers = importlib.metadata.packages_distributions()
    unknown = set()
    for path in laid_out.rglob("*.py"):
        for module in imported(ast.parse(path.read_bytes())):
            top, place = module.partition(".")[0], laid_out.joinpath(*module.split("."))
            if top in own:
                is_there = place.is_dir() or place.with_suffix(".py").exists()
            else:
                provided = {canonical(name) for name in providers.get(top, ())}
                is_there = top in sys.stdlib_module_names or bool(packages & provided)
            if not is_there:
                unknown.add((path.relative_to(laid_out).as_posix(), module))
    assert unknown == BUILDS_GAMES


def canonical(name: str) -> str:
    return name.lower().replace("_", "-")


def imported(module: ast.Module) -> set[str]:
    """Return what a module imports, wherever it does so."""
    found = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module)
    return found


@pytest.mark.nightly
def test_a_first_game_is_played_far_from_any_checkout(laid_out: Path, tmp_path: Path) -> None:
    before = names(laid_out)
    played = first_game(
        "calls", [sys.executable, "-P", "-m", "deploy.local.command"], tmp_path / "home", PYTHONPATH=str(laid_out)
    )
    assert played["code"] == 0
    assert NOT_COMPILED in played["said"]
    assert played["answered_s"] > 0
    assert (tmp_path / "home/.local/share/brettwerk/archive.sqlite3").exists()
    assert names(laid_out) == before, "nothing is written to where packages are installed"


@pytest.mark.nightly
def test_options_that_need_sources_are_refused(laid_out: Path) -> None:
    command = [sys.executable, "-P", "-m", "deploy.local.command", "play", "--reload"]
    done = subprocess.run(command, env={"PYTHONPATH": str(laid_out)}, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith("--reload is for those who change the sources: it needs a checkout")


@pytest.mark.nightly
def test_a_first_game_is_played_on_the_page_of_the_wheel(environment: Path, tmp_path: Path) -> None:
    played = first_game("page", [environment / "bin" / "brettwerk"], tmp_path / "home")
    assert played["code"] == 0
    assert NOT_COMPILED not in played["said"]
    assert 0 < played["answered_s"] < FIRST_ANSWER_S


@pytest.mark.nightly
def test_the_wheel_and_its_environment_are_small(built: Path, environment: Path) -> None:
    assert wheel_in(built).stat().st_size < WHEEL_BYTES
    assert sum(path.lstat().st_size for path in environment.rglob("*")) < ENVIRONMENT_BYTES


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no manylinux")
def test_the_wheel_is_for_this_python_on_any_linux(built: Path) -> None:
    tag = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    assert re.fullmatch(rf"brettwerk-{re.escape(VERSION)}-{tag}-{tag}-(many|musl)linux.*\.whl", wheel_in(built).name)


@pytest.mark.nightly
def test_both_are_the_same_bytes_whenever_they_are_built(built: Path, tmp_path: Path) -> None:
    run(ROOT / "scripts" / "build-wheel", "--into", tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        path.name: path.read_bytes() for path in built.iterdir()
    }


@pytest.mark.nightly
def test_the_archive_becomes_a_package_without_a_compiler(built: Path, tmp_path: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    options = ["--no-deps", "--no-build-isolation", "--quiet", "-w", str(tmp_path)]
    run(sys.executable, "-m", "pip", "wheel", *options, archive, CC="/nowhere/cc")
    packed = zipfile.ZipFile(wheel_in(tmp_path)).namelist()
    assert "brettwerk_games/players/einstein/kernels/search.py" in packed
    assert [name for name in packed if name.endswith(".so")] == []
