"""Newcomers to the project find its licence, what has changed and what is promised, everywhere the same."""

import json
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from services.runtime.version import VERSION

ROOT = Path(__file__).parents[2]
LICENCE = "Apache-2.0"
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"][0]["hooks"]


def test_all_metadata_name_the_licence_that_the_file_names() -> None:
    assert (ROOT / "LICENSE").read_text("utf-8").startswith(f"SPDX-License-Identifier: {LICENCE}\n")
    for project in ("pyproject.toml", "clients/python/pyproject.toml"):
        assert tomllib.loads((ROOT / project).read_text("utf-8"))["project"]["license"] == LICENCE
    for package in ("clients/web/package.json", "clients/typescript/package.json"):
        assert json.loads((ROOT / package).read_text("utf-8"))["license"] == LICENCE
    chart = yaml.safe_load((ROOT / "deploy/chart/Chart.yaml").read_text("utf-8"))
    assert chart["annotations"]["artifacthub.io/license"] == LICENCE
    dockerfile = (ROOT / "deploy/images/Dockerfile").read_text("utf-8")
    assert dockerfile.count(f'image.licenses="{LICENCE}"') == dockerfile.count("image.title=") > 0


def test_packages_for_others_have_the_version_of_the_server_that_they_are_made_for() -> None:
    assert tomllib.loads((ROOT / "clients/python/pyproject.toml").read_text("utf-8"))["project"]["version"] == VERSION
    assert json.loads((ROOT / "clients/typescript/package.json").read_text("utf-8"))["version"] == VERSION


def test_the_changelog_begins_with_unreleased_changes_and_then_this_version() -> None:
    titles = [line for line in (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines() if line.startswith("## ")]
    assert titles[0] == "## Unreleased"
    assert titles[1].startswith(f"## {VERSION}")


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: str(hook["id"]))
def test_hooks_before_a_commit_are_programs_of_the_environment(hook: dict[str, Any]) -> None:
    program, _, _ = str(hook["entry"]).partition(" ")
    pinned = (ROOT / "requirements/dev.txt").read_text("utf-8")
    package = {"buf": "buf-bin", "lint-imports": "import-linter"}.get(Path(program).name, Path(program).name)
    assert f"\n{package}==" in pinned
    assert shutil.which(ROOT / program) or shutil.which(Path(program).name)


def test_every_text_ends_its_lines_as_the_editor_settings_say() -> None:
    named = subprocess.run(
        ["git", "ls-files", "*.py", "*.ts", "*.proto", "*.yaml"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in named.stdout.split():
        text = (ROOT / name).read_bytes()
        assert b"\r\n" not in text, name
        assert not text or text.endswith(b"\n"), name
