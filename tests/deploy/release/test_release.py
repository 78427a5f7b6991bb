"""The command as a whole, with a podman that builds nothing: which steps there are, and what is said when one fails."""

import itertools
import json
import subprocess
from pathlib import Path

import pytest

from deploy.release import __main__ as release
from deploy.release import parcels
from services.runtime.version import VERSION
from tests.deploy.chart.rendering import CHART, name, pods, rendered, things
from tests.deploy.release.sample import REGISTRY, TARGETS, digest, source
from tests.deploy.release.test_signatures import key, verified
from tests.deploy.tools import ROOT, helm
from tests.surroundings import write_program

PODMAN = f"""
import json, os, sys
arguments = sys.argv[1:]
with open(os.path.join(os.path.dirname(__file__), "calls"), "a") as calls:
    calls.write(json.dumps(arguments) + "\\n")
if arguments[0] == os.environ.get("FAILS"):
    print("first\\nno space left", file=sys.stderr)
    sys.exit(125)
if arguments[0] == "--version":
    print("podman version 0")
elif arguments[0] == "run":
    print(json.dumps({{"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": []}}))
elif "--digestfile" in arguments:
    target = [target for target in {TARGETS} if "brettwerk-" + target in arguments[-1]][0]
    with open(arguments[arguments.index("--digestfile") + 1], "w") as file:
        file.write("sha256:%064x" % ({TARGETS}.index(target) + 1))
"""


@pytest.fixture
def podman(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A podman that notes how it was called. Only images are made here: the rest takes long, and has tests of its own."""
    program = tmp_path / "podman"
    write_program(program, PODMAN)
    (tmp_path / "lent").mkdir()
    (tmp_path / "lent" / "ca").touch()
    monkeypatch.setattr(release, "checked_out", lambda root, version: source(root))
    monkeypatch.setattr(parcels, "clients", lambda source, into: None)
    monkeypatch.setattr(parcels, "server", lambda source, into, pythons, page: None)
    monkeypatch.setattr(parcels, "contract", lambda source, into: None)
    return program


def run(podman: Path, *options: str) -> int:
    folder = podman.parent
    given = ["1.2.3", "--registry", REGISTRY, "--engine", str(podman), "--lent", str(folder / "lent")]
    return release.main([*given, "--into", str(folder / "out"), *options])


def calls(podman: Path) -> list[list[str]]:
    return [json.loads(line) for line in (podman.parent / "calls").read_text().splitlines()]


@pytest.mark.nightly
def test_images_of_two_platforms_are_pushed_as_one_and_the_release_is_signed(podman: Path, tmp_path: Path) -> None:
    assert run(podman, "--platform", "linux/amd64,linux/arm64", "--push", "--sign", str(key(tmp_path))) == 0
    done = verified(tmp_path / "out", "--key", str(tmp_path / "key.pub"))
    assert done.returncode == 0, done.stderr
    made = {path.name for path in (tmp_path / "out").iterdir()}
    assert {f"brettwerk-{target}.linux-{machine}.cdx.json" for target in TARGETS for machine in ("amd64", "arm64")} <= made
    assert {f"brettwerk-{target}.intoto.json" for target in TARGETS} <= made
    assert {"release.json", "images-by-digest.yaml", "brettwerk-1.2.3.tgz", "SHA256SUMS", "SHA256SUMS.sig", "verify.sh"} <= made
    pushed = [call for call in calls(podman) if "push" in call]
    assert [call[-1] for call in pushed] == [f"docker://{REGISTRY}/brettwerk-{target}:1.2.3" for target in TARGETS]
    assert all("--all" in call for call in pushed)
    listed = {one["name"]: one["image"] for one in json.loads((tmp_path / "out" / "release.json").read_text())["images"]}
    assert listed["brettwerk-ai"] == f"{REGISTRY}/brettwerk-ai@{digest('ai')}"


def test_a_build_gets_the_date_the_commit_and_pinned_bases_and_its_secrets_only_as_such(podman: Path) -> None:
    assert run(podman) == 0
    build = next(call for call in calls(podman) if call[0] == "build")
    options = list(itertools.pairwise(build))
    assert ("--timestamp", "1700000000") in options
    assert ("--build-arg", f"REVISION={'c' * 40}") in options
    assert sum("_BASE=" in word and "@sha256:" in word for word in build) == 2
    assert ("--secret", f"id=ca,src={podman.parent / 'lent' / 'ca'}") in options
    assert ("--format", "docker") in options


def test_plain_manifests_are_those_of_the_chart_with_the_images_of_the_release(podman: Path) -> None:
    helm()  # fetched where the release looks for it
    assert run(podman) == 0
    made = things((podman.parent / "out" / "brettwerk-1.2.3.yaml").read_text())
    plain = things(rendered(CHART / "examples" / "plain.yaml"))
    assert [(thing["kind"], name(thing)) for thing in made] == [(thing["kind"], name(thing)) for thing in plain]
    used = {container["image"] for pod in pods(made).values() for container in pod["spec"]["containers"]}
    assert {f"{REGISTRY}/brettwerk-{target}@{digest(target)}" for target in TARGETS if target != "all"} == {
        one for one in used if "/brettwerk-" in one
    }


@pytest.mark.parametrize(
    ("command", "step"), [("build", "building gateway"), ("run", "looking into"), ("push", "publishing gateway")]
)
def test_a_step_that_fails_ends_it_with_one_sentence(
    podman: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str, step: str
) -> None:
    monkeypatch.setenv("FAILS", command)
    assert run(podman) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"release: {step}")
    assert last.endswith("podman failed: no space left")
    assert not (podman.parent / "out" / "SHA256SUMS").exists()


def test_a_key_that_cannot_sign_is_found_before_anything_is_built(podman: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(podman, "--sign", "/nowhere/key") == 1
    assert "the key /nowhere/key cannot be read" in capsys.readouterr().err
    assert not (podman.parent / "calls").exists()


def test_an_invalid_registry_or_platform_is_refused(podman: Path) -> None:
    for wrong in (("--registry", "https://registry.example.org"), ("--platform", "arm64")):
        with pytest.raises(SystemExit):
            run(podman, *wrong)


@pytest.mark.nightly
def test_the_script_passes_on_what_it_is_given() -> None:
    command = [str(ROOT / "deploy" / "images" / "release.sh"), "0.0.0", "--registry", REGISTRY]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"PATH": "/usr/bin:/bin", "HOME": "/", "ENGINE": "podman"},
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"release: version: services/runtime/version.py says {VERSION}, not 0.0.0"
