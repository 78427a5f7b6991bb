"""The wheel that scripts/build-clients makes, installed into an environment that has nothing else, plays a game."""

import os
import re
import subprocess
import sys
import venv
import zipfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import pytest

from deploy.local.deployment import Deployment
from services.runtime.version import VERSION
from tests.night import at_night

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.xdist_group("shared")]
ROOT = Path(__file__).resolve().parents[2]
WHEEL = f"brettwerk_client-{VERSION}-py3-none-any.whl"
TEN_LINES = re.compile(r"```python\n(.*?)```", re.DOTALL)


def run(*command: str | Path, folder: Path = ROOT, within_s: float = 300) -> str:
    """Return what a program says that knows nothing of this checkout."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "BRETTWERK_"))}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=within_s, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def built_into(folder: Path) -> Path:
    """Build the wheel into a folder of the test's own: others build it at the same time."""
    run(sys.executable, ROOT / "scripts" / "build-clients", "python", "--into", folder)
    return folder / WHEEL


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_into(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel and what it asks for, in the versions that this checkout pins."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    pins = folder / "pins.txt"
    pins.write_text("\n".join(re.findall(r"^[a-z0-9-]+==[^ ]+", (ROOT / "requirements" / "run.txt").read_text(), re.MULTILINE)))
    python = folder / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--constraint", pins, wheel)
    return python


def test_the_wheel_holds_the_public_contract_and_the_client_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {"brettwerk/v1/play_pb2.py", "brettwerk/v1/play_pb2.pyi", "brettwerk/py.typed", "brettwerk_client/py.typed"} < set(
        names
    )
    internal = ("ai", "audience", "link", "players", "rules", "session", "session_state")
    assert not [name for name in names if name.startswith(tuple(f"brettwerk/v1/{each}_pb2" for each in internal))]
    assert {name.partition("/")[0] for name in names} == {
        "brettwerk",
        "brettwerk_client",
        f"brettwerk_client-{VERSION}.dist-info",
    }


def test_it_asks_for_runtimes_that_its_generated_code_can_use(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        (metadata,) = (opened.read(name).decode() for name in opened.namelist() if name.endswith("/METADATA"))
        generated = opened.read("brettwerk/v1/play_pb2.py").decode()
    by = re.search(r"Protobuf Python Version: (\S+)", generated)
    assert by is not None
    assert f"Requires-Dist: protobuf<8,>={by[1]}" in metadata
    assert f"Requires-Dist: grpcio<2,>={version('grpcio-tools')}" in metadata
    assert "License-Expression: Apache-2.0" in metadata


@pytest.mark.nightly
def test_it_is_the_same_bytes_whenever_it_is_built(wheel: Path, tmp_path: Path) -> None:
    assert built_into(tmp_path).read_bytes() == wheel.read_bytes()


@pytest.mark.parametrize("example", ["bot.py", at_night("watching.py")])
def test_the_examples_play_with_it_in_an_empty_environment(
    python: Path, deployment: Deployment, tmp_path: Path, example: str
) -> None:
    said = run(python, ROOT / "examples" / example, deployment.grpc_address, folder=tmp_path).splitlines()
    assert re.search(r"(won|lost|by) EWN-END-\d", said[-1])


def test_the_ten_lines_of_its_readme_are_a_whole_bot(python: Path, deployment: Deployment, tmp_path: Path) -> None:
    (shown, *_) = TEN_LINES.findall((ROOT / "clients" / "python" / "README.md").read_text())
    lines: Sequence[str] = [line for line in shown.splitlines() if line]
    assert len(lines) <= 10
    (tmp_path / "ten.py").write_text(shown.replace("127.0.0.1:7800", deployment.grpc_address))
    assert run(python, "ten.py", folder=tmp_path).startswith("won by ")


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("einstein", r"ran for A1 and (won|lost)\n"),
        ("emperado", r"asia pays 7 and is mine but for \d+\n(.+\n){9}.+ \+\d+\n"),
        ("plateau", r".+ is \d+ steps from the base\n"),
        ("wec", r"\d+ places are watched; .+\n"),
    ],
)
def test_the_example_on_a_page_of_a_game_runs(python: Path, deployment: Deployment, tmp_path: Path, page: str, said: str) -> None:
    (shown,) = TEN_LINES.findall((ROOT / "docs" / "games" / f"{page}.md").read_text())
    assert "127.0.0.1:7800" in shown
    (tmp_path / "example.py").write_text(shown.replace("127.0.0.1:7800", deployment.grpc_address))
    assert re.fullmatch(said, run(python, "example.py", folder=tmp_path))


def test_the_commands_on_the_page_of_all_games_run(deployment: Deployment, tmp_path: Path) -> None:
    (shown,) = re.findall(r"```sh\n(.*?)```", (ROOT / "docs" / "games" / "README.md").read_text(), re.DOTALL)
    command = shown.replace("http://127.0.0.1:8000", f"http://{deployment.web_address}")
    said = run("bash", "-euo", "pipefail", "-c", command, folder=tmp_path)
    assert said.splitlines() == ["Peru:", "Bolivia", "Brazil", "Colombia"]


def test_a_bot_of_forty_lines_plays_a_whole_game_of_emperado_by_its_borders(
    python: Path, deployment: Deployment, tmp_path: Path
) -> None:
    shown = (ROOT / "examples" / "borders.py").read_text()
    assert len(shown.splitlines()) <= 40
    (tmp_path / "borders.py").write_text(shown)
    assert re.fullmatch(r"(won|lost) EMP-END-\d\n", run(python, "borders.py", deployment.grpc_address, folder=tmp_path))


def test_the_environment_is_free_of_this_checkout(python: Path, tmp_path: Path) -> None:
    asked = "import brettwerk_client, brettwerk.v1.play_pb2 as p; print(brettwerk_client.__file__, p.__file__)"
    assert all(str(python.parents[1]) in found for found in run(python, "-c", asked, folder=tmp_path).split())
    absent = "from importlib.util import find_spec as f; assert not f('services') and not f('brettwerk.v1.ai_pb2')"
    run(python, "-c", absent, folder=tmp_path)
