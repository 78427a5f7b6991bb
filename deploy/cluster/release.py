"""The last release, which the trial begins with: checked out of the history, and kept in the cache."""

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from deploy.cluster.place import ROOT, cache
from deploy.cluster.unavailable import Unavailable

NAMED = ROOT / "deploy" / "last_release.json"
"""Its version and its commit, which is an ancestor of every later one. `scripts/name-release` writes it."""


@dataclass(frozen=True)
class Release:
    """A release, checked out."""

    version: str
    folder: Path

    @property
    def chart(self) -> str:
        """Return the folder of its chart."""
        return str(self.folder / "deploy" / "chart")


def last() -> Release:
    """Return the last release. Raises Missing in a clone whose history does not reach back to it."""
    version, commit = named()
    folder = cache() / f"release-{commit[:12]}"
    if not folder.is_dir():
        cache().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache(), prefix="release-") as room:
            check_out(fresh := Path(room, "release"))
            fresh.rename(folder)
    return Release(version, folder)


def named() -> tuple[str, str]:
    """Return the version and the commit of the last release."""
    read = json.loads(NAMED.read_text(encoding="utf-8"))
    return str(read["version"]), str(read["commit"])


def check_out(folder: Path) -> None:
    """Make a folder with the files of the last release. Raises Missing in a clone whose history does not reach back to it."""
    version, commit = named()
    with tempfile.NamedTemporaryFile(suffix=".tar") as archive:
        git = ["git", "-C", str(ROOT), "archive", "--output", archive.name, commit]
        if subprocess.run(git, capture_output=True, check=False).returncode:
            raise Unavailable(f"release {version} is not in this clone's history: git fetch --unshallow origin")
        folder.mkdir(parents=True)
        subprocess.run(["tar", "-x", "-f", archive.name, "-C", str(folder)], check=True)
