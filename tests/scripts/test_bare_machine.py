"""On a machine that lacks what a test needs, the test is skipped, and says what to do about it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.tools import ROOT

REMEDY = re.compile(r"\((apt install [a-z]|\.ci/install|run it as root|in a container: )|: apt install [a-z]")
TESTS = (
    "tests/browser/test_under_a_path.py",
    "tests/deploy/compose/test_store.py",
    "tests/deploy/images/test_images.py",
)


@pytest.mark.nightly
def test_tests_impossible_on_a_bare_machine_are_skipped_and_say_what_to_install(tmp_path: Path) -> None:
    for name in ("git", "sh"):
        (tmp_path / name).symlink_to(f"/usr/bin/{name}")
    bare = {name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("PYTEST_")}
    options = ["-q", "-rs", "-n", "0", "-p", "no:cacheprovider", "--basetemp", str(tmp_path / "tests")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *TESTS],
        cwd=ROOT,
        env={**bare, "PATH": str(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )
    skipped = [line for line in done.stdout.splitlines() if line.startswith("SKIPPED")]
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(skipped) >= len(TESTS), "none of their programs is on the PATH"
    assert [line for line in skipped if not REMEDY.search(line)] == []
