"""Images that are pushed to a real registry have there the digests that the release says, and a stranger finds them."""

import hashlib
import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx
import pytest

from deploy.release import engines, parcels, signatures, statements
from deploy.release.engines import Engine, Recipe
from deploy.release.statements import Published, sbom_file
from tests.deploy.containers import Podman, podman
from tests.deploy.release.sample import BASES, source
from tests.deploy.release.test_signatures import key, verified
from tests.deploy.served import served
from tests.deploy.tools import ROOT
from tests.ports import free_port
from tests.surroundings import program

pytestmark = [pytest.mark.e2e, pytest.mark.nightly, pytest.mark.slow, pytest.mark.timeout(600)]

PLATFORMS = ("linux/amd64", "linux/arm64")
_KINDS = (
    "docker.distribution.manifest.v2",
    "docker.distribution.manifest.list.v2",
    "oci.image.index.v1",
    "oci.image.manifest.v1",
)
MANIFESTS = ", ".join(f"application/vnd.{kind}+json" for kind in _KINDS)


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Podman:
    made = podman(tmp_path)
    monkeypatch.setenv("CONTAINERS_CONF", made.environment["CONTAINERS_CONF"])
    return made


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[str]:
    """Run a registry that is empty and speaks HTTP; yield its address."""
    server = program("docker-registry", optional=True)
    address = f"127.0.0.1:{free_port()}"
    storage = {"filesystem": {"rootdirectory": str(tmp_path / "registry")}}
    configuration = {"version": "0.1", "storage": storage, "http": {"addr": address}, "log": {"level": "error"}}
    (tmp_path / "registry.yml").write_text(json.dumps(configuration))  # JSON is YAML, too
    with served([server, "serve", str(tmp_path / "registry.yml")], f"http://{address}/v2/"):
        yield address


@pytest.fixture
def images(tool: Podman, tmp_path: Path) -> Iterator[Mapping[str, str]]:
    """Images of one file for two platforms, by their platforms: nothing runs in them."""
    (tmp_path / "context").mkdir()
    (tmp_path / "context" / "Dockerfile").write_text("FROM scratch\nCOPY content /content\n")
    made = {}
    for platform in PLATFORMS:
        (tmp_path / "context" / "content").write_text(platform)
        name = f"localhost/{tmp_path.name.replace('_', '-').lower()}-{platform.rpartition('/')[2]}"
        tool("build", "--format", "docker", "--platform", platform, "--tag", name, str(tmp_path / "context"))
        made[platform] = name
    yield made
    tool("rmi", "--force", *made.values(), check=False)


def engine(name: str) -> Engine:
    return engines.engine(program(name, optional=True), insecure=True)


def found(registry: str, name: str, reference: str) -> str:
    """Return the digest of what a registry answers."""
    answer = httpx.get(f"http://{registry}/v2/{name}/manifests/{reference}", headers={"Accept": MANIFESTS}, timeout=30)
    answer.raise_for_status()
    return f"sha256:{hashlib.sha256(answer.content).hexdigest()}"


@pytest.mark.parametrize("name", ["podman", "buildah"])
@pytest.mark.parametrize("platforms", [PLATFORMS[:1], PLATFORMS], ids=["one platform", "two as one"])
def test_a_pushed_image_has_in_the_registry_the_digest_that_is_reported(
    registry: str, images: Mapping[str, str], tmp_path: Path, name: str, platforms: tuple[str, ...]
) -> None:
    some = {platform: images[platform] for platform in platforms}
    recipe = Recipe(source(ROOT), BASES, own_bases=False, lent=tmp_path)
    pushed = engine(name).publish(recipe, "rules", some, f"{registry}/brettwerk-rules:1.2.3", None)
    assert pushed == found(registry, "brettwerk-rules", "1.2.3") == found(registry, "brettwerk-rules", pushed)


def test_an_image_in_a_folder_has_the_digest_that_it_gets_in_a_registry(
    registry: str, images: Mapping[str, str], tmp_path: Path
) -> None:
    recipe = Recipe(source(ROOT), BASES, own_bases=False, lent=tmp_path)
    some = {PLATFORMS[0]: images[PLATFORMS[0]]}
    kept = engine("podman").publish(recipe, "rules", some, f"{registry}/brettwerk-rules:1.2.3", tmp_path / "kept")
    copy = ["skopeo", "copy", "--all", "--preserve-digests", "--dest-tls-verify=false"]
    subprocess.run([*copy, f"dir:{tmp_path / 'kept'}", f"docker://{registry}/brettwerk-rules:1.2.3"], check=True, timeout=120)
    assert found(registry, "brettwerk-rules", "1.2.3") == kept


def test_a_stranger_finds_the_images_that_were_signed_and_notices_when_one_is_gone(
    registry: str, images: Mapping[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe, of = Recipe(source(ROOT), BASES, own_bases=False, lent=tmp_path), source(ROOT)
    digest = engine("podman").publish(recipe, "rules", images, f"{registry}/brettwerk-rules:1.2.3", None)
    made = [Published("rules", f"{registry}/brettwerk-rules", digest, {one: sbom_file("rules", one) for one in PLATFORMS})]
    folder = tmp_path / "release"
    folder.mkdir()
    statements.write(folder / made[0].provenance, statements.provenance(made[0], of, BASES, statements.builder({}), "podman"))
    for file in made[0].sboms.values():
        statements.write(folder / file, {"components": []})
    statements.write(folder / "release.json", statements.manifest(of, registry, pushed=True, images=made))
    (folder / "images-by-digest.yaml").write_text(statements.values(of, registry, made))
    parcels.sums(folder)
    signatures.sign(str(key(tmp_path)), folder, made, pushed=False)
    monkeypatch.setenv("SKOPEO_OPTIONS", "--tls-verify=false")
    done = verified(folder, "--key", str(tmp_path / "key.pub"), "--images")
    assert done.returncode == 0, done.stderr
    shutil.rmtree(tmp_path / "registry")
    done = verified(folder, "--key", str(tmp_path / "key.pub"), "--images")
    assert done.returncode == 1
    assert "cannot be fetched" in done.stderr
