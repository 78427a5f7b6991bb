"""Commands of other pages than the guide: of releasing, of a new game, beside the services, and what runbooks ask a Redis."""

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from deploy.release import options, parcels, signatures, statements
from deploy.release.statements import Published, sbom_file
from tests.brettwerk_games.rules.conformance import CHECKS
from tests.chaos.sentinels import NAME, watched_redis
from tests.deploy.api_server import ApiServer
from tests.deploy.guide import Place, blocks, inline
from tests.deploy.release.sample import BASES, REGISTRY, TARGETS, source
from tests.deploy.release.test_signatures import key
from tests.deploy.test_guide import RUNBOOKS, block_with
from tests.deploy.tools import ROOT, helm

pytestmark = pytest.mark.slow

RELEASING = ROOT / "docs" / "releasing.md"
NEW_GAME = ROOT / "docs" / "write-a-game.md"
OPERATIONS = ROOT / "docs" / "operations.md"
_SHIMS = {
    # A registry in which an image is its own name, which its digest is of.
    "skopeo": """#!/bin/sh
for last; do :; done
name="${last##*/brettwerk-}"
printf %s "${name%%@*}"
""",
    "cosign": '#!/bin/sh\necho "$@" >>"$NOTED"\n',
}


def run(block: str, folder: Path, environment: Mapping[str, str] = os.environ) -> str:
    """Run a block in a folder and return what it says. Raises AssertionError when a command of it fails."""
    command = ["bash", "-euo", "pipefail", "-c", block]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=400, check=False)
    assert done.returncode == 0, f"{block}\n{done.stdout}{done.stderr}"
    return done.stdout


def digest(target: str) -> str:
    """Return the digest that an image has in the registry of these tests."""
    return f"sha256:{hashlib.sha256(target.encode()).hexdigest()}"


def test_every_block_on_these_pages_is_one_of_those_known_here() -> None:
    known = {
        RELEASING: ["release.sh", "helm install", "--cosign-key"],
        NEW_GAME: ["new-game", "uninstall", "packages.trial", "docker build"],
    }
    for page, words in known.items():
        found = blocks(page)
        assert len(found) == len(words), page
        assert all(word in block for word, block in zip(words, found, strict=True))


def test_a_release_is_asked_for_with_options_that_there_are() -> None:
    asked, _ = block_with(RELEASING, "release.sh").splitlines()
    program, *words = shlex.split(asked)
    assert (ROOT / program).exists()
    given = options.parse([*words, "--engine", "podman", "--lent", "."])
    assert given.push
    assert given.keys == (os.path.expanduser("~/.ssh/brettwerk"),) or given.keys == ("~/.ssh/brettwerk",)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a release of 0.2.0 that is signed with OpenSSH, its key, and programs that stand for a registry's."""
    folder = tmp_path / "dist" / "0.2.0"
    folder.mkdir(parents=True)
    sboms = {"linux/amd64"}
    made = [
        Published(one, f"{REGISTRY}/brettwerk-{one}", digest(one), {platform: sbom_file(one, platform) for platform in sboms})
        for one in TARGETS
    ]
    for image in made:
        statements.write(
            folder / image.provenance, statements.provenance(image, source(ROOT), BASES, statements.builder({}), "podman")
        )
        for file in image.sboms.values():
            statements.write(folder / file, {"components": []})
    statements.write(folder / "release.json", statements.manifest(source(ROOT), REGISTRY, pushed=True, images=made))
    (folder / "images-by-digest.yaml").write_text(statements.values(source(ROOT), REGISTRY, made))
    (folder / "SHA256SUMS.bundle").write_text("{}")
    parcels.sums(folder)
    signatures.sign(str(key(tmp_path, "brettwerk")), folder, made, pushed=False)
    (tmp_path / "deploy").symlink_to(ROOT / "deploy")
    (tmp_path / "bin").mkdir()
    for name, text in _SHIMS.items():
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    return tmp_path


def test_a_release_is_verified_as_the_page_says(place: Path) -> None:
    environment = {**os.environ, "PATH": f"{place / 'bin'}:{os.environ['PATH']}", "NOTED": str(place / "noted")}
    _, verified = block_with(RELEASING, "release.sh").splitlines()
    assert f"{REGISTRY}/brettwerk-worker@" in run(verified, place, environment)
    run(block_with(RELEASING, "--cosign-key"), place, environment)
    asked = (place / "noted").read_text()
    assert "--key cosign.pub" in asked
    assert "--certificate-oidc-issuer https://token.actions.githubusercontent.com" in asked


