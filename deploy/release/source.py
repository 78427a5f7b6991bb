"""The source of a release: a commit, when it was made, its version, and the images that its images are built on."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from deploy.release.commands import run
from deploy.release.release_error import ReleaseError

DOCKERFILE = Path("deploy", "images", "Dockerfile")
_BASE = re.compile(r"^ARG (?P<argument>\w+_BASE)=(?P<name>\S+?)(?:@sha256:(?P<sum>[0-9a-f]{64}))?$", re.MULTILINE)
_VERSIONS = {
    "services/runtime/version.py": r'^VERSION = "(.*)"$',
    "deploy/chart/Chart.yaml": r"^appVersion: (.*)$",
}
"""Where the version is written, and how."""


@dataclass(frozen=True, slots=True)
class Base:
    """An image that others are built on: the argument of the build that names it, its name, and its digest without `sha256:`."""

    argument: str
    name: str
    digest: str

    @property
    def pinned(self) -> str:
        """Return the name with the digest."""
        return f"{self.name}@sha256:{self.digest}"


@dataclass(frozen=True, slots=True)
class Source:
    """A commit that is checked out in `root`; files in the release are dated `epoch`, seconds since 1970."""

    root: Path
    version: str
    commit: str
    epoch: int


def checked_out(root: Path, version: str, environment: Mapping[str, str] = os.environ) -> Source:
    """Return what is checked out, dated by SOURCE_DATE_EPOCH or else by the commit.

    Raises ReleaseError when it is not that version, or not as it was committed.
    """
    for name, pattern in _VERSIONS.items():
        found = re.search(pattern, (root / name).read_text("utf-8"), re.MULTILINE)
        if found is None or found[1] != version:
            raise ReleaseError(f"version: {name} says {found[1] if found else 'none'}, not {version}")
    if changed := run("source", ["git", "status", "--porcelain"], cwd=root).splitlines():
        raise ReleaseError(f"source: commit everything first; {len(changed)} files differ, such as {changed[0][3:]}")
    commit = run("source", ["git", "rev-parse", "HEAD"], cwd=root).strip()
    dated = environment.get("SOURCE_DATE_EPOCH") or run("source", ["git", "log", "-1", "--format=%ct"], cwd=root).strip()
    if not dated.isdecimal():
        raise ReleaseError(f"source: SOURCE_DATE_EPOCH is {dated}, which is no number of seconds since 1970")
    return Source(root, version, commit, int(dated))


def pinned_bases(dockerfile: str) -> list[Base]:
    """Return the bases that a Dockerfile names. Raises ReleaseError when one is not pinned by a digest."""
    found = []
    for match in _BASE.finditer(dockerfile):
        if match["sum"] is None:
            raise ReleaseError(f"source: {match['argument']} of the Dockerfile is not pinned: append @sha256:...")
        found.append(Base(match["argument"], match["name"], match["sum"]))
    return found
