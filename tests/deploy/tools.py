"""Programs that the tests of `deploy` need."""

import functools
import shutil
import subprocess
import sys
from pathlib import Path

from tests.surroundings import program

ROOT = Path(__file__).resolve().parents[2]


@functools.cache
def helm() -> str:
    """Return Helm: the locked one (scripts/cluster_tools.py)."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "cluster_tools.py")], capture_output=True, text=True, timeout=280, check=False
    )
    assert done.returncode == 0, done.stderr
    return str(Path(done.stdout.strip().splitlines()[-1]) / "helm")


def prometheus(name: str) -> str:
    """Return prometheus or promtool."""
    return program(name, "prometheus-alertmanager" if "alertmanager" in name else "prometheus")


def alertmanager() -> str:
    """Return Alertmanager, by Debian's name or its own."""
    return shutil.which("alertmanager") or prometheus("prometheus-alertmanager")