@pytest.mark.nightly
def test_the_chart_of_a_release_is_installed_with_its_images(place: Path, tmp_path: Path) -> None:
    packed = ["package", str(ROOT / "deploy" / "chart"), "--version", "0.2.0", "--destination", str(tmp_path)]
    subprocess.run([helm(), *packed], check=True, capture_output=True, timeout=60)
    (tmp_path / "guide").mkdir()
    with ApiServer() as api_server:
        command = block_with(RELEASING, "helm install").replace(" brettwerk-0.2.0.tgz", f" {tmp_path}/brettwerk-0.2.0.tgz")
        values = f"{tmp_path}/dist/0.2.0/images-by-digest.yaml"
        Place(tmp_path / "guide", api_server).run(command.replace("images-by-digest.yaml", values))
        pulled = {
            one["image"] for thing in api_server.of("Deployment") for one in thing["spec"]["template"]["spec"]["containers"]
        }
    assert {f"{REGISTRY}/brettwerk-{one}@{digest(one)}" for one in TARGETS if one != statements.ALL} == pulled


@pytest.mark.nightly
@pytest.mark.timeout(900)
def test_a_new_game_is_written_tried_and_removed_as_the_page_says(tmp_path: Path) -> None:
    """In a clone that holds what `scripts/play` alone prepares."""
    place = tmp_path / "brettwerk"
    subprocess.run(["git", "clone", "--quiet", "--depth", "1", ROOT.as_uri(), str(place)], check=True, timeout=120)
    without = {name: value for name, value in os.environ.items() if not name.startswith(("BRETTWERK_", "PYTHON"))}
    prepared = [shutil.which("python3") or sys.executable, "scripts/prepare.py"]
    subprocess.run(prepared, cwd=place, env=without, check=True, capture_output=True, timeout=400)
    begin = block_with(NEW_GAME, "new-game")
    assert begin.rstrip().endswith("\nscripts/play")
    said = run(begin.rstrip() + " --help", place, without)
    assert f"{len(CHECKS)} of {len(CHECKS)} checks pass" in said
    run(block_with(NEW_GAME, "packages.trial"), place, without)
    run(block_with(NEW_GAME, "uninstall"), place, without)
    gone = run(".venv/bin/pip list --format=freeze", place, without)
    assert "brettwerk-stone-garden" not in gone
    assert "pytest" not in gone


def test_the_page_of_a_new_game_says_how_many_checks_pass() -> None:
    assert f"{len(CHECKS)} of {len(CHECKS)} checks pass" in NEW_GAME.read_text()


def test_the_page_of_a_new_game_draws_with_dice_that_there_are() -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```$", NEW_GAME.read_text(), re.MULTILINE | re.DOTALL)
    assert len(run(f"{sys.executable} - <<'END'\n{program}END", ROOT).split()) == 5


@pytest.mark.nightly
@pytest.mark.parametrize(
    "command", ["services.archive reports --count 20", *(f"services.players {work}" for work in ("rebuild", "conduct"))]
)
def test_commands_for_operators_run_with_the_settings_of_the_services(tmp_path: Path, command: str) -> None:
    pages = [OPERATIONS, ROOT / "docs" / "ratings.md", *RUNBOOKS]
    assert any(f"python -m {command}" in page.read_text() for page in pages)
    databases = {name: f"sqlite:///{tmp_path / name}" for name in ("BRETTWERK_DATABASE_URL", "BRETTWERK_PLAYERS_DATABASE_URL")}
    said = run(f"{sys.executable} -m {command}", ROOT, os.environ | databases)
    assert said in ("", "0 finished games were taken from the archive\n") or said.startswith("players who have paused")


ASKED = {"info replication": "connected_slaves:1", "sentinel replicas": "master-link-status", "hgetall": ""}
"""The questions of runbooks to a Redis, and what they say is to be seen there."""


@pytest.fixture
def redis_cli(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The servers' addresses, by the names that runbooks give them."""
    if shutil.which("redis-cli") is None:
        pytest.skip("redis-cli is not installed (apt install redis-tools)")
    with watched_redis(tmp_path / "stores") as stores:
        master, sentinel = stores.master(), int(stores.hosts.split(",")[0].rpartition(":")[2])
        yield {"MASTER": f"127.0.0.1 -p {master}", "STORE": f"127.0.0.1 -p {master}", "SENTINEL -p 26379": f"127.0.0.1 -p {sentinel}", "NAME": NAME}  # fmt: skip # noqa: E501


def test_questions_of_runbooks_to_a_redis_are_answered(redis_cli: dict[str, str]) -> None:
    commands = sorted({command for page in RUNBOOKS for command in inline(page, "redis-cli")})
    assert len(commands) == len(ASKED)
    for command in commands:
        (seen,) = (seen for words, seen in ASKED.items() if words in command)
        filled = command
        for word, value in redis_cli.items():
            filled = re.sub(rf"\b{word}\b", value, filled)
        said = run(filled, ROOT)
        assert seen in said, command
        assert "ERR" not in said
