"""The signer of a release, and whether a stranger finds out when something in it is not what was signed."""

import json
import subprocess
from pathlib import Path

import pytest

from deploy.release import parcels, signatures, statements
from deploy.release.release_error import ReleaseError
from tests.deploy.release.sample import BASES, REGISTRY, digest, images, source
from tests.deploy.tools import ROOT

VERIFY = ROOT / "deploy" / "release" / "verify.sh"


def key(folder: Path, name: str = "key") -> Path:
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(folder / name)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return folder / name


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A folder with what is said of images, and the sums; not signed yet."""
    folder = tmp_path / "release"
    folder.mkdir()
    made, of = images(), source(ROOT)
    for image in made:
        statements.write(folder / image.provenance, statements.provenance(image, of, BASES, statements.builder({}), "podman"))
        for file in image.sboms.values():
            statements.write(folder / file, {"components": []})
    statements.write(folder / "release.json", statements.manifest(of, REGISTRY, pushed=False, images=made))
    (folder / "images-by-digest.yaml").write_text(statements.values(of, REGISTRY, made))
    parcels.sums(folder)
    return folder


def verified(release: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(VERIFY), *options, str(release)], capture_output=True, text=True, timeout=120, check=False)


def refused(release: Path, signer: Path) -> str:
    done = verified(release, "--key", f"{signer}.pub")
    assert done.returncode == 1
    return done.stderr


def test_a_release_that_is_as_it_was_signed_is_accepted(release: Path, tmp_path: Path) -> None:
    signatures.sign(str(key(tmp_path)), release, images(), pushed=False)
    done = verified(release, "--key", str(tmp_path / "key.pub"))
    assert done.returncode == 0, done.stderr
    assert f"{REGISTRY}/brettwerk-worker@{digest('worker')}" in done.stdout


def test_somebody_elses_signature_is_not_accepted(release: Path, tmp_path: Path) -> None:
    signatures.sign(str(key(tmp_path)), release, images(), pushed=False)
    assert "not signed with" in refused(release, key(tmp_path, "other"))


def test_a_signature_that_was_made_for_something_else_is_not_accepted(release: Path, tmp_path: Path) -> None:
    signer = key(tmp_path)
    command = ["ssh-keygen", "-q", "-Y", "sign", "-n", "file", "-f", str(signer), str(release / parcels.SUMS)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    assert "not signed with" in refused(release, signer)


def test_a_release_without_a_signature_is_not_accepted(release: Path, tmp_path: Path) -> None:
    assert "there is no signature" in refused(release, key(tmp_path))
    assert "say who has to have signed" in verified(release).stderr


def test_a_file_that_was_changed_added_or_removed_is_found(release: Path, tmp_path: Path) -> None:
    signer = key(tmp_path)
    signatures.sign(str(signer), release, images(), pushed=False)
    (release / "more").touch()
    assert "not in SHA256SUMS: more" in refused(release, signer)
    (release / "more").unlink()
    values = (release / "images-by-digest.yaml").read_text()
    (release / "images-by-digest.yaml").write_text(values.replace(digest("ai"), digest("worker")))
    assert "not what was signed: images-by-digest.yaml: FAILED" in refused(release, signer)
    (release / "images-by-digest.yaml").unlink()
    assert "not what was signed" in refused(release, signer)


def test_sums_that_were_made_anew_are_not_accepted(release: Path, tmp_path: Path) -> None:
    signer = key(tmp_path)
    signatures.sign(str(signer), release, images(), pushed=False)
    (release / "release.json").write_text("{}")
    parcels.sums(release)
    assert "not signed with" in refused(release, signer)


@pytest.mark.parametrize(
    ("file", "said"), [("images-by-digest.yaml", "does not have"), ("brettwerk-ai.intoto.json", "is about another")]
)
def test_files_that_do_not_agree_about_an_image_are_refused(release: Path, tmp_path: Path, file: str, said: str) -> None:
    content = (release / file).read_text()
    (release / file).write_text(content.replace(digest("ai").removeprefix("sha256:"), digest("worker").removeprefix("sha256:")))
    parcels.sums(release)
    signer = key(tmp_path)
    signatures.sign(str(signer), release, images(), pushed=False)
    assert said in refused(release, signer)


def test_an_image_in_the_folder_has_to_be_the_one_that_is_named(release: Path, tmp_path: Path) -> None:
    (release / "images" / "brettwerk-ai").mkdir(parents=True)
    (release / "images" / "brettwerk-ai" / "manifest.json").write_text("{}")
    parcels.sums(release)
    signer = key(tmp_path)
    signatures.sign(str(signer), release, images(), pushed=False)
    assert "images/brettwerk-ai is not" in refused(release, signer)


def test_a_key_says_which_program_signs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert signatures.program_for(str(key(tmp_path))) == "ssh-keygen"
    assert signatures.program_for(str(tmp_path / "key.pub")) == "ssh-keygen"
    (tmp_path / "cosign.key").write_text("-----BEGIN ENCRYPTED SIGSTORE PRIVATE KEY-----\n")
    (tmp_path / "cosign").write_text("#!/bin/sh\n")
    (tmp_path / "cosign").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    for one in (str(tmp_path / "cosign.key"), "awskms:///alias/brettwerk", "keyless"):
        assert signatures.program_for(one) == "cosign"
    (tmp_path / "cosign").unlink()
    with pytest.raises(ReleaseError, match="cosign is not installed"):
        signatures.program_for("keyless")
    for wrong, said in ((tmp_path / "nothing", "cannot be read"), (VERIFY, "is neither an OpenSSH key")):
        with pytest.raises(ReleaseError, match=said):
            signatures.program_for(str(wrong))


def test_cosign_signs_each_image_by_its_digest_its_statements_and_the_sums(release: Path, tmp_path: Path) -> None:
    one = images()[1]
    commands = signatures.cosign_commands("keyless", release, [one], tmp_path)
    assert [command[1] for command in commands] == ["sign", "attest", "attest", "sign-blob"]
    assert all(command[-1] == one.by_digest for command in commands[:3])
    assert commands[3][-1] == str(release / parcels.SUMS)
    predicate = json.loads((tmp_path / one.provenance).read_text())
    assert set(predicate) == {"buildDefinition", "runDetails"}
    (signed,) = signatures.cosign_commands("cosign.key", release, [], tmp_path)
    assert signed[2:5] == ["--yes", "--key", "cosign.key"]
