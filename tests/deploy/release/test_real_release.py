"""A release that was really made: checked as a stranger checks it, and a game is played in its images."""

import json
import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.release.engines import this_platform
from services.runtime.version import VERSION
from tests.deploy.compose.running import Composed
from tests.deploy.containers import Podman
from tests.deploy.release.sample import TARGETS
from tests.deploy.release.test_signatures import key, verified
from tests.deploy.tools import ROOT
from tests.e2e.stranger import Stranger, computer, me
from tests.surroundings import lacking

pytestmark = [pytest.mark.e2e, pytest.mark.nightly, pytest.mark.slow, pytest.mark.timeout(3600)]

REGISTRY = "localhost/brettwerk-release"


@pytest.fixture(scope="module")
def release(images: Podman, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of a release, on bases that this machine has made, signed with a key that lies beside it."""
    if subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, check=True, timeout=60).stdout:
        lacking("only what is committed can be released", "git commit, or git stash", optional=True)
    folder = tmp_path_factory.mktemp("release")
    script = str(ROOT / "deploy" / "images" / "release.sh")
    options = ["--registry", REGISTRY, "--bases", "--sign", str(key(folder)), "--into", str(folder / "made")]
    done = subprocess.run(
        [script, VERSION, *options], env=images.environment, cwd=ROOT, capture_output=True, text=True, timeout=3000, check=False
    )
    assert done.returncode == 0, done.stderr
    yield folder / "made"
    for target in TARGETS:
        images("rmi", "--force", f"{REGISTRY}/brettwerk-{target}:{tag()}", check=False)


def tag() -> str:
    return f"{VERSION}-{this_platform().rpartition('/')[2]}"


def test_a_stranger_with_the_public_key_accepts_it(release: Path) -> None:
    done = verified(release, "--key", str(release.parent / "key.pub"))
    assert done.returncode == 0, done.stderr
    listed = json.loads((release / "release.json").read_text())["images"]
    assert {one["name"] for one in listed} == {f"brettwerk-{target}" for target in TARGETS}


def test_every_image_lists_what_is_in_it(release: Path) -> None:
    for target in TARGETS:
        (file,) = release.glob(f"brettwerk-{target}.*.cdx.json")
        purls = {part["purl"].partition("@")[0] for part in json.loads(file.read_text())["components"]}
        assert {"pkg:pypi/grpcio", "pkg:deb/debian/libc6"} <= purls
        assert ("pkg:npm/marked" in purls) == (target == "gateway")


def test_the_package_of_the_server_is_among_what_was_signed(release: Path) -> None:
    signed = (release / "SHA256SUMS").read_text()
    for name in (rf"{VERSION}-cp\d+-\S+\.whl", rf"{VERSION}\.tar\.gz", rf"{VERSION}-requirements\.txt", rf"{VERSION}\.cdx\.json"):
        assert re.search(rf"^[0-9a-f]{{64}}  brettwerk-{name}$", signed, re.MULTILINE), name
    parts = json.loads((release / f"brettwerk-{VERSION}.cdx.json").read_text())["components"]
    assert {"pkg:pypi/grpcio", "pkg:npm/marked"} <= {part["purl"].partition("@")[0] for part in parts}


def test_a_game_is_played_in_its_images(release: Path, images: Podman, tmp_path: Path) -> None:
    assert release.exists()
    mine = {"BRETTWERK_IMAGES": f"{REGISTRY}/brettwerk", "BRETTWERK_VERSION": tag()}
    podman = Podman(tmp_path)
    podman.environment |= mine
    with Composed(podman, tmp_path) as composed:
        ada = Stranger(composed.grpc_address, "Ada")
        session, seats = ada.create(me(), computer())
        last = ada.play(session.id, seats[0], random.Random(3))
        assert sum(last.session.outcome.scores) == 1
        ada.close()
        assert composed.inspect("rules")["ImageName"] == f"{REGISTRY}/brettwerk-rules:{tag()}"
