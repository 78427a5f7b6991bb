"""A checkout works however git is set up to write the ends of lines."""

import subprocess
from pathlib import Path

import pytest

from tests.deploy.tools import ROOT
from tests.surroundings import lacking


@pytest.mark.nightly
@pytest.mark.parametrize("autocrlf", ["true", "input"])
def test_scripts_start_in_a_checkout_with_any_ends_of_lines(tmp_path: Path, autocrlf: str) -> None:
    if not (ROOT / ".git").exists():
        lacking("this folder is no clone", "git clone, not an archive of the sources", optional=True)
    clone = tmp_path / "clone"
    settings = ("-c", f"core.autocrlf={autocrlf}", "-c", "core.eol=crlf")
    command = ["git", "clone", "--quiet", "--depth", "1", *settings, ROOT.as_uri(), str(clone)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    for script in ("play", "new-game"):
        done = subprocess.run([clone / "scripts" / script, "--help"], capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, ""), script
        assert done.stdout.startswith("usage: ")
