"""The Dockerfile, as far as no build shows it: test_images.py builds it."""

import re
import subprocess
import sys
from pathlib import Path

from services.runtime.settings import Settings
from services.runtime.version import VERSION
from tests.deploy.tools import ROOT

FILE = ROOT / "deploy" / "images" / "Dockerfile"


def test_hadolint_finds_nothing() -> None:
    done = subprocess.run([str(Path(sys.executable).parent / "hadolint"), str(FILE)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_every_base_is_pinned() -> None:
    """Those are not the bases that tests build on."""
    bases = re.findall(r"^ARG \w+_BASE=(\S+)$", FILE.read_text(), re.MULTILINE)
    assert len(bases) == 2
    assert all(re.fullmatch(r"docker\.io/library/[\w:.-]+@sha256:[0-9a-f]{64}", base) for base in bases)


def test_variables_are_settings_that_there_are() -> None:
    known = {f"BRETTWERK_{field.upper()}" for field in Settings.model_fields}
    assert set(re.findall(r"BRETTWERK_\w+", FILE.read_text())) <= known


def test_an_image_is_of_this_version_unless_told_otherwise() -> None:
    assert set(re.findall(r"^ARG VERSION=(\S+)$", FILE.read_text(), re.MULTILINE)) == {VERSION}
