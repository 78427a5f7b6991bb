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
    """Return the files with tests of some files: tests themselves, those that mirror them, and those that stand elsewhere.

    services/a/b.py is tested in tests/services/a/test_b.py; what services read (scripts for Redis, data, texts) in the tests of
    the folder that reads it; rules of a game in the kit as well, and the contract and the packages for programs in their own.
    """
    found = set()
    for name in files:
        path = Path(name)
        if path.suffix == ".py" and path.name.startswith("test_"):
            found.add(name)
        elif path.parts[0] != "tests":
            mirrored = [f"tests/{path.parent}/test_{path.stem.replace('-', '_')}.py"] if path.suffix in (".py", "") else []
            found.update(test for test in (*mirrored, *_elsewhere(path)) if (root / test).is_file())
            if path.parts[0] == "services" and path.suffix in _READ:
                found.update(_of_folder(root, path))
    return sorted(found)


_READ = (".lua", ".json", ".md", ".sql")
_KIT = ("tests/services/games/test_conformance.py",)
_CONTRACT = ("tests/contract/test_contract.py", "tests/contract/test_limits.py", "tests/contract/test_promises.py")
_OF_PACKAGE = {
    "progress": ("progress",),
    "refusals": ("refusals",),
    "retries": ("retries", "progress"),
    "running": ("running",),
    "talk": ("talk",),
    "client": ("playing", "news"),
    "async_client": ("playing", "news"),
}
"""The tests of the modules of the package for Python, of which most are tested in those of playing."""


def _elsewhere(path: Path) -> Iterable[str]:
    """Return the tests of a file that do not mirror it."""
    match path.parts:
        case ("services", "games", _, "rules.py"):
            return _KIT
        case ("protos", *_) if path.suffix == ".proto":
            return _CONTRACT
        case ("clients", "python", "src", "brettwerk_client", _):
            return [f"tests/clients/test_{test}.py" for test in _OF_PACKAGE.get(path.stem, ("playing",))]
        case ("clients", "typescript", *_):
            return ("tests/clients/test_tarball.py",)
        case ("examples", *_) if path.suffix == ".py":
            return ("tests/examples/test_playing.py",)
    return ()


def _of_folder(root: Path, path: Path) -> list[str]:
    """Return the tests of the folder that a file is in, or of the nearest one around it that has any."""
    for folder in path.parents[:-2]:
        tests = [test for test in (root / "tests" / folder).glob("test_*.py") if path.stem in test.stem]
        tests = tests or list((root / "tests" / folder).glob("test_*.py"))
        if tests:
            return [str(test.relative_to(root)) for test in tests]
    return []
