"""A small crowd in a real deployment: everybody gets to play, watchers come back after a storm, and the figures are kept."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.local.deployment import Deployment


@pytest.mark.e2e
@pytest.mark.nightly
@pytest.mark.parametrize("endpoint", ["websocket", "grpc"])
def test_a_crowd_plays_and_watchers_come_back(deployment: Deployment, tmp_path: Path, endpoint: str) -> None:
    figures = tmp_path / "crowd.json"
    command = [
        sys.executable,
        "-m",
        "loadtests.crowd",
        "--endpoint",
        endpoint,
        "--grpc",
        deployment.grpc_address,
        "--web",
        deployment.web_address,
    ]
    command += ["--people", "2", "--solos", "1", "--watchers", "3", "--think", "0.05", "--seconds", "5", "--storm-every", "2"]
    done = subprocess.run([*command, "--json", str(figures)], capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr
    kept = json.loads(figures.read_text())
    assert max(one["actions_per_s"] for one in kept["seconds"]) > 0
    assert max(one["updates_per_s"] for one in kept["seconds"]) > 0
    assert int(kept["figures"]["watchers connected, times"]) > 3
    assert kept["conditions"]["endpoint"] == endpoint
    assert "actions/s" in done.stderr
