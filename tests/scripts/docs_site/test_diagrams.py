"""Diagrams are drawn by the pinned program and by no other."""

import subprocess
from pathlib import Path

import pytest

from scripts.docs_site import diagrams
from tests.surroundings import write_program


def test_another_program_than_the_pinned_one_is_refused(tmp_path: Path) -> None:
    npm = tmp_path / "npm"
    write_program(npm, "import pathlib, sys\npathlib.Path(sys.argv[-1], 'mermaid.tgz').write_bytes(b'other')\n")
    with pytest.raises(ValueError, match="not the pinned one"):
        diagrams.fetch(str(npm), {}, tmp_path / "kept")
    assert not (tmp_path / "kept").exists()


def test_a_registry_that_does_not_answer_is_an_error_that_can_be_shown(tmp_path: Path) -> None:
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\nexit 1\n")
    npm.chmod(0o755)
    with pytest.raises(subprocess.CalledProcessError):
        diagrams.fetch(str(npm), {}, tmp_path / "kept")
