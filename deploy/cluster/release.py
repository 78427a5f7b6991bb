"""The last release, which the trial begins with: checked out of the history, and kept in the cache."""

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from deploy.cluster.missing import Missing
from deploy.cluster.place import ROOT, cache

NAMED = ROOT / "tests" / "chaos" / "release.json"
"""Its version and its commit, which is an ancestor of every later one."""


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
    named = json.loads(NAMED.read_text(encoding="utf-8"))
    commit, version = str(named["commit"]), str(named["version"])
    folder = cache() / f"release-{commit[:12]}"
    if not folder.is_dir():
        cache().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache(), prefix="release-") as room:
            archive, fresh = Path(room, "release.tar"), Path(room, "release")
            git = ["git", "-C", str(ROOT), "archive", "--output", str(archive), commit]
            if subprocess.run(git, capture_output=True, check=False).returncode:
                raise Missing(f"release {version} is not in this clone's history: git fetch --unshallow origin")
            fresh.mkdir()
            subprocess.run(["tar", "-x", "-f", str(archive), "-C", str(fresh)], check=True)
            fresh.rename(folder)
    return Release(version, folder)
