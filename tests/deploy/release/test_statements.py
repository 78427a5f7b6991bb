"""The statements of a release about its images."""

import json
from pathlib import Path

import pytest
import yaml

from deploy.release import statements
from tests.deploy.chart.rendering import CHART, run
from tests.deploy.release.sample import BASES, REGISTRY, digest, images, source
from tests.deploy.tools import ROOT

BY_HAND = statements.builder({})


def test_every_pod_of_the_chart_gets_its_image_by_digest(tmp_path: Path) -> None:
    values = tmp_path / "images-by-digest.yaml"
    values.write_text(statements.values(source(ROOT), REGISTRY, images()))
    made = run("template", "brettwerk", str(CHART), "--values", str(values), "--set", "backup.enabled=true")
    used = {line.partition("image: ")[2].strip().strip('"') for line in made.splitlines() if line.strip().startswith("image: ")}
    ours = {image for image in used if "brettwerk-" in image}
    assert ours == {f"{REGISTRY}/brettwerk-{one.target}@{digest(one.target)}" for one in images() if one.target != "all"}


def test_pools_of_workers_are_those_of_the_chart() -> None:
    assert set(statements.POOLS) == set(yaml.safe_load((CHART / "values.yaml").read_text())["workers"])


def test_a_list_of_parts_is_about_one_image_and_the_same_every_time() -> None:
    listed = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": [{"purl": "pkg:pypi/b@1"}]}
    more = [{"purl": "pkg:npm/a@1"}]
    made = [statements.sbom(listed, "gateway", "linux/arm64", source(ROOT), more) for _ in range(2)]
    assert made[0] == made[1]
    assert [part["purl"] for part in made[0]["components"]] == ["pkg:npm/a@1", "pkg:pypi/b@1"]
    assert made[0]["metadata"]["component"]["name"] == "brettwerk-gateway"
    assert made[0]["metadata"]["timestamp"] == "2023-11-14T22:13:20Z"
    other = statements.sbom(listed, "rules", "linux/arm64", source(ROOT))
    assert other["serialNumber"] != made[0]["serialNumber"]


def test_parts_of_the_page_are_what_it_ships_and_not_what_builds_it() -> None:
    lock = json.loads((ROOT / "clients" / "web" / "package-lock.json").read_text())
    wanted = set(json.loads((ROOT / "clients" / "web" / "package.json").read_text())["dependencies"]) - {"@brettwerk/client"}
    found = {part["name"] for part in statements.page_packages(lock)}
    assert wanted <= found
    assert found.isdisjoint({"typescript", "@brettwerk/client"})


def test_the_package_lists_what_it_was_tried_with_and_the_parts_of_its_page() -> None:
    pinned = (ROOT / "requirements" / "play.txt").read_text("utf-8")
    made = [statements.package_sbom(pinned, [{"purl": "pkg:npm/a@1"}], source(ROOT)) for _ in range(2)]
    assert made[0] == made[1]
    scopes = {part["purl"].partition("@")[0]: part.get("scope") for part in made[0]["components"]}
    wanted = {"pkg:npm/a": None, "pkg:pypi/grpcio": "required", "pkg:pypi/async-timeout": "optional"}
    assert wanted.items() <= scopes.items()
    assert len(scopes) == sum(line[:1].isalpha() for line in pinned.splitlines()) + 1
    assert made[0]["metadata"]["component"]["purl"] == "pkg:pypi/brettwerk@1.2.3"


def test_provenance_names_the_image_its_commit_and_its_bases() -> None:
    made = statements.provenance(
        next(one for one in images() if one.target == "rules"), source(ROOT), BASES, BY_HAND, "podman version 4.3.1"
    )
    assert made["subject"] == [
        {"name": f"{REGISTRY}/brettwerk-rules", "digest": {"sha256": digest("rules").removeprefix("sha256:")}}
    ]
    definition = made["predicate"]["buildDefinition"]
    digests = [one["digest"] for one in definition["resolvedDependencies"]]
    assert digests == [{"gitCommit": "c" * 40}, {"sha256": "a" * 64}, {"sha256": "b" * 64}]
    assert definition["externalParameters"] == {"version": "1.2.3", "target": "rules", "platforms": ["linux/amd64"]}
    assert made["predicate"]["runDetails"]["builder"]["id"] == BY_HAND["id"]


def test_in_a_workflow_provenance_names_the_workflow_and_the_run() -> None:
    made = statements.builder(
        {
            "GITHUB_SERVER_URL": "https://git.example.org",
            "GITHUB_REPOSITORY": "ada/brettwerk",
            "GITHUB_WORKFLOW_REF": "ada/brettwerk/.github/workflows/release.yml@refs/tags/v1.2.3",
            "GITHUB_REF": "refs/tags/v1.2.3",
            "GITHUB_RUN_ID": "7",
            "GITHUB_RUN_ATTEMPT": "2",
        }
    )
    assert made["id"] == "https://git.example.org/ada/brettwerk/.github/workflows/release.yml@refs/tags/v1.2.3"
    assert made["source"] == "git+https://git.example.org/ada/brettwerk@refs/tags/v1.2.3"
    assert made["invocation"].endswith("/actions/runs/7/attempts/2")


@pytest.mark.parametrize("pushed", [True, False])
def test_the_manifest_names_every_image_by_digest(pushed: bool) -> None:
    made = statements.manifest(source(ROOT), REGISTRY, pushed=pushed, images=images())
    assert {one["image"] for one in made["images"]} == {
        f"{REGISTRY}/brettwerk-{one.target}@{digest(one.target)}" for one in images()
    }
    assert made["pushed"] is pushed
