"""What changed since a branch left the main one, and which tests look at it."""

import subprocess
from collections.abc import Iterable
from pathlib import Path

MAIN_BRANCHES = ("origin/HEAD", "origin/main", "main")


def changed_files(root: Path, base: str = "") -> list[str]:
    """Return the files, by their paths from the root, that differ from a commit, and those that git does not know yet.

    Without one it is the commit at which this branch left the main one. Files that are gone are left out.
    Raises ValueError when there is no such commit.
    """
    since = base or _left_main_at(root)
    differ = _git(root, "diff", "--name-only", "-z", "--diff-filter=d", since)
    if differ is None:
        raise ValueError(f"there is no commit {since}")
    names = differ + (_git(root, "ls-files", "--others", "--exclude-standard", "-z") or "")
    return sorted({name for name in names.split("\0") if name and (root / name).is_file()})


def _left_main_at(root: Path) -> str:
    found = (_git(root, "merge-base", "HEAD", branch) for branch in MAIN_BRANCHES)
    return next((commit.strip() for commit in found if commit), "HEAD")


def _git(root: Path, *arguments: str) -> str | None:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def mirrored_tests(root: Path, files: Iterable[str]) -> list[str]:
    """Return the files with tests of some files: tests themselves, and services/a/b.py in tests/services/a/test_b.py."""
    found = set()
    for name in files:
        path = Path(name)
        if path.suffix == ".py" and path.name.startswith("test_"):
            found.add(name)
        elif path.parts[0] != "tests" and path.suffix in (".py", ""):
            test = Path("tests", path.parent, f"test_{path.stem.replace('-', '_')}.py")
            if (root / test).is_file():
                found.add(str(test))
    return sorted(found)
