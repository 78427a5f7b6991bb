"""Programs that the tests of `deploy` need."""

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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
    """Return prometheus or promtool. CI installs them (.ci/run); elsewhere a test without them is skipped."""
    found = shutil.which(name)
    if found is None and "CI" in os.environ:
        raise AssertionError(f"{name} is not installed")
    if found is None:
        package = "prometheus-alertmanager" if "alertmanager" in name else "prometheus"
        pytest.skip(f"{name} is not installed (apt install {package})")
    return found


def alertmanager() -> str:
    """Return Alertmanager, by Debian's name or its own; a test without it is skipped, and fails in CI."""
    return shutil.which("alertmanager") or prometheus("prometheus-alertmanager")
