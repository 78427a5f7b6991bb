"""The tarball that scripts/build-clients makes, and a folder that it is installed into."""

import fcntl
import json
import sys
from pathlib import Path

import pytest

from services.runtime.version import VERSION
from tests.clients.node_programs import NODE, run

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def tarball(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The tarball, which the first process of a run that wants it makes for all of them."""
    own = tmp_path_factory.mktemp("tarball")
    folder = own if worker_id == "master" else tmp_path_factory.getbasetemp().parent
    made = folder / f"brettwerk-client-{VERSION}.tgz"
    with (folder / "tarball.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            run(sys.executable, ROOT / "scripts" / "build-clients", "typescript", "--into", own, folder=ROOT)
            (own / made.name).replace(made)
    return made


@pytest.fixture(scope="session")
def installed(tarball: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package and what it asks for."""
    folder = tmp_path_factory.mktemp("installed")
    (folder / "package.json").write_text(json.dumps({"private": True, "type": "module"}))
    run(NODE.npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", str(tarball), folder=folder)
    return folder
