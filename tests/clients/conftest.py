"""The tarball that scripts/build-clients makes, and a folder that it is installed into."""

import json
import sys
from pathlib import Path

import pytest

from services.runtime.version import VERSION
from tests.clients.node_programs import NODE, run

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def tarball(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tarball")
    run(sys.executable, ROOT / "scripts" / "build-clients", "typescript", "--into", folder, folder=ROOT)
    return folder / f"brettwerk-client-{VERSION}.tgz"


@pytest.fixture(scope="session")
def installed(tarball: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package and what it asks for."""
    folder = tmp_path_factory.mktemp("installed")
    (folder / "package.json").write_text(json.dumps({"private": True, "type": "module"}))
    run(NODE.npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", str(tarball), folder=folder)
    return folder
