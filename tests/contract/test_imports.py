"""The arrows between the rooms are kept, and each of them is one that can be broken."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.night import by_day

ROOT = Path(__file__).resolve().parents[2]
LINT = Path(sys.executable).parent / "lint-imports"

ARROWS = [
    ("brettwerk_games/rules/einstein/rules.py", "import services.runtime.limits"),
    ("brettwerk_games/players/plan.py", "import services.runtime.limits"),
    ("brettwerk_games/packages/faults.py", "import structlog"),
    ("brettwerk_games/rules/einstein/rules.py", "from brettwerk.v1 import einstein_pb2"),
    ("brettwerk_games/rules/einstein/rules.py", "import google.protobuf.message"),
    ("brettwerk_games/rules/chance.py", "import random"),
    ("brettwerk_games/protobuf_wire/fields.py", "import services.runtime.limits"),
    ("services/runtime/trace.py", "import brettwerk_games.rules.chance"),
    ("services/rules/scenes.py", "import services.session"),
    ("services/session/__init__.py", "import brettwerk_games.rules.interface"),
    ("services/session/__init__.py", "import services.rules.scenes"),
    ("services/session/domain/fold.py", "import asyncio"),
    ("services/session/domain/clocks.py", "import time"),
    ("services/session/domain/state.py", "import services.session.store.store"),
    ("services/session/live/writer.py", "import services.session.computers.computer_moves"),
    ("services/session/computers/computer_moves.py", "import services.session.app.peers"),
    ("services/session/computers/computer_moves.py", "import services.session.watch.tail"),
    ("services/session/computers/waits.py", "import services.session.watch.followers"),
    ("services/sharding/leases.py", "import services.session.domain.ids"),
    ("services/archive/__init__.py", "import services.session"),
    ("services/ai/__init__.py", "import services.session"),
    ("services/ai/__init__.py", "import services.rules.scenes"),
    ("gateway/__init__.py", "import services.session"),
    ("gateway/__init__.py", "import redis"),
    ("gateway/__init__.py", "import brettwerk_games.rules.chance"),
    ("gateway/__init__.py", "import loadtests.processes"),
    ("loadtests/crowd/match.py", "import loadtests.actions.turns"),
    ("loadtests/chaos/audit.py", "import loadtests.actions.turns"),
    ("brettwerk_client/client.py", "import services.runtime.limits"),
]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the Python sources that a test may spoil."""
    copy = tmp_path_factory.mktemp("sources")
    for room in ("brettwerk_games", "services", "gateway", "deploy", "loadtests"):
        shutil.copytree(ROOT / room, copy / room, ignore=_only_python)
    shutil.copytree(ROOT / "clients" / "python" / "src" / "brettwerk_client", copy / "brettwerk_client", ignore=_only_python)
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy


def _only_python(folder: str, names: list[str]) -> set[str]:
    kept = {name for name in names if name.endswith(".py")}
    folders = {name for name in names if (Path(folder) / name).is_dir() and name not in ("web", "__pycache__", "node_modules")}
    return set(names) - kept - folders


def lint(sources: Path) -> subprocess.CompletedProcess[str]:
    command = [str(LINT), "--no-logo", "--no-cache"]
    return subprocess.run(command, cwd=sources, capture_output=True, text=True, timeout=120, check=False)


def test_every_room_imports_what_it_may() -> None:
    done = lint(ROOT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("module", "line"), by_day(ARROWS, ARROWS[0]))
def test_an_import_against_the_arrows_is_found(sources: Path, module: str, line: str) -> None:
    path = sources / module
    before = path.read_text(encoding="utf-8")
    path.write_text(f"{before}\n{line}\n", encoding="utf-8")
    try:
        done = lint(sources)
    finally:
        path.write_text(before, encoding="utf-8")
    assert done.returncode == 1, done.stdout
    assert "BROKEN" in done.stdout
