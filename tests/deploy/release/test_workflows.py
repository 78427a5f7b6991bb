"""Workflows of the repository: what they run is pinned, and they run what there is."""

import re

import pytest
import yaml

from deploy.release.source import DOCKERFILE, pinned_bases
from tests.deploy.tools import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("name", [file.name for file in WORKFLOWS])
def test_actions_are_pinned_by_commit_and_say_which_version_that_is(name: str) -> None:
    used = re.findall(r"uses: (.*)$", (ROOT / ".github" / "workflows" / name).read_text(), re.MULTILINE)
    assert used
    for action in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+.*", action), action


@pytest.mark.parametrize(("name", "job", "command"), [("ci", "test", "bash .ci/run"), ("nightly", "nightly", "bash .ci/nightly")])
def test_changes_and_nights_are_tested_on_the_base_of_the_images(name: str, job: str, command: str) -> None:
    found = yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text())["jobs"][job]
    assert found["container"]["image"] == pinned_bases((ROOT / DOCKERFILE).read_text())[0].pinned
    assert found["steps"][-1]["run"] == command


def test_programs_that_workflows_run_are_there() -> None:
    for file in WORKFLOWS:
        for program in re.findall(r"(?<![\w./])((?:deploy|scripts|\.ci)/[\w./-]+)", file.read_text()):
            assert (ROOT / program).exists(), program


def test_only_the_job_that_releases_may_write() -> None:
    for file in WORKFLOWS:
        workflow = yaml.safe_load(file.read_text())
        assert "write" not in str(workflow["permissions"])
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())["jobs"]
    written = {"contents": "write", "packages": "write", "id-token": "write"}
    assert jobs.pop("release")["permissions"] == {**written, "actions": "read"}
    assert all("write" not in str(job.get("permissions", {})) for job in jobs.values())
