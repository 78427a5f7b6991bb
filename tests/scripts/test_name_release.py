"""A release is named: tagged, with its contract and its commit kept; what is refused leaves everything as it was."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2

ROOT = Path(__file__).parents[2]
CONTRACT, STATED = "protos/released.binpb", "protos/stated-changes.txt"
NAMED, VERSION = "deploy/last_release.json", "services/runtime/version.py"
PROMISED, KEPT = "tests/contract/promised.json", "tests/services/rules/kept"
NEEDED = ("scripts/name-release", "scripts/release-contract", "protos", NAMED, VERSION, PROMISED)
ENVIRONMENT = {
    **os.environ,
    "BRETTWERK_VENV": sys.prefix,
    "GIT_CONFIG_GLOBAL": os.devnull,
    **{f"GIT_{who}_{what}": "who@releases.example" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True, env=ENVIRONMENT)
    return done.stdout.strip()


def say_version(folder: Path, version: str) -> None:
    """Commit another version."""
    (folder / VERSION).write_text(f'"""Which version this is."""\n\nVERSION = "{version}"\n', encoding="utf-8")
    promised = folder / PROMISED
    promised.write_text(json.dumps({"version": version}), encoding="utf-8")
    (folder / KEPT / version).mkdir(parents=True)
    (folder / KEPT / version / "einstein-1.record").touch()
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", f"Version {version}")


def name_release(folder: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [folder / "scripts" / "name-release"], capture_output=True, text=True, check=False, env=ENVIRONMENT | environment
    )


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository with what a release is made of, whose version is 7.8.9."""
    folder = tmp_path / "clone"
    for name in NEEDED:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, folder / name)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "All that there is")
    say_version(folder, "7.8.9")
    return folder


def test_a_release_has_a_tag_its_contract_and_its_commit(clone: Path) -> None:
    (clone / CONTRACT).unlink()
    with (clone / STATED).open("a", encoding="utf-8") as stated:
        stated.write('brettwerk/v1/play.proto: Previously present message "Nothing" was deleted from file.\n')
    git(clone, "commit", "-qam", "It will be made anew, and has another change to state")
    commit = git(clone, "rev-parse", "HEAD")
    done = name_release(clone)
    assert done.returncode == 0, done.stderr
    assert git(clone, "rev-parse", "v7.8.9") == commit
    assert json.loads((clone / NAMED).read_text(encoding="utf-8")) == {"version": "7.8.9", "commit": commit}
    kept = descriptor_pb2.FileDescriptorSet.FromString((clone / CONTRACT).read_bytes())
    assert {file.name for file in kept.file} >= {path.relative_to(clone / "protos").as_posix() for path in clone.rglob("*.proto")}
    assert {line.split()[-1] for line in git(clone, "status", "--porcelain").splitlines()} == {CONTRACT, STATED, NAMED}
    assert not [line for line in (clone / STATED).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    git(clone, "add", "-A")
    git(clone, "commit", "-qm", "Name release 7.8.9")
    assert git(clone, "merge-base", "--is-ancestor", "v7.8.9", "HEAD") == ""


def leave_something(clone: Path) -> None:
    (clone / "left.txt").touch()


def name_it_before(clone: Path) -> None:
    git(clone, "tag", "v7.8.9")


def promise_nothing(clone: Path) -> None:
    (clone / PROMISED).write_text(json.dumps({"version": "7.8.8"}), encoding="utf-8")
    git(clone, "commit", "-qam", "Forget the promises")


def keep_no_records(clone: Path) -> None:
    git(clone, "rm", "-rq", f"{KEPT}/7.8.9")
    git(clone, "commit", "-qm", "Forget the records")


def say_none(clone: Path) -> None:
    (clone / VERSION).write_text("VERSION = None\n", encoding="utf-8")
    git(clone, "commit", "-qam", "No version")


def break_the_contract(clone: Path) -> None:
    (clone / "protos" / "brettwerk" / "v1" / "broken.proto").write_text("message", encoding="utf-8")
    git(clone, "add", "-A")
    git(clone, "commit", "-qm", "Break it")


@pytest.mark.parametrize(
    ("prepare", "word"),
    [
        (leave_something, "commit everything first"),
        (name_it_before, "tagged already"),
        (promise_nothing, "scripts.promises"),
        (keep_no_records, "keeping"),
        (say_none, "no version"),
        (break_the_contract, "the contract cannot be kept"),
    ],
)
def test_a_refused_release_leaves_everything_as_it_was(clone: Path, prepare, word: str) -> None:
    prepare(clone)
    before = git(clone, "status", "--porcelain"), git(clone, "for-each-ref")
    done = name_release(clone)
    assert done.returncode == 1
    assert word in done.stderr
    assert (git(clone, "status", "--porcelain"), git(clone, "for-each-ref")) == before


def test_a_checkout_that_is_not_prepared_is_told_what_to_do(clone: Path, tmp_path: Path) -> None:
    done = name_release(clone, BRETTWERK_VENV=str(tmp_path / "none"))
    assert done.returncode == 1
    assert "scripts/prepare.py --dev" in done.stderr
    assert git(clone, "tag") == ""
